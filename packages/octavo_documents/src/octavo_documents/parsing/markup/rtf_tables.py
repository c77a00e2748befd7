"""The tables of RTF: cells come one after the other, what is said of their row before or after them.

Rows that nobody ends are ended by the next one, or by text outside of the table. A table in a cell is a line there for
each of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from octavo_documents.document.grid import Cell, Grid

_MOST_COLUMNS = 500


@dataclass(slots=True)
class RtfRow:
    """What is said of a row before its cells."""

    edges: list[int] = field(default_factory=list[int])
    joined: list[str] = field(default_factory=list[str])
    """For each cell how it is joined with others: "mgf", "mrg", "vmgf", "vmrg" or ""."""
    is_header: bool = False


@dataclass(slots=True)
class _Inner:
    """A table in a cell as far as it has come in."""

    words: list[str] = field(default_factory=list[str])
    cells: list[str] = field(default_factory=list[str])
    rows: list[str] = field(default_factory=list[str])


class RtfTable:
    """Gathers the rows of one table after the other."""

    def __init__(self) -> None:
        self._row = RtfRow()
        self._rows: list[tuple[RtfRow, list[str]]] = []
        self._words: list[str] = []
        self._cells: list[str] = []
        self._ended: RtfRow | None = None
        """The row of the cells so far, where another one is said to begin and none was ended."""
        self._inner: dict[int, _Inner] = {}
        """Tables in the cell by how deep they stand, from 2."""

    def words(self, text: str, depth: int) -> None:
        """Take a paragraph of a cell, of a table that stands so deep in others (1: in none)."""
        self._close(depth)
        (self._inner.setdefault(depth, _Inner()).words if depth > 1 else self._words).append(text)

    def end_cell(self, text: str) -> None:
        """End a cell with its last words."""
        self._end_unended()
        self.words(text, 1)
        self._cells.append("\n".join(filter(None, self._words)))
        self._words = []

    def end_inner_cell(self, text: str, depth: int) -> None:
        """End a cell of a table in a cell."""
        self.words(text, depth)
        inner = self._inner[depth]
        inner.cells.append(" ".join(filter(None, inner.words)))
        inner.words = []

    def end_inner_row(self, depth: int) -> None:
        """End a row of a table in a cell."""
        inner = self._inner.setdefault(depth, _Inner())
        if any(inner.cells):
            inner.rows.append(", ".join(filter(None, inner.cells)))
        inner.cells = []

    def _close(self, depth: int) -> None:
        """Make words of the tables that stand deeper: they are over."""
        for deeper in sorted((one for one in self._inner if one > depth), reverse=True):
            self.end_inner_row(deeper)
            inner = self._inner.pop(deeper)
            text = " ".join(filter(None, ("; ".join(inner.rows), *inner.words)))
            held = self._inner.setdefault(deeper - 1, _Inner()).words if deeper - 1 > depth else None
            if held is None:
                held = self._inner.setdefault(depth, _Inner()).words if depth > 1 else self._words
            held.append(text)

    def begin_row(self) -> None:
        """Take what follows as said of a row: the next one, or that of the cells before once more."""
        if self._cells and self._ended is None and len(self._cells) >= len(self._row.edges):
            self._ended = self._row
        self._row = RtfRow()

    def header_row(self) -> None:
        """Take the row for one that is repeated on each page."""
        self._row.is_header = True

    def edge(self, place: int) -> None:
        """Take the right edge of the next cell."""
        if len(self._row.edges) < _MOST_COLUMNS:
            self._row.joined += [""] * (len(self._row.edges) + 1 - len(self._row.joined))
            self._row.edges.append(place)

    def join(self, kind: str) -> None:
        """Take how the next cell is joined with others."""
        self._row.joined += [""] * (len(self._row.edges) - len(self._row.joined))
        if len(self._row.joined) < _MOST_COLUMNS:
            self._row.joined.append(kind)

    def end_row(self) -> None:
        """End a row."""
        self._ended = None
        if self._cells:
            self._rows.append((self._row, self._cells[:_MOST_COLUMNS]))
            self._cells = []

    def _end_unended(self) -> None:
        if self._ended is not None:
            row, self._ended = self._ended, None
            self._rows.append((row, self._cells[:_MOST_COLUMNS]))
            self._cells = []

    def taken(self) -> Grid | None:
        """Return the table that is over, None where there is none; what was begun and not ended is in it."""
        self._end_unended()
        if self._inner or any(self._words):
            self.end_cell("")
        self.end_row()
        rows, self._rows = self._rows, []
        return _grid_of(rows) if rows else None


def _grid_of(rows: list[tuple[RtfRow, list[str]]]) -> Grid:
    """Return the cells of a table: columns are told by the right edges of the cells of all rows."""
    edges = sorted({edge for row, _ in rows for edge in row.edges})[:_MOST_COLUMNS]
    places = {edge: at for at, edge in enumerate(edges)}
    width = max(len(edges), max(len(cells) for _, cells in rows))
    cells: list[Cell] = []
    above: dict[int, int] = {}
    for number, (row, texts) in enumerate(rows):
        column = 0
        for at, text in enumerate(texts):
            end = places.get(row.edges[at], width - 1) + 1 if at < len(row.edges) else column + 1
            across = max(min(end, width) - column, 1)
            kind = row.joined[at] if at < len(row.joined) else ""
            if column >= width:
                break
            if kind == "mrg" and cells and cells[-1].row == number:
                cells[-1] = replace(cells[-1], columns=cells[-1].columns + across)
            elif kind == "vmrg" and column in above:
                held = cells[above[column]]
                cells[above[column]] = replace(held, rows=number + 1 - held.row)
            elif text or kind:
                above[column] = len(cells)
                cells.append(Cell(number, column, text, 1, across))
            column += across
    headers = next((at for at, (row, _) in enumerate(rows) if not row.is_header), len(rows))
    return Grid(len(rows), width, tuple(cell for cell in cells if cell.text), min(headers, len(rows) - 1))
