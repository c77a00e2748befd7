"""Which pictures are charts, by their numbers: in even steps at an axis, or farther out at bars the larger they are."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from octavo_documents.parsing.content import Box
from octavo_documents.structuring.clusters import hull_of
from octavo_documents.structuring.lines import PageLines

_TICK = re.compile(r"[$€£]?\s?([-–−]?\d{1,3}(?:,\d{3})+|[-–−]?\d+(?:\.\d+)?)\s?[%kKmMbB]?")


class _Chart:
    """How even and aligned the numbers of a chart are, chosen by hand; shares are of the step or of the type size."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    FEWEST_TICKS = 4  # numbers at an axis
    MANY_TICKS = 6  # numbers at an axis that make a chart of what looks like a table
    SAME_EDGE = 3.0  # points between the edges of such numbers
    FIRST_YEAR, LAST_YEAR = 1800, 2200  # between which numbers may be years
    ALIGNED = 0.6  # difference between the edges of the numbers at an axis, by their height
    EVEN_SPACE = 0.2  # difference between the gaps of an axis
    EVEN_STEP = 0.02  # difference between the steps of its values
    FEWEST_LABELS = 2  # labels under a plot
    FEWEST_BARS = 4  # bars of a chart
    SAME_LINE = 0.6  # difference between the feet of names in one row, by their height
    REGULAR = 0.2  # difference between the gaps of names
    MOSTLY = 0.75  # share of names and gaps that keep to the rule
    BESIDE = 0.35  # how far a number may stand from the middle of its bar, by the step
    IN_ORDER = 0.85  # share of pairs of bars of which the one with the larger number reaches farther
    LEAST_SPREAD = 2.0  # type sizes over which the ends of bars are spread
    DISTINCT = 0.4  # share of bars with an end at a height of its own


@dataclass(frozen=True, slots=True)
class _Tick:
    """A number that may stand at an axis."""

    row: int
    value: float
    box: Box


def read_charts(page: PageLines, rows: Sequence[int]) -> Iterator[Box]:
    """Yield the boxes of charts among some upright lines of a page, the same chart more than once at times."""
    boxes = {row: page.box(row) for row in rows}
    ticks = [_Tick(row, value, boxes[row]) for row in rows if (value := _value(page.texts[row])) is not None]
    if len(ticks) < _Chart.FEWEST_TICKS:
        return
    for axis in _axes(ticks):
        if box := _plot(axis, boxes):
            yield box
    yield from _bars(boxes, ticks, way=0)
    yield from _bars(boxes, ticks, way=1)


def has_axis(page: PageLines, rows: Sequence[int]) -> bool:
    """Return whether some upright lines of a page have numbers among them that stand at an axis, and are no years."""
    values = ((row, _value(page.texts[row])) for row in rows)
    ticks = [_Tick(row, value, page.box(row)) for row, value in values if value is not None]
    columns: dict[tuple[int, int], list[_Tick]] = defaultdict(list)
    for tick in ticks:
        for edge in (0, 2):
            columns[edge, round(tick.box[edge] / _Chart.SAME_EDGE)].append(tick)
    axes = (sorted(held, key=lambda tick: tick.box[1]) for held in columns.values() if len(held) >= _Chart.MANY_TICKS)
    return any(
        _is_even(axis) and not all(_Chart.FIRST_YEAR <= tick.value <= _Chart.LAST_YEAR for tick in axis)
        for axis in axes
    )


def axis_numbers(page: PageLines, rows: Sequence[int]) -> set[int]:
    """Return those of some upright lines of a page that are numbers at an axis: in even steps, at even distances."""
    values = ((row, _value(page.texts[row])) for row in rows)
    ticks = [_Tick(row, value, page.box(row)) for row, value in values if value is not None]
    if len(ticks) < _Chart.FEWEST_TICKS:
        return set()
    return {tick.row for axis in (*_axes(ticks), *_level_axes(ticks)) for tick in axis}


def _level_axes(ticks: Sequence[_Tick]) -> Iterator[list[_Tick]]:
    """Yield rows of numbers that stand beside each other evenly and grow to the right in even steps."""
    groups: list[list[_Tick]] = []
    for tick in sorted(ticks, key=lambda one: one.box[3]):
        if groups and tick.box[3] - groups[-1][-1].box[3] < _Chart.ALIGNED * (tick.box[3] - tick.box[1]):
            groups[-1].append(tick)
        else:
            groups.append([tick])
    for group in groups:
        row = sorted(group, key=lambda one: one.box[0])
        pairs = list(itertools.pairwise(row))
        gaps = [_middle(b.box, 0) - _middle(a.box, 0) for a, b in pairs]
        steps = [b.value - a.value for a, b in pairs]
        if (
            len(row) >= _Chart.FEWEST_TICKS
            and _are_alike(gaps, _Chart.EVEN_SPACE)
            and _are_alike(steps, _Chart.EVEN_STEP)
        ):
            yield row


def _are_alike(lengths: Sequence[float], tolerance: float) -> bool:
    usual = sum(lengths) / len(lengths)
    return usual > 0 and all(abs(one - usual) <= tolerance * usual for one in lengths)


