"""Rows of tables as a model is shown them: each value with its header, and long headers said once.

Indexes have every row with all its headers, so that it is found by itself; a model reads the table as a whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from octavo_documents.document.grid import Cell, Grid

_LONG = 60
"""Characters of a header that is said with every value."""


def rows_to_read(grid: Grid) -> list[str]:
    """Return the lines of `Grid.linearised` with headers said once, where that is shorter.

    A header that all columns with one share stands above the rows, once. A longer one than 60 characters has a letter
    there, which stands for it in the rows: `["(A) Share of members who ...", "Town: Graz; (A): 41%"]`.
    """
    headers = grid.headers()
    named = [header for header in headers if header]
    shared = named[0] if len(named) > 1 and len({*named}) == 1 else ""
    marks = {} if shared else _marks(headers)
    short = ["" if shared else marks.get(header, header) for header in headers]
    below = dataclasses.replace(grid, cells=tuple(_below(grid)), header_rows=0, carried=tuple(short))
    rows = below.linearised()
    above = [shared] if shared else [f"{mark} {header}" for header, mark in marks.items()]
    brief, whole = ([line for line in lines if line] for lines in ([*above, *rows], grid.linearised()))
    return min(whole, brief, key=lambda lines: sum(map(len, lines)))


def _below(grid: Grid) -> Iterator[Cell]:
    """Yield the cells under the header rows, and of those that reach into both what is under them."""
    for cell in grid.cells:
        inside = max(grid.header_rows - cell.row, 0)
        if inside < cell.rows:
            yield dataclasses.replace(cell, row=cell.row + inside, rows=cell.rows - inside)


def _marks(headers: Sequence[str]) -> dict[str, str]:
    """Return a letter for each long header, as far as letters go."""
    long = dict.fromkeys(header for header in headers if len(header) > _LONG)
    return {header: f"({letter})" for header, letter in zip(long, ascii_uppercase, strict=False)}
