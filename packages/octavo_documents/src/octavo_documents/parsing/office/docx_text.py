"""The words of a Word paragraph, with what hangs on it such as notes and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.formulas import FORMULA, FORMULAS, of_omml
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.numerals import numeral, whole_number
from octavo_documents.parsing.office.docx_signs import sign
from octavo_documents.parsing.office.docx_styles import (
    VAL,
    ChildrenByName,
    DocxStyle,
    DocxStyles,
    Properties,
    W,
    is_monospaced,
    is_on,
    is_raised,
    is_shaded,
    is_sizeless,
    is_struck,
    is_white,
)
from octavo_documents.parsing.office.drawing import CHARTS, DIAGRAM, A, description
from octavo_documents.parsing.open_xml import ALTERNATE, R_DATA, R_EMBED, R_ID
from octavo_documents.parsing.package import Element
from octavo_documents.text.raised import as_mark

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V = "{urn:schemas-microsoft-com:vml}"
_BOX = f"{W}txbxContent"
_BLIP = f"{A}blip"
_PICTURES = (
    "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic",
    f"{_V}imagedata",
)
_DEEPEST = 120
"""Elements inside each other that are followed."""


@dataclass(slots=True)
class DocxWords:
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
    pictures: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What is written about each picture, "" where nothing is, and the id of its part."""
    charts: list[str] = field(default_factory=list[str])
    """Ids of the parts that are charts."""
    diagrams: list[str] = field(default_factory=list[str])
    """Ids of the parts that hold the words of diagrams."""
    objects: int = 0
    """Objects of other programs."""
    deleted: int = 0
    """Deletions that are tracked."""
    unseen: list[str] = field(default_factory=list[str])
    """What is said and not shown."""
    numbered_caption: bool = False
    """Whether a field counts tables or figures in it."""

    def raw(self) -> str:
        """Return the text with its line breaks."""
        return "".join(self.parts)

    def text(self) -> str:
        """Return the text on one line."""
        return collapse_whitespace("".join(self.parts))


