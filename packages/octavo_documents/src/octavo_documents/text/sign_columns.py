"""Columns of a table that hold nothing but signs of the numbers beside them, as filings lay them out.

`$ | 1,234` and `(1,234 | )` are one number each. Knows nothing about files and pages.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from octavo_documents.document.grid import Cell, CellBox, Grid
from octavo_documents.lazy import lazy_regex

_OPENING = lazy_regex(r"[-–−]?(?:[A-Z]{0,3}[$€£¥₹])?\s?[-–−]?\(?(?<![-–−])(?:[A-Z]{0,3}[$€£¥₹])?")
_CLOSING = lazy_regex(r"\)?\s?(?:%|‰|pp|bps?|x)?\s?\)?")
_CURRENCY = lazy_regex(r"\)?\s?[$€£¥₹]\s?\)?")
_TRAILING = lazy_regex(r"(.*\S)\s([$£¥₹])")
_SIGNS = ("$", "£", "¥", "₹")
_BARE = lazy_regex(r"[(–—-]?[\d.]|[–—-]\Z")
_MOST_SIGNS = 3
"""Columns of signs in a row: `$ | ( | 1,234`."""
_BLANK = lazy_regex(r"\s+")
_STARTS_NUMBER = lazy_regex(r"[-–−(+]?\s?[$€£¥₹]?[-–−(]?\s?[\d.]|[-–—−]+$|n/?[am]", re.IGNORECASE)


def joined(grid: Grid, *, between: str = "") -> Grid:
    """Return a table with signs joined to their numbers and, where it stands in no sheet, without empty columns.

    `between` is put between a sign of currency and its number.
    A table of a sheet keeps its columns, for its cells are known by them.
    """
    grid = _with_signs_moved(grid, between)
    for _ in range(_MOST_SIGNS):
        columns = _sign_columns(grid)
        grid = _merged(grid, columns, between) if columns else grid
        grid = grid if grid.origin is not None else _without_spacers(grid)
        if not columns:
            break
    return grid


def _with_signs_moved(grid: Grid, between: str) -> Grid:
    """Return a table in which no sign of currency that opens the next cell of a row ends the one before."""
    if not any(cell.text.endswith(_SIGNS) and _TRAILING.fullmatch(cell.text) for cell in grid.cells):
        return grid
    cells = {(cell.row, cell.column): cell for cell in grid.cells}
    for cell in grid.cells:
        found = _TRAILING.fullmatch(cell.text)
        after = cells.get((cell.row, cell.column + cell.columns)) if found else None
        if found and after and cell.row >= grid.header_rows and _BARE.match(after.text):
            cells[cell.row, cell.column] = dataclasses.replace(cell, text=found[1])
            cells[after.row, after.column] = dataclasses.replace(after, text=f"{found[2]}{between}{after.text}")
    return dataclasses.replace(grid, cells=tuple(cells.values()))


def _sign_columns(grid: Grid) -> dict[int, int]:
    """Return the columns of signs, each with the column of the numbers they belong to."""
    held: dict[int, list[Cell]] = {}
    others = set[int]()
    for cell in grid.cells:
        if cell.columns == 1 and cell.column not in others:
            if cell.row >= grid.header_rows and not _is_sign(cell.text):
                others.add(cell.column)
            held.setdefault(cell.column, []).append(cell)
    held = {column: cells for column, cells in held.items() if column not in others}
    if not held:
        return {}
    heading = [cell for cell in grid.cells if cell.row < grid.header_rows]
    placed = {(cell.row, column) for cell in heading for column in range(cell.column, cell.column + cell.columns)}
    found: dict[int, int] = {}
    for column, cells in held.items():
        texts = [cell.text.strip() for cell in cells if cell.row >= grid.header_rows]
        heads = [cell for cell in cells if cell.row < grid.header_rows]
        if not texts or any((cell.row, column + side) in placed for cell in heads for side in (-1, 1)):
            continue
        if all(_OPENING.fullmatch(text) for text in texts) and _are_numbers(grid, column + 1, cells):
            found[column] = column + 1
        elif all(_CLOSING.fullmatch(text) or _CURRENCY.fullmatch(text) for text in texts) and _are_numbers(
            grid, column - 1, cells
        ):
            found[column] = column - 1
    return found


def _is_sign(text: str) -> bool:
    text = text.strip()
    return bool(_OPENING.fullmatch(text) or _CLOSING.fullmatch(text) or _CURRENCY.fullmatch(text))


def _are_numbers(grid: Grid, column: int, signs: Iterable[Cell]) -> bool:
    """Return whether a column has a number beside each sign."""
    beside = {cell.row: cell.text for cell in grid.cells if cell.column <= column < cell.column + cell.columns}
    said = [beside.get(sign.row, "") for sign in signs]
    return all(_STARTS_NUMBER.match(text) for text in said if text) and 2 * sum(map(bool, said)) > len(said)


def _merged(grid: Grid, columns: dict[int, int], between: str) -> Grid:
    cells = {(cell.row, cell.column): cell for cell in grid.cells}
    for cell in grid.cells:
        if cell.columns > 1 or cell.column not in columns:
            continue
        target = columns[cell.column]
        number = next((cells[place] for place in _starts(cells, cell.row, target)), None)
        del cells[cell.row, cell.column]
        if number is None:
            cells[cell.row, target] = dataclasses.replace(cell, column=target)
            continue
        gap = between if target > cell.column and cell.text[-1:] in "$€£¥₹" else ""
        text = f"{cell.text}{gap}{number.text}" if target > cell.column else f"{number.text}{cell.text}"
        cells[number.row, number.column] = dataclasses.replace(
            number, text=_BLANK.sub(" ", text.strip()), box=_around(cell.box, number.box)
        )
    return dataclasses.replace(grid, cells=tuple(cells[place] for place in sorted(cells)))


def _around(one: CellBox | None, other: CellBox | None) -> CellBox | None:
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _starts(cells: dict[tuple[int, int], Cell], row: int, column: int) -> Iterable[tuple[int, int]]:
    """Return where the cell that covers a place begins: in its row."""
    return [
        (row, first) for first in range(column, -1, -1) if (row, first) in cells and _covers(cells, row, first, column)
    ][:1]


def _covers(cells: dict[tuple[int, int], Cell], row: int, first: int, column: int) -> bool:
    return first + cells[row, first].columns > column


def _without_spacers(grid: Grid) -> Grid:
    """Return a table without the columns in which no cell stands alone."""
    used = {cell.column for cell in grid.cells if cell.columns == 1}
    for cell in sorted(grid.cells, key=lambda cell: cell.columns):
        if used.isdisjoint(range(cell.column, cell.column + cell.columns)):
            used.add(cell.column)
    if len(used) == grid.width:
        return grid
    return _kept(grid, sorted(used))


def _kept(grid: Grid, used: Sequence[int]) -> Grid:
    cells: list[Cell] = []
    for cell in grid.cells:
        within = [at for at, column in enumerate(used) if cell.column <= column < cell.column + cell.columns]
        cells.append(dataclasses.replace(cell, column=within[0], columns=len(within)))
    header_columns = sum(column < grid.header_columns for column in used)
    carried = tuple(grid.carried[column] for column in used) if len(grid.carried) == grid.width else grid.carried
    return dataclasses.replace(
        grid, width=len(used), cells=tuple(cells), header_columns=header_columns, carried=carried
    )
