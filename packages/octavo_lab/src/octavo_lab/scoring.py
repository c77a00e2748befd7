"""From what a corpus answers to a response that can be kept, and to what metrics read of it.

Citations are checked against the blocks they cite. The short answer is the typed value a system gave, or what a rule or
a model reads out of its response; who assesses is named in every report. Extraction never sees a gold answer; judging
has to.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from octavo.evidence import Answer, Citation, Evidence, Outcome, Passage, Result, TraceStep, View
from octavo.models.language import FaultKind
from octavo_lab.decisions.extract_answer_value import EXTRACT_ANSWER_VALUE, FAIL, AnswerInput, extract
from octavo_lab.decisions.judge_answer import JUDGE_ANSWER, AnswerToJudge, Judgement
from octavo_lab.decisions.judge_claims import JUDGE_CLAIMS, Claims, Entailed
from octavo_lab.metrics.answer_correctness import is_complete, item_stands_in
from octavo_lab.metrics.overlap import aliases, references, sequence, without_citations
from octavo_lab.metrics.registry import METRICS, READ_TEXTS, SAID_BY, of_every_question, of_plain_questions
from octavo_lab.question import (
    NO_GOLD,
    NOT_ANSWERABLE,
    RANKED,
    CheckedCitation,
    Facts,
    Gold,
    PageScore,
    Question,
    Response,
    ScoredResponse,
    ShownPassage,
)

if TYPE_CHECKING:
    from octavo.decisions.engine.judge import Judge
    from octavo_lab.decisions.extract_answer_value import ValueFormat

KEPT_BLOCKS = 300
NO_NAMES: Mapping[str, str] = MappingProxyType({})
GIVEN_UP = "given up"
_FAULTS = {kind.value for kind in FaultKind}
_SKIPPED = "skipped"
"""Begins the reason of a step that had no model to ask."""
_UNREACHED = frozenset(
    {
        GIVEN_UP,
        FaultKind.RATE_LIMIT.value,
        FaultKind.OVERLOADED.value,
        FaultKind.SERVER.value,
        FaultKind.CONNECTION.value,
        FaultKind.TIMEOUT.value,
    }
)
"""Kinds that say nothing about the question: the model may well answer it another time."""
Texts = Callable[[Sequence[tuple[str, str]]], tuple[str, ...]]
"""Returns the texts of blocks, given as (document id, block id)."""


def response_of(answer: Answer, ranked: Sequence[Result], told: Mapping[str, str] = NO_NAMES) -> Response:
    """Return what is kept of an answer; `ranked` are searches for more pages, each going on where those before end.

    `told` is what documents are called, by id; others have the names of their files, be they shared or not.
    """
    told = {document.id: document.name for document in answer.evidence.view.documents} | dict(told)
    pages = _pages(answer.evidence, answer.by, told)
    rest = (page for result in ranked for page in _pages(result.evidence, result.by, told))
    # What a model remembers where nothing was retrieved is what no retrieval is measured by.
    is_unaided = bool(answer.known) and not len(answer.evidence)
    ranking = dict.fromkeys((page.document, page.page) for page in (*pages, *rest))
    return Response(
        pages=pages,
        ranking=tuple(ranking)[:RANKED],
        blocks=_blocks(answer.evidence, answer.by),
        outcome=Outcome.ANSWER if is_unaided else answer.outcome,
        answer=answer.known if is_unaided else answer.text,
        value=answer.known if is_unaided else answer.value,
        passages=tuple(_shown(passage, told) for passage in answer.passages),
        citations=tuple(_checked(cited, answer.evidence.view, told) for cited in answer.citations),
        pages_read=_read(answer, told),
        usage=dataclasses.asdict(answer.usage),
        decided_by=dict(answer.decided_by),
        trace=tuple(map(_step, answer.trace)),
        stopped=answer.stopped,
        substitutes=tuple(map(dataclasses.asdict, answer.substitutes)),
    )


def _pages(evidence: Evidence, by: str, told: Mapping[str, str]) -> tuple[PageScore, ...]:
    names = [told.get(document.id, document.name) for document in evidence.view.documents]
    return tuple(
        PageScore(names[hit.document], hit.page, round(hit.score, 6) if math.isfinite(hit.score) else 0.0)
        for hit in (evidence.pages(by) if len(evidence) else ())
    )


def _read(answer: Answer, told: Mapping[str, str]) -> tuple[tuple[str, int], ...] | None:
    """Return the pages that a model read for an answer, None where none took part."""
    is_by_model = any(answer.decided_by.get(who) for who in ("model", "cache"))
    read = ((told.get(page.document_id, page.document), page.page) for page in answer.pages_read)
    return tuple(read) if is_by_model else None


def _blocks(evidence: Evidence, by: str) -> tuple[tuple[str, str], ...]:
    view = evidence.view
    rows = evidence.ranked(by)[:KEPT_BLOCKS] if len(evidence) else ()
    return tuple((view.documents[int(view.document[row])].id, view.block_id(int(row))) for row in rows)


def _shown(passage: Passage, told: Mapping[str, str]) -> ShownPassage:
    name = told.get(passage.document_id, passage.document)
    return ShownPassage(name, passage.page, passage.block, passage.kind, passage.text, round(float(passage.score), 6))


def _checked(cited: Citation, view: View, told: Mapping[str, str]) -> CheckedCitation:
    text = next(
        (block_text(view, at, cited.block) for at, it in enumerate(view.documents) if it.id == cited.document_id), ""
    )
    verbatim = bool(cited.quote) and cited.quote in text
    name = told.get(cited.document_id, cited.document)
    return CheckedCitation(name, cited.page, cited.block, cited.quote, verbatim)


def block_text(view: View, document: int, block: str) -> str:
    """Return the text of a block by its id ("b12"), empty for one that the document does not have."""
    blocks, row = view.documents[document].blocks, block.removeprefix("b")
    return blocks.text[int(row)] if row.isdecimal() and int(row) < len(blocks) else ""


def _step(step: TraceStep) -> dict[str, Any]:
    """Return a step as it is kept: the same before and after it was written as JSON."""
    flat = dataclasses.asdict(dataclasses.replace(step, steps=()))
    return {**flat, "parameters": _plain(step.parameters), "steps": [_step(inner) for inner in step.steps]}


def _plain(parameters: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in parameters.items()}


def rule_fallbacks(response: Response) -> Counter[str]:
    """Return how often a rule stood in, by why: a kind of fault, "given up" after several, or "unusable reply"."""
    return Counter(_reason(why) for why in _whys(response.trace))


def is_unreached(response: Response) -> bool:
    """Whether a model could not be reached for some of an answer, so that it is worth asking again."""
    return not _UNREACHED.isdisjoint(rule_fallbacks(response))


def stood_in(responses: Iterable[Response]) -> dict[str, Any]:
    """Return how many questions a rule stood in for a model at, and the decisions by why."""
    of_each = [rule_fallbacks(response) for response in responses]
    return {"questions": sum(bool(found) for found in of_each), "why": dict(sum(of_each, Counter[str]()))}


def _whys(trace: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for step in trace:
        why = str(step["parameters"].get("why", ""))
        if step["parameters"].get("decided_by") == "rule" and why and not why.startswith(_SKIPPED):
            yield why
        yield from _whys(step.get("steps", ()))


def _reason(why: str) -> str:
    if "times in a row" in why:
        return GIVEN_UP
    first = why.partition(":")[0]
    return first if first in _FAULTS else "unusable reply"


class Assessor(Protocol):
    """Assesses responses."""

    @property
    def name(self) -> str:
        """Says who assesses: "rule", or the model."""
        ...

    @property
    def decided_by(self) -> Mapping[str, int]:
        """How many assessments were made by model, cache and rule so far; empty when no model is asked."""
        ...

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return the short answer a response gives, in a format that is given or else the question's words ask for."""
        ...

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return whether a response is complete and correct."""
        ...

    def entailed(self, question: str, claims: Sequence[str], response: str) -> tuple[bool, ...]:
        """Return of each claim whether it follows from a response."""
        ...


class RuleAssessor:
    """Assesses without a model."""

    name = "rule"

    @property
    def decided_by(self) -> Mapping[str, int]:
        """Always empty: no model is asked."""
        return {}

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return what the rule reads out of the response."""
        return extract(question, response, answer_format=answer_format).answer

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return whether the rule finds one of the accepted answers in the response."""
        return any(is_complete(wanted, response) for wanted in accepted)

    def entailed(self, question: str, claims: Sequence[str], response: str) -> tuple[bool, ...]:
        """Return of each claim whether most of its words and all of its numbers stand in the response."""
        return tuple(item_stands_in(claim, response) for claim in claims)


class ModelAssessor:
    """Assesses with a model; what it does not decide the rule does."""

    def __init__(self, judge: Judge, name: str) -> None:
        """Take the judge whose model assesses, and the name it has in reports."""
        self.name = name
        self._judge = judge
        self._rule = RuleAssessor()

    @property
    def stopped(self) -> str | None:
        """The cap that ended judging, None while there is room."""
        return self._judge.stopped

    @property
    def decided_by(self) -> Mapping[str, int]:
        """Return the decisions of the judge by who took them."""
        return Counter(record.by for record in self._judge.records)

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return what the model reads out of the response."""
        value = AnswerInput(question, response, cast("ValueFormat | None", answer_format))
        return self._judge.decide(EXTRACT_ANSWER_VALUE, value).output.answer

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return the model's verdict."""

        def rule(value: AnswerToJudge) -> Judgement:
            return Judgement(correct=self._rule.judge(value.question, value.accepted, value.response))

        return self._judge.decide(
            JUDGE_ANSWER, AnswerToJudge(question, tuple(accepted), response), rule=rule
        ).output.correct

    def entailed(self, question: str, claims: Sequence[str], response: str) -> tuple[bool, ...]:
        """Return the model's verdict on each claim."""

        def rule(value: Claims) -> Entailed:
            held = self._rule.entailed(value.question, value.claims, value.response)
            return Entailed(claims=[number for number, holds in enumerate(held, 1) if holds])

        found = self._judge.decide(JUDGE_CLAIMS, Claims(question, tuple(claims), response), rule=rule).output.claims
        return tuple(number in found for number in range(1, len(claims) + 1))


