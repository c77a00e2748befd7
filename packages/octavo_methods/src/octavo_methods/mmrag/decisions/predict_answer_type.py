"""Of which type the answer to a question will be, so that it is asked for with the prompt of that type (MMRAG-DocQA).

The rule goes by the words of the question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, field_validator

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.evidence import AnswerFormat
from octavo.question import understand

FORMATS: Mapping[str, AnswerFormat] = {
    "string": AnswerFormat.STR,
    "integer": AnswerFormat.INT,
    "float": AnswerFormat.FLOAT,
    "list": AnswerFormat.LIST,
}
"""The answer format of each type."""
_TYPES = {form: name for name, form in FORMATS.items()}


@dataclasses.dataclass(frozen=True, slots=True)
class TypeQuestion:
    """The question in its words."""

    question: str


class AnswerType(BaseModel):
    """One of the four types that a prompt is there for."""

    type: Literal["string", "integer", "float", "list"]

    @field_validator("type", mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


def _rule(value: TypeQuestion) -> AnswerType:
    return AnswerType.model_validate({"type": _TYPES[understand(value.question).short_format]})


PREDICT_ANSWER_TYPE: Decision[TypeQuestion, AnswerType] = Decision(
    name="predict_answer_type",
    version="1",
    template=Template.beside(__file__),
    output=AnswerType,
    render=question_alone,
    rule=_rule,
    max_output_tokens=30,
)
