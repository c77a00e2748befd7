"""Whether an answer speaks to the whole question, be it right or wrong (DMAP equation 12, appendix A.6).

`done = A_eval(q, a)`: the question and the answer alone are looked at, and no evidence. By rule any answer does.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, inert, share


@dataclasses.dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A question and the answer that was given; "" where it was said to be not answerable."""

    question: str
    answer: str


class Answered(BaseModel):
    """The verdict."""

    answered: bool


def _render(value: GivenAnswer, room: int) -> Filled:
    (question, answer), cut = share([value.question, value.answer], room)
    return Filled({"question": inert(question), "answer": inert(answer) or "not answerable"}, left_out=cut)


def _rule(value: GivenAnswer) -> Answered:
    return Answered(answered=bool(value.answer.strip()))


def _check(value: GivenAnswer, output: Answered) -> Answered:
    """Take no answer for none, whatever is said of it."""
    return Answered(answered=output.answered and bool(value.answer.strip()))


REFLECT_ON_ANSWER: Decision[GivenAnswer, Answered] = Decision(
    name="reflect_on_answer",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=Answered,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=64,
)
