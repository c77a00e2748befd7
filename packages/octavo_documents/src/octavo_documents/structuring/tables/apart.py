"""Tables that stand close under each other and were found as one: parted at captions and where heads begin anew."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Sequence

from octavo_documents.document import Kind
from octavo_documents.structuring import markers
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.regions import Region
from octavo_documents.structuring.tables.columns import stretches_of
from octavo_documents.structuring.tables.rows import is_data

_FEWEST_ROWS = 2
"""Rows of several cells of a table, its heads among them."""
_WIDE = 2.0
"""Step down to the heads of another table, by the usual step between the rows above."""
_CLOSE = 0.5
"""Gap between the lines of a caption, by their type size."""


def parted(page: PageLines, table: Region) -> list[Region]:
    """Return the tables in a region, their captions left out; the region as it is where it holds one."""
    if table.kind != Kind.TABLE or table.is_from_model or len(table.lines) < 2 * _FEWEST_ROWS:
        return [table]
    rows = row_groups(page.places, table.lines)
    captions = {at for first, row in enumerate(rows) if is_caption(page, row) for at in _lines_of(page, rows, first)}
    starts = {at for at in range(1, len(rows)) if at - 1 in captions or at in captions or _heads_anew(page, rows, at)}
    bounds = sorted({0, *starts, len(rows)})
    held = [
        (first, stop)
        for first, stop in itertools.pairwise(bounds)
        if first not in captions and sum(len(row) > 1 for row in rows[first:stop]) >= _FEWEST_ROWS
    ]
    if not captions and len(held) < 2:
        return [table]
    return [_part(page, table, rows, first, stop) for first, stop in held]


def is_caption(page: PageLines, row: Sequence[int]) -> bool:
    """Return whether a row of lines is the caption of a table or figure, and no row of cells that names one."""
    if not markers.caption(page.texts[row[0]]):
        return False
    parts = [part for line in row for part in stretches_of(page, line)]
    return len(row) == 1 and not any(is_data(part.text) for part in parts[1:]) and len(parts) < 3


def _lines_of(page: PageLines, rows: Sequence[Sequence[int]], first: int) -> range:
    """Return the rows that a caption takes: those close under it, each of one line in its type."""
    stop = first + 1
    while stop < len(rows) and len(rows[stop]) == 1 and len(stretches_of(page, rows[stop][0])) == 1:
        above, below = rows[stop - 1][0], rows[stop][0]
        size = page.looks[above].size
        gap = float(page.places[below, 1] - page.places[above, 3])
        if gap > _CLOSE * size or abs(page.looks[below].size - size) > 0.1 or is_caption(page, rows[stop]):
            break
        stop += 1
    return range(first, stop)


def _heads_anew(page: PageLines, rows: Sequence[Sequence[int]], at: int) -> bool:
    """Return whether bold heads without numbers stand far under rows of numbers that are not bold, and over such."""
    row, above, below = rows[at], rows[at - 1], rows[at + 1] if at + 1 < len(rows) else ()
    if len(row) < _FEWEST_ROWS or not all(page.looks[line].bold for line in row) or at < 2 * _FEWEST_ROWS - 1:
        return False
    if any(page.looks[line].bold for line in above) or not (_has_data(page, above) and _has_data(page, below)):
        return False
    if any(is_data(page.texts[line]) for line in row):
        return False
    steps = [_foot(page, under) - _foot(page, over) for over, under in itertools.pairwise(rows[:at])]
    return _foot(page, row) - _foot(page, above) > _WIDE * statistics.median(steps)


def _foot(page: PageLines, row: Sequence[int]) -> float:
    return max(float(page.places[line, 3]) for line in row)


def _has_data(page: PageLines, row: Sequence[int]) -> bool:
    return any(is_data(page.texts[line]) for line in row)


def _part(page: PageLines, table: Region, rows: Sequence[Sequence[int]], first: int, stop: int) -> Region:
    """Return the rows [first, stop) of a region as one, in the region's width."""
    lines = [line for row in rows[first:stop] for line in row]
    _, y0, _, y1 = page.hull(lines)
    x0, top, x1, bottom = table.box
    top = top if first == 0 else max(y0 - 2, max(_foot(page, row) for row in rows[:first]))
    bottom = bottom if stop == len(rows) else (y1 + float(page.places[rows[stop], 1].min())) / 2
    return dataclasses.replace(table, box=(x0, top, x1, max(bottom, y1)), lines=tuple(sorted(lines)))
