"""Relevance by the score that retrieval gave, else by the share of the question's words. Knows nothing about pages."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.rules.overlap import coverages, terms_of


def relevances(question: str, texts: Sequence[str], scores: Sequence[float | None]) -> list[float]:
    """Return relevance (0..1 in steps of 0.1) of each text: its score where it has one, else its share of the words."""
    shares = coverages(terms_of(question), texts)
    return [step(share if score is None else score) for share, score in zip(shares, scores, strict=True)]


def step(value: float) -> float:
    """Return a value held to 0..1, in steps of 0.1."""
    return round(min(max(value, 0.0), 1.0), 1)