def scored_response(
    question: Question,
    response: Response,
    texts: Texts,
    *,
    metrics: Iterable[str],
    give_format: bool,
    assessor: Assessor | None = None,
    gold: Gold = NO_GOLD,
    facts: Facts | None = None,
) -> ScoredResponse:
    """Return a question beside its response. Block texts are read only when a metric needs them.

    Args:
        question: With its gold.
        response: What a system made of it.
        texts: How blocks are read.
        metrics: Names of the benchmark's own metrics.
        give_format: Whether the extraction is told the gold's answer format.
        assessor: Who reads short answers out of responses and judges them; by default the rule.
        gold: Where the evidence stands in the index, where that is known.
        facts: What is known of the documents, where that is wanted.
    """
    assesses = assessor or RuleAssessor()
    reads_it_whole = {*of_plain_questions(), "judged"}.issuperset(metrics)
    wanted = bool(question.evidence_texts) or not READ_TEXTS.isdisjoint(metrics)
    return ScoredResponse(
        question,
        response,
        final_answer(
            question.question,
            response,
            answer_format=question.answer_format if give_format else None,
            assessor=None if reads_it_whole else assesses,
        ),
        texts(response.blocks) if wanted and response.blocks else (),
        verdict(question, response, assesses) if "judged" in metrics else None,
        gold,
        _entailed(question, response, assesses) if question.claims and "claim_recall" in metrics else None,
        facts,
    )


