"""How well the form of a value answers a question, and a possible answer that is cut from a unit.

Fits, 0..1, are chosen by hand: `extractive_reader` learns how much they weigh.
"""

from __future__ import annotations

import dataclasses
import re

from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.question import VALUE_KINDS, Expects, Question
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.measures import dimension
from octavo_documents.text.values import Value, ValueKind

_OTHER_KIND = 0.6
"""Fit of a value of a kind that may stand for the one asked for: 35 per cent as a charge."""
_BARE_FIT = 0.4
"""Fit of a number without the unit or sign that is asked for."""
_MOST_PERCENT = 1000
"""A bare number above it is no share and no growth in per cent."""
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
OPEN_FIT = 0.4
"""Fit of a cell where nothing says what kind of value is asked for."""


@dataclasses.dataclass(frozen=True)
class ShortAnswer:
    """A possible short answer: `text` as it is told, cut from a unit, where it is found as `quote`.

    `fit` is how well its form answers the question and `near` how near the question's words stand to it, both 0..1;
    `unsaid` is the share of the words its row is called by that the question does not say, 0 for what is no cell.
    """

    text: str
    quote: str
    source: ScoredUnit
    fit: float
    near: float
    value: Value | None = None
    unsaid: float = 0.0
    is_bound: bool = True
    """Whether what the question says is bound to it, and to nothing beside it."""
    called: tuple[str, ...] = ()
    """Of a cell: the label over its row, what its row is called, and what heads its column."""
    told: float | None = None
    """What a passage scorer says of it as a line of its own, about -11 to 11; None where none read it."""

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell of a table's row."""
        return self.source.unit.is_table_row


def news(question: Question, text: str) -> float:
    """Return the share of a text's terms that the question does not say itself."""
    terms = analyze(text)
    return sum(term not in question.asked for term in terms) / len(terms) if terms else 0.0


def value_fit(question: Question, value: Value, text: str, *, unit: str, around: str = "") -> float:
    """Return how well a value's form answers a question; 0 for another kind, and for what the question says itself.

    `around` is the head and the label of a table's cell.
    """
    is_cell = bool(around)
    kinds = VALUE_KINDS.get(question.expects, ())
    is_year = value.kind is ValueKind.YEAR or bool(_YEAR.fullmatch(value.text))
    if _is_asked(question, value, unit):
        return 0.0
    if question.expects is Expects.COUNT and value.kind is ValueKind.MONEY:
        return float(not question.units.isdisjoint(analyze(value.text)))
    if question.expects is Expects.NUMBER and value.kind is ValueKind.MONEY:
        return float(not question.dimensions)  # an amount may be one of money
    if value.kind not in kinds or (is_year and ValueKind.YEAR not in kinds):
        return 0.0
    if question.expects is Expects.COUNT:
        beside = _DIGIT.split(text[value.stop : value.stop + 40])[0]  # what comes after a number is counted by that
        return _count_fit(question, value, around if is_cell else beside)
    if question.expects is Expects.NUMBER:
        return _measure_fit(question, value, unit)
    if question.expects in (Expects.MONEY, Expects.PERCENT) and measured_in(value, unit) not in _MEASURED_AS:
        return 0.0
    if (
        question.expects is Expects.PERCENT
        and value.kind is ValueKind.NUMBER
        and abs(value.number or 0) > _MOST_PERCENT
    ):
        return 0.0
    if value.kind is kinds[0] or (is_cell and (unit == "%" or question.expects is not Expects.PERCENT)):
        return 1.0
    return _OTHER_KIND if value.kind is not ValueKind.NUMBER else _BARE_FIT


def _is_asked(question: Question, value: Value, unit: str) -> bool:
    """Return whether a question says a value itself, or counts by its unit: no number of miles is a rate per mile."""
    said = any(value.text == asked.text or (value.number == asked.number is not None) for asked in question.values)
    return said or not question.rate_units.isdisjoint(analyze(unit))


_MEASURED_AS = ("", "money", "share")
"""What a value of money or a share may be measured in."""


_POINT_ZERO = lazy_regex(r"\d+\.0+")
"""A number that nothing is counted by: a version, a measure."""


def _count_fit(question: Question, value: Value, beside: str) -> float:
    """Return 1 for a whole number that what is counted stands beside, right after it or over its column; else 0."""
    is_whole = value.number is not None and value.number == int(value.number) and not _POINT_ZERO.fullmatch(value.text)
    if question.language != ENGLISH:
        return float(is_whole) * _counted_by_table(question, value, beside)
    words = re.findall(r"\w+", beside.lower())
    return float(is_whole and any(_begins_alike(word, term) for word in words for term in question.subject))


def _counted_by_table(question: Question, value: Value, beside: str) -> float:
    """Return 1 where what is counted stands beside a value or is its unit, less where a question does not name it."""
    if not question.subject:
        return _BARE_FIT
    code = question.language
    counted = {*analyze(beside, code), *analyze(value.unit, code), value.unit[-1:]}
    return float(not counted.isdisjoint(question.subject))


def _measure_fit(question: Question, value: Value, unit: str) -> float:
    """Return 1 for a value in units that measure what is asked for, less for one without a unit, 0 in other units."""
    asked, measured = question.dimensions, measured_in(value, unit)
    if asked:
        if measured:
            return float(measured in asked)
        return _BARE_FIT if value.kind is ValueKind.NUMBER and not unit else 0.0
    return 1.0 if unit or value.kind is not ValueKind.NUMBER else _OTHER_KIND


def measured_in(value: Value, unit: str) -> str:
    """Return what a value with its unit measures; "" where nothing tells."""
    if value.kind is ValueKind.PERCENT:
        return "share"
    if value.kind is ValueKind.MONEY:
        return "money"
    last = value.text.split()[-1]
    return dimension(unit) or (dimension(last) if not last[0].isdigit() else "")


def _begins_alike(word: str, term: str) -> bool:
    return len(term) > 2 and word.startswith(term[:5])
