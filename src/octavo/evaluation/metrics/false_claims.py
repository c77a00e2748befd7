"""False claims: of the questions that the documents do not answer, the share that was given an answer."""

from __future__ import annotations


def score(*, answerable: bool, claimed: bool) -> float | None:
    """Return 1.0 or 0.0 for a question that has no answer, None for one that has."""
    return None if answerable else float(claimed)
