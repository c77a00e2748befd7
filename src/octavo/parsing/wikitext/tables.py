"""Tables in wikitext, line by line, to grids.

Owns the marks of rows, cells and captions, and spans. A table that only lays text out, in one row or one column, is
given back as the lines of its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from octavo.document import Kind
from octavo.document.grid import Cell, Grid
from octavo.parsing.flow import FlowBlock, Places
from octavo.parsing.wikitext.kept import Kept
from octavo.parsing.wikitext.words import words

_SPAN = re.compile(r"\b(col|row)span\s*+=\s*+[\"']?\s*+(\d{1,5})(?!\d)", re.IGNORECASE)
_HEADERS = re.compile(r"\|\||!!")
_WIDEST = 1000


@dataclass(slots=True)
class _Cell:
    lines: list[str]
    is_header: bool
    down: int = 1
    across: int = 1


@dataclass(slots=True)
class Table:
    """A table that is being read."""

    _rows: list[list[_Cell]] = field(default_factory=lambda: [[]])
    _caption: list[str] | None = None
    _last: list[str] = field(default_factory=list[str])
    """Where a line goes that begins with no mark: the cell before it, the caption, or nowhere."""

    def add(self, line: str) -> None:
        """Take a line; its first characters say what it is."""
        if line.startswith("|-"):
            self._rows.append([])
            self._last = []
        elif line.startswith("|+"):
            self._last = self._caption = [_split(line[2:])[1]]
        elif line.startswith(("|", "!")):
            self._cells(line[1:], is_header=line[0] == "!")
        else:
            self._last.append(line)

    def _cells(self, line: str, *, is_header: bool) -> None:
        for text in _HEADERS.split(line) if is_header else line.split("||"):
            attributes, content = _split(text)
            cell = _Cell([content], is_header)
            for name, count in _SPAN.findall(attributes):
                if name.lower() == "row":
                    cell.down = max(int(count), 1)
                else:
                    cell.across = min(max(int(count), 1), _WIDEST)
            self._rows[-1].append(cell)
            self._last = cell.lines

    def caption(self, kept: Kept) -> Iterator[FlowBlock]:
        """Yield the caption, if there is one."""
        text = words(" ".join(self._caption or []), kept)
        if text:
            yield FlowBlock(Kind.CAPTION, text)

    def laid_out(self) -> list[list[str]] | None:
        """Return the lines of each cell when the table has one row or one column and no header; None otherwise."""
        rows = [row for row in self._rows if row]
        if len(rows) > 1 and any(len(row) > 1 for row in rows):
            return None
        cells = [cell for row in rows for cell in row]
        return None if len(rows) > 1 and any(cell.is_header for cell in cells) else [cell.lines for cell in cells]

    def block(self, kept: Kept) -> Iterator[FlowBlock]:
        """Yield the table unless it is empty."""
        grid = _grid([row for row in self._rows if row], kept)
        if grid.cells:
            yield FlowBlock(Kind.TABLE, grid.text(), grid=grid)


def _split(text: str) -> tuple[str, str]:
    """Return the attributes of a cell and its text."""
    attributes, bar, content = text.partition("|")
    return (attributes, content) if bar else ("", text)


def _grid(rows: list[list[_Cell]], kept: Kept) -> Grid:
    """Return the cells in their places; rows of headers alone are header rows while none other came before."""
    places = Places()
    cells: list[Cell] = []
    header_rows = 0
    for at, row in enumerate(rows):
        column = 0
        for cell in row:
            column, down, across = places.put(at, column, min(cell.down, len(rows) - at), cell.across)
            text = words(" ".join(line.lstrip("*#:; ") for line in cell.lines), kept)
            if text:
                cells.append(Cell(at, column, text, down, across))
            column += across
        header_rows += header_rows == at and all(cell.is_header for cell in row)
    body = rows[header_rows:]
    header_columns = int(bool(body) and all(row[0].is_header for row in body))
    return Grid(len(rows), places.width, tuple(cells), header_rows, header_columns)
