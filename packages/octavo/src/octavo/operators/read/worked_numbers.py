"""Whether a number may be worked out of numbers that are quoted: of two of them, or as a sum or average of many."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

_MOST = 24
"""Quoted numbers that another may be worked out of: of many, some two give any number."""
_FEWEST = 3
"""Numbers whose sum or average is no matter of two."""
_MOST_PLACES = 4
"""Numbers of a quote that are set in ratio with each other."""
_ROUNDING = 0.006
"""Share that a number which was worked out may be off."""


def is_worked_out(number: float, quoted: Sequence[Sequence[float]]) -> bool:
    """Return whether numbers, quote by quote, give another.

    Two do as their sum, average, difference, product, ratio, share or change in percent. Three or more do as their sum
    or average: those of a quote that stand beside each other, the first or the last of each quote, or all; and so do
    the ratios and shares of two numbers in each quote.
    """
    flat = [one for numbers in quoted for one in numbers][:_MOST]
    if not flat:
        return False
    first, second = np.array(flat)[:, None], np.array(flat)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = first / second
        total = first + second
        given = np.stack([total, total / 2, first - second, first * second, ratio, 100 * ratio, 100 * (ratio - 1)])
    several = [given for series in _series([numbers[:_MOST] for numbers in quoted]) for given in _sum_and_mean(series)]
    found = np.abs(np.concatenate([given.ravel(), several]))
    return bool((np.abs(found - abs(number)) <= _ROUNDING * abs(number) + 1e-9).any())


def _sum_and_mean(series: Sequence[float]) -> tuple[float, float]:
    total = float(sum(series))
    return total, total / len(series)


def _series(quoted: Sequence[Sequence[float]]) -> Iterator[Sequence[float]]:
    """Yield numbers that may be added up, or averaged."""
    told = [numbers for numbers in quoted if numbers]
    for numbers in told:
        for start, stop in itertools.combinations(range(len(numbers) + 1), 2):
            if stop - start >= _FEWEST:
                yield numbers[start:stop]
    if len(told) >= _FEWEST:
        yield [numbers[0] for numbers in told]
        yield [numbers[-1] for numbers in told]
        yield [one for numbers in told for one in numbers][:_MOST]
    if len(told) > 1:
        yield from _ratios(told)


def _ratios(quoted: Sequence[Sequence[float]]) -> Iterator[Sequence[float]]:
    places = range(min(_MOST_PLACES, *map(len, quoted)))
    for one, other in itertools.permutations(places, 2):
        if all(numbers[other] for numbers in quoted):
            ratios = [numbers[one] / numbers[other] for numbers in quoted]
            yield ratios
            yield [100 * ratio for ratio in ratios]