class DocxReader:
    """Reads paragraphs of a document; what their characters' styles hide is left out."""

    def __init__(self, styles: DocxStyles) -> None:
        self._styles = styles
        self._labels: dict[tuple[str, str], int] = {}

    def words(self, paragraph: Element, style: DocxStyle) -> DocxWords:
        """Return what a paragraph of a style holds."""
        found = DocxWords()
        self._inside(paragraph, found, style, 0)
        return found

    def _inside(self, node: Element, found: DocxWords, style: DocxStyle, depth: int) -> None:
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
                self._refer(child, found)
            elif tag == ALTERNATE:
                self._inside(_chosen(child), found, style, depth + 1)
            elif tag == f"{W}ruby":
                self._ruby(child, found, style, depth)
            else:
                if tag == f"{W}fldSimple":
                    found.numbered_caption |= "SEQ " in child.get(f"{W}instr", "")
                self._inside(child, found, style, depth + 1)

    def _refer(self, node: Element, found: DocxWords) -> None:
        """Note that a note or comment is referred to; notes that are numbered have their mark here."""
        kind, id_ = _NOTES[node.tag], node.get(f"{W}id", "")
        found.notes.append((kind, id_))
        if kind != "comment" and is_on_attribute(node, "customMarkFollows") is False:
            found.parts.append(as_mark(self.label(kind, id_)))

    def label(self, kind: str, id_: str) -> str:
        """Return the number of a footnote ("2") or endnote ("ii"): they are counted as they are first referred to."""
        number = self._labels.setdefault((kind, id_), 1 + sum(one == kind for one, _ in self._labels))
        return numeral(number, "lowerRoman" if kind == "endnote" else "decimal")

    def _formula(self, node: Element, found: DocxWords) -> None:
        lines = [node] if node.tag == FORMULA else node.findall(FORMULA)
        text = "; ".join(text for one in lines if (text := collapse_whitespace(of_omml(one))))
        if text:
            found.parts.append(_apart(text, found.parts))
            found.formulas += 1
            found.bold = found.monospaced = False

    def _run(self, run: Element, found: DocxWords, style: DocxStyle, depth: int) -> None:
        node = run.find(f"{W}rPr")
        properties = None if node is None else ChildrenByName(node)
        said = self._style_of(properties)
        if self._is_unseen(run, properties, said, style):
            inside = DocxWords()
            self._run_parts(run, inside, style, depth)
            found.unseen += [text for text in (inside.text(),) if text]
            return
        before, notes = len(found.parts), len(found.notes)
        self._run_parts(run, found, style, depth)
        text = "".join(found.parts[before:])
        if not text.strip():
            return
        if len(found.notes) == notes:
            is_bold = is_on(properties, "b")
            found.bold &= (said.bold or style.bold) if is_bold is None else is_bold
            found.monospaced &= said.monospaced or style.monospaced or is_monospaced(properties)
        up, out = is_raised(properties), is_struck(properties)
        up = (said.raised or style.raised) if up is None else up
        out = (said.struck or style.struck) if out is None else out
        looks, ground = said.looks(properties)
        if up or out or looks:
            found.parts[before:] = [marked(text, is_raised=up, is_struck=out, looks=looks, ground=ground)]

    def _is_unseen(self, run: Element, properties: Properties | None, said: DocxStyle, style: DocxStyle) -> bool:
        """Whether a run is hidden, too small to be seen, or white on white."""
        is_hidden = is_on(properties, "vanish")
        if (said.hidden or style.hidden) if is_hidden is None else is_hidden:
            return True
        if is_sizeless(properties):
            return True
        white = is_white(properties)
        if not ((said.white or style.white) if white is None else white):
            return False
        return not is_shaded(properties) and _is_on_white(run)

    def _run_parts(self, run: Element, found: DocxWords, style: DocxStyle, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag in _CHARACTERS:
                found.parts.append(_CHARACTERS[tag](child))
            elif tag in _NOTES:
                self._refer(child, found)
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

    def _ruby(self, node: Element, found: DocxWords, style: DocxStyle, depth: int) -> None:
        for name, before, after in (("rubyBase", "", ""), ("rt", "(", ")")):
            inside = node.find(W + name)
            if inside is not None:
                found.parts.append(before)
                self._inside(inside, found, style, depth + 1)
                found.parts.append(after)

    def _style_of(self, properties: Properties | None) -> DocxStyle:
        named = None if properties is None else properties.find(f"{W}rStyle")
        return _PLAIN if named is None else self._styles.of(named.get(VAL, ""))


_PLAIN = DocxStyle()


def _is_on_white(run: Element) -> bool:
    """Whether text stands on the white of the page for all that is told: no shade, no table with a look, no box."""
    node = run.getparent()
    while node is not None:
        if node.tag == _BOX:
            return False
        properties = node.find(f"{node.tag}Pr")
        if is_shaded(properties) or (node.tag == f"{W}document" and node.find(f"{W}background") is not None):
            return False
        named = None if properties is None else properties.find(f"{W}{'pStyle' if node.tag == f'{W}p' else 'tblStyle'}")
        if named is not None and named.get(VAL, "") not in _UNSHADED:
            return False
        node = node.getparent()
    return True


_UNSHADED = ("TableNormal", "TableGrid", "Normal")


def is_on_attribute(node: Element, name: str) -> bool:
    """Whether an attribute says yes."""
    return node.get(W + name, "0") not in ("0", "false", "off")


def _chosen(node: Element) -> Element:
    """Return the first of several ways to say the same that says anything."""
    return next((one for one in node if len(one)), node)


def _apart(formula: str, before: list[str]) -> str:
    """Return a formula parted by a space from the word before it."""
    return f" {formula}" if before and before[-1][-1:].isalnum() else formula


def _symbol(node: Element) -> str:
    return sign(node.get(f"{W}char", ""), node.get(f"{W}font", ""))


def _field_of_form(node: Element) -> str:
    """Return how a field of a form is printed: a box to tick, or what is chosen of a list."""
    choices = node.find(f"{W}ffData/{W}ddList")
    if choices is not None:
        entries = [one.get(VAL, "") for one in choices.iterchildren(f"{W}listEntry")]
        chosen = next((one.get(VAL, "") for name in ("result", "default") for one in choices.iter(W + name)), "0")
        at = whole_number(chosen)
        return entries[at] if at is not None and at < len(entries) else ""
    box = node.find(f"{W}ffData/{W}checkBox")
    if box is None:
        return ""
    ticked = is_on(box, "checked")
    return "☒" if (is_on(box, "default") if ticked is None else ticked) else "☐"


def _break(node: Element) -> str:
    return "\n" if node.get(f"{W}type") is None else " "


def _drawing(node: Element, found: DocxWords) -> None:
    """Note the text boxes, pictures, charts and diagrams of a drawing, also of grouped ones."""
    found.boxes += _outermost_boxes(node)
    if not found.boxes:  # letters that are drawn, which today's files say in a box besides
        drawn = dict.fromkeys(one.get("string", "") for one in node.iter(f"{_V}textpath"))
        found.parts += [f" {text} " for text in drawn if text]
    found.objects += node.tag == f"{W}object"
    found.charts += [id_ for one in node.iter(*CHARTS) if (id_ := one.get(R_ID))]
    found.diagrams += [id_ for one in node.iter(DIAGRAM) if (id_ := one.get(R_DATA))]
    about = next((text for one in node.iter(f"{_WP}docPr") if (text := _about(one))), "")
    about = about or next((text for one in node.iter() if one.tag.startswith(_V) and (text := _about(one))), "")
    ids = [id_ for one in node.iter(_BLIP, f"{_V}imagedata") if (id_ := one.get(R_EMBED) or one.get(R_ID))]
    is_picture = next(node.iter(*_PICTURES), None) is not None
    if node.tag == f"{W}object":
        ids = []  # a picture of what is in the object
    if about or ids or (is_picture and not found.boxes):
        found.pictures += zip((about, *[""] * len(ids)), dict.fromkeys(ids) or ("",), strict=False)


def _outermost_boxes(node: Element) -> list[Element]:
    """Return the text boxes of a drawing; those said twice, for older programs, once."""
    if node.tag == _BOX:
        return [node]
    inside = [_chosen(node)] if node.tag == ALTERNATE else list(node)
    return [box for one in inside for box in _outermost_boxes(one)]


def is_in_box(node: Element, root: Element) -> bool:
    """Whether an element stands in a text box below another element."""
    up = node.getparent()
    while up is not None and up is not root:
        if up.tag == _BOX:
            return True
        up = up.getparent()
    return False


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
    f"{W}fldChar": _field_of_form,
}
