"""The rules of a table: where thin lines, painted rows and framed cells part its rows and columns."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo.parsing.content import Box, Graphic
from octavo.structuring.clusters import THIN, is_white


class _Rule:
    """How rules are read, in points or as shares; chosen by hand."""

    SAME = 2.5  # difference between the places of rules that are one
    INSIDE = 3.0  # how far a rule may lie outside a table's box
    MOST_RULES = 3000  # graphics that are looked at: bounds the time on a hostile page
    DOWN = 0.35  # share of the height of a rule that parts columns


Segment = tuple[float, float, float]
"""A stretch of a rule: its height (or x), and from where to where it runs."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Segments inside a table, in points: `flat` as (y, x0, x1), `upright` as (x, y0, y1), both in order.

    `runs` are the flat ones with those that touch at one height as one.
    """

    box: Box
    flat: tuple[Segment, ...]
    upright: tuple[Segment, ...]
    runs: tuple[Segment, ...]

    def partial_heights(self, least: float) -> list[float]:
        """Return the heights at which rules run over at least a share (0..1) of the width."""
        width = self.box[2] - self.box[0]
        return [place for place, run in _places(self.flat) if run > least * width]

    def walls(self) -> list[float]:
        """Return the x of the rules that part columns, left to right, the frame's left out."""
        height = self.box[3] - self.box[1]
        inner = (self.box[0] + _Rule.INSIDE, self.box[2] - _Rule.INSIDE)
        return [x for x, run in _places(self.upright) if run > _Rule.DOWN * height and inner[0] < x < inner[1]]

    def is_walled(self, x: float, y: float) -> bool:
        """Tell whether an upright rule at `x` passes the height `y`."""
        return any(first - 1 <= y <= last + 1 for _, first, last in _about(self.upright, x))

    def is_parted(self, y: float, x: float) -> bool:
        """Tell whether a flat rule at the height `y` passes over `x`."""
        return any(first - 1 <= x <= last + 1 for _, first, last in _about(self.flat, y))

    def under(self, box: Sequence[float], reach: float) -> tuple[float, float] | None:
        """Return from where to where the rule next below a piece of text runs, None when there is none in reach."""
        middle = (box[0] + box[2]) / 2
        for y, first, last in self.runs:
            if box[3] - 1.5 <= y <= box[3] + reach and first - 1 <= middle <= last + 1:
                return first, last
        return None


def rules_of(graphics: Sequence[Graphic], box: Box) -> Rules:
    """Return the rules inside a table's box."""
    flat: set[Segment] = set()
    upright: set[Segment] = set()
    for item in graphics[: _Rule.MOST_RULES]:
        if _lies_in(item.box, box):
            for is_flat, segment in _segments(item):
                (flat if is_flat else upright).add(segment)
    ordered = tuple(sorted(flat))
    return Rules(box, ordered, tuple(sorted(upright)), tuple(_merged(ordered)))


def _about(segments: Sequence[Segment], place: float) -> Sequence[Segment]:
    """Return the segments that lie at a place."""
    nowhere = float("-inf")
    first = bisect.bisect(segments, (place - _Rule.SAME, nowhere, nowhere))
    return segments[first : bisect.bisect(segments, (place + _Rule.SAME, nowhere, nowhere), lo=first)]


def _lies_in(item: Box, box: Box) -> bool:
    x, y = (item[0] + item[2]) / 2, (item[1] + item[3]) / 2
    return box[0] - _Rule.INSIDE < x < box[2] + _Rule.INSIDE and box[1] - _Rule.INSIDE < y < box[3] + _Rule.INSIDE


def _segments(item: Graphic) -> Iterator[tuple[bool, Segment]]:
    """Yield the segments a graphic draws, each with whether it is flat: itself when thin, its edges when a box."""
    x0, y0, x1, y1 = item.box
    if item.kind == "image" or (item.kind == "fill" and is_white(item.color)):
        return
    if y1 - y0 <= THIN:
        yield True, ((y0 + y1) / 2, x0, x1)
    elif x1 - x0 <= THIN:
        yield False, ((x0 + x1) / 2, y0, y1)
    else:
        yield True, (y0, x0, x1)
        yield True, (y1, x0, x1)
        # Every other row is painted: the sides of its cells part no column of the rows between.
        if item.kind != "fill":
            yield False, (x0, y0, y1)
            yield False, (x1, y0, y1)


def _places(segments: Sequence[Segment]) -> list[tuple[float, float]]:
    """Return where segments lie, those close to each other as one place, with the length they cover together."""
    found: list[tuple[float, float]] = []
    group: list[Segment] = []
    for segment in segments:
        if group and segment[0] - group[-1][0] >= _Rule.SAME:
            found.append(_place(group))
            group = []
        group.append(segment)
    if group:
        found.append(_place(group))
    return found


def _place(group: Sequence[Segment]) -> tuple[float, float]:
    covered, reached = 0.0, float("-inf")
    for _, first, last in sorted(group, key=lambda segment: segment[1]):
        covered += max(last - max(first, reached), 0.0)
        reached = max(reached, last)
    return sum(segment[0] for segment in group) / len(group), covered


def _merged(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield segments at one place that touch as one."""
    open_: list[Segment] = []
    for segment in segments:
        y, first, last = segment
        if open_ and abs(open_[-1][0] - y) < 1.0 and first - open_[-1][2] < 1.0:
            open_[-1] = (open_[-1][0], min(open_[-1][1], first), max(open_[-1][2], last))
        else:
            open_.append(segment)
    yield from open_
