"""Short precision: of the questions that were given a short answer, the share whose answer is right.

An answer to a question that has none is wrong. Passages shown in the place of an answer claim nothing.
"""

from __future__ import annotations


def score(*, claimed: bool, is_right: bool) -> float | None:
    """Return 1.0 or 0.0 for a question with an answer to rely on, None for one without."""
    return float(is_right) if claimed else None
