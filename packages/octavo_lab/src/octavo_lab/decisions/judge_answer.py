"""Whether a response is correct, given the accepted answers: for measuring, never for answering.

Its rule needs the scorers of evaluation and is handed in by whoever measures.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, inert, share, shorten


@dataclasses.dataclass(frozen=True, slots=True)
class AnswerToJudge:
    """A question, the answers that count as right, and what is to be judged."""

    question: str
    accepted: tuple[str, ...]
    response: str


class Judgement(BaseModel):
    """A verdict and why."""

    reason: str = ""
    correct: bool


def render(value: AnswerToJudge, room: int) -> Filled:
    """Show everything; what is too long is shortened: the response most."""
    question, cut = shorten(value.question, room // 4)
    accepted, shortened = share(list(value.accepted), room // 4)
    response, cut_response = shorten(value.response, room // 2 - 64)
    return Filled(
        {
            "question": inert(question),
            "accepted": inert("\n".join(f"- {one}" for one in accepted)),
            "response": inert(response),
        },
        left_out=bool(cut) + shortened + bool(cut_response),
    )


JUDGE_ANSWER = Decision(
    name="judge_answer",
    version="1",
    template=Template.beside(__file__),
    output=Judgement,
    render=render,
    max_output_tokens=160,
)
