"""From an answer, a model's or one cut from a document, to a typed value."""

from __future__ import annotations

import re

from octavo.document import AnswerFormat
from octavo.document.answer import Value as TypedValue
from octavo.operators.extractive.short_answers import ShortAnswer
from octavo.question import VALUE_KINDS, Expects, Question, understand
from octavo.text.values import ValueKind, plain, values_in

_ITEMS = re.compile(r"\s*(?:;|\n\s*(?:[-*•]|\d+[.)])?)\s*")
_LONGEST_VALUE = 60
"""Characters of an answer that is a value with its unit; a longer one is prose."""


def typed_answer(question: str, answer: str, form: AnswerFormat | None = None) -> tuple[TypedValue, AnswerFormat]:
    """Return the value of an answer and its format; `form` overrules what the question's words ask for."""
    text = answer.strip()
    if form is AnswerFormat.LIST or (form is None and _is_list(question, text)):
        return [item for item in _ITEMS.split(text) if item], AnswerFormat.LIST
    number = _number(text)
    asks_number = form in (AnswerFormat.INT, AnswerFormat.FLOAT) or (form is None and _asks_value(question))
    if number is None or not asks_number:
        return text, AnswerFormat.STR
    if form is AnswerFormat.FLOAT or isinstance(number, float):
        return float(number), AnswerFormat.FLOAT
    return number, AnswerFormat.INT


def typed(question: Question, best: ShortAnswer) -> tuple[TypedValue, AnswerFormat]:
    """Return the value of a short answer and its format: a number as printed, or the text."""
    value = best.value
    if value is None or value.number is None or value.kind is ValueKind.DATE:
        return best.text, AnswerFormat.STR
    number = plain(value.number)
    if question.expects in (Expects.PERCENT, Expects.MONEY) or isinstance(number, float):
        return float(number), AnswerFormat.FLOAT
    return number, AnswerFormat.INT


def _is_list(question: str, text: str) -> bool:
    return understand(question).expects is Expects.LIST and len(_ITEMS.split(text)) > 1


def _asks_value(question: str) -> bool:
    expects = understand(question).expects
    return expects in VALUE_KINDS and expects is not Expects.DATE


def _number(text: str) -> int | float | None:
    found = [value for value in values_in(text) if value.number is not None and value.kind is not ValueKind.DATE]
    if len(found) != 1 or len(text) > _LONGEST_VALUE or found[0].number is None:
        return None
    return plain(found[0].number)
