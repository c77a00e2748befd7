"""Answer a question from what the model remembers, without any passage: what no retrieval is compared with.

Nothing bears out such an answer, so that nobody may rely on it.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, inert, shorten

_BRIEFLY = "Answer with a value, a name or a list of names, and nothing else."
_AT_LENGTH = "Answer in about {words} words of running text."


@dataclasses.dataclass(frozen=True, slots=True)
class Unaided:
    """A question; `words` is about how many the answer is to have, None for a short one."""

    question: str
    words: int | None = None


class Remembered(BaseModel):
    """What a model says of itself."""

    answer: str


def _render(value: Unaided, room: int) -> Filled:
    """Show the question, shortened where it does not fit."""
    question, cut = shorten(value.question, max(room - 40, 1))
    form = _BRIEFLY if value.words is None else _AT_LENGTH.format(words=value.words)
    return Filled({"question": inert(question), "form": form}, left_out=int(bool(cut)))


def _said(text: str) -> Remembered | None:
    said = text.strip()
    return Remembered(answer=said) if said else None


ANSWER_UNAIDED: Decision[Unaided, Remembered] = Decision(
    name="answer_unaided",
    version="1",
    template=Template.beside(__file__, is_bare=True),
    output=Remembered,
    render=_render,
    read=_said,
    is_plain=True,
    max_output_tokens=600,
)
