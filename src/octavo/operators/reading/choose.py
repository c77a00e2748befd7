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

# Fitted by listwise logistic regression on the dev half of benchmarks/reading.py's articles and the example documents.
COVERAGE, NEARNESS, FIT, RELEVANCE, SIMILARITY, LINKED = 0.16, 0.26, 0.27, 0.05, 0.09, 0.17
"""What each figure of a candidate adds to its score; together 1."""

_SURE = (1.8, 2.1, 3.0, 0.5)
"""What coverage, nearness, fit and similarity add to the log odds of being right; a rank in retrieval says nothing."""
_ODDS = -5.1
"""Log odds of being right with nothing for it. Logistic regression on the same questions, with evidence and without."""
_USUAL_SIMILARITY = 0.5
"""What similarity counts as where nothing was compared."""


def prior(candidate: Candidate) -> float:
    """Return a candidate's score before comparing by meaning."""
    return (
        COVERAGE * candidate.coverage
        + NEARNESS * candidate.nearness
        + FIT * candidate.fit
        + RELEVANCE * candidate.relevance
        + LINKED * candidate.linked
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
    """Return how likely an answer is right, 0..1, by how much of the question it accounts for."""
    similarity = max(candidate.similarity, 0.0) if is_compared else _USUAL_SIMILARITY
    figures = (candidate.coverage, candidate.nearness, candidate.fit, similarity)
    odds = _ODDS + sum(weight * figure for weight, figure in zip(_SURE, figures, strict=True))
    return 1 / (1 + math.exp(-odds))


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
