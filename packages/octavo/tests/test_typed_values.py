"""Values as printed, and the typed value an answer gets from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.evidence import AnswerFormat
from octavo.operators.extractive.short_answers import typed_answer
from octavo_documents.text.values import ValueKind, number_of, values_in, with_unit


@pytest.mark.parametrize(
    ("text", "kind", "printed", "number", "unit"),
    [
        ("Revenue was $3.1 million.", ValueKind.MONEY, "$3.1 million", 3.1, "million"),
        ("It cost US$ 5bn", ValueKind.MONEY, "US$ 5bn", 5.0, "bn"),
        ("about 1,577.5 km away", ValueKind.NUMBER, "1,577.5", 1577.5, "km"),
        ("rose by 12.5%", ValueKind.PERCENT, "12.5%", 12.5, ""),
        ("fell to 50 per cent", ValueKind.PERCENT, "50 per cent", 50.0, ""),
        ("in 2015", ValueKind.YEAR, "2015", 2015.0, ""),
        ("on March 5, 2019", ValueKind.DATE, "March 5, 2019", None, ""),
        ("on 6 December 2026", ValueKind.DATE, "6 December 2026", None, ""),
        ("due 12/03/2020", ValueKind.DATE, "12/03/2020", None, ""),
        ("signed 17-May-07, by both", ValueKind.DATE, "17-May-07", None, ""),
        ("5-MAR-1998", ValueKind.DATE, "5-MAR-1998", None, ""),
        ("due 3-Sept", ValueKind.DATE, "3-Sept", None, ""),
        ("Mar-2010", ValueKind.DATE, "Mar-2010", None, ""),
        ("on 17-05-2007", ValueKind.DATE, "17-05-2007", None, ""),
        ("a 12-month lease", ValueKind.NUMBER, "12", 12.0, "month"),
        ("part 12-34-2005-A", ValueKind.NUMBER, "12", 12.0, ""),
        ("at 10:08 AM", ValueKind.DATE, "10:08 AM", None, ""),
        ("a loss of (2,345)", ValueKind.NUMBER, "(2,345)", -2345.0, ""),
        ("the 20 (of 30)", ValueKind.NUMBER, "20", 20.0, ""),
        ("lakh: 1,23,456", ValueKind.NUMBER, "1,23,456", 123456.0, ""),
        ("three items", ValueKind.NUMBER, "three", 3.0, "items"),
        ("-3 °C", ValueKind.NUMBER, "-3", -3.0, "°c"),
    ],
)
def test_a_value_is_found_as_printed(text: str, kind: ValueKind, printed: str, number: float, unit: str) -> None:
    value = values_in(text)[0]
    assert (value.kind, value.text, value.number) == (kind, printed, number)
    assert value.unit == unit or not unit
    assert text[value.start : value.stop] == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [("lasts 94 days", "94 days"), ("a 5-metre rope", "5-metre"), ("is 3 °C", "3 °C"), ("of 7 boats", "7"), ("9", "9")],
)
def test_a_unit_of_measure_belongs_to_the_value(text: str, printed: str) -> None:
    assert with_unit(text, values_in(text)[0]) == printed


@pytest.mark.parametrize("text", ["v2.18b", "section 401(k)", "A4", "none here", "COVID-19x", ""])
def test_what_is_part_of_a_word_is_no_value(text: str) -> None:
    assert values_in(text) == []


@given(st.text(alphabet="0123456789.,()%$€-–: abkm", max_size=60))
def test_values_stand_in_order_and_apart(text: str) -> None:
    found = values_in(text)
    assert all(text[value.start : value.stop] == value.text for value in found)
    assert all(left.stop <= right.start for left, right in pairwise(found))


@given(st.integers(-(10**12), 10**12))
def test_a_grouped_number_amounts_to_itself(number: int) -> None:
    assert number_of(f"{number:,}") == number


def typed_value(question: str, answer: str, form: AnswerFormat | None = None) -> tuple[object, AnswerFormat]:
    value, found = typed_answer(question, answer, form)
    assert isinstance(value, float) == (found is AnswerFormat.FLOAT)
    return value, found


def test_the_format_follows_the_question_and_the_print() -> None:
    assert typed_value("How many people?", "420") == (420, AnswerFormat.INT)
    assert typed_value("How high is it?", "5.5") == (5.5, AnswerFormat.FLOAT)
    assert typed_value("When was it?", "6 May 2020") == ("6 May 2020", AnswerFormat.STR)
    assert typed_value("Which are they?", "a; b") == (["a", "b"], AnswerFormat.LIST)
    assert typed_value("Who?", "Ann Lee") == ("Ann Lee", AnswerFormat.STR)


def test_the_format_asked_for_overrules_the_question() -> None:
    assert typed_value("How many people?", "420", AnswerFormat.FLOAT) == (420.0, AnswerFormat.FLOAT)
    assert typed_value("Who?", "Ann Lee", AnswerFormat.LIST) == (["Ann Lee"], AnswerFormat.LIST)
    assert typed_value("How many people?", "420", AnswerFormat.STR) == ("420", AnswerFormat.STR)


def test_prose_and_several_numbers_are_no_value() -> None:
    assert typed_value("How many people?", "420 or 421") == ("420 or 421", AnswerFormat.STR)
    prose = "There were 420 people on the pier when the ferry came in from the islands that night."
    assert typed_value("How many people?", prose) == (prose, AnswerFormat.STR)
