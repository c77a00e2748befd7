"""Systems at the same number of pages, or the same length: results cut to what another system handed to its reader."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from octavo.evaluation import intervals
from octavo.evaluation.intervals import Column, pair, rounded
from octavo.evaluation.metrics.base import RANKED, ScoredResponse
from octavo.evaluation.metrics.retrieval import perfect
from octavo.evaluation.metrics.table import METRICS
from octavo.evaluation.runner import SystemRun
from octavo.models.language import estimate_tokens

COMPARED = ("passage_em", "passage_hit", "block_recall", "block_pr")
"""Metrics that can be taken of a part of the retrieved blocks."""

Matched = dict[str, dict[str, Any]]
"""By the system whose page counts or length are taken, then by the one whose ranking or passages are cut."""


def matched_pages(runs: Sequence[SystemRun]) -> Matched:
    """Return PR of each system's ranking cut to as many pages as another one handed over.

    LAD-RAG (2025), section 4, "top-k adjusted": a system that chooses its number of pages is compared, question by
    question, with the others at that number. At most 20 pages of a ranking are known.
    """
    return {
        run.name: {other.name: rounded(_pr_cut(run.rows, other.rows).mean()) for other in runs if other is not run}
        for run in runs
    }


def matched_differences(runs: Sequence[SystemRun], drawn: intervals.Floats) -> Matched:
    """Return the difference of that PR to the PR of the system whose page counts are taken, with paired intervals."""
    found: Matched = {}
    for run in runs:
        own = _pr(run.rows)
        found[run.name] = {
            other.name: _difference(own, _pr_cut(run.rows, other.rows), drawn)
            for other in runs
            if other is not run and own.mean() is not None
        }
    return found


def pages_to_match(runs: Sequence[SystemRun]) -> Matched:
    """Return the pages of its ranking that each system needs for the PR of another one, None where 20 are too few.

    LAD-RAG, figure 3: how many pages a fixed number would have to be.
    """
    curves = {run.name: [_pr_at(run.rows, count).mean() or 0.0 for count in range(1, RANKED + 1)] for run in runs}
    own = {run.name: _pr(run.rows).mean() for run in runs}
    return {
        base: {
            name: next((count for count, value in enumerate(curve, 1) if value >= wanted), None)
            for name, curve in curves.items()
            if name != base
        }
        for base, wanted in own.items()
        if wanted is not None
    }


def matched_passages(runs: Sequence[SystemRun], names: Sequence[str], drawn: intervals.Floats) -> Matched:
    """Return each system's figures cut to the mean length of each other one, and the paired differences from it.

    RDR2 (Xu et al., 2025), table 2: routed passages are compared with retrieved ones of about the same length. `names`
    are the metrics shown; there is nothing where the text of passages was not read. Each entry has the `tokens` left
    and, by metric, its value, difference and interval.
    """
    compared = [name for name in COMPARED if name in names]
    if not compared or not any(row.texts for run in runs for row in run.rows):
        return {}
    return {
        base.name: {other.name: _at_length(base, other, compared, drawn) for other in runs if other is not base}
        for base in runs
    }


def cut(row: ScoredResponse, tokens: float) -> ScoredResponse:
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


def _at_length(base: SystemRun, other: SystemRun, names: Sequence[str], drawn: intervals.Floats) -> dict[str, Any]:
    length = _tokens(base.rows)
    rows = [cut(row, length) for row in other.rows]
    found: dict[str, Any] = {"tokens": rounded(_tokens(rows))}
    for name in names:
        own, column = (Column.of([METRICS[name].of(row) for row in side]) for side in (base.rows, rows))
        found[name] = {"value": rounded(column.mean()), **_difference(own, column, drawn)}
    return found


def _tokens(rows: Sequence[ScoredResponse]) -> float:
    return sum(estimate_tokens(text) for row in rows for text in row.texts) / max(len(rows), 1)


def _difference(own: Column, other: Column, drawn: intervals.Floats) -> dict[str, Any]:
    mine, value = own.mean(), other.mean()
    between = intervals.interval(intervals.resampled(other, drawn) - intervals.resampled(own, drawn))
    gained = None if mine is None or value is None else value - mine
    return {"difference": rounded(gained), "interval": pair(between)}


def _pr(rows: Sequence[ScoredResponse]) -> Column:
    return Column.of([_perfect(row, row.pages) for row in rows])


def _pr_at(rows: Sequence[ScoredResponse], count: int) -> Column:
    return Column.of([_perfect(row, row.ranking[:count]) for row in rows])


def _pr_cut(counted: Sequence[ScoredResponse], ranked: Sequence[ScoredResponse]) -> Column:
    pairs = zip(counted, ranked, strict=True)
    return Column.of([_perfect(row, row.ranking[: len(pages.pages)]) for pages, row in pairs])


def _perfect(row: ScoredResponse, pages: Sequence[int]) -> float | None:
    return perfect(row.question.evidence_pages, pages) if row.has_gold_pages else None
