"""Cells over several rows where no rule says so: told by text that stands in the middle of the rows it is for."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator, Sequence

_SAME = 0.25
"""Distance between the middle of a text and that of its rows, by the distance between rows."""
_FEWEST_ROWS = 3
_MOST_COLUMNS = 2
"""Columns from the left that may hold such labels."""
Extent = tuple[float, float]
"""Top and bottom in points."""


def centred_labels(
    labels: Callable[[int], dict[int, Extent]], others: Callable[[int, int], Extent | None], rows: range, width: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield column, row, first and last row of each label that stands in the middle of several rows.

    `labels` gives the extents of a column's cells in `rows`, or none where each row has one, `others` that of a row's
    cells outside a column. Only a column whose labels, so taken, share all `rows` out among them has any.
    """
    if len(rows) < _FEWEST_ROWS:
        return
    for column in range(min(_MOST_COLUMNS, width - 1)):
        held = labels(column)
        if not 0 < len(held) < len(rows):
            continue
        known: list[Extent] = []
        for row in rows:
            if (extent := others(row, column)) is None:
                break
            known.append(extent)
        if len(known) < len(rows):
            continue
        groups = _shared_out(held, known, rows.start)
        if sum(first < last for first, last in groups) <= min(column, 1):  # one cell may have strayed
            continue
        for row, (first, last) in zip(sorted(held), groups, strict=False):
            if first < last:
                yield column, row, first, last


def _shared_out(held: dict[int, Extent], extents: Sequence[Extent], start: int) -> list[tuple[int, int]]:
    """Return the first and last row of each label; nothing where they do not take all rows."""
    middles = [(top + bottom) / 2 for top, bottom in extents]
    pitch = statistics.median(below - above for above, below in itertools.pairwise(middles))
    if pitch <= 0:
        return []
    groups: list[tuple[int, int]] = []
    first = 0
    for row in sorted(held):
        middle = sum(held[row]) / 2
        lasts = [
            last
            for last in range(first, len(extents))
            if abs((extents[first][0] + extents[last][1]) / 2 - middle) < _SAME * pitch and first <= row - start <= last
        ]
        if not lasts:
            return []
        groups.append((first + start, lasts[0] + start))
        first = lasts[0] + 1
    return groups if first == len(extents) else []