def verdict(question: Question, response: Response, assessor: Assessor) -> bool:
    """Return whether the response is right; one that is missing is not."""
    given = response.answer if response.answerable else NOT_ANSWERABLE
    return not response.error and assessor.judge(question.question, _accepted(question), given)


def _accepted(question: Question) -> list[str]:
    """Return the answers any of which is right; of several that are all wanted, one text with a name of each."""
    if question.answer_format != "Long":
        return references(question.answer, question.answer_format)
    if question.reference is not None:
        return references(question.reference, "")
    return ["; ".join(group[0] for group in aliases(question.answer) if group)]


def _entailed(question: Question, response: Response, assessor: Assessor) -> tuple[bool, ...]:
    """Return of each claim whether the response bears it out; one that is missing, or says nothing, bears out none."""
    if response.error or not response.answer.strip():
        return (False,) * len(question.claims)
    return assessor.entailed(question.question, question.claims, without_citations(response.answer))


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


def metrics_shown(metrics: Sequence[str], rows: Iterable[ScoredResponse]) -> tuple[str, ...]:
    """Return the metrics a report shows: the benchmark's own, and those of every question that concern any of these."""
    known, said = list(rows), {same for name in metrics for same in SAID_BY.get(name, ())}
    general = (
        name
        for name in of_every_question()
        if name not in said and any(METRICS[name].of(row) is not None for row in known)
    )
    return tuple(dict.fromkeys((*metrics, *general)))
