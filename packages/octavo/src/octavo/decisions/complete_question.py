"""A question of a conversation as one that can be asked alone: what it leaves open is taken from the turns before.

Known as conversational query rewriting. A question that stands alone is not touched.
"""

from __future__ import annotations

import dataclasses
import re

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.question import PastTurn, complete
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

_MOST_TURN_TOKENS = 1200
"""Tokens of the conversation that are shown at most, the last turns first."""
_MOST_ANSWER_TOKENS = 80
_LONGEST = 1000
"""Characters of a question that a model may write."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclasses.dataclass(frozen=True, slots=True)
class FollowUp:
    """A new question, the turns before it, oldest first, and the names of the documents in scope where they are few."""

    question: str
    turns: tuple[PastTurn, ...] = ()
    documents: tuple[str, ...] = ()


class WholeQuestion(BaseModel):
    """The question to ask. One that stands alone is the person's own, word for word."""

    model_config = ConfigDict(json_schema_extra={"required": ["stands_alone", "question", "documents"]})

    stands_alone: bool
    question: str = Field(min_length=1, max_length=_LONGEST)
    documents: list[str] = Field(default_factory=list[str])
    """Names of documents in scope that the question is about alone; empty for all of them."""


def _render(value: FollowUp, room: int) -> Filled:
    question, cut = shorten(value.question, room // 2)
    told = [_told(turn) for turn in reversed(value.turns)]
    turns, left_out = first_that_fit(told, min(_MOST_TURN_TOKENS, room // 4))
    documents, unnamed = first_that_fit([f"- {name}" for name in value.documents], room // 8)
    return Filled(
        {
            "question": inert(question),
            "turns": inert("\n\n".join(reversed(turns))) or "(this is the first question)",
            "documents": inert("\n".join(documents)) or "(not listed)",
        },
        left_out=left_out + unnamed + bool(cut),
    )


def _told(turn: PastTurn) -> str:
    """Return a turn as a model is shown it."""
    answer = shorten(turn.answer, _MOST_ANSWER_TOKENS)[0] or "(passages were shown)"
    places = f"\nfound in: {'; '.join(turn.places)}" if turn.places else ""
    return f"asked: {turn.question}\nanswered: {answer}{places}"


def _rule(value: FollowUp) -> WholeQuestion:
    completed = complete(value.question, value.turns, value.documents)
    if completed is None or len(completed.question) > _LONGEST:
        return WholeQuestion.model_construct(stands_alone=True, question=value.question, documents=[])
    return WholeQuestion(stands_alone=False, question=completed.question, documents=list(completed.documents))


def _check(value: FollowUp, output: WholeQuestion) -> WholeQuestion:
    """Return what a model made of a question, with documents that are in scope only.

    Raises ValueError, in words for a model, where numbers of the question are lost, or where it asks for what neither
    the question nor the conversation has.
    """
    known = {name.casefold(): name for name in value.documents}
    documents = [known[name.casefold()] for name in dict.fromkeys(output.documents) if name.casefold() in known]
    if output.stands_alone or output.question.strip() == value.question.strip():
        return output.model_copy(update={"question": value.question, "documents": documents})
    before = [text for turn in value.turns for text in (turn.question, turn.answer, *turn.places)]
    said = " ".join((value.question, *before, *value.documents))
    if lost := _numbers(value.question) - _numbers(output.question):
        raise ValueError(f"question: {min(lost)!r} of the new question is missing; keep its words")
    if strange := _numbers(output.question) - _numbers(said):
        raise ValueError(f"question: {min(strange)!r} is neither in the new question nor in the conversation")
    if (terms := {*analyze(said)}) and terms.isdisjoint(analyze(output.question)):
        raise ValueError("question: it has no word of the new question or the conversation; keep their words")
    return output.model_copy(update={"question": on_one_line(output.question), "documents": documents})


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text that are written in digits."""
    return {*_NUMBER.findall(text)}


COMPLETE_QUESTION: Decision[FollowUp, WholeQuestion] = Decision(
    name="complete_question",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=WholeQuestion,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=320,
)

__all__ = ["COMPLETE_QUESTION", "FollowUp", "PastTurn", "WholeQuestion"]
