"""The tables of a document, each whole: one that goes on over pages is one table, with a box on each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from octavo_documents.document.blocks import Kind
from octavo_documents.document.grid import Cell, CellBox, Grid
from octavo_documents.document.links import LinkKind

if TYPE_CHECKING:
    from octavo_documents.document.document import Document


@dataclasses.dataclass(frozen=True, slots=True)
class TablePart:
    """The part of a table that stands on a page. `row` is its row in the table of blocks."""

    row: int
    page: int
    box: CellBox
    """x0, y0, x1, y1 in points from the top left of the page."""
    repeated: int = 0
    """Rows at its top that print the heads again, and that the whole table has once."""
    first: int = 0
    """Row of the whole table that the first row after these is."""

    def row_in_whole(self, row: int) -> int:
        """Return which row of the whole table one of this part is."""
        return row if row < self.repeated else row - self.repeated + self.first


@dataclasses.dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell by its place: page, box (None where only that of the table is known), and the cell in the whole table."""

    page: int
    box: CellBox | None
    cell: Cell


@dataclasses.dataclass(frozen=True, slots=True)
class FoundTable:
    """A table: where it begins, its cells, its caption ("" where it has none), and its parts, one a page."""

    row: int
    """Its row in the table of blocks."""
    page: int
    box: CellBox
    caption: str
    grid: Grid
    """All of its cells; those of later parts have their boxes on their own pages (`places`)."""
    parts: tuple[TablePart, ...]

    def places(self) -> Iterator[CellPlace]:
        """Yield where each cell stands, in reading order."""
        for cell in self.grid.cells:
            yield CellPlace(self.part_of(cell.row).page, cell.box, cell)

    def part_of(self, row: int) -> TablePart:
        """Return the part that a row of the whole table stands in."""
        return self.parts[sum(part.first <= row for part in self.parts[1:])]


def tables_of(document: Document) -> tuple[FoundTable, ...]:
    """Return the tables of a document in reading order."""
    blocks, captions = document.blocks, document.links.captions()
    found = list[FoundTable]()
    for rows in chains(document):
        grids = [Grid.from_json(blocks.grid[row]) for row in rows]
        first, parts = 0, list[TablePart]()
        for row, grid in zip(rows, grids, strict=True):
            x0, y0, x1, y1 = (round(float(value), 2) for value in blocks.box[row])
            repeated = grid.repeated if parts else 0
            if grid.origin is not None and grids[0].origin is not None:
                first = grid.origin[0] - grids[0].origin[0]  # rows of a sheet without words stand in no part
            parts.append(TablePart(row, int(blocks.page[row]), (x0, y0, x1, y1), repeated, first))
            first += grid.height - repeated
        caption = " ".join(dict.fromkeys(blocks.text[one] for row in rows for one in captions.get(row, ())))
        found.append(FoundTable(rows[0], parts[0].page, parts[0].box, caption, _joined(grids, parts), tuple(parts)))
    return tuple(found)


def chains(document: Document) -> list[list[int]]:
    """Return the rows of blocks that are tables, those of one table together, in reading order."""
    links, is_table = document.links, document.blocks.kind == Kind.TABLE
    goes_on = links.kind == LinkKind.CONTINUES
    before = dict(zip(links.source[goes_on].tolist(), links.target[goes_on].tolist(), strict=True))
    found = dict[int, list[int]]()
    begun = dict[int, int]()
    for row in np.flatnonzero(is_table).tolist():
        begun[row] = begun.get(before.get(row, row), row)
        found.setdefault(begun[row], []).append(row)
    return [*found.values()]


def _joined(grids: Sequence[Grid], parts: Sequence[TablePart]) -> Grid:
    """Return the cells of the parts of a table as one grid."""
    if len(grids) == 1:
        return grids[0]
    cells = tuple(
        dataclasses.replace(cell, row=part.row_in_whole(cell.row))
        for grid, part in zip(grids, parts, strict=True)
        for cell in grid.cells
        if cell.row >= part.repeated
    )
    height = parts[-1].row_in_whole(grids[-1].height)
    return dataclasses.replace(grids[0], height=height, width=max(grid.width for grid in grids), cells=cells)
