"""The short value a long free answer gives, in the format that is wanted. Never sees a gold answer or the document."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from pydantic import BaseModel, Field

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.extract_answer_value import rule
from octavo.decisions.rules.numbers import number_words, values
from octavo.models.analyzer import analyze

ValueFormat = Literal["Str", "Int", "Float", "List", "None"]
_BETWEEN = re.compile(r"\s*;\s*|[\"']\s*,\s*(?=[\"'])")
"""Between the items of a list: semicolons, as asked for, or the commas of a literal list."""
_NUMERIC = ("Int", "Float")
_WORDS = {
    "Str": "a short text: a name, a date, a phrase",
    "Int": "a whole number in digits",
    "Float": "a number in digits, with its per cent sign if it has one",
    "List": "several short texts with semicolons between them",
}


@dataclasses.dataclass(frozen=True, slots=True)
class AnswerInput:
    """A question and a free answer to it; `answer_format` fixes the type, None leaves it to the question."""

    question: str
    answer: str
    answer_format: ValueFormat | None = None


class ShortAnswer(BaseModel):
    """The value as text: digits for a number, a literal list for a list, and the two words that mean there is none."""

    format: ValueFormat
    answer: str = Field(min_length=1)


def _render(value: AnswerInput, room: int) -> Filled:
    question, cut = shorten(value.question, room // 3)
    answer, cut_answer = shorten(value.answer, room // 2)
    wanted = value.answer_format if value.answer_format in _WORDS else rule.expected_format(value.question)
    values_given = {"question": inert(question), "answer": inert(answer), "wanted": f"{wanted}: {_WORDS[wanted]}"}
    return Filled(values_given, left_out=bool(cut) + bool(cut_answer))


def _rule(value: AnswerInput) -> ShortAnswer:
    found = rule.extract(value.question, value.answer, answer_format=value.answer_format)
    return ShortAnswer.model_validate({"answer": found.answer or rule.FAIL, "format": found.format})


def _check(value: AnswerInput, output: ShortAnswer) -> ShortAnswer:
    """Refuse a value that the answer does not say: nothing may be added, put right or worked out here."""
    if output.format == "None" or output.answer in (rule.NOT_ANSWERABLE, rule.FAIL):
        said = rule.FAIL if output.answer == rule.FAIL else rule.NOT_ANSWERABLE
        return ShortAnswer(format="None", answer=said)
    if output.format in _NUMERIC:
        _check_number(value, output.answer)
        return output
    _check_words(value, output.answer)
    if output.format != "List":
        return output
    items = [part.strip(" []\"'") for part in _BETWEEN.split(output.answer)]
    return ShortAnswer(format="List", answer=repr([item for item in items if item]))


def _check_words(value: AnswerInput, answer: str) -> None:
    words = set(analyze(answer))
    if not words or not words <= {*analyze(value.answer), *analyze(value.question)}:
        raise ValueError(f"answer: {answer!r} is not made of words of the answer; copy them from there")


def _check_number(value: AnswerInput, answer: str) -> None:
    given = {*values(value.answer), *number_words(value.answer), *([1.0] if "one" in value.answer.lower() else [])}
    found = values(answer)
    if len(found) != 1 or not any(abs(found[0]) == abs(number) for number in given):
        raise ValueError(f"answer: {answer!r} is not a number that stands in the answer; copy one from there")


EXTRACT_ANSWER_VALUE: Decision[AnswerInput, ShortAnswer] = Decision(
    name="extract_answer_value",
    version="1",
    template=Template.beside(__file__),
    output=ShortAnswer,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=256,
)

__all__ = ["EXTRACT_ANSWER_VALUE", "AnswerInput", "ShortAnswer", "ValueFormat"]
