"""Irrelevant pages ratio (IPR): the share of retrieved pages that are not gold. LAD-RAG (2025), section 3.3."""

from __future__ import annotations

from collections.abc import Collection, Hashable


def score(evidence_pages: Collection[Hashable], pages: Collection[Hashable]) -> float:
    """Return 0..1, lower is better; 0.0 when no page was retrieved."""
    found = set(pages)
    return len(found - set(evidence_pages)) / len(found) if found else 0.0
