"""Where the cells of a table stand of which some cover several rows or columns."""

from __future__ import annotations

from collections.abc import Iterable

from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.numerals import whole_number

MOST_CELLS = 200_000
"""Places in a table; cells that span beyond are taken as cells of one place."""


class Places:
    """Gives the cells of a table with spans their places, row after row, from left to right."""

    def __init__(self) -> None:
        self._taken: set[tuple[int, int]] = set()

    def put(self, row: int, column: int, down: int, across: int) -> tuple[int, int, int]:
        """Return the first free column of a row from one on, and how far down and across a cell there may reach."""
        while (row, column) in self._taken:
            column += 1
        if len(self._taken) + down * across > MOST_CELLS:
            down = across = 1
        if down == across == 1:
            self._taken.add((row, column))
        else:
            self._taken.update((row + y, column + x) for y in range(down) for x in range(across))
        return column, down, across

    @property
    def width(self) -> int:
        """How many columns are taken."""
        return max((column for _, column in self._taken), default=-1) + 1


class GridBuilder:
    """Makes a grid of the rows of a table from top to bottom; `height` is their number."""

    def __init__(self, height: int) -> None:
        self._height, self._places, self._cells = height, Places(), list[Cell]()
        self._row = self._header_rows = 0

    @property
    def header_rows(self) -> int:
        """How many rows from the top are header rows."""
        return self._header_rows

    def add(self, cells: Iterable[tuple[str, int, int]], *, is_header: bool) -> None:
        """Add a row of cells: the text of each, and how many rows and columns it covers."""
        column = 0
        for text, down, across in cells:
            column, rows, columns = self._places.put(self._row, column, min(down, self._height - self._row), across)
            if text:
                self._cells.append(Cell(self._row, column, text, rows, columns))
            column += columns
        self._header_rows += is_header and self._header_rows == self._row
        self._row += 1

    def grid(self, *, header_columns: int = 0) -> Grid:
        """Return the grid of the rows so far."""
        return Grid(self._height, self._places.width, tuple(self._cells), self._header_rows, header_columns)


def span(text: str | None, most: int) -> int:
    """Return how many rows or columns a cell covers as a file writes it, at most `most`; 1 where it writes none."""
    return min(max(whole_number(text or "") or 1, 1), most)
