"""The values that a chart states in words, each with what it is of, as rows of a table.

Nothing is measured at an axis: a value is printed in the chart, and what it is of is told by where it stands and by the
colour that it stands on or at. What does not fit one reading alone is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from octavo_documents.document.grid import Cell, Grid
from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box
from octavo_documents.structuring.clusters import hull_of
from octavo_documents.structuring.figures.chart_colours import Color, Colors, is_same, nearest
from octavo_documents.structuring.figures.chart_labels import (
    ChartLabels,
    Label,
    even_runs,
    is_name,
    labels_of,
    merged,
    number,
    pairs_in,
    plain_name,
    step_of,
    with_ends,
)


class _Chart:
    """When values are surely those of names, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    FEWEST = 3  # values of a chart
    FEWEST_SERIES = 2
    FEWEST_CLOSE = 4  # names that stand as close as the lines of one
    MOST = 120
    SAME_ROW = 0.6  # difference between the edges of names of one row or column, by their height
    BESIDE = 0.16  # how far a value may stand from the middle of its category, by the step between categories
    BESIDE_LYING = 0.3  # the same of lying bars, whose labels are as high as the bars at most
    MOSTLY = 0.75  # share of the categories that have a value
    PLACED = 0.8  # share of the values that have a place in the table
    LEFT_OVER = 0.34  # values without a place, by those that have one
    WHOLE = (96.0, 104.0)  # what shares of one whole come to, in hundredths
    LONGEST_TITLE = 120  # characters
    NEAR = 0.9  # how far from a value the colour of its bar is looked for, by its height


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value of a chart: what it is of, which series it is of ("" where there is one), and where both stand."""

    name: str
    series: str
    value: str
    name_box: Box
    series_box: Box | None
    value_box: Box
    lines: tuple[int, ...]
    series_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Values:
    """What a chart states: the table, and which of its lines went into it."""

    grid: Grid
    lines: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    color: Color
    label: Label


def stated_values(lines: Sequence[tuple[str, Box]], raster: Raster, scale: float) -> Values | None:
    """Return the values that a chart states, None where nothing is sure.

    `lines` are texts with their boxes in points from the corner of the figure, which `raster` shows at `scale` pixels a
    point.
    """
    labels = labels_of(lines)
    colors = Colors(raster, scale, [box for text, box in lines if text])
    legend = _legend(labels, colors)
    found = _by_pairs(labels, legend) or _of_categories(labels, legend, colors) or _by_colors(labels, legend, colors)
    if not _Chart.FEWEST <= len(found) <= _Chart.MOST or len({one.value for one in found}) < 2:
        return None
    return _table(found, lines)


def has_values(texts: Sequence[str]) -> bool:
    """Return whether a figure has lines from which values may be read, before it is drawn."""
    labels = labels_of([(text, (0.0, 100.0 * at, 10.0, 100.0 * at + 10.0)) for at, text in enumerate(texts)])
    values = len(labels.values) + len(labels.ticks)
    return max(values, sum(1 for _ in pairs_in(labels.names))) >= _Chart.FEWEST


def _legend(labels: ChartLabels, colors: Colors) -> list[_Series]:
    """Return the entries of the legend: names with a swatch of a colour of their own."""
    swatched = [(label, color) for label in [*labels.names, *labels.years] if (color := colors.swatch(label.box))]
    starts = [label for label, _ in swatched]
    whole = {label.lines[0]: label for label in merged([*labels.names, *labels.years], apart=starts)}
    found = [
        _Series(plain_name(whole[label.lines[0]].text), color, whole[label.lines[0]])
        for label, color in swatched
        if label.lines[0] in whole
    ]
    distinct = [
        one for one in found if not any(other is not one and is_same(one.color, other.color) for other in found)
    ]
    return distinct if len(distinct) >= _Chart.FEWEST_SERIES and len(distinct) == len(found) else []


def _by_pairs(labels: ChartLabels, legend: Sequence[_Series]) -> list[StatedValue]:
    """Return the values that stand in one label with their names, on one line or on lines under each other."""
    starts = [one.label for one in legend]
    single = [*labels.names]
    whole = merged([*labels.names, *labels.values], apart=[label for label in single if label in starts])
    found = {pair.lines: pair for pair in (*pairs_in(whole), *pairs_in(single))}
    taken: set[int] = set()
    kept: list[StatedValue] = []
    for pair in sorted(found.values(), key=lambda pair: -len(pair.lines)):
        if taken.isdisjoint(pair.lines):
            taken.update(pair.lines)
            kept.append(StatedValue(pair.name, "", pair.value, pair.box, None, pair.box, pair.lines))
    if len(kept) < _Chart.FEWEST or not _covers(kept, labels) or len({one.name for one in kept}) < len(kept):
        return []
    return sorted(kept, key=lambda one: (one.name_box[1], one.name_box[0]))


def _of_categories(labels: ChartLabels, legend: Sequence[_Series], colors: Colors) -> list[StatedValue]:
    """Return the values at categories that stand in a row under them, or in a column left of them.

    Where they leave values over, these have to be those of another chart beside it, told apart by what heads each.
    """
    best: list[StatedValue] = []
    for way in (0, 1):
        runs = [
            found for names in _runs_of_names(labels, legend, way) if (found := _at(names, labels, legend, colors, way))
        ]
        found = _together(sorted(runs, key=len, reverse=True), way)
        if not legend and not _covers(found, labels):
            found = _panels(runs, labels)
        if len(found) > len(best) and len({(one.name, one.series) for one in found}) == len(found):
            best = found
    return best


def _together(runs: Sequence[Sequence[StatedValue]], way: int) -> list[StatedValue]:
    """Return the values of the largest run of names and of those that go on in its row or column, past a gap."""
    found: list[StatedValue] = [*runs[0]] if runs else []
    for run in runs[1:]:
        taken = {line for one in found for line in one.lines if line not in one.series_lines}
        x0, y0, x1, y1 = hull_of([one.name_box for one in found])
        low, high = (x0, x1) if way else (y0, y1)
        goes_on = all(low <= (one.name_box[1 - way] + one.name_box[3 - way]) / 2 <= high for one in run)
        if goes_on and all(taken.isdisjoint(one.lines) for one in run):
            found += run
    return sorted(found, key=lambda one: one.name_box[way])


def _covers(found: Sequence[StatedValue], labels: ChartLabels) -> bool:
    """Return whether next to no value is left over."""
    taken = {line for one in found for line in one.lines}
    left = [value for value in (*labels.values, *labels.unclear) if not taken.intersection(value.lines)]
    return len(left) <= _Chart.LEFT_OVER * len(found)


def _panels(runs: Sequence[Sequence[StatedValue]], labels: ChartLabels) -> list[StatedValue]:
    """Return the values of charts beside each other, each under its head: its series. None where one has no head."""
    taken: set[int] = set()
    found: list[StatedValue] = []
    for run in runs:
        lines = {line for one in run for line in one.lines}
        if taken.isdisjoint(lines):
            x0, y0, x1, _ = hull_of([box for one in run for box in (one.name_box, one.value_box)])
            over = [name for name in labels.names if name.box[3] <= y0 + 0.3 * name.high and x0 <= name.x <= x1]
            head = max(over, key=lambda name: name.y, default=None)
            if head is None or taken.intersection(head.lines):
                return []
            taken |= lines | {*head.lines}
            found += [
                replace(one, series=plain_name(head.text), series_box=head.box, lines=(*one.lines, *head.lines))
                for one in run
            ]
    return found if len({one.series for one in found}) > 1 and _covers(found, labels) else []


def _runs_of_names(labels: ChartLabels, legend: Sequence[_Series], way: int) -> Iterator[list[Label]]:
    """Yield rows (0) or columns (1) of names that follow each other evenly."""
    entries = {line for one in legend for line in one.label.lines}
    lines = [label for label in labels.names if not entries.intersection(label.lines)]
    whole = merged(with_ends(lines, labels.values))
    groups = [{*label.lines} for label in whole if len(label.lines) > 1]
    for edge in (1, 3) if way == 0 else (2, 0):
        yield from _lined_up([*whole, *labels.years], edge, way)
        for run in _lined_up([*lines, *labels.years], edge, way):
            held = {line for label in run for line in label.lines}
            parted = [group for group in groups if group & held]
            # Lines as close as those of one name are names only where there are many, all of them at values
            if parted and len(run) >= _Chart.FEWEST_CLOSE and all(group <= held for group in parted):
                yield run


def _lined_up(names: Sequence[Label], edge: int, way: int) -> Iterator[list[Label]]:
    groups: list[list[Label]] = []
    for label in sorted(names, key=lambda label: label.box[edge]):
        if groups and label.box[edge] - groups[-1][0].box[edge] < _Chart.SAME_ROW * label.high:
            groups[-1].append(label)
        else:
            groups.append([label])
    for group in groups:
        ordered = sorted(group, key=lambda label: label.middle(way))
        yield from even_runs(ordered, way)


def _at(
    names: Sequence[Label], labels: ChartLabels, legend: Sequence[_Series], colors: Colors, way: int
) -> list[StatedValue]:
    """Return the values at some categories: one each, or one for each series where there is a legend."""
    step = step_of(names, way)
    if any(not is_name(name.text) and name not in labels.years for name in names):
        return []
    taken = {line for name in names for line in name.lines}
    values = [label for label in labels.values if not taken.intersection(label.lines)]
    others = [label for label in (*labels.names, *labels.years) if not taken.intersection(label.lines)]
    bands = [
        [value for value in values if _is_in_band(value, name, step, way) and not _is_parted(value, name, others, way)]
        for name in names
    ]
    if legend:
        found = _of_series(names, bands, legend, colors, way)
        return found if len(labels.unclear) <= (1 - _Chart.PLACED) * len(found) else []
    beside = _Chart.BESIDE if way == 0 else _Chart.BESIDE_LYING
    filled = [
        (name, held[0])
        for name, held in zip(names, bands, strict=True)
        if len(held) == 1 and abs(held[0].middle(way) - name.middle(way)) < beside * step
    ]
    is_sure = (
        len(names) >= _Chart.FEWEST
        and len(filled) >= _Chart.MOSTLY * len(names)
        and all(len(held) < 2 for held in bands)
    )
    if not is_sure:
        return []
    return [
        StatedValue(plain_name(name.text), "", value.text, name.box, None, value.box, (*name.lines, *value.lines))
        for name, value in filled
    ]


def _is_in_band(value: Label, name: Label, step: float, way: int) -> bool:
    is_beyond = (
        value.box[3] <= name.box[1] + 0.3 * name.high if way == 0 else value.box[0] >= name.box[2] - 0.3 * name.high
    )
    return is_beyond and abs(value.middle(way) - name.middle(way)) < step / 2


def _is_parted(value: Label, name: Label, others: Sequence[Label], way: int) -> bool:
    """Return whether another name stands before a value: it is of another chart, over this one or right of it."""
    if way == 0:
        between = (value.box[0], value.box[3], value.box[2], name.box[1])
    else:
        between = (name.box[2], value.box[1], value.box[0], value.box[3])
    return any(between[0] <= one.x <= between[2] and between[1] <= one.y <= between[3] for one in others)


def _of_series(
    names: Sequence[Label],
    bands: Sequence[Sequence[Label]],
    legend: Sequence[_Series],
    colors: Colors,
    way: int,
) -> list[StatedValue]:
    """Return the values of several series, told by the colours that they stand on, or at."""
    known = [one.color for one in legend]
    held = [value for band in bands for value in band]
    painted = {value.lines: color for value in held if (color := _painted(value, colors))}
    inside = {lines: nearest(color, known) for lines, color in painted.items()}
    # Where most stand in their bars, those outside are sums of what is stacked
    is_inside = len(painted) > 0.5 * len(held) and len({*inside.values()} - {None}) > 1
    found: list[StatedValue] = []
    placed = 0
    for name, band in zip(names, bands, strict=True):
        series_of = {
            value.lines: inside.get(value.lines) if is_inside else _series_at(value, known, colors, way)
            for value in band
        }
        for value in band:
            series = series_of[value.lines]
            if series is None or list(series_of.values()).count(series) > 1:
                continue
            placed += 1
            one = legend[series]
            lines = (*name.lines, *value.lines, *one.label.lines)
            found.append(
                StatedValue(
                    plain_name(name.text), one.name, value.text, name.box, one.label.box, value.box, lines,
                    one.label.lines,
                )
            )  # fmt: skip
    expected = len(painted) if is_inside else len(held)
    return found if placed >= _Chart.PLACED * max(expected, 1) else []


def _painted(value: Label, colors: Colors) -> Color | None:
    """Return the colour that a value stands on; None for the background."""
    color = colors.of(value.box)
    return None if color is None or colors.is_ground(color) else color


def _series_at(value: Label, known: list[Color], colors: Colors, way: int) -> int | None:
    """Return the series whose bar a value stands in, or at the end of."""
    if color := _painted(value, colors):
        return nearest(color, known)
    x0, y0, x1, y1 = value.box
    reach, middle, wide = _Chart.NEAR * value.high, value.x, 0.25 * (x1 - x0)
    if way == 0:
        before = (middle - wide, y1, middle + wide, y1 + reach)
        after = (middle - wide, y0 - reach, middle + wide, y0)
    else:
        before = (x0 - reach, value.y - 0.2 * value.high, x0, value.y + 0.2 * value.high)
        after = (x1, before[1], x1 + reach, before[3])
    for strip in (before, after):
        color = colors.of(strip, least=0.3, on_ground=False)
        if color is not None:
            return nearest(color, known)
    return None


def _by_colors(labels: ChartLabels, legend: Sequence[_Series], colors: Colors) -> list[StatedValue]:
    """Return the values on the slices of a pie, coloured by the colours of their legend."""
    known = [one.color for one in legend]
    painted = [(value, color) for value in labels.values if (color := _painted(value, colors))]
    coloured = [(value, at) for value, color in painted if (at := nearest(color, known)) is not None]
    series = [at for _, at in coloured]
    if len(set(series)) < len(painted) or len(coloured) < _Chart.MOSTLY * len(legend):
        return []
    shares = [number(value.text) or 0.0 for value, _ in coloured]
    is_whole = "%" in "".join(value.text for value, _ in coloured) and _Chart.WHOLE[0] <= sum(shares) <= _Chart.WHOLE[1]
    if not is_whole and len(coloured) < len(legend):
        return []
    return [
        StatedValue(one.name, "", value.text, one.label.box, None, value.box, (*one.label.lines, *value.lines))
        for value, at in sorted(coloured, key=lambda item: item[1])
        for one in [legend[at]]
    ]


def _table(found: Sequence[StatedValue], lines: Sequence[tuple[str, Box]]) -> Values:
    """Return the table of stated values: a row for each name, a column for each series, headed by the chart's title."""
    names = list(dict.fromkeys(one.name for one in found))
    heads = {one.series: one.series_box for one in found}
    series = sorted(heads, key=lambda name: (heads[name] or (0.0, 0.0))[1::-1])
    used = {line for one in found for line in one.lines}
    cells: list[Cell] = []
    if any(series):
        cells.extend(Cell(0, at, name, box=heads[name]) for at, name in enumerate(series, start=1))
    elif title := _title(found, lines, used):
        used.update(title)
        cells.append(Cell(0, 1, " ".join(lines[at][0] for at in title)))
    for row, name in enumerate(names, start=1):
        held = [one for one in found if one.name == name]
        cells.append(Cell(row, 0, name, box=held[0].name_box))
        cells.extend(Cell(row, series.index(one.series) + 1, one.value, box=one.value_box) for one in held)
    cells.sort(key=lambda cell: (cell.row, cell.column))
    grid = Grid(len(names) + 1, len(series) + 1, tuple(cells), header_rows=1, header_columns=1)
    return Values(grid, frozenset(used))


def _title(found: Sequence[StatedValue], lines: Sequence[tuple[str, Box]], used: set[int]) -> list[int]:
    """Return the lines over all that is stated, which say what the chart shows."""
    top = hull_of([box for one in found for box in (one.name_box, one.value_box)])[1]
    over = [
        at
        for at, (text, box) in enumerate(lines)
        if at not in used and box[3] <= top + 1 and any(map(str.isalpha, text))
    ]
    is_short = sum(len(lines[at][0]) for at in over) <= _Chart.LONGEST_TITLE
    return sorted(over, key=lambda at: lines[at][1][1]) if is_short else []
