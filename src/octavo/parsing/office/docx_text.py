"""The words of a Word paragraph: runs, fields and formulas, and what hangs on it, such as notes and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from octavo.parsing.flow import tidy
from octavo.parsing.office.docx_styles import VAL, Style, Styles, W, is_monospaced, is_on
from octavo.parsing.office.drawing import CHARTS, DIAGRAM, description
from octavo.parsing.office.omml import FORMULA, FORMULAS, linear
from octavo.parsing.office.opc import ALTERNATE, R_DATA, R_ID
from octavo.parsing.package import Element

_GREEK = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
_CAPITALS = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
_OTHERS = {
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAC: "←", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB6: "∂",
    0xB7: "•", 0xB9: "≠", 0xBB: "≈", 0xCE: "∈", 0xD6: "√", 0xD7: "·", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_SYMBOL = _GREEK | _CAPITALS | _OTHERS
_WINGDINGS = {
    0x6F: "☐", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip


def sign(code: str, font: str) -> str:
    """Return the sign that a font shows for a character given in hexadecimal digits; "" for one that is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    low, name = number & 0xFF, font.lower()
    if name == "symbol":
        return _SYMBOL.get(low, chr(low) if 0x20 <= low < 0x41 else "")
    if name.startswith(("wingdings", "webdings")):
        return _WINGDINGS.get(low, "")
    return chr(number) if 0x20 <= number < 0xD800 or 0xF900 <= number < 0xFFFE else ""


_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V = "{urn:schemas-microsoft-com:vml}"
_BOX = f"{W}txbxContent"
_PICTURES = (
    "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic",
    f"{_V}imagedata",
)
_DEEPEST = 120
"""Elements inside each other that are followed."""


