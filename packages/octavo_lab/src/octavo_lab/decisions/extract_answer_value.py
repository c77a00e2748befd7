"""The short value a long free answer gives, in the format that is wanted. Never sees a gold answer or the document.

Formats are those of MMLongBench-Doc.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from pydantic import BaseModel, Field

from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
from octavo.question import understand
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.values import number_words, numbers_in, numerals

FAIL = "Fail to answer"
NOT_ANSWERABLE = "Not answerable"

_REFUSAL = re.compile(
    r"\b(?:not answerable|unanswerable|cannot be (?:answered|determined|found)|can't be (?:answered|determined)|"
    r"no (?:answer|information|evidence|mention)|(?:does|do|did) not (?:mention|specify|contain|state|provide|include)|"
    r"not (?:mentioned|specified|stated|provided|found|available))\b",
    re.IGNORECASE,
)
_UNREADABLE = re.compile(
    r"\b(?:cannot|can not|can't|unable to|could not|couldn't) (?:read|see|view|open|access|understand)\b", re.IGNORECASE
)
_LEAD = re.compile(r"^(?:the |final |extracted )*answer\s*(?:is\s*:?|:)\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(.*\S)", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?:(?<=[\w)%'\"]{2}[.!?])|(?<=\s\d[.!?]))\s+(?=[A-Z\"'*])")
"""A stop after a single letter ends an initial, not a sentence."""

# A run of spaces is tried from its start alone.
_BETWEEN_POINTS = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*|(?:(?<!\s)\s+)?,\s+(?:and\s+)?|(?<!\s)\s+and\s+")
_AMOUNT_FIGURE = re.compile(r"-?\$?\d[\d,]*(?:\.\d+)?\s?%?")

LONGEST_POINT = 8
"""Words of a point in a list written as a sentence."""

ValueFormat = Literal["Str", "Int", "Float", "List", "None"]
_BETWEEN = re.compile(r"\s*;\s*|[\"']\s*,\s*(?=[\"'])")
"""Between the items of a model's list: semicolons, as asked for, or the commas of a literal list."""
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


class ExtractedAnswer(BaseModel, title="ShortAnswer"):
    """The value as text: digits for a number, a literal list for a list, and the two words that mean there is none."""

    format: ValueFormat
    answer: str = Field(min_length=1)


def _render(value: AnswerInput, room: int) -> Filled:
    question, cut = shorten(value.question, room // 3)
    answer, cut_answer = shorten(value.answer, room // 2)
    wanted = value.answer_format if value.answer_format in _WORDS else understand(value.question).short_format.value
    values_given = {"question": inert(question), "answer": inert(answer), "wanted": f"{wanted}: {_WORDS[wanted]}"}
    return Filled(values_given, left_out=bool(cut) + bool(cut_answer))


def _rule(value: AnswerInput) -> ExtractedAnswer:
    found = extract(value.question, value.answer, answer_format=value.answer_format)
    return ExtractedAnswer.model_validate({"answer": found.answer or FAIL, "format": found.format})


def _check(value: AnswerInput, output: ExtractedAnswer) -> ExtractedAnswer:
    """Refuse a value that the answer does not say: nothing may be added, put right or worked out here."""
    if output.format == "None" or output.answer in (NOT_ANSWERABLE, FAIL):
        said = FAIL if output.answer == FAIL else NOT_ANSWERABLE
        return ExtractedAnswer(format="None", answer=said)
    if output.format in _NUMERIC:
        _check_number(value, output.answer)
        return output
    _check_words(value, output.answer)
    if output.format != "List":
        return output
    items = [part.strip(" []\"'") for part in _BETWEEN.split(output.answer)]
    return ExtractedAnswer(format="List", answer=repr([item for item in items if item]))


def _check_words(value: AnswerInput, answer: str) -> None:
    words = set(analyze(answer))
    if not words or not words <= {*analyze(value.answer), *analyze(value.question)}:
        raise ValueError(f"answer: {answer!r} is not made of words of the answer; copy them from there")


def _check_number(value: AnswerInput, answer: str) -> None:
    given = {*numbers_in(value.answer), *number_words(value.answer), *([1.0] if "one" in value.answer.lower() else [])}
    found = numbers_in(answer)
    if len(found) != 1 or not any(abs(found[0]) == abs(number) for number in given):
        raise ValueError(f"answer: {answer!r} is not a number that stands in the answer; copy one from there")


@dataclasses.dataclass(frozen=True, slots=True)
class ValueExtraction:
    """A final answer and the format it was read as: Int, Float, Str, List or None."""

    answer: str
    format: str


def extract(question: str, response: str, *, answer_format: str | None = None) -> ValueExtraction:
    """Return the final answer of a response; a given format overrules the one the question's words ask for."""
    text = response.strip()
    if not text:
        return ValueExtraction(FAIL, "None")
    first = _SENTENCE_END.split(text, maxsplit=1)[0]
    if _UNREADABLE.search(first):
        return ValueExtraction(FAIL, "None")
    if _REFUSAL.search(first):
        return ValueExtraction(NOT_ANSWERABLE, "None")
    wanted = answer_format if answer_format in _READERS else understand(question).short_format.value
    return _READERS[wanted](_LEAD.sub("", text))


def _whole_number(text: str) -> ValueExtraction:
    found = numerals(text)
    if found:
        return ValueExtraction(found[0].split(".")[0] if float(found[0]).is_integer() else found[0], "Int")
    words = number_words(text)
    return ValueExtraction(str(int(words[0])), "Int") if words else _as_text(text)


def _decimal_number(text: str) -> ValueExtraction:
    found = _AMOUNT_FIGURE.search(text)
    if not found:
        return _whole_number(text)
    return ValueExtraction(found.group().replace(",", "").replace("$", "").replace(" ", ""), "Float")


def _listing(text: str) -> ValueExtraction:
    """Return the points of a list; a sentence with commas is a list only where what they part is short."""
    if text.startswith("["):
        return ValueExtraction(text, "List")
    points = [_short(item) for item in _BULLET.findall(text)]
    if len(points) < 2:
        listed = _BETWEEN_POINTS.split(_short(text.partition(":")[2] or text))
        points = [part.strip().rstrip(".") for part in listed if part.strip(" .")]
        if len(points) < 2 or any(len(part.split()) > LONGEST_POINT for part in points):
            return _as_text(text)
    return ValueExtraction(repr(points), "List")


def _as_text(text: str) -> ValueExtraction:
    return ValueExtraction(_short(text), "Str")


def _short(text: str) -> str:
    """Return the first sentence without its full stop and without emphasis."""
    sentence = _SENTENCE_END.split(text.strip(), maxsplit=1)[0].split("\n\n")[0]
    return sentence.strip().strip("*").rstrip(".").strip()


_READERS = {"Int": _whole_number, "Float": _decimal_number, "List": _listing, "Str": _as_text, "None": _as_text}


EXTRACT_ANSWER_VALUE: Decision[AnswerInput, ExtractedAnswer] = Decision(
    name="extract_answer_value",
    version="2",
    template=Template.beside(__file__),
    output=ExtractedAnswer,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=256,
)

__all__ = ["EXTRACT_ANSWER_VALUE", "AnswerInput", "ExtractedAnswer", "ValueFormat"]
