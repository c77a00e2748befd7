"""The tables of Word documents: rows and cells with their spans, and which rows are headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.header_rows import is_headed
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.office.docx_styles import (
    VAL,
    W,
    is_on,
)
from octavo_documents.parsing.office.docx_text import DocxWords
from octavo_documents.parsing.package import Element

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
