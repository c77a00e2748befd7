"""Rows of cells of several lines that stand in the middle of their row, where no rule parts the rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from octavo_documents.structuring.lines import PageLines


class CentredPlace(Protocol):
    """Where a line stands: the first of its columns, and those in which it has numbers."""

    @property
    def first(self) -> int:
        """Return the first of its columns."""
        ...

    @property
    def numbers(self) -> frozenset[int]:
        """Return the columns in which it has numbers."""
        ...


class _Stack:
    """Thresholds for stacks of lines, in ems; chosen by hand."""

    # A tenth lower or higher moves no figure (`benchmarks/ablation.py --constants 0.1`).
    SAME_MIDDLE = 0.4  # difference between the middles of cells in one row
    TOUCHES = 0.3  # how far two cells of a row overlap at least
    FEWEST_ROWS = 2
    FILLED = 0.6  # share of the columns that each row has a cell in


@dataclass(slots=True)
class _Cell:
    """Lines of one column close under each other."""

    column: int
    lines: list[int]
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def centred_rows(
    page: PageLines,
    columns: Mapping[int, CentredPlace],
    em: float,
    tight: Callable[[Sequence[float], float], float | None],
) -> list[list[int]] | None:
    """Return the lines of each row, None where cells do not stand in the middle of rows.

    `columns` gives the place of each line, `tight` the gap that parts lines from rows. A number is no line of a cell.
    """
    stacks: dict[int, list[int]] = {}
    for line in sorted(columns, key=lambda line: float(page.places[line, 1])):
        stacks.setdefault(columns[line].first, []).append(line)
    has_several = any(line in page.gaps for line in columns)
    if has_several or len(stacks) < 2 or max(map(len, stacks.values())) < 3:
        return None
    limit = tight([gap for lines in stacks.values() for gap in _gaps(page, lines) if gap > -em], em)
    if limit is None:
        return None
    cells = [cell for column, lines in stacks.items() for cell in _cells(page, column, lines, limit)]
    rows = _rows(cells, em)
    least = _Stack.FILLED * len(stacks)
    is_sound = len(rows) >= _Stack.FEWEST_ROWS and all(len(row) >= least and _is_row(row, em) for row in rows)
    is_sound = is_sound and not any(
        len(cell.lines) > 1 and any(columns[line].numbers for line in cell.lines) for cell in cells
    )
    if not is_sound or not any(_is_centred(row, em) for row in rows):
        return None
    return [[line for cell in row for line in cell.lines] for row in rows]


def _gaps(page: PageLines, lines: Sequence[int]) -> list[float]:
    return [float(page.places[below, 1] - page.places[above, 3]) for above, below in itertools.pairwise(lines)]


def _cells(page: PageLines, column: int, lines: Sequence[int], limit: float) -> list[_Cell]:
    cells: list[_Cell] = []
    for line in lines:
        top, bottom = float(page.places[line, 1]), float(page.places[line, 3])
        if cells and top - cells[-1].bottom < limit:
            cells[-1].lines.append(line)
            cells[-1].bottom = max(cells[-1].bottom, bottom)
        else:
            cells.append(_Cell(column, [line], top, bottom))
    return cells


def _rows(cells: Sequence[_Cell], em: float) -> list[list[_Cell]]:
    rows: list[list[_Cell]] = []
    reached = float("-inf")
    for cell in sorted(cells, key=lambda cell: cell.top):
        if rows and cell.top + _Stack.TOUCHES * em < reached:
            rows[-1].append(cell)
        else:
            rows.append([cell])
            reached = cell.bottom
        reached = max(reached, cell.bottom)
    return rows


def _is_row(row: Sequence[_Cell], em: float) -> bool:
    """Return whether cells of different columns begin at one height, or share their middle."""
    if len({cell.column for cell in row}) < len(row):
        return False
    middles, tops = [cell.middle for cell in row], [cell.top for cell in row]
    return min(max(middles) - min(middles), max(tops) - min(tops)) < _Stack.SAME_MIDDLE * em


def _is_centred(row: Sequence[_Cell], em: float) -> bool:
    tops = [cell.top for cell in row]
    return max(len(cell.lines) for cell in row) > 1 and max(tops) - min(tops) > _Stack.SAME_MIDDLE * em
