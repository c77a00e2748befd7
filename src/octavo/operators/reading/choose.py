"""Choosing among candidates, and how sure the choice is.

Owns the weights of what speaks for a candidate. Knows nothing about how candidates are found.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from octavo.operators.reading.candidate import Candidate

# Fitted by listwise logistic regression with documents left out, then rounded.
COVERAGE, NEARNESS, FIT, RELEVANCE, SIMILARITY = 0.24, 0.13, 0.14, 0.35, 0.14
"""What each figure of a candidate adds to its score; together 1."""

_SURE = (0.4, 0.25, 0.15, 0.2)
"""What coverage, nearness, fit and similarity add to confidence: the rank of a page says nothing about its answer."""
_SLOPE, _EVEN = 8.0, 0.46
"""Confidence is logistic in the score: one half at `_EVEN`."""


def prior(candidate: Candidate) -> float:
    """Return a candidate's score before comparing by meaning."""
    return (
        COVERAGE * candidate.coverage
        + NEARNESS * candidate.nearness
        + FIT * candidate.fit
        + RELEVANCE * candidate.relevance
    )


def score(candidate: Candidate) -> float:
    """Return a candidate's score: the weighted mean of its figures, 0..1."""
    return prior(candidate) + SIMILARITY * max(candidate.similarity, 0.0)


def best_of(
    candidates: Sequence[Candidate],
    question: str,
    *,
    compare: int,
    embed: Callable[[list[str]], npt.NDArray[np.float32]],
) -> Candidate | None:
    """Return the best candidate, the first found among equals; None when there is none.

    The statements of the `compare` candidates that lead so far are compared with the question by meaning; 0 compares
    none.
    """
    leading = sorted(candidates, key=prior, reverse=True)
    if compare and leading:
        leading = _compared(leading, question, compare, embed)
    return max(leading, key=score, default=None)


def confidence(candidate: Candidate, *, is_compared: bool) -> float:
    """Return how sure an answer is, 0..1: how much of the question it accounts for, whatever its rank in retrieval."""
    figures = (candidate.coverage, candidate.nearness, candidate.fit, max(candidate.similarity, 0.0))
    weights = _SURE if is_compared else (*_SURE[:3], 0.0)
    reached = sum(weight * figure for weight, figure in zip(weights, figures, strict=True)) / sum(weights)
    return 1 / (1 + math.exp(-_SLOPE * (reached - _EVEN)))


def _compared(
    leading: Sequence[Candidate],
    question: str,
    compare: int,
    embed: Callable[[list[str]], npt.NDArray[np.float32]],
) -> list[Candidate]:
    statements = list(dict.fromkeys(candidate.statement for candidate in leading))[:compare]
    vectors = embed([question, *statements])
    similarity = dict(zip(statements, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    return [
        dataclasses.replace(candidate, similarity=similarity[candidate.statement])
        for candidate in leading
        if candidate.statement in similarity
    ]
