"""The words of a Word paragraph, with what hangs on it such as notes and pictures, and the tables of Word documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace, is_headed, numeral, whole_number
from octavo_documents.parsing.formulas import FORMULA, FORMULAS, of_omml
from octavo_documents.parsing.marks import marked
from octavo_documents.parsing.office.docx_styles import (
    VAL,
    DocxStyle,
    DocxStyles,
    LookedThrough,
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
from octavo_documents.parsing.office.drawing import CHARTS, DIAGRAM, description
from octavo_documents.parsing.package import ALTERNATE, R_DATA, R_ID, Element
from octavo_documents.text.raised import as_mark

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
        properties = None if node is None else LookedThrough(node)
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
        if up or out:
            found.parts[before:] = [marked(text, is_raised=up, is_struck=out)]

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


def _box_of_field(node: Element) -> str:
    """Return how a box to tick that is a field is printed."""
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


_ROW, _CELL, _TABLE, _PARAGRAPH = f"{W}tr", f"{W}tc", f"{W}tbl", f"{W}p"
_WRAPPERS = frozenset(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_WIDEST = 1000
"""Columns of a table; cells further right are left out. Word allows 63."""
_DEEPEST_TABLE = 12
"""Tables inside each other that are followed."""
_FIRST_ROW = 0x20

CellText = Callable[[Element, list[DocxWords]], tuple[str, bool]]
"""From a paragraph to its text and whether it is bold; what hangs on it goes into the list."""


@dataclass(frozen=True, slots=True)
class DocxRow:
    """A row as it is written: the columns it leaves out at its left, and its cells."""

    before: int
    cells: Sequence[Element]
    repeats: bool
    """Whether it is repeated at the top of each page."""


@dataclass(slots=True)
class _Open:
    """A cell that goes on growing while rows below continue it."""

    row: int
    column: int
    text: str
    across: int
    down: int = 1


@dataclass(slots=True)
class _Cells:
    cells: list[_Open] = field(default_factory=list[_Open])
    above: dict[int, _Open] = field(default_factory=dict[int, _Open])
    """The cell that a cell below may continue, by its column."""
    bold: dict[int, bool] = field(default_factory=dict[int, bool])
    """Whether all that a row says is bold."""


def cells_of(table: Element) -> list[DocxRow]:
    """Return the rows of a table, those that a tracked change deletes left out."""
    found: list[DocxRow] = []
    for row in _under(table, _ROW):
        properties = row.find(f"{W}trPr")
        if properties is not None and properties.find(f"{W}del") is not None:
            continue
        before = _number(properties, "gridBefore", 0)
        found.append(DocxRow(before, list(_under(row, _CELL)), bool(is_on(properties, "tblHeader"))))
    return found


def lays_out(rows: Sequence[DocxRow]) -> bool:
    """Whether a table only places text on the page: a single column, or a row of cells that hold much."""
    if not rows or max(len(row.cells) for row in rows) <= 1:
        return True
    return len(rows) == 1 and any(_is_rich(cell) for cell in rows[0].cells)


class DocxTableReader:
    """Reads one table after the other; `hanging` takes what hangs on the paragraphs in their cells."""

    def __init__(self, text: CellText, hanging: list[DocxWords]) -> None:
        self._text, self._hanging = text, hanging

    def block(self, table: Element, rows: Sequence[DocxRow], *, is_styled: bool) -> FlowBlock | None:
        """Return the block of a table; None where no cell says anything.

        `is_styled` says that its style sets the first row apart, where the table wants that.
        """
        found = _Cells()
        for at, row in enumerate(rows):
            self._row(at, row, found)
        cells = [Cell(one.row, one.column, one.text, one.down, one.across) for one in found.cells if one.text]
        if not cells:
            return None
        width = max(one.column + one.across for one in found.cells)
        plain = Grid(len(rows), width, tuple(cells))
        header_rows = _heads(rows, plain, found.bold, is_likely=_looks(table), is_styled=is_styled)
        is_named = bool(header_rows) and not plain.rows()[0][0] and width > 1
        grid = Grid(len(rows), width, tuple(cells), header_rows, int(is_named))
        return FlowBlock(Kind.TABLE, grid.text(), grid=grid)

    def _row(self, at: int, row: DocxRow, found: _Cells) -> None:
        column = row.before
        for cell in row.cells:
            properties = cell.find(f"{W}tcPr")
            across = max(min(_number(properties, "gridSpan", 1), _WIDEST - column), 1)
            texts, is_bold = self._texts(cell, 0)
            text = " ".join(texts)
            above = found.above.get(column)
            if _continues(properties, "hMerge") and found.cells and found.cells[-1].row == at:
                found.cells[-1].across += across
                found.cells[-1].text = f"{found.cells[-1].text} {text}".strip()
            elif above is not None and _continues(properties, "vMerge") and above.row + above.down == at:
                above.down += 1
                above.text = f"{above.text} {text}".strip()
            else:
                found.above[column] = _Open(at, column, text, across)
                found.cells.append(found.above[column])
            if text:
                found.bold[at] = found.bold.get(at, True) and is_bold
            column += across
            if column >= _WIDEST:
                return

    def _texts(self, node: Element, depth: int) -> tuple[list[str], bool]:
        """Return the paragraphs in a cell, tables in it as a line for each row, and whether all are bold."""
        found: list[str] = []
        is_bold = True
        for child in node if depth < _DEEPEST_TABLE else ():
            if child.tag == _PARAGRAPH:
                text, bold = self._text(child, self._hanging)
                if text:
                    found.append(text)
                    is_bold = is_bold and bold
            elif child.tag == _TABLE:
                rows = ([" ".join(self._texts(cell, depth + 1)[0]) for cell in row.cells] for row in cells_of(child))
                found.append("; ".join(", ".join(filter(None, texts)) for texts in rows))
            elif child.tag in _WRAPPERS:
                texts, bold = self._texts(child, depth)
                found += texts
                is_bold = is_bold and bold
        return found, is_bold


def _heads(rows: Sequence[DocxRow], grid: Grid, bold: dict[int, bool], *, is_likely: bool, is_styled: bool) -> int:
    """Return the rows at the top that are headers: those repeated on each page, else the first where it looks so."""
    repeated = next((at for at, row in enumerate(rows) if not row.repeats), len(rows))
    if repeated:
        return repeated if repeated < len(rows) else 0
    is_apart = (is_likely and is_styled) or (bold.get(0, False) and not all(bold.values()))
    return int(is_headed(grid.filled(), is_apart=is_apart, is_likely=is_likely))


def _looks(table: Element) -> bool:
    """Whether a table's first row is to be treated apart, where its style does that."""
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return False
    said = look.get(f"{W}firstRow")
    if said is not None:
        return said not in ("0", "false", "off")
    try:
        return bool(int(look.get(VAL, "0"), 16) & _FIRST_ROW)
    except ValueError:
        return False


def _under(node: Element, tag: str) -> Iterator[Element]:
    for child in node:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _under(child, tag)


def _is_rich(cell: Element) -> bool:
    return cell.find(_TABLE) is not None or len(cell.findall(_PARAGRAPH)) > 3


def _number(properties: Element | None, name: str, default: int) -> int:
    found = None if properties is None else properties.find(W + name)
    value = None if found is None else whole_number(found.get(VAL, ""))
    return default if value is None else min(value, _WIDEST)


def _continues(properties: Element | None, name: str) -> bool:
    found = None if properties is None else properties.find(W + name)
    return found is not None and found.get(VAL, "continue") == "continue"