def _plot(axis: Sequence[_Tick], boxes: Mapping[int, Box]) -> Box | None:
    """Return the box of a chart from its value axis to the last of the labels under it."""
    x0, y0, x1, y1 = hull_of([tick.box for tick in axis])
    step = (y1 - y0) / (len(axis) - 1)
    under = [
        box
        for row, box in boxes.items()
        if box[0] > x1 - step and y1 - step / 2 < (box[1] + box[3]) / 2 < y1 + step and row != axis[-1].row
    ]
    if len(under) < _Chart.FEWEST_LABELS:
        return None
    return (
        x0,
        y0 - (axis[0].box[3] - axis[0].box[1]) / 2,
        max(box[2] for box in under),
        max(y1, *(box[3] for box in under)),
    )


def _bars(boxes: Mapping[int, Box], ticks: Sequence[_Tick], *, way: int) -> Iterator[Box]:
    """Yield the boxes of charts whose bars have a name at the foot and a number at the end.

    `way` is 0 for standing bars, whose names make a row, 1 for lying ones, whose names make a column.
    """
    for names in _lines_of_names(boxes, way):
        step = statistics.median(_middle(b, way) - _middle(a, way) for a, b in itertools.pairwise(names))
        ends = [end for name in names if (end := _end(name, ticks, step, way))]
        if len(ends) < max(_Chart.FEWEST_BARS, _Chart.MOSTLY * len(names)) or not _grows(ends, way):
            continue
        x0, y0, x1, y1 = hull_of([*names, *(end.box for end in ends)])
        yield x0, y0, x1, y1


def _lines_of_names(boxes: Mapping[int, Box], way: int) -> Iterator[list[Box]]:
    """Yield rows (or columns) of lines that follow each other in even steps."""
    edge = 3 if way == 0 else 2
    ordered = sorted(boxes.values(), key=lambda box: box[edge])
    groups: list[list[Box]] = []
    for box in ordered:
        if groups and box[edge] - groups[-1][-1][edge] < _Chart.SAME_LINE * (box[3] - box[1]):
            groups[-1].append(box)
        else:
            groups.append([box])
    for group in groups:
        names = sorted(group, key=lambda box: _middle(box, way))
        gaps = [_middle(b, way) - _middle(a, way) for a, b in itertools.pairwise(names)]
        usual = statistics.median(gaps) if gaps else 0.0
        even = sum(abs(gap - usual) <= _Chart.REGULAR * usual for gap in gaps)
        if len(names) >= _Chart.FEWEST_BARS and usual > 0 and even >= _Chart.MOSTLY * len(gaps):
            yield names


def _end(name: Box, ticks: Sequence[_Tick], step: float, way: int) -> _Tick | None:
    """Return the number at the end of the bar that starts at a name: over it, or at its right."""
    beside = [
        tick
        for tick in ticks
        if abs(_middle(tick.box, way) - _middle(name, way)) < _Chart.BESIDE * step
        and (tick.box[3] <= name[1] if way == 0 else tick.box[0] >= name[2])
    ]
    return max(beside, key=lambda tick: _reach(tick, way)) if beside else None


def _grows(ends: Sequence[_Tick], way: int) -> bool:
    """Return whether the larger a number is, the farther out it stands, and that they stand in no line or column."""
    size = statistics.median(end.box[3] - end.box[1] for end in ends)
    for edge in (1, 3) if way == 0 else (0, 2):
        places = [end.box[edge] for end in ends]
        levels = {round(place / size) for place in places}
        if max(places) - min(places) < _Chart.LEAST_SPREAD * size or len(levels) < _Chart.DISTINCT * len(ends):
            return False
    pairs = [(a, b) for a, b in itertools.combinations(ends, 2) if a.value != b.value]
    right = sum((a.value < b.value) == (_reach(a, way) < _reach(b, way)) for a, b in pairs)
    return bool(pairs) and right >= _Chart.IN_ORDER * len(pairs)


def _middle(box: Box, way: int) -> float:
    return (box[way] + box[way + 2]) / 2


def _reach(tick: _Tick, way: int) -> float:
    """Return how far out a number stands: upwards or to the right."""
    return -tick.box[3] if way == 0 else tick.box[0]


def _axes(ticks: Sequence[_Tick]) -> Iterator[list[_Tick]]:
    """Yield columns of numbers that stand over each other evenly and grow upwards in even steps."""
    taken: set[int] = set()
    for first in sorted(ticks, key=lambda tick: tick.box[1]):
        if first.row in taken:
            continue
        column = sorted((tick for tick in ticks if _is_over(first, tick)), key=lambda tick: tick.box[1])
        if len(column) >= _Chart.FEWEST_TICKS and _is_even(column):
            taken.update(tick.row for tick in column)
            yield column


def _is_over(a: _Tick, b: _Tick) -> bool:
    size = a.box[3] - a.box[1]
    return min(abs(a.box[2] - b.box[2]), abs(a.box[0] - b.box[0])) < _Chart.ALIGNED * size


def _is_even(column: Sequence[_Tick]) -> bool:
    gaps = [b.box[3] - a.box[3] for a, b in itertools.pairwise(column)]
    steps = [a.value - b.value for a, b in itertools.pairwise(column)]
    return _are_alike(gaps, _Chart.EVEN_SPACE) and _are_alike(steps, _Chart.EVEN_STEP)


def _value(text: str) -> float | None:
    found = _TICK.fullmatch(text.strip())
    return float(found[1].replace(",", "").replace("–", "-").replace("−", "-")) if found else None
