"""Systems at the same length: what one's passages hold when they are cut to the mean length of another's.

Owns the cut and its intervals. RDR2 (Xu et al., 2025), table 2: routed passages are compared with retrieved ones of
about the same length. Knows nothing about pages; `matched` has the same for them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from octavo.evaluation import intervals
from octavo.evaluation.intervals import Column
from octavo.evaluation.metrics.base import Scored
from octavo.evaluation.metrics.table import METRICS
from octavo.evaluation.rows import pair, rounded
from octavo.evaluation.runner import SystemRun
from octavo.models.language import estimate_tokens

COMPARED = ("passage_em", "passage_hit", "block_recall", "block_pr")
"""Metrics that can be taken of a part of the retrieved blocks."""

Lengths = dict[str, dict[str, dict[str, Any]]]
"""By the system whose length is taken, then by the one that is cut: `tokens` left, and by metric value and interval."""


def cut(row: Scored, tokens: float) -> Scored:
    """Return a row with the best blocks of at most about so many tokens; the last one counts when half of it fits."""
    kept = sum(1 for _ in _fitting(row.texts, tokens))
    response = dataclasses.replace(row.response, blocks=row.response.blocks[:kept])
    return dataclasses.replace(row, response=response, texts=row.texts[:kept])


def _fitting(texts: Sequence[str], tokens: float) -> Iterator[str]:
    used = 0.0
    for text in texts:
        size = estimate_tokens(text)
        if used + size / 2 > tokens:
            return
        used += size
        yield text


def matched_passages(runs: Sequence[SystemRun], names: Sequence[str], drawn: intervals.Floats) -> Lengths:
    """Return each system's figures cut to the mean length of each other one, and the paired differences from it.

    `names` are the metrics shown; nothing where the text of passages was not read.
    """
    compared = [name for name in COMPARED if name in names]
    if not compared or not any(row.texts for run in runs for row in run.rows):
        return {}
    return {
        base.name: {other.name: _compared(base, other, compared, drawn) for other in runs if other is not base}
        for base in runs
    }


def _compared(base: SystemRun, other: SystemRun, names: Sequence[str], drawn: intervals.Floats) -> dict[str, Any]:
    length = _tokens(base.rows)
    rows = [cut(row, length) for row in other.rows]
    return {"tokens": rounded(_tokens(rows)), **{name: _difference(base.rows, rows, name, drawn) for name in names}}


def _tokens(rows: Sequence[Scored]) -> float:
    return sum(estimate_tokens(text) for row in rows for text in row.texts) / max(len(rows), 1)


def _difference(
    base: Sequence[Scored], rows: Sequence[Scored], name: str, drawn: intervals.Floats
) -> dict[str, float | list[float | None] | None]:
    own, column = (Column.of([METRICS[name].of(row) for row in side]) for side in (base, rows))
    mine, value = own.mean(), column.mean()
    between = intervals.interval(intervals.resampled(column, drawn) - intervals.resampled(own, drawn))
    gained = None if mine is None or value is None else value - mine
    return {"value": rounded(value), "difference": rounded(gained), "interval": pair(between)}
