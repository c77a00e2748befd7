"""Words in other forms, units and what they measure, and marks that are no part of what a text says."""

from __future__ import annotations

import pytest

from octavo.question.measured import dimensions_asked
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.forms import months_in_figures, same_terms
from octavo_documents.text.marks import readable
from octavo_documents.text.measures import dimension, unit_after, unit_in_head, with_unit_of_head
from octavo_documents.text.values import ValueKind, may_be_flat_power, values_in


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("February", "Feb"),
        ("September", "Sept"),
        ("Monday", "Mon"),
        ("Thursday", "Thurs"),
        ("Britain", "UK"),
        ("Swiss", "Switzerland"),
        ("euros", "EUR"),
        ("kilometres", "km"),
        ("kilometer", "kilometre"),
        ("third", "3rd"),
        ("three", "3"),
        ("colour", "color"),
        ("organisation", "organization"),
        ("harbours", "harbor"),
    ],
)
def test_words_say_the_same_in_either_form(one: str, other: str) -> None:
    (first,), (second,) = analyze(one), analyze(other)
    assert first == second or (second in same_terms(first) and first in same_terms(second))


def test_forms_are_of_one_thing_alone() -> None:
    assert "march" not in same_terms("may")
    assert not same_terms("boat")
    assert "sec" not in same_terms("2nd")


@pytest.mark.parametrize(
    ("text", "is_unsure"),
    [
        ("over 108 seeds", True),
        ("3 x 106 seeds", True),
        ("3.5 × 10-3 mol", True),
        ("100 seeds", False),
        ("1000 seeds", False),
        ("10-12 days", False),
        ("102.5 litres", False),
        ("210 seeds", False),
    ],
)
def test_a_power_without_its_raised_exponent_is_told_from_other_numbers(text: str, *, is_unsure: bool) -> None:
    assert all(may_be_flat_power(text, value) is is_unsure for value in values_in(text))


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("2008-02-01", ["February"]),
        ("from 2011-11 on", ["November"]),
        ("14.3.2024", ["March"]),
        ("2/3/24", ["February", "March"]),
        ("2024-13-01", []),
        ("version 1.2.3", []),
        ("10.0.0.1", []),
    ],
)
def test_dates_in_figures_are_of_a_month(text: str, months: list[str]) -> None:
    assert months_in_figures(text) == {term for month in months for term in analyze(month)}


@pytest.mark.parametrize(
    ("unit", "measured"),
    [
        ("metres", "length"), ("m²", "area"), ("m^2", "area"), ("cubic metres", "volume"), ("kg", "mass"),
        ("MW", "power"), ("mW", "power"), ("°C", "temperature"), ("km/h", "speed"), ("miles per hour", "speed"),
        ("€", "money"), ("people", ""), ("", ""),
    ],
)  # fmt: skip
def test_units_tell_what_they_measure(unit: str, measured: str) -> None:
    assert dimension(unit) == measured


@pytest.mark.parametrize(
    ("question", "measured"),
    [
        ("How heavy is the stone?", {"mass"}),
        ("What does the stone weigh?", {"mass"}),
        ("What is the weight of the stone?", {"mass"}),
        ("How long is the pier?", {"length", "time"}),
        ("What is the net area of unit 7?", {"area"}),
        ("What is the maximum speed of the boat?", {"speed"}),
        ("What is the interest rate?", set[str]()),
        ("Who weighs the stones?", set[str]()),
    ],
)
def test_questions_tell_what_is_to_be_measured(question: str, measured: set[str]) -> None:
    assert dimensions_asked(question) == measured


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Swell height, m", "m"), ("Weight (kg)", "kg"), ("Duration in minutes", "minutes"), ("Share, %", "%"),
        ("Power [kW]", "kW"), ("Rent, €/m²", "€/m²"), ("€", "€"), ("2023", ""), ("Visitors in 2021", ""), ("Notes", ""),
    ],
)  # fmt: skip
def test_heads_tell_units(head: str, unit: str) -> None:
    assert unit_in_head(head) == unit


def test_units_are_written_as_people_do() -> None:
    told = [with_unit_of_head("38", "%"), with_unit_of_head("12", "€"), with_unit_of_head("1.2", "m")]
    assert told == ["38%", "€12", "1.2 m"]
    assert [unit_after("94 days", 2), unit_after("18 square metres", 2), unit_after("7 boats", 1)] == [
        "days",
        "square metres",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("320¹ dollars", "320 dollars"),
        ("4,120ᵃ", "4,120"),
        ("end.² Next", "end. Next"),
        ("18 km² of wood", "18 km² of wood"),
        ("10^6 litres", "10^6 litres"),
        ("costs ~~4~~ 5 euros", "costs  5 euros"),
    ],
)
def test_marks_are_no_part_of_what_is_read(text: str, read: str) -> None:
    assert readable(text) == read


@pytest.mark.parametrize(
    ("text", "number"), [("10^6", 1e6), ("3.2 × 10^6", 3.2e6), ("10^-3", 1e-3), ("(312) thousand euros", -312.0)]
)
def test_powers_and_brackets_belong_to_a_number(text: str, number: float) -> None:
    (value,) = values_in(text)
    assert (value.text, value.number) == (text, pytest.approx(number))


def test_money_is_told_in_more_currencies() -> None:
    assert [values_in(text)[0].kind for text in ("275 francs", "90 kronor", "40 CHF")] == [ValueKind.MONEY] * 3
