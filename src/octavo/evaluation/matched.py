"""Systems at the same number of pages: PR of one's ranking cut to what another handed to its reader.

Owns the cut and its intervals. LAD-RAG (2025), section 4, "top-k adjusted": a system that chooses its number of pages
is compared, question by question, with the others at that number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from octavo.evaluation import intervals
from octavo.evaluation.intervals import Column
from octavo.evaluation.metrics.base import RANKED, Scored
from octavo.evaluation.metrics.retrieval import perfect
from octavo.evaluation.rows import pair, rounded
from octavo.evaluation.runner import SystemRun

Matched = dict[str, dict[str, Any]]
"""By the system whose page counts are taken, then by the one whose ranking is cut."""


def matched_pages(runs: Sequence[SystemRun]) -> Matched:
    """Return PR of each system's ranking cut to as many pages as another one handed over.

    At most 20 pages of a ranking are known.
    """
    return {
        run.name: {other.name: rounded(_cut(run.rows, other.rows).mean()) for other in runs if other is not run}
        for run in runs
    }


def matched_differences(runs: Sequence[SystemRun], drawn: intervals.Floats) -> Matched:
    """Return the difference of that PR to the PR of the system whose page counts are taken, with paired intervals."""
    found: Matched = {}
    for run in runs:
        own = _own(run.rows)
        base, mean = intervals.resampled(own, drawn), own.mean()
        found[run.name] = {
            other.name: _difference(_cut(run.rows, other.rows), mean, base, drawn)
            for other in runs
            if other is not run and mean is not None
        }
    return found


def pages_to_match(runs: Sequence[SystemRun]) -> Matched:
    """Return the pages of its ranking that each system needs for the PR of another one, None where 20 are too few.

    LAD-RAG, figure 3: how many pages a fixed number would have to be.
    """
    curves = {run.name: [_first(run.rows, count).mean() or 0.0 for count in range(1, RANKED + 1)] for run in runs}
    own = {run.name: _own(run.rows).mean() for run in runs}
    return {
        base: {
            name: next((count for count, value in enumerate(curve, 1) if value >= wanted), None)
            for name, curve in curves.items()
            if name != base
        }
        for base, wanted in own.items()
        if wanted is not None
    }


def _first(rows: Sequence[Scored], count: int) -> Column:
    return Column.of([_perfect(row, row.ranking[:count]) for row in rows])


def _difference(
    cut: Column, mean: float, base: intervals.Floats, drawn: intervals.Floats
) -> dict[str, float | list[float | None] | None]:
    value = cut.mean()
    between = pair(intervals.interval(intervals.resampled(cut, drawn) - base))
    return {"difference": rounded(None if value is None else value - mean), "interval": between}


def _own(rows: Sequence[Scored]) -> Column:
    return Column.of([_perfect(row, row.pages) for row in rows])


def _cut(counted: Sequence[Scored], ranked: Sequence[Scored]) -> Column:
    pairs = zip(counted, ranked, strict=True)
    return Column.of([_perfect(row, row.ranking[: len(pages.pages)]) for pages, row in pairs])


def _perfect(row: Scored, pages: Sequence[int]) -> float | None:
    return perfect(row.question.evidence_pages, pages) if row.has_gold_pages else None
