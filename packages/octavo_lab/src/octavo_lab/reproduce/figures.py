"""The figures of a paper beside those measured: value, interval, number of questions, and how the two differ."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping

import numpy as np

from octavo_lab import intervals
from octavo_lab.breakdowns import groups_of
from octavo_lab.intervals import Column
from octavo_lab.metrics.registry import METRICS
from octavo_lab.reproduce.presets import GRAPH, MEAN, TableColumn, TableRow
from octavo_lab.reproduce.running import Measured, graph_layer, run_name, unmet
from octavo_lab.runner import Evaluation, SystemRun

_PERCENT = 100.0
_ROUNDING = 1e-9
_LEAST = 10
"""Questions from which a figure is compared: of fewer an interval says nothing."""


class Verdict(enum.Enum):
    """How a measured figure stands to the paper's."""

    WITHIN = "within"
    """The paper's figure lies in the interval."""
    ABOVE = "above"
    BELOW = "below"
    ALONE = ""
    """There is nothing to compare with, or both are not comparable."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """One figure: what the paper prints, what was measured with its 95 % interval over `questions`, or why it was not.

    All in the units of the paper.
    """

    printed: float | None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    questions: int = 0
    why_not: str = ""
    verdict: Verdict = Verdict.ALONE

    @property
    def difference(self) -> float | None:
        """Return measured less printed, None where there is not both or they are not comparable."""
        if self.value is None or self.printed is None or self.verdict is Verdict.ALONE:
            return None
        return self.value - self.printed


@dataclasses.dataclass(frozen=True)
class Line:
    """A row of the table with its cells."""

    row: TableRow
    cells: tuple[Cell, ...]
    why_not: str = ""
    """Why nothing of the row was measured."""


def lines_of(measured: Measured, model: str) -> tuple[Line, ...]:
    """Return the rows of a preset with their cells; a system stands in one row, that of the model named."""
    preset = measured.preset
    own = {system: preset.row_of(system, model) for system in preset.systems}
    first = next((row for row in preset.rows if row.system and own[row.system] is row), None)
    return tuple(_line(measured, row, first, is_own=not row.system or own[row.system] is row) for row in preset.rows)


def _line(measured: Measured, row: TableRow, first: TableRow | None, *, is_own: bool) -> Line:
    why = row.why_not or unmet(row.system, measured.able)
    if not why and not is_own:
        why = "answered by another model in the paper: measured in the row of this one"
    if why:
        return Line(row, tuple(Cell(printed) for printed in row.figures), why)
    cells: list[Cell] = []
    for column, printed in zip(measured.preset.columns, row.figures, strict=True):
        cells.append(_mean(cells, printed) if column.metric == MEAN else _cell(measured, row, first, column, printed))
    return Line(row, tuple(cells))


def _mean(before: list[Cell], printed: float | None) -> Cell:
    """Return the mean of the cells before, where all were measured."""
    values = [cell.value for cell in before]
    if any(value is None for value in values):
        return Cell(printed, why_not="a figure that it is the mean of was not measured")
    value = sum(value or 0.0 for value in values) / len(values)
    return Cell(printed, value, questions=sum(cell.questions for cell in before))


def _cell(
    measured: Measured, row: TableRow, first: TableRow | None, column: TableColumn, printed: float | None
) -> Cell:
    if column.why_not:
        return Cell(printed, why_not=column.why_not)
    evaluation = measured.evaluations.get(column.benchmark)
    if evaluation is None:
        return Cell(printed, why_not="this benchmark was not run")
    if column.metric.startswith(GRAPH):
        return _of_graphs(measured, row, column, printed)
    values = _values(measured, row, column, evaluation)
    drawn = intervals.draws(len(evaluation.benchmark.questions))
    mean, means = values.mean(), intervals.resampled(values, drawn)
    if column.is_more and first is not None:
        base = _values(measured, first, column, evaluation)
        other = base.mean()
        mean = None if mean is None or other is None else mean - other
        means = means - intervals.resampled(base, drawn)
    if mean is None:
        return Cell(printed, why_not=_nothing(column))
    scale = _PERCENT if measured.preset.percent and METRICS[column.metric].is_share else 1.0
    found = intervals.interval(means)
    low, high = (None, None) if found is None else (found[0] * scale, found[1] * scale)
    count = int((values.weights > 0).sum())
    verdict = _verdict(printed, low, high, count) if column.is_comparable else Verdict.ALONE
    return Cell(printed, mean * scale, low, high, count, verdict=verdict)


def _nothing(column: TableColumn) -> str:
    if column.group:
        return "no question of this group"
    if column.metric.endswith("_read"):
        return "no model answered"
    return "no question that it concerns"


def _verdict(printed: float | None, low: float | None, high: float | None, count: int) -> Verdict:
    if printed is None or low is None or high is None or count < _LEAST:
        return Verdict.ALONE
    if printed > high + _ROUNDING:
        return Verdict.BELOW
    return Verdict.ABOVE if printed < low - _ROUNDING else Verdict.WITHIN


def run_of(measured: Measured, row: TableRow, benchmark: str) -> SystemRun:
    """Return what a row's system made of a benchmark."""
    names = (run_name(measured.preset, row, benchmark), row.system)
    return next(run for run in measured.evaluations[benchmark].runs if run.name in names)


def _values(measured: Measured, row: TableRow, column: TableColumn, evaluation: Evaluation) -> Column:
    """Return the metric's values, with questions of other groups left out."""
    metric, rows = METRICS[column.metric], run_of(measured, row, column.benchmark).rows
    values = Column.of([metric.of(one) for one in rows], [metric.weight(one) for one in rows])
    if not column.breakdown:
        return values
    wanted = column.group.casefold()
    inside = [
        wanted in (group.casefold() for group in groups_of(column.breakdown, one, evaluation.documents)) for one in rows
    ]
    return values.keep(np.array(inside, np.bool_))


def _of_graphs(measured: Measured, row: TableRow, column: TableColumn, printed: float | None) -> Cell:
    """Return the mean of a figure over the graphs of documents, with the interval over documents."""
    graphs: Mapping[str, object] = measured.graphs[column.benchmark]
    figure, layer = column.metric.removeprefix(GRAPH), graph_layer(row.system)
    found = [float(getattr(one, figure)) for one in measured.graphs[column.benchmark].get(layer, ())]
    if not found or layer not in graphs:
        return Cell(printed, why_not="no document was indexed")
    values = Column.of(found)
    between = intervals.interval(intervals.resampled(values, intervals.draws(len(found))))
    low, high = between or (None, None)
    return Cell(printed, values.mean(), low, high, len(found), verdict=_verdict(printed, low, high, len(found)))
