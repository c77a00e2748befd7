"""The tables of OpenDocument texts: rows and cells with their spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.cell_places import Places
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.header_rows import is_headed
from octavo_documents.parsing.office.odf_names import TABLE, TEXT
from octavo_documents.parsing.office.odf_styles import OdfStyles, count_of
from octavo_documents.parsing.office.odf_words import HUNG, LEFT_OUT, OdfReader
from octavo_documents.parsing.package import Element

_DEEPEST_TABLE = 20
_WIDEST, _MOST_REPEATS = 1000, 100
_GROUPS = frozenset(TABLE + name for name in ("table-rows", "table-header-rows", "table-row-group"))
PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")


@dataclass(slots=True)
class OdtRow:
    """A row as it is written."""

    cells: list[tuple[Element, int, int]] = field(default_factory=list[tuple[Element, int, int]])
    """Cells with how far they reach down and across."""
    is_header: bool = False
    repeats: int = 1


def rows_of(table: Element, depth: int = 0) -> list[OdtRow]:
    """Return the rows of a table with its cells, those that are repeated as often as they are."""
    found: list[OdtRow] = []
    for child in table if depth < 10 else ():
        if child.tag == f"{TABLE}table-row":
            row = OdtRow(repeats=min(count_of(child, f"{TABLE}number-rows-repeated") or 1, _MOST_REPEATS))
            for cell in child.iterchildren(f"{TABLE}table-cell"):
                times = min(count_of(cell, f"{TABLE}number-columns-repeated") or 1, _WIDEST)
                down = count_of(cell, f"{TABLE}number-rows-spanned", _WIDEST) or 1
                across = count_of(cell, f"{TABLE}number-columns-spanned", _WIDEST) or 1
                row.cells += [(cell, down, across)] * min(times, _WIDEST - len(row.cells))
            found += [row] * row.repeats
        elif child.tag in _GROUPS:
            inside = rows_of(child, depth + 1)
            for row in inside:
                row.is_header = row.is_header or child.tag == f"{TABLE}table-header-rows"
            found += inside
    return found


class OdtTableReader:
    """Reads a table. `hanging` are the notes and drawings in its cells."""

    def __init__(self, reader: OdfReader, styles: OdfStyles) -> None:
        self._reader, self._styles = reader, styles
        self.hanging: list[Element] = []
        self.unseen: list[str] = []

    def block(self, rows: Sequence[OdtRow]) -> FlowBlock | None:
        """Return the block of a table; None where no cell says anything."""
        places, cells = Places(), list[Cell]()
        bold: dict[int, bool] = {}
        for at, row in enumerate(rows):
            column = 0
            for cell, down, across in row.cells:
                column, down, across = places.put(at, column, min(down, len(rows) - at), across)
                texts, is_bold = self._cell(cell, 0)
                if texts:
                    cells.append(Cell(at, column, " ".join(texts), down, across))
                    bold[at] = bold.get(at, True) and is_bold
                column += across
        if not cells:
            return None
        headers = next((at for at, row in enumerate(rows) if not row.is_header), 0)
        plain = Grid(len(rows), places.width, tuple(cells))
        if not headers:
            is_apart = bold.get(0, False) and not all(bold.values())
            headers = int(is_headed(plain.filled(), is_apart=is_apart, is_likely=True))
        is_named = bool(headers) and not plain.rows()[0][0] and places.width > 1
        grid = Grid(len(rows), places.width, tuple(cells), headers, int(is_named))
        return FlowBlock(Kind.TABLE, grid.text(), grid=grid)

    def _cell(self, node: Element, depth: int) -> tuple[list[str], bool]:
        """Return the paragraphs in a cell, tables in it as a line for each row, and whether all are set apart."""
        look = self._styles.of(node.get(f"{TABLE}style-name"), "table-cell")
        with self._reader.on(self._styles.ground(node), look.ink):
            return self._inside(node, depth)

    def _inside(self, node: Element, depth: int) -> tuple[list[str], bool]:
        found: list[str] = []
        is_bold = True
        for child in node if depth < _DEEPEST_TABLE else ():
            if child.tag in PARAGRAPHS:
                style = self._styles.of(child.get(f"{TEXT}style-name"))
                words = self._reader.words(child, style)
                self.hanging += words.hanging
                self.unseen += words.unseen
                if words.text():
                    found.append(words.text())
                    is_bold = is_bold and (words.bold or style.heads_table)
            elif child.tag == f"{TABLE}table":
                inside = (
                    [" ".join(self._cell(cell, depth + 1)[0]) for cell, _, _ in row.cells] for row in rows_of(child)
                )
                found.append("; ".join(", ".join(filter(None, texts)) for texts in inside))
            elif child.tag in HUNG:
                self.hanging.append(child)
            elif child.tag not in LEFT_OUT:
                texts, bold = self._inside(child, depth + 1)
                found += texts
                is_bold = is_bold and bold
        return found, is_bold