@dataclass(slots=True)
class Words:
    """What a paragraph holds. Texts may have tabs and line breaks."""

    parts: list[str] = field(default_factory=list[str])
    formulas: int = 0
    """How many of the parts are formulas."""
    bold: bool = True
    """Whether all that is said is set bold."""
    monospaced: bool = True
    """Whether all that is said is set in a font for code."""
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Notes and comments that are referred to: "footnote", "endnote" or "comment", and the id."""
    boxes: list[Element] = field(default_factory=list[Element])
    """Text boxes."""
    pictures: list[str] = field(default_factory=list[str])
    """What is written about each picture, "" where nothing is."""
    charts: list[str] = field(default_factory=list[str])
    """Ids of the parts that are charts."""
    diagrams: list[str] = field(default_factory=list[str])
    """Ids of the parts that hold the words of diagrams."""
    objects: int = 0
    """Objects of other programs."""
    deleted: int = 0
    """Deletions that are tracked."""
    numbered_caption: bool = False
    """Whether a field counts tables or figures in it."""

    def raw(self) -> str:
        """Return the text with its line breaks."""
        return "".join(self.parts)

    def text(self) -> str:
        """Return the text on one line."""
        return tidy("".join(self.parts))


class Reader:
    """Reads paragraphs of a document; what their characters' styles hide is left out."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._runs: dict[str, Style] = {}

    def words(self, paragraph: Element, style: Style) -> Words:
        """Return what a paragraph of a style holds."""
        found = Words()
        self._inside(paragraph, found, style, 0)
        return found

    def _inside(self, node: Element, found: Words, style: Style, depth: int) -> None:
        if depth > _DEEPEST:
            return
        for child in node:
            tag = child.tag
            if tag == f"{W}r":
                self._run(child, found, style, depth)
            elif tag in (FORMULA, FORMULAS):
                self._formula(child, found)
            elif tag in _SKIPPED:
                found.deleted += tag in _DELETED
            elif tag in _NOTES:
                found.notes.append((_NOTES[tag], child.get(f"{W}id", "")))
            elif tag == ALTERNATE:
                self._inside(_chosen(child), found, style, depth + 1)
            elif tag == f"{W}ruby":
                self._ruby(child, found, style, depth)
            else:
                if tag == f"{W}fldSimple":
                    found.numbered_caption |= "SEQ " in child.get(f"{W}instr", "")
                self._inside(child, found, style, depth + 1)

    def _formula(self, node: Element, found: Words) -> None:
        lines = [node] if node.tag == FORMULA else node.findall(FORMULA)
        text = "; ".join(text for one in lines if (text := tidy(linear(one))))
        if text:
            found.parts.append(_apart(text, found.parts))
            found.formulas += 1
            found.bold = found.monospaced = False

    def _run(self, run: Element, found: Words, style: Style, depth: int) -> None:
        properties = run.find(f"{W}rPr")
        said = self._style_of(properties)
        is_hidden = is_on(properties, "vanish")
        if (said.hidden or style.hidden) if is_hidden is None else is_hidden:
            return
        before = len(found.parts)
        self._run_parts(run, found, style, depth)
        if any(part.strip() for part in found.parts[before:]):
            is_bold = is_on(properties, "b")
            found.bold &= (said.bold or style.bold) if is_bold is None else is_bold
            found.monospaced &= said.monospaced or style.monospaced or is_monospaced(properties)

    def _run_parts(self, run: Element, found: Words, style: Style, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag in _CHARACTERS:
                found.parts.append(_CHARACTERS[tag](child))
            elif tag in _NOTES:
                found.notes.append((_NOTES[tag], child.get(f"{W}id", "")))
            elif tag in _DRAWINGS:
                _drawing(child, found)
            elif tag == ALTERNATE:
                self._run_parts(_chosen(child), found, style, depth + 1)
            elif tag == f"{W}instrText":
                found.numbered_caption |= "SEQ " in (child.text or "")
            elif tag == f"{W}ruby":
                self._ruby(child, found, style, depth)
            elif tag == f"{W}r":
                self._run(child, found, style, depth + 1)

    def _ruby(self, node: Element, found: Words, style: Style, depth: int) -> None:
        for name, before, after in (("rubyBase", "", ""), ("rt", "(", ")")):
            inside = node.find(W + name)
            if inside is not None:
                found.parts.append(before)
                self._inside(inside, found, style, depth + 1)
                found.parts.append(after)

    def _style_of(self, properties: Element | None) -> Style:
        named = None if properties is None else properties.find(f"{W}rStyle")
        return _PLAIN if named is None else self._styles.of(named.get(VAL, ""))


_PLAIN = Style()


def _chosen(node: Element) -> Element:
    """Return the first of several ways to say the same that says anything."""
    return next((one for one in node if len(one)), node)


def _apart(formula: str, before: list[str]) -> str:
    """Return a formula parted by a space from the word before it."""
    return f" {formula}" if before and before[-1][-1:].isalnum() else formula


def _symbol(node: Element) -> str:
    return sign(node.get(f"{W}char", ""), node.get(f"{W}font", ""))


def _box_of_field(node: Element) -> str:
    """Return how a box to tick that is a field is printed."""
    box = node.find(f"{W}ffData/{W}checkBox")
    if box is None:
        return ""
    ticked = is_on(box, "checked")
    return "☒" if (is_on(box, "default") if ticked is None else ticked) else "☐"


def _break(node: Element) -> str:
    return "\n" if node.get(f"{W}type") is None else " "


def _drawing(node: Element, found: Words) -> None:
    """Note the text boxes, pictures, charts and diagrams of a drawing, also of grouped ones."""
    found.boxes += _outermost_boxes(node)
    found.objects += node.tag == f"{W}object"
    found.charts += [id_ for one in node.iter(*CHARTS) if (id_ := one.get(R_ID))]
    found.diagrams += [id_ for one in node.iter(DIAGRAM) if (id_ := one.get(R_DATA))]
    about = next((text for one in node.iter(f"{_WP}docPr") if (text := _about(one))), "")
    about = about or next((text for one in node.iter() if one.tag.startswith(_V) and (text := _about(one))), "")
    is_picture = next(node.iter(*_PICTURES), None) is not None
    if about or (is_picture and not found.boxes):
        found.pictures.append(about)


def _outermost_boxes(node: Element) -> list[Element]:
    """Return the text boxes of a drawing; those said twice, for older programs, once."""
    if node.tag == _BOX:
        return [node]
    inside = [_chosen(node)] if node.tag == ALTERNATE else list(node)
    return [box for one in inside for box in _outermost_boxes(one)]


def _about(node: Element) -> str:
    return description(node.get("descr") or node.get("alt"))


_DELETED = (f"{W}del", f"{W}moveFrom")
_SKIPPED = frozenset((*_DELETED, f"{W}pPr", f"{W}sdtPr", f"{W}sdtEndPr", f"{W}smartTagPr", f"{W}rPr"))
_DRAWINGS = frozenset((f"{W}drawing", f"{W}pict", f"{W}object"))
_NOTES = {
    f"{W}footnoteReference": "footnote",
    f"{W}endnoteReference": "endnote",
    f"{W}commentReference": "comment",
}
_CHARACTERS: Mapping[str, Callable[[Element], str]] = {
    f"{W}t": lambda node: node.text or "",
    f"{W}tab": lambda _: "\t",
    f"{W}ptab": lambda _: "\t",
    f"{W}br": _break,
    f"{W}cr": lambda _: "\n",
    f"{W}noBreakHyphen": lambda _: "-",
    f"{W}sym": _symbol,
    f"{W}fldChar": _box_of_field,
}
