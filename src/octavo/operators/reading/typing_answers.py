"""From a chosen candidate to the typed value of an answer.

Owns which format an answer has, from the question's words and the printed value alone. Knows nothing about evidence.
"""

from __future__ import annotations

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.values import ValueKind, plain
from octavo.document import AnswerFormat
from octavo.document.answer import Value as TypedValue
from octavo.operators.reading.candidate import Candidate

_ALWAYS_FLOAT = (Expects.PERCENT, Expects.MONEY)


def typed(question: Question, candidate: Candidate) -> tuple[TypedValue, AnswerFormat]:
    """Return the answer's value and its format: a list, a number as printed, or the text."""
    if candidate.items:
        return list(candidate.items), AnswerFormat.LIST
    value = candidate.value
    if value is None or value.number is None or value.kind is ValueKind.DATE:
        return candidate.text, AnswerFormat.STR
    number = plain(value.number)
    if question.expects in _ALWAYS_FLOAT or isinstance(number, float):
        return float(number), AnswerFormat.FLOAT
    return number, AnswerFormat.INT
