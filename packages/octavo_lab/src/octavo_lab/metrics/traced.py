"""What the trace of a question tells: cost call by call, what was reflected on, where a wrong answer went wrong.

Error classes are BookRAG's (section 6.3): the first of parsing, plan, retrieval and reading that failed. The paper's
authors sorted by hand; here gold and trace decide.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from octavo.evidence import Reach
from octavo_lab.metrics import retrieval
from octavo_lab.metrics.overlap import is_refusal, string_hit
from octavo_lab.metrics.rule_accuracy import rule_accuracy
from octavo_lab.question import CallMean, ScoredResponse

_REFLECTIONS = frozenset({"Reflect", "ReflectOverMap"})
_PLANS = frozenset({"ClassifyQuestion", "PlanQuestion"})
_WIDENED, _COMPLETE = "widened", frozenset({"complete", "budget"})
_SHORT_CALL = 100
"""Tokens that LAD-RAG's calls mostly stay under (appendix F)."""
_FEW_CALLS = (2, 5)
"""Calls that LAD-RAG's questions mostly take (section 4.4)."""


def steps_of(trace: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield all steps, those inside others after them."""
    for step in trace:
        yield step
        yield from steps_of(step.get("steps", ()))


def used(scored: ScoredResponse, *names: str) -> float:
    """Return tokens or seconds of a question; calls whose replies were kept count with the mean of their decision."""
    usage, means = scored.response.usage, scored.call_means
    paid = sum(float(usage.get(name) or 0.0) for name in names)
    kept = (
        float(step.get("cached_calls") or 0) * float(getattr(means[step["step"]], name))
        for step in _decisions(scored.response.trace)
        for name in names
        if step["step"] in means
    )
    return paid + sum(kept)


def mean_calls(rows: Iterable[ScoredResponse]) -> dict[str, CallMean]:
    """Return what a call of each decision took, mean over those of the rows that were paid for."""
    sums: dict[str, list[float]] = {}
    for row in rows:
        for step in _decisions(row.response.trace):
            made = float(step.get("calls") or 0)
            if made:
                taken = (made, *(float(step.get(name) or 0) for name in ("input_tokens", "output_tokens", "seconds")))
                sums[step["step"]] = [a + b for a, b in zip(sums.get(step["step"], [0.0] * 4), taken, strict=True)]
    return {name: CallMean(*(total / made for total in totals)) for name, (made, *totals) in sums.items()}


def _decisions(trace: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the steps that are decisions that a model was asked for, now or when its replies were kept."""
    yield from (
        step
        for step in steps_of(trace)
        if "decided_by" in step["parameters"] and (step.get("calls") or step.get("cached_calls"))
    )


def calls(scored: ScoredResponse) -> float:
    """Return the calls of a question, made now or when their replies were kept."""
    usage = scored.response.usage
    return float((usage.get("calls") or 0) + (usage.get("cached_calls") or 0))


def has_few_calls(scored: ScoredResponse) -> float | None:
    """Return whether a question took 2 to 5 calls; None where no model was asked."""
    made = calls(scored)
    return float(_FEW_CALLS[0] <= made <= _FEW_CALLS[1]) if made else None


def call_sizes(scored: ScoredResponse) -> list[tuple[float, float]]:
    """Return (calls, tokens written by each) for every decision of a model; those of one step have their mean."""
    found: list[tuple[float, float]] = []
    for step in _decisions(scored.response.trace):
        paid, kept = float(step.get("calls") or 0), float(step.get("cached_calls") or 0)
        if paid:
            found.append((paid + kept, float(step.get("output_tokens") or 0) / paid))
        elif kept and step["step"] in scored.call_means:
            found.append((kept, scored.call_means[step["step"]].output_tokens))
    return found


def short_calls(scored: ScoredResponse) -> float | None:
    """Return the share of a question's calls that wrote fewer than 100 tokens; None without a call."""
    sizes = call_sizes(scored)
    total = sum(made for made, _ in sizes)
    return sum(made for made, size in sizes if size < _SHORT_CALL) / total if total else None


def planned_reach(scored: ScoredResponse) -> str:
    """Return the reach that was planned for a question, "" where nothing was planned."""
    found = (
        str(step["parameters"].get("reach", ""))
        for step in steps_of(scored.response.trace)
        if step.get("step") in _PLANS
    )
    return next(filter(None, found), "")


def reflection_rounds(scored: ScoredResponse) -> float | None:
    """Return how many rounds of reflection widened the evidence; None where a plan does not reflect."""
    outcomes = _outcomes(scored)
    return float(outcomes.count(_WIDENED)) if outcomes else None


def is_reflected(scored: ScoredResponse) -> float | None:
    """Return whether reflection found an answer wanting; None where a plan does not reflect."""
    outcomes = _outcomes(scored)
    return float(any(outcome not in _COMPLETE for outcome in outcomes)) if outcomes else None


def _outcomes(scored: ScoredResponse) -> list[str]:
    return [
        str(step["parameters"].get("outcome", ""))
        for step in steps_of(scored.response.trace)
        if step.get("step") in _REFLECTIONS
    ]


def reflected_right(scored: ScoredResponse) -> float | None:
    """Return whether a question that was reflected on ended right; None for all others."""
    return float(is_right(scored)) if is_reflected(scored) else None


def reflected_refused(scored: ScoredResponse) -> float | None:
    """Return whether an unanswerable question that was reflected on was refused: negative rejection (DMAP 4.3.2)."""
    if scored.question.answerable or not is_reflected(scored):
        return None
    return float(not scored.response.answerable or is_refusal(scored.prediction))


def is_right(scored: ScoredResponse) -> bool:
    """Return whether a response is right: by its verdict where it was judged, else by the rule."""
    if scored.response.error:
        return False
    if scored.is_right is not None:
        return scored.is_right
    question = scored.question
    found = rule_accuracy(question.answer, scored.prediction, question.answer_format)
    if found is None:
        return string_hit(question.answer, scored.response.answer) == 1.0
    return found >= 1.0


class ErrorClass(enum.Enum):
    """Where a wrong answer went wrong first."""

    PARSING = "parsing"
    """Evidence is not in the index."""
    PLAN = "plan"
    """A question whose evidence stands in one place was taken apart."""
    RETRIEVAL = "retrieval"
    """Not all evidence was handed to the reader."""
    READING = "reading"
    """All evidence was there, or there is none and an answer was given."""


def error_class(scored: ScoredResponse) -> ErrorClass | None:
    """Return where a wrong answer went wrong; None for a right one, and where the gold says nothing about evidence."""
    if is_right(scored):
        return None
    if not scored.question.answerable:
        return ErrorClass.READING
    if scored.facts is not None and scored.facts.is_lost:
        return ErrorClass.PARSING
    found = _all_found(scored)
    if found is None:
        return None
    if _is_misplanned(scored):
        return ErrorClass.PLAN
    return ErrorClass.READING if found else ErrorClass.RETRIEVAL


def _all_found(scored: ScoredResponse) -> bool | None:
    """Return whether all gold was handed to the reader: blocks where they are known, else texts, pages, documents."""
    question = scored.question
    if scored.gold.blocks:
        return bool(retrieval.alternatives_perfect(scored.gold.blocks, scored.response.blocks))
    if question.evidence_texts:
        return retrieval.text_recall(question.evidence_texts, scored.right_texts) >= 1.0
    if scored.has_gold_pages:
        return bool(retrieval.perfect(scored.evidence_pages, scored.pages))
    if scored.gold.documents:
        return bool(retrieval.alternatives_perfect(scored.gold.documents, scored.read_documents))
    return None


def _is_misplanned(scored: ScoredResponse) -> bool:
    """Return whether the gold contradicts a plan: one page or text of evidence, and the question was taken apart."""
    question = scored.question
    places = len(scored.evidence_pages) or len(question.evidence_texts)
    return places == 1 and planned_reach(scored) == Reach.MULTI.value
