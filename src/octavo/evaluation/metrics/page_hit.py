"""page@k: a page that answers the question is among the first k of the ranking."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def at(sufficient: Collection[int], ranking: Sequence[int], count: int) -> float | None:
    """Return 1.0 or 0.0, any one of the sufficient pages will do; None for a question that names none."""
    return float(not set(sufficient).isdisjoint(ranking[:count])) if sufficient else None
