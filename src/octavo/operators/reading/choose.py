"""Choosing among candidates.

Owns the weights of what speaks for a candidate. Knows nothing about how candidates are found.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from octavo.operators.reading.candidate import Candidate

# Fitted by listwise logistic regression on the dev half of benchmarks/reading.py's articles and the example documents.
COVERAGE, NEARNESS, FIT, RELEVANCE, SIMILARITY, LINKED = 0.16, 0.26, 0.27, 0.05, 0.09, 0.17
"""What each figure of a candidate adds to its score; together 1."""


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


def ranked(
    candidates: Sequence[Candidate],
    question: str,
    *,
    compare: int,
    embed: Callable[[list[str]], npt.NDArray[np.float32]],
) -> list[Candidate]:
    """Return the candidates that lead, best first, the first found among equals.

    The statements of the `compare` candidates that lead so far are compared with the question by meaning; 0 compares
    none.
    """
    leading = sorted(candidates, key=prior, reverse=True)
    if compare and leading:
        leading = _compared(leading, question, compare, embed)
    return sorted(leading, key=score, reverse=True)


def lead_of(leading: Sequence[Candidate]) -> float:
    """Return what the score of the first candidate is ahead of that of the next with another answer, 0 without one."""
    other = next((one for one in leading if one.text != leading[0].text), None)
    return score(leading[0]) - score(other) if other is not None else 0.0


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
