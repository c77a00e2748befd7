"""The columns of a table: told by rules, and where none stand by the gutters between pieces of text.

Owns where columns begin and end. Knows nothing about rows of a table or headers.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Sequence

from octavo.structuring.tables.rows import is_data
from octavo.structuring.tables.splits import Interval, Part


class _Gutter:
    """What a gutter is told by, chosen by hand."""

    SHRINK = 0.5  # points that a text is taken narrower by on either side
    VALLEY = 0.26  # share of the texts beside a gutter that may lie across it
    FEWEST_ROWS = 3  # rows of several cells


_SIGN = re.compile(r"[$€£¥₹%)(*†‡§]{1,2}|[A-Z]{0,2}\$|[(]?\$|\)%|[a-z](?=$)")


def column_edges(rows: Sequence[Sequence[Part]], walls: Sequence[float]) -> list[float]:
    """Return the x positions between columns, left to right, one fewer than there are columns.

    `rows` are the cells of the table in printed rows, `walls` the upright rules. Between walls, columns are told by
    gutters only where several rows have several cells.
    """
    edges = list(walls)
    bounds = [float("-inf"), *walls, float("inf")]
    for left, right in itertools.pairwise(bounds):
        band = [[part for part in row if left <= _middle(part) < right] for row in rows]
        edges.extend(_gutters(band, is_walled=bool(walls)))
    return sorted(edges)


def _middle(part: Part) -> float:
    return (part.x0 + part.x1) / 2


def _gutters(rows: Sequence[Sequence[Part]], *, is_walled: bool) -> list[float]:
    several = [row for row in rows if len(row) > 1]
    if not several or (is_walled and len(several) < _Gutter.FEWEST_ROWS):
        return []
    chosen = several if len(several) >= min(_Gutter.FEWEST_ROWS, len(rows)) else [row for row in rows if row]
    gutters = valleys([(part.x0, part.x1) for row in chosen for part in row])
    with_data = [row for row in chosen if any(is_data(part.text) for part in row)]
    gutters = _without_signs([part for row in with_data or chosen for part in row], gutters)
    return _without_headers(with_data, rows, gutters) if len(with_data) > 1 else gutters


def valleys(pieces: Sequence[Interval]) -> list[float]:
    """Return the x positions where few pieces of text lie between places where many do."""
    changes = sorted(
        [(left + _Gutter.SHRINK, 1) for left, _ in pieces]
        + [(max(right, left + 2) - _Gutter.SHRINK, -1) for left, right in pieces]
    )
    found: list[float] = []
    peak, lowest, place, widest = 0, 0, 0.0, 0.0
    count = 0
    for (x, step), (following, _) in zip(changes, [*changes[1:], changes[-1]], strict=True):
        count += step
        if following - x <= 0 and following != changes[-1][0]:
            continue
        if peak and lowest < min(peak, count) and lowest <= _Gutter.VALLEY * min(peak, count):
            found.append(place)
            peak, lowest, widest = count, count, 0.0
        elif count > peak:
            peak, lowest, widest = count, count, 0.0
        elif count < lowest or (count == lowest and following - x > widest):
            lowest, place, widest = count, (x + following) / 2, following - x
    return found


def _without_signs(parts: Sequence[Part], gutters: list[float]) -> list[float]:
    """Drop the gutters that part nothing but currency signs, brackets and per cent signs from their numbers."""
    kept = list(gutters)
    while (dropped := _before_number(parts, kept)) is not None:
        del kept[dropped]
    return kept


def _before_number(parts: Sequence[Part], gutters: Sequence[float]) -> int | None:
    """Return which gutter lies between signs and their numbers, None when none does."""
    for at, (left, right) in enumerate(itertools.pairwise([float("-inf"), *gutters, float("inf")])):
        texts = [part.text for part in parts if left <= _middle(part) < right]
        if not texts or not all(_SIGN.fullmatch(text) for text in texts):
            continue
        opens = sum(text[-1] in "$€£¥₹(" for text in texts) > len(texts) / 2
        # An opening sign goes with the column after it, a closing one with the column before.
        dropped = at if opens else at - 1
        if 0 <= dropped < len(gutters):
            return dropped
    return None


def _without_headers(
    with_data: Sequence[Sequence[Part]], rows: Sequence[Sequence[Part]], gutters: list[float]
) -> list[float]:
    """Drop the gutters that part a header set beside its numbers, as over a wide column, from them."""
    kept = list(gutters)
    at = 1
    while at <= len(kept):
        if any(_held(row, kept, at) for row in with_data):
            at += 1
            continue
        sides = [side for side in (at + 1, at - 1) if 0 < side <= len(kept)]
        free = [side for side in sides if not any(_held(row, kept, at) and _held(row, kept, side) for row in rows)]
        if free:
            del kept[min(at, free[0])]
        else:
            at += 1
    return kept


def _held(row: Sequence[Part], gutters: Sequence[float], at: int) -> bool:
    """Tell a row with a cell in the column number `at`."""
    return any(bisect.bisect(gutters, _middle(part)) == at for part in row)
