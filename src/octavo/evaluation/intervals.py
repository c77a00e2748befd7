"""Averages with confidence intervals: the paired bootstrap.

Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: questions are drawn with
replacement, the same draws for every system, and the middle 95 % of the averages is the interval.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DRAWS = 2000
SEED = 20240713
LEVEL = 0.95


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
