"""Answer a question from numbered passages, naming those the answer stands on.

Its rule is the extractive reader, which needs the view and so is handed in by the operator that asks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, Field

from octavo.decisions.base import Decision, Filled
from octavo.decisions.fitting import first_that_fit
from octavo.decisions.standing import stands_on
from octavo.decisions.template import Template, inert
from octavo.document import AnswerFormat
from octavo.models.language import estimate_tokens

FORMS = {
    AnswerFormat.STR: "The answer is a short text.",
    AnswerFormat.INT: "The answer is a whole number.",
    AnswerFormat.FLOAT: "The answer is a number.",
    AnswerFormat.LIST: "The answer is a list; separate its items with semicolons.",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the model sees it: `number` is its id in this call, `where` its document, page and section."""

    number: int
    where: str
    text: str

    def __str__(self) -> str:
        return f"<passage id={self.number}>\n[{inert(self.where)}]\n{inert(self.text)}\n</passage>"


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """A question and the passages to answer it from, best first."""

    question: str
    passages: tuple[Shown, ...]
    format: AnswerFormat | None = None


class Support(BaseModel):
    """A passage the answer stands on, and the words in it."""

    id: int
    quote: str = ""


class Reply(BaseModel):
    """An answer with its evidence, or that there is none."""

    evidence: list[Support] = Field(default_factory=list[Support])
    answerable: bool
    answer: str = ""


def render(value: Reading, room: int) -> Filled:
    """Show the best passages that fit, in the order of their numbers; the others are counted as left out."""
    form = FORMS.get(value.format, "") if value.format else ""
    left = room - estimate_tokens(value.question) - estimate_tokens(form)
    kept, left_out = first_that_fit([str(shown) for shown in value.passages], left)
    order = sorted(range(len(kept)), key=lambda at: value.passages[at].number)
    return Filled(
        {"question": inert(value.question), "passages": "\n".join(kept[at] for at in order), "form": form},
        left_out=left_out,
    )


def check(value: Reading, reply: Reply) -> Reply:
    """Drop passages that were not shown; an answer that stands on none of those shown is not taken."""
    if not reply.answerable:
        return reply.model_copy(update={"answer": "", "evidence": []})
    if not reply.answer.strip():
        raise ValueError('"answerable" is true but "answer" is empty.')
    return reply.model_copy(update={"evidence": supported(value.passages, reply.evidence, reply.answer)})


def supported(
    passages: Sequence[Shown], evidence: Sequence[Support], answer: str, among: Sequence[Shown] = ()
) -> list[Support]:
    """Return the evidence that was shown; when a reply names none of it, the passage its words stand on.

    That passage is looked for in `among`, a few the reply points to; without these in all. Raises ValueError, in words
    for the model, when there is none.
    """
    shown = {passage.number for passage in passages}
    known = [support for support in evidence if support.id in shown]
    if known:
        return known
    quotes = [support.quote for support in evidence]
    likely = among or passages
    at = stands_on([passage.text for passage in likely], answer, quotes, are_few=bool(among))
    if at is None:
        raise ValueError('"evidence" names no passage that was shown: give the ids of the passages used.')
    return [Support(id=likely[at].number, quote=next(filter(None, quotes), ""))]


ANSWER_FROM_EVIDENCE = Decision(
    name="answer_from_evidence",
    version="1",
    template=Template.beside(__file__),
    output=Reply,
    render=render,
    check=check,
    max_output_tokens=700,
)
