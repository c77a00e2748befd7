"""Whether what an answer cites is there: verbatim quotes, and pages that are gold.

Shares are per question and None where a question says nothing about them.
"""

from __future__ import annotations

from octavo_lab.question import ScoredResponse


def citations_verbatim(scored: ScoredResponse) -> float | None:
    """Return the share of citations whose quote is verbatim in the cited block; None without a citation."""
    checked = [cited.is_verbatim for cited in scored.response.citations]
    return sum(checked) / len(checked) if checked else None


def cited_pages_gold(scored: ScoredResponse) -> float | None:
    """Return the share of cited pages that are gold; None without gold pages or citations."""
    cited = set(scored.pages_cited)
    if not cited or not scored.has_gold_pages:
        return None
    return len(cited & set(scored.evidence_pages)) / len(cited)
