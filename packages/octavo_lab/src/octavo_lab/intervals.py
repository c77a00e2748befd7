"""Averages with confidence intervals, the paired bootstrap, and systems compared at the same number of pages.

Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: questions are drawn with replacement, the
same draws for every system, and the middle 95 % of the averages is the interval.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.models.language import estimate_tokens
from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.retrieval import perfect
from octavo_lab.question import RANKED, Page, ScoredResponse
from octavo_lab.runner import SystemRun

Floats = npt.NDArray[np.float64]
DRAWS = 2000
SEED = 20240713
LEVEL = 0.95
COMPARED = ("passage_em", "passage_hit", "block_recall", "block_pr")
"""Metrics that can be taken of a part of the retrieved blocks."""
Matched = dict[str, dict[str, Any]]
"""By the system whose page counts or length are taken, then by the one whose ranking or passages are cut."""


@dataclasses.dataclass(frozen=True)
class Column:
    """Values of one metric, a row per question; a weight of 0 leaves a question out."""

    values: Floats
    weights: Floats

    @classmethod
    def of(cls, values: Sequence[float | None], weights: Sequence[float] | None = None) -> Column:
        """Build a column; None is a question that the metric does not concern."""
        given = np.array([np.nan if value is None else value for value in values], np.float64)
        heavy = np.ones(len(given)) if weights is None else np.asarray(weights, np.float64)
        return cls(np.nan_to_num(given), np.where(np.isnan(given), 0.0, heavy))

    def mean(self) -> float | None:
        """Return the weighted mean, None when no question counts."""
        total = float(self.weights.sum())
        return float(self.values @ self.weights) / total if total else None

    def keep(self, mask: npt.NDArray[np.bool_]) -> Column:
        """Return the column with other questions left out."""
        return Column(self.values, self.weights * mask)


def draws(questions: int, *, count: int = DRAWS, seed: int = SEED) -> Floats:
    """Return (count, questions) float64: how often each question is drawn. The same for the same arguments."""
    generator = np.random.default_rng(seed)
    return generator.multinomial(questions, np.full(questions, 1 / max(questions, 1)), size=count).astype(np.float64)


def resampled(column: Column, drawn: Floats) -> Floats:
    """Return (count,) the mean of each draw, nan where a draw has no question that counts."""
    totals = drawn @ column.weights
    sums = drawn @ (column.values * column.weights)
    return np.divide(sums, totals, out=np.full(len(drawn), np.nan), where=totals > 0)


def interval(means: Floats) -> tuple[float, float] | None:
    """Return the middle 95 % of resampled means or differences, None when there is none."""
    known = means[~np.isnan(means)]
    if not len(known):
        return None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def rounded(value: float | None) -> float | None:
    """Return a figure as reports write it."""
    return None if value is None else round(value, 4)


def pair(found: tuple[float, float] | None) -> list[float | None] | None:
    """Return an interval as reports write it."""
    return None if found is None else [rounded(found[0]), rounded(found[1])]


def matched_pages(runs: Sequence[SystemRun]) -> Matched:
    """Return PR of each system's ranking cut to as many pages as another one handed over.

    LAD-RAG (2025), section 4, "top-k adjusted": a system that chooses its number of pages is compared, question by
    question, with the others at that number. At most 20 pages of a ranking are known.
    """
    return {
        run.name: {other.name: rounded(_pr_cut(run.rows, other.rows).mean()) for other in runs if other is not run}
        for run in runs
    }


def matched_differences(runs: Sequence[SystemRun], drawn: Floats) -> Matched:
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


def matched_passages(runs: Sequence[SystemRun], names: Sequence[str], drawn: Floats) -> Matched:
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


def _at_length(base: SystemRun, other: SystemRun, names: Sequence[str], drawn: Floats) -> dict[str, Any]:
    length = _tokens(base.rows)
    rows = [cut(row, length) for row in other.rows]
    found: dict[str, Any] = {"tokens": rounded(_tokens(rows))}
    for name in names:
        own, column = (Column.of([METRICS[name].of(row) for row in side]) for side in (base.rows, rows))
        found[name] = {"value": rounded(column.mean()), **_difference(own, column, drawn)}
    return found


def _tokens(rows: Sequence[ScoredResponse]) -> float:
    return sum(estimate_tokens(text) for row in rows for text in row.texts) / max(len(rows), 1)


def _difference(own: Column, other: Column, drawn: Floats) -> dict[str, Any]:
    mine, value = own.mean(), other.mean()
    between = interval(resampled(other, drawn) - resampled(own, drawn))
    gained = None if mine is None or value is None else value - mine
    return {"difference": rounded(gained), "interval": pair(between)}


def _pr(rows: Sequence[ScoredResponse]) -> Column:
    return Column.of([_perfect(row, row.pages) for row in rows])


def _pr_at(rows: Sequence[ScoredResponse], count: int) -> Column:
    return Column.of([_perfect(row, row.ranking[:count]) for row in rows])


def _pr_cut(counted: Sequence[ScoredResponse], ranked: Sequence[ScoredResponse]) -> Column:
    pairs = zip(counted, ranked, strict=True)
    return Column.of([_perfect(row, row.ranking[: len(pages.pages)]) for pages, row in pairs])


def _perfect(row: ScoredResponse, pages: Sequence[Page]) -> float | None:
    return perfect(row.evidence_pages, pages) if row.has_gold_pages else None
