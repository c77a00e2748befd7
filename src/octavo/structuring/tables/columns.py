"""The columns of a table: told by rules, and where none stand by the gutters between pieces of text.

Owns where columns begin and end. Knows nothing about rows of a table or headers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from octavo.structuring.lines import PageLines
from octavo.structuring.tables.cells import Interval, Part

_SHRINK = 0.5
_VALLEY = 0.26
_FEWEST_ROWS = 3
_SIGN = re.compile(r"[$€£¥₹%)(*†‡§]{1,2}|[A-Z]{0,2}\$|[(]?\$|\)%|[a-z](?=$)")


def column_edges(
    page: PageLines, rows: Sequence[Sequence[int]], parts: Mapping[int, list[Part]], walls: Sequence[float]
) -> list[float]:
    """Return the x positions between columns, left to right, one fewer than there are columns.

    `rows` are the lines of the table in rows of pieces, `parts` the cells in each, `walls` the upright rules. Between
    walls, columns are told by gutters only where several rows have several pieces.
    """
    edges = list(walls)
    bounds = [float("-inf"), *walls, float("inf")]
    for left, right in itertools.pairwise(bounds):
        band = [[line for line in row if left <= _middle(page, line) < right] for row in rows]
        edges.extend(_gutters(page, band, parts, is_walled=bool(walls)))
    return sorted(edges)


def _middle(page: PageLines, line: int) -> float:
    return float(page.places[line, 0] + page.places[line, 2]) / 2


def _gutters(
    page: PageLines, rows: Sequence[Sequence[int]], parts: Mapping[int, list[Part]], *, is_walled: bool
) -> list[float]:
    several = [row for row in rows if len(row) > 1 or any(len(parts[line]) > 1 for line in row)]
    if not several or (is_walled and len(several) < _FEWEST_ROWS):
        return []
    chosen = several if len(several) >= min(_FEWEST_ROWS, len(rows)) else [row for row in rows if row]
    pieces = [(part.x0, part.x1) for row in chosen for line in row for part in parts[line]]
    gutters = valleys(pieces)
    return _without_signs(page, [line for row in chosen for line in row], gutters)


def valleys(pieces: Sequence[Interval]) -> list[float]:
    """Return the x positions where few pieces of text lie between places where many do."""
    changes = sorted(
        [(left + _SHRINK, 1) for left, _ in pieces] + [(max(right, left + 2) - _SHRINK, -1) for left, right in pieces]
    )
    found: list[float] = []
    peak, lowest, place, widest = 0, 0, 0.0, 0.0
    count = 0
    for (x, step), (following, _) in zip(changes, [*changes[1:], changes[-1]], strict=True):
        count += step
        if following - x <= 0 and following != changes[-1][0]:
            continue
        if peak and lowest < min(peak, count) and lowest <= _VALLEY * min(peak, count):
            found.append(place)
            peak, lowest, widest = count, count, 0.0
        elif count > peak:
            peak, lowest, widest = count, count, 0.0
        elif count < lowest or (count == lowest and following - x > widest):
            lowest, place, widest = count, (x + following) / 2, following - x
    return found


def _without_signs(page: PageLines, lines: Sequence[int], gutters: list[float]) -> list[float]:
    """Drop the gutters that part nothing but currency signs, brackets and per cent signs from their numbers."""
    bounds = [float("-inf"), *gutters, float("inf")]
    kept = list(gutters)
    for at, (left, right) in enumerate(itertools.pairwise(bounds)):
        texts = [page.texts[line] for line in lines if left <= _middle(page, line) < right]
        if not texts or not all(_SIGN.fullmatch(text) for text in texts):
            continue
        opens = sum(text[-1] in "$€£¥₹(" for text in texts) > len(texts) / 2
        # An opening sign goes with the column after it, a closing one with the column before.
        dropped = at if opens else at - 1
        if 0 <= dropped < len(gutters) and gutters[dropped] in kept:
            kept.remove(gutters[dropped])
    return kept
