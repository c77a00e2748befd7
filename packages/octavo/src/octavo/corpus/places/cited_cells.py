"""Which cells of which table cited words are, and where those stand: a table may go on over pages."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evidence.places import CitedPlace
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid

_BETWEEN = " | "
"""What parts cells in the text of a table (`Grid.text`)."""


def cited_places(document: Document, row: int, start: int, stop: int) -> list[CitedPlace]:
    """Return the cells that the words [start, stop) of a block's text are, with their places; none outside tables.

    0, 0 is the block as a whole: then the place of each part of its table.
    """
    if document.blocks.kind_of(row) != Kind.TABLE:
        return []
    table = next(table for table in document.tables if row in [part.row for part in table.parts])
    if stop == 0:
        return [CitedPlace(part.page, part.box) for part in table.parts]
    part = next(part for part in table.parts if part.row == row)
    grid = Grid.from_json(document.blocks.grid[row])
    if grid.text() != document.blocks.text[row]:
        return []
    boxes = {(cell.row, cell.column): cell.box for cell in grid.cells}
    return [
        CitedPlace(part.page, boxes.get(at) or part.box, (part.row_in_whole(at[0]), at[1]))
        for at, begins, ends in _cells(grid)
        if begins < stop and ends > start
    ]


def _cells(grid: Grid) -> Iterator[tuple[tuple[int, int], int, int]]:
    """Yield the row and column of each cell with text, and where that begins and ends in the text of the table."""
    at = 0
    for row, texts in enumerate(grid.rows()):
        begins = at
        for column, text in enumerate(texts):
            if text:
                yield (row, column), begins, begins + len(text)
            begins += len(text) + len(_BETWEEN)
        at += len(_BETWEEN.join(texts).rstrip(" |")) + 1
