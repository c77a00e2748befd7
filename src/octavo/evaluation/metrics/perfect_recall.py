"""Perfect recall (PR): every gold page is among the retrieved ones.

LAD-RAG (2025), section 3.3. PR@k asks it of the first k pages of the ranking; PR at matched pages asks it of as many
pages as another system handed to its reader for the same question ("top-k adjusted", section 4).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


def score(evidence_pages: Collection[Hashable], pages: Collection[Hashable]) -> float:
    """Return 1.0 or 0.0."""
    return float(set(evidence_pages) <= set(pages))


def at(evidence_pages: Collection[Hashable], ranking: Sequence[Hashable], count: int) -> float:
    """Return PR of the first `count` pages of a ranking."""
    return score(evidence_pages, ranking[:count])
