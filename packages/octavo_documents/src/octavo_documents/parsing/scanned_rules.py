"""The rules of tables in the picture of a page: long thin strokes, which tell rows and columns better than words do."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Graphic, TextLine


class _Stroke:
    """How rules are seen, in points unless they say otherwise; chosen by hand."""

    PAPER = 150  # brightness (0..255) of most of a page at least
    DARKER = 70  # ink, by the brightness of its paper
    THICKEST = 3.0  # a rule; what is thicker is a bar or a letter
    SHORTEST = 24.0  # stretch of a rule that is looked for
    SOLID = 0.85  # share of such a stretch with ink
    STEP = 3  # pixels between the heights of two stretches of a rule
    MOST = 6000  # stretches: of more the page has a picture with a pattern
    STEEPEST = 0.05  # rise by run of a rule
    EDGE = 0.02  # share of a page along its edges where scanners leave shadows


class _Grid:
    """Which rules make a table, in points unless they say otherwise; chosen by hand."""

    FEWEST = 3  # rules across
    UNWALLED = 4  # rules across of a table without upright ones
    SAME_END = 8.0  # between the ends of the rules across
    REACH = 6.0  # from the end of an upright rule to the table's edge
    HIGH = 0.6  # share of the table's height of an upright rule at its sides
    ROW = 7.0  # least height of a row with text
    SAME_ROW = 0.6  # difference of height of cells in one row, by that of their text


@dataclass(slots=True)
class _Rule:
    """A stroke along x, in pixels, with the middles of its stretches."""

    x0: float
    x1: float
    y0: float
    y1: float
    points: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    @property
    def slope(self) -> float:
        """Rise by run."""
        points = np.array(self.points, np.float64)
        return float(np.polyfit(points[:, 0], points[:, 1], 1)[0]) if float(np.ptp(points[:, 0])) > 1 else 0.0

    @property
    def middle(self) -> float:
        """Its height in its middle, about."""
        return statistics.fmean(y for _, y in self.points)


def rules_of_scan(raster: Raster, scale: float, lines: Sequence[TextLine]) -> tuple[Graphic, ...]:
    """Return the rules of the tables in a page as drawn (`scale` pixels per point), as lines in points.

    Only rules that make a grid, or part rows of text one under the other, are taken: others are of drawings and forms.
    On a page that lies askew they are level, as its lines of text are.
    """
    light = raster.min(axis=2)
    paper = int(np.median(light))
    if paper < _Stroke.PAPER or not lines:
        return ()
    ink = light < paper - _Stroke.DARKER
    flat = _rules(ink, scale)
    if len(flat) < _Grid.FEWEST:
        return ()
    upright = _rules(np.ascontiguousarray(ink.T), scale)
    slope = statistics.median(rule.slope for rule in flat)
    middle = (min(line.box[0] for line in lines) + max(line.box[2] for line in lines)) / 2 * scale
    level = [
        (rule.x0 / scale, (rule.middle - slope * ((rule.x0 + rule.x1) / 2 - middle)) / scale, rule.x1 / scale)
        for rule in flat
        if abs(rule.slope) < _Stroke.STEEPEST
    ]
    walls = [(rule.middle / scale, rule.x0 / scale, rule.x1 / scale) for rule in upright]
    return tuple(
        Graphic("line", (round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)))
        for group in _alike(level)
        for x0, y0, x1, y1 in _grid(group, level, walls, lines)
    )


def _rules(ink: npt.NDArray[np.bool_], scale: float) -> list[_Rule]:
    """Return the strokes along the rows of a picture, top to bottom; none of a picture with a pattern."""
    length, thick = max(round(_Stroke.SHORTEST * scale), 8), max(round(_Stroke.THICKEST * scale), 3)
    if min(ink.shape) <= max(length, thick) + 1:
        return []
    thin = ink & ~_in_runs(ink, thick + 1)
    count = np.cumsum(thin, axis=1, dtype=np.int32)
    is_solid = count[:, length:] - count[:, :-length] >= _Stroke.SOLID * length
    rows = np.flatnonzero(is_solid.any(axis=1))
    height, width = ink.shape
    found: list[_Rule] = []
    stretches = 0
    open_: list[_Rule] = []
    for y in rows.tolist():
        open_ = [rule for rule in open_ if y - rule.y1 <= _Stroke.STEP]
        for x0, x1 in _spans(is_solid[y]):
            stretches += 1
            if stretches > _Stroke.MOST:
                return []
            _add(found, open_, (x0, float(y), x1 + length), length / 2)
    edge = _Stroke.EDGE
    return [
        rule
        for rule in found
        if edge * height < rule.middle < (1 - edge) * height and rule.x1 - rule.x0 < (1 - edge) * width
    ]


def _in_runs(ink: npt.NDArray[np.bool_], length: int) -> npt.NDArray[np.bool_]:
    """Return which pixels lie in a run of ink down the picture of some length or more."""
    count = np.cumsum(ink, axis=0, dtype=np.int32)
    is_start = np.zeros_like(ink)
    is_start[1 : 1 - length] = count[length:] - count[:-length] == length
    is_start[0] = count[length - 1] == length
    starts = np.cumsum(is_start, axis=0, dtype=np.int32)
    starts[length:] -= starts[:-length].copy()
    return starts > 0


def _spans(row: npt.NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """Yield the [start, stop) of the stretches that are true."""
    edges = np.flatnonzero(np.diff(row.astype(np.int8), prepend=0, append=0))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _add(found: list[_Rule], rules: list[_Rule], stretch: tuple[float, float, float], reach: float) -> None:
    """Add a stretch to the rule that it goes on, else as a rule of its own, which is then one of those to go on."""
    x0, y, x1 = stretch
    near = next((rule for rule in rules if rule.x0 <= x1 and x0 <= rule.x1), None)
    near = near or next(
        (one for one in rules if y - one.y1 <= 1 and one.x0 - reach <= x1 and x0 <= one.x1 + reach), None
    )
    if near is None:
        near = _Rule(x0, x1, y, y)
        found.append(near)
        rules.append(near)
    near.x0, near.x1, near.y1 = min(near.x0, x0), max(near.x1, x1), y
    near.points.append(((x0 + x1) / 2, y))


_Flat = tuple[float, float, float]
"""A rule across in points: where it begins, its height, where it ends."""


def _alike(rules: Sequence[_Flat]) -> Iterator[list[_Flat]]:
    """Yield groups of rules that begin and end alike, each from top to bottom."""
    left = sorted(rules, key=lambda rule: rule[1])
    while left:
        first = left[0]
        group = [rule for rule in left if all(abs(rule[at] - first[at]) < _Grid.SAME_END for at in (0, 2))]
        left = [rule for rule in left if rule not in group]
        if len(group) >= _Grid.FEWEST:
            yield group


def _grid(
    group: Sequence[_Flat],
    rules: Sequence[_Flat],
    walls: Sequence[tuple[float, float, float]],
    lines: Sequence[TextLine],
) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of the rules of a table, none where the rules across make none."""
    x0, x1 = min(rule[0] for rule in group), max(rule[2] for rule in group)
    top, bottom = group[0][1], group[-1][1]
    own = [
        wall
        for wall in walls
        if x0 - _Grid.REACH < wall[0] < x1 + _Grid.REACH and min(wall[2], bottom) - max(wall[1], top) > _Grid.ROW
    ]
    sides = [wall for wall in own if min(wall[2], bottom) - max(wall[1], top) > _Grid.HIGH * (bottom - top)]
    rows = [(above[1], below[1]) for above, below in itertools.pairwise(group)]
    rows = [row for row in rows if row[1] - row[0] > _Grid.ROW]
    held = sum(any(_is_in(line, x0, x1, row) for line in lines) for row in rows)
    if held < _Grid.FEWEST - 1 or held < len(rows) / 2 or (len(sides) < 2 and held < _Grid.UNWALLED - 1):
        return
    if any(_holds_rows(lines, x0, x1, row, is_first=at == 0) for at, row in enumerate(rows)):
        return
    ends = [x0, x1, *(wall[0] for wall in own)]
    others = [
        rule
        for rule in rules
        if top < rule[1] < bottom
        and (
            all(min(abs(rule[at] - end) for end in ends) < _Grid.REACH for at in (0, 2))
            or (rule[0] < x0 + _Grid.REACH and rule[2] > x1 - _Grid.REACH)
        )
    ]
    yield from ((rule[0], rule[1], rule[2], rule[1]) for rule in sorted({*group, *others}))
    yield from ((wall[0], max(wall[1], top), wall[0], min(wall[2], bottom)) for wall in own)


def _holds_rows(lines: Sequence[TextLine], x0: float, x1: float, row: tuple[float, float], *, is_first: bool) -> bool:
    """Return whether between two rules stand several rows with as many cells each: a rule between them was not seen.

    The heads of a table may all have two lines.
    """
    held = sorted((line for line in lines if _is_in(line, x0, x1, row)), key=lambda line: line.box[1] + line.box[3])
    counts: list[int] = []
    last = -math.inf
    for line in held:
        middle = (line.box[1] + line.box[3]) / 2
        if middle - last > _Grid.SAME_ROW * (line.box[3] - line.box[1]):
            counts.append(0)
            last = middle
        counts[-1] += 1
    return len(counts) > (2 if is_first else 1) and min(counts) > 1 and len(set(counts)) == 1


def _is_in(line: TextLine, x0: float, x1: float, row: tuple[float, float]) -> bool:
    left, top, right, bottom = line.box
    return x0 - _Grid.REACH < left and right < x1 + _Grid.REACH and row[0] < (top + bottom) / 2 < row[1]
