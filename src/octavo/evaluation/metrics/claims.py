"""What a system claims, and whether it should: short answers given, refusals, citations.

Shares are per question and None where a question says nothing about them, so that averages are over the questions
concerned. A claim is an answer to rely on; passages shown in its place claim nothing.
"""

from __future__ import annotations

from octavo.evaluation.metrics.base import ScoredResponse
from octavo.evaluation.metrics.normal import is_refusal
from octavo.evaluation.metrics.right import is_right


def right(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was answered right, None for one that has none."""
    question, response = scored.question, scored.response
    if not (question.accepted or question.items):
        return None
    given = response.answerable and is_right(
        question.accepted, response.answer, items=question.items, by_model=response.is_by_model
    )
    return float(given)


def short_precision(scored: ScoredResponse) -> float | None:
    """Return whether a short answer is right, None without one; an answer to a question that has none is wrong."""
    return float(bool(right(scored))) if scored.response.answerable else None


def short_coverage(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was given a short one, right or wrong."""
    return float(scored.response.answerable) if scored.question.answerable else None


def false_claim(scored: ScoredResponse) -> float | None:
    """Return whether a question that has no answer was given one."""
    return None if scored.question.answerable else float(scored.response.answerable)


def refused_unanswerable(scored: ScoredResponse) -> float | None:
    """Return whether a question that has no answer was refused."""
    return None if scored.question.answerable else float(_is_refused(scored))


def refused_answerable(scored: ScoredResponse) -> float | None:
    """Return whether a question that has an answer was wrongly refused."""
    return float(_is_refused(scored)) if scored.question.answerable else None


def _is_refused(scored: ScoredResponse) -> bool:
    return not scored.response.answerable or is_refusal(scored.prediction)


def citations_verbatim(scored: ScoredResponse) -> float | None:
    """Return the share of citations whose quote is verbatim in the cited block; None without a citation."""
    checked = [cited.is_verbatim for cited in scored.response.citations]
    return sum(checked) / len(checked) if checked else None


def cited_pages_gold(scored: ScoredResponse) -> float | None:
    """Return the share of cited pages that are gold; None without gold pages or citations."""
    cited = {cited.page for cited in scored.response.citations}
    if not cited or not scored.has_gold_pages:
        return None
    return len(cited & set(scored.question.evidence_pages)) / len(cited)
