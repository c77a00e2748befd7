"""From a response to what metrics read.

Owns the final answer that is scored: the typed value a system gave, or what the rule reads out of its response. The
gold is only put beside it here, never into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from octavo.decisions.extract_answer_value import FAIL
from octavo.evaluation.assessor import Assessor, RuleAssessor
from octavo.evaluation.metrics.base import Scored
from octavo.evaluation.metrics.normal import references, sequence
from octavo.evaluation.metrics.table import METRICS, READ_TEXTS, SAID_BY, of_every_question, of_plain_questions
from octavo.evaluation.question import NOT_ANSWERABLE, Gold, Question, Response

Texts = Callable[[Sequence[tuple[str, str]]], tuple[str, ...]]
"""Returns the texts of blocks, given as (document id, block id)."""


def scored(
    question: Question,
    response: Response,
    texts: Texts,
    *,
    metrics: Iterable[str],
    give_format: bool,
    assessor: Assessor | None = None,
    gold: Gold | None = None,
) -> Scored:
    """Return a question beside its response. Block texts are read only when a metric needs them.

    Args:
        question: With its gold.
        response: What a system made of it.
        texts: How blocks are read.
        metrics: Names of the benchmark's own metrics.
        give_format: Whether the extraction is told the gold's answer format.
        assessor: Who reads short answers out of responses and judges them; by default the rule.
        gold: Where the evidence stands in the index, where that is known.
    """
    assesses = assessor or RuleAssessor()
    reads_it_whole = {*of_plain_questions(), "judged"}.issuperset(metrics)
    wanted = bool(question.evidence_texts) or not READ_TEXTS.isdisjoint(metrics)
    return Scored(
        question,
        response,
        final_answer(
            question.question,
            response,
            answer_format=question.answer_format if give_format else None,
            assessor=None if reads_it_whole else assesses,
        ),
        texts(response.blocks) if wanted and response.blocks else (),
        _verdict(question, response, assesses) if "judged" in metrics else None,
        gold or Gold(),
    )


def _verdict(question: Question, response: Response, assessor: Assessor) -> bool:
    """Return whether the response is right; one that is missing is not."""
    accepted = references(question.answer, question.answer_format)
    return not response.error and assessor.judge(question.question, accepted, response.answer)


def final_answer(
    question: str, response: Response, *, answer_format: str | None = None, assessor: Assessor | None = None
) -> str:
    """Return the short answer of a response: numbers and lists as literals, texts as the rule reads them."""
    if response.error:
        return FAIL
    if not response.answerable:
        return NOT_ANSWERABLE
    several = sequence(response.value)
    if several is not None:
        return repr(list(several))
    if isinstance(response.value, (int, float)):
        return str(int(response.value)) if float(response.value).is_integer() else str(response.value)
    return (assessor or RuleAssessor()).extract(question, str(response.value or response.answer), answer_format)


def shown(metrics: Sequence[str], rows: Iterable[Scored]) -> tuple[str, ...]:
    """Return the metrics a report shows: the benchmark's own, and those of every question that concern any of these."""
    known, said = list(rows), {same for name in metrics for same in SAID_BY.get(name, ())}
    general = (
        name
        for name in of_every_question()
        if name not in said and any(METRICS[name].of(row) is not None for row in known)
    )
    return tuple(dict.fromkeys((*metrics, *general)))
