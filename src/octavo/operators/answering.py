"""From packed evidence to a model's answer: one decision, its quotes checked, its value typed.

Owns what is believed of a reply. Knows nothing about how the evidence was found. Loaded when a model is asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from pydantic_core import from_json

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, Reading, Reply
from octavo.document import Answer, AnswerFormat, Citation, Evidence, Outcome
from octavo.models.analyzer import analyze
from octavo.operators.nearest import refusal
from octavo.operators.packing import Packed, cite, pack
from octavo.operators.pages import RELEVANCE
from octavo.operators.reading.model_values import typed_answer
from octavo.operators.run import Run

_MOST_CITED = 5


def answer_from(evidence: Evidence, using: Run, otherwise: Callable[[], Answer]) -> Answer:
    """Return the model's answer from the evidence; `otherwise` gives the answer when the model fails."""
    packed = pack(evidence, RELEVANCE)
    query = using.query
    reading = Reading(query.question, tuple(one.shown for one in packed), query.format)
    extracted: list[Answer] = []

    def extract(_reading: Reading) -> Reply:
        extracted.append(otherwise())
        return Reply(answerable=extracted[0].answerable, answer=extracted[0].text)

    decided = using.judge.decide(ANSWER_FROM_EVIDENCE, reading, rule=extract, on_text=answer_only(using.on_text))
    return extracted[0] if extracted else answer_of(evidence, packed, decided.output, query.question, query.format)


def answer_only(on_text: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return a listener for a reply that grows, which hands on the answer in it."""
    if on_text is None:
        return None

    def hand_on(reply: str) -> None:
        with contextlib.suppress(ValueError):
            value = from_json(reply, allow_partial="trailing-strings")
            answer = value.get("answer") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if isinstance(answer, str) and answer:
                on_text(answer)

    return hand_on


def answer_of(
    evidence: Evidence, packed: list[Packed], reply: Reply, question: str, form: AnswerFormat | None
) -> Answer:
    """Return a model's reply as an answer: quotes checked, value typed, sureness from how much the quotes bear out."""
    cited = _citations(evidence, packed, reply)
    if not reply.answerable or not cited:
        return refusal(evidence, question)
    value, read_as = typed_answer(question, reply.answer, form)
    return Answer(
        question=question,
        system="",
        text=reply.answer.strip(),
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=read_as,
        citations=cited,
        confidence=round(0.4 + 0.5 * _borne_out(reply.answer, cited, question), 3),
    )


def _citations(evidence: Evidence, packed: list[Packed], reply: Reply) -> tuple[Citation, ...]:
    by_number = {one.shown.number: one for one in packed}
    found = (
        cite(evidence.view, by_number[support.id], support.quote, reply.answer)
        for support in reply.evidence
        if support.id in by_number
    )
    unique = {(citation.block, citation.quote): citation for citation in found if citation is not None}
    return tuple(unique.values())[:_MOST_CITED]


def _borne_out(answer: str, cited: tuple[Citation, ...], question: str) -> float:
    """Return the share (0..1) of the answer's terms that the quotes or the question have."""
    terms = set(analyze(answer))
    known = set(analyze(question)).union(*(analyze(citation.quote) for citation in cited))
    return len(terms & known) / len(terms) if terms else 0.0
