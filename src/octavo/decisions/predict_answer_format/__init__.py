"""Which type the answer to a question has: text, whole number, number with decimals, or list.

Any question may turn out to have no answer; that is not predicted here.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

from pydantic import BaseModel

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.predict_answer_format import rule
from octavo.document import AnswerFormat

FormatName = Literal["Str", "Int", "Float", "List"]


@dataclasses.dataclass(frozen=True, slots=True)
class FormatInput:
    """A question, as typed."""

    question: str


class PredictedFormat(BaseModel):
    """The format of the answer."""

    format: FormatName

    @property
    def answer_format(self) -> AnswerFormat:
        """The format as queries and answers carry it."""
        return AnswerFormat(self.format)


def _render(value: FormatInput, room: int) -> Filled:
    question, cut = shorten(value.question, room)
    return Filled({"question": inert(question)}, left_out=int(bool(cut)))


def _rule(value: FormatInput) -> PredictedFormat:
    return PredictedFormat.model_validate({"format": rule.answer_format(value.question).value})


def _check(value: FormatInput, output: PredictedFormat) -> PredictedFormat:
    """A format that the question itself demands overrules the model."""
    given = rule.demanded_format(value.question)
    return output if given is None else PredictedFormat.model_validate({"format": given.value})


PREDICT_ANSWER_FORMAT: Decision[FormatInput, PredictedFormat] = Decision(
    name="predict_answer_format",
    version="1",
    template=Template.beside(__file__),
    output=PredictedFormat,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=48,
)

__all__ = ["PREDICT_ANSWER_FORMAT", "FormatInput", "FormatName", "PredictedFormat"]
