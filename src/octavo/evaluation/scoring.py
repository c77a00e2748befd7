"""From an outcome to what metrics read.

Owns the final answer that is scored: the typed value a system gave, or what the rule reads out of its response. The
gold is only put beside it here, never into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from octavo.decisions.extract_answer_value.rule import FAIL
from octavo.evaluation.assessor import Assessor, RuleAssessor
from octavo.evaluation.metrics.base import Scored
from octavo.evaluation.metrics.normal import references, sequence
from octavo.evaluation.metrics.table import METRICS, READ_TEXTS, of_every_question
from octavo.evaluation.question import NOT_ANSWERABLE, Gold, Outcome, Question

Texts = Callable[[Sequence[tuple[str, str]]], tuple[str, ...]]
"""Returns the texts of blocks, given as (document id, block id)."""


def scored(
    question: Question,
    outcome: Outcome,
    texts: Texts,
    *,
    metrics: Iterable[str],
    give_format: bool,
    assessor: Assessor | None = None,
    gold: Gold | None = None,
) -> Scored:
    """Return a question beside its outcome. Block texts are read only when a metric needs them.

    Args:
        question: With its gold.
        outcome: What a system made of it.
        texts: How blocks are read.
        metrics: Names of the benchmark's own metrics.
        give_format: Whether the extraction is told the gold's answer format.
        assessor: Who reads short answers out of responses and judges them; by default the rule.
        gold: Where the evidence stands in the index, where that is known.
    """
    assesses = assessor or RuleAssessor()
    wanted = bool(question.evidence_texts) or not READ_TEXTS.isdisjoint(metrics)
    return Scored(
        question,
        outcome,
        final_answer(
            question.question,
            outcome,
            answer_format=question.answer_format if give_format else None,
            assessor=assesses,
        ),
        texts(outcome.blocks) if wanted and outcome.blocks else (),
        _verdict(question, outcome, assesses) if "judged" in metrics else None,
        gold or Gold(),
    )


def _verdict(question: Question, outcome: Outcome, assessor: Assessor) -> bool:
    """Return whether the response is right; one that is missing is not."""
    accepted = references(question.answer, question.answer_format)
    return not outcome.error and assessor.judge(question.question, accepted, outcome.answer)


def final_answer(
    question: str, outcome: Outcome, *, answer_format: str | None = None, assessor: Assessor | None = None
) -> str:
    """Return the short answer of an outcome: numbers and lists as literals, texts as the rule reads them."""
    if outcome.error:
        return FAIL
    if not outcome.answerable:
        return NOT_ANSWERABLE
    several = sequence(outcome.value)
    if several is not None:
        return repr(list(several))
    if isinstance(outcome.value, (int, float)):
        return str(int(outcome.value)) if float(outcome.value).is_integer() else str(outcome.value)
    return (assessor or RuleAssessor()).extract(question, str(outcome.value or outcome.answer), answer_format)


def shown(metrics: Sequence[str], rows: Iterable[Scored]) -> tuple[str, ...]:
    """Return the metrics a report shows: the benchmark's own, and those of every question that concern any of these."""
    known = list(rows)
    general = (name for name in of_every_question() if any(METRICS[name].of(row) is not None for row in known))
    return tuple(dict.fromkeys((*metrics, *general)))
