"""A table's cells as headed rows.

Owns what is header, label and cell in a stored grid, and which empty columns and currency signs mean nothing. Knows
nothing about questions.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from octavo.decisions.rules.values import ValueKind, values_in
from octavo.document.grid import Grid, is_section

_MOST_HEADER_ROWS = 3
_LONGEST_CELL = 600
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclasses.dataclass(frozen=True)
class TableRow:
    """A row below the header: its line in the table's text, its label, and (column header, cell) of the others."""

    line: int
    label: str
    cells: tuple[tuple[str, str], ...]
    section: str = ""
    """The row above that has a label only and heads this one; empty for none."""


@dataclasses.dataclass(frozen=True)
class ReadTable:
    """A table as read: the header over the labels, and the rows."""

    corner: str
    rows: tuple[TableRow, ...]


def read_table(stored: str, before: Sequence[str] = ()) -> ReadTable | None:
    """Return the headed rows of a stored grid, None when there is none.

    Args:
        stored: The block's `grid`.
        before: Short texts right above the table; where no header has a year, years there head the columns.
    """
    grid = Grid.from_json(stored)
    rows = [[text[:_LONGEST_CELL].strip() for text in texts] for texts in grid.rows()]
    if not rows:
        return None
    is_headed = bool(grid.header_rows or grid.carried)
    first = grid.header_rows if is_headed else _header_rows(rows)
    headers = grid.headers() if is_headed else _headers(rows[:first])
    years = [] if any(map(_YEAR.search, headers)) else _YEAR.findall(" ".join(before))
    return ReadTable(headers[0] if headers else "", tuple(_rows(rows, first, headers, years)))


def _rows(rows: Sequence[list[str]], first: int, headers: Sequence[str], years: Sequence[str]) -> Iterator[TableRow]:
    section = ""
    for line in range(first, len(rows)):
        if is_section(rows[line]):
            section = rows[line][0]
        row = _row(line, rows[line], headers, years)
        if row is not None:
            yield dataclasses.replace(row, section=section)


def _row(line: int, cells: list[str], headers: Sequence[str], years: Sequence[str]) -> TableRow | None:
    """Return a row, None for an empty one.

    Where currency signs and gaps stand in columns of their own, headers and cells pair in order when there are as
    many of one as of the other.
    """
    at = next((column for column, cell in enumerate(cells) if cell), None)
    if at is None:
        return None
    filled = [column for column in range(at + 1, len(cells)) if _says_something(cells[column])]
    heads = [header for header in dict.fromkeys(headers[at + 1 :]) if header]
    own = [headers[column] if column < len(headers) else "" for column in filled]
    names = heads if len(heads) == len(filled) else own
    if years and len(years) == len(filled):
        names = [f"{name} {year}".strip() for name, year in zip(names, years, strict=True)]
    return TableRow(line, cells[at], tuple(zip(names, (cells[column] for column in filled), strict=True)))


def _says_something(cell: str) -> bool:
    return any(character.isalnum() for character in cell) or cell in ("—", "–", "-")


def _header_rows(grid: Sequence[Sequence[str]]) -> int:
    """Return how many rows from the top head the columns: those before the first of numbers that are no years."""
    headed = takewhile(lambda cells: not any(map(_is_number, cells[1:])), grid[:_MOST_HEADER_ROWS])
    return sum(1 for _ in headed) if any(map(_is_number, _flat(grid[: _MOST_HEADER_ROWS + 1]))) else min(len(grid), 1)


def _flat(grid: Sequence[Sequence[str]]) -> list[str]:
    return [cell for cells in grid for cell in cells[1:]]


def _is_number(cell: str) -> bool:
    """Say whether a cell is mostly a number that is no year: "52 weeks ended" is not."""
    values = [value for value in values_in(cell) if value.kind not in (ValueKind.YEAR, ValueKind.DATE)]
    return bool(values) and 2 * sum(len(value.text) for value in values) >= len(cell.strip())


def _headers(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return one header a column; an empty header cell takes the one to its left, which spans it."""
    width = max((len(cells) for cells in rows), default=0)
    headers = [""] * width
    for cells in rows:
        spanning = ""
        for column in range(width):
            cell = cells[column].strip() if column < len(cells) else ""
            spanning = cell or (spanning if column > 1 else "")
            headers[column] = f"{headers[column]} {spanning}".strip()
    return headers
