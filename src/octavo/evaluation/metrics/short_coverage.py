"""Short coverage: of the questions that have an answer, the share that was given a short one, right or wrong."""

from __future__ import annotations


def score(*, answerable: bool, claimed: bool) -> float | None:
    """Return 1.0 or 0.0 for a question that has an answer, None for one that has none."""
    return float(claimed) if answerable else None
