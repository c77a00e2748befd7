"""Faithfulness: whether citations hold, and whether a system is silent where it should be.

Our own definitions. Shares are per question and None where a question says nothing about them, so that averages are
over the questions concerned.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


def verbatim(checked: Sequence[bool]) -> float | None:
    """Return the share of citations whose quote is verbatim in the cited block; None without a citation."""
    return sum(checked) / len(checked) if checked else None


def cited_gold(evidence_pages: Collection[Hashable], cited_pages: Collection[Hashable]) -> float | None:
    """Return the share of cited pages that are gold; None without gold pages or citations."""
    cited = set(cited_pages)
    return len(cited & set(evidence_pages)) / len(cited) if cited and evidence_pages else None


def refused_unanswerable(*, answerable: bool, refused: bool) -> float | None:
    """Return 1.0 when an unanswerable question was refused, 0.0 when it was answered; None for an answerable one."""
    return None if answerable else float(refused)


def refused_answerable(*, answerable: bool, refused: bool) -> float | None:
    """Return 1.0 when an answerable question was wrongly refused, else 0.0; None for an unanswerable one."""
    return float(refused) if answerable else None
