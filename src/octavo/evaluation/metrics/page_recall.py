"""Recall: the share of gold pages (or documents) among the retrieved ones, and among the first k."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


def score(evidence_pages: Collection[Hashable], pages: Collection[Hashable]) -> float:
    """Return 0..1; 1.0 where there is nothing to find."""
    wanted = set(evidence_pages)
    return len(wanted & set(pages)) / len(wanted) if wanted else 1.0


def at(evidence_pages: Collection[Hashable], ranking: Sequence[Hashable], count: int) -> float:
    """Return recall of the first `count` of a ranking."""
    return score(evidence_pages, ranking[:count])
