"""What raised text is written as."""

from __future__ import annotations

import pytest

from octavo_documents.text.raised import (
    as_mark,
    is_power,
    is_unsure,
    plain_mark,
    sure_marks,
    with_powers,
    without_marks,
    written,
)


@pytest.mark.parametrize(
    ("before", "raised", "after", "text"),
    [
        ("The fee is 320", "1", " dollars", "The fee is 320¹"),
        ("4,120", "a", "", "4,120ᵃ"),
        ("in 2023", "12", "", "in 2023¹²"),
        ("per cent", "1, 2", "", "per cent¹,²"),
        ("Revenue", "(1)", "", "Revenue⁽¹⁾"),
        ("Revenue", "1–3", "", "Revenue¹⁻³"),
        ("Revenue", "[1]", "", "Revenue[1]"),
        ("Total", "†", "", "Total†"),
        ("(in millions)", "2", "", "(in millions)²"),
        ("Vitamin A", "1", "", "Vitamin A¹"),
        ("$10", "3", " a day", "$10³"),
        ("costs", "iv", "", "costsⁱᵛ"),
    ],
)
def test_marks_of_notes_are_superscripts(before: str, raised: str, after: str, text: str) -> None:
    assert before + written(before, raised, after) == text


@pytest.mark.parametrize(
    ("before", "raised", "after", "text"),
    [
        ("The tank holds 10", "6", " litres", "The tank holds 10^6"),
        ("3.2 x 10", "\u22124", " per ml", "3.2 x 10^-4"),
        ("a hall of 240", "", "", "a hall of 240"),
        ("240 m", "2", "", "240 m^2"),
        ("per km", "2", "", "per km^2"),
        ("9.8 m/s", "2", "", "9.8 m/s^2"),
        ("12 kg m", "-2", " s", "12 kg m^-2"),
        ("x", "n+1", "", "x^(n+1)"),
        ("where R", "2", " is", "where R^2"),
        ("(1 + r)", "2", "", "(1 + r)^2"),
        ("2", "10", " = 1024", "2^10"),
        ("SO4", "2-", "", "SO4^2-"),
    ],
)
def test_powers_have_a_caret(before: str, raised: str, after: str, text: str) -> None:
    assert before + written(before, raised, after) == text


@pytest.mark.parametrize(
    ("before", "raised", "after", "text"),
    [
        ("the value ƒ", "2", " grows", "the value ƒ^2"),
        ("then a", "2", " + b", "then a^2"),
        ("heterogeneity (I", "2", " = 75%)", "heterogeneity (I^2"),
        ("ax", "2", " + bx = 0", "ax^2"),
        ("2πr", "2", "", "2πr^2"),
        ("𝑥", "2", " grows", "𝑥^2"),
        ("a χ", "2", " test", "a χ^2"),
        ("sin", "2", " x", "sin^2"),
        ("log", "2", " n", "log^2"),
        ("12 hm", "3", " of water", "12 hm^3"),
        ("E = mc", "2", "", "E = mc^2"),
        ("1.05", "2", " = 1.1025", "1.05^2"),
        ("it is 1000", "2", " = 1,000,000", "it is 1000^2"),
        ("3 × 1000", "2", "", "3 × 1000^2"),
        # What cannot be told is read as no longer number, and stated as none.
        ("a grid of 1000", "2", " cells", "a grid of 1000^2"),
        ("it is 20", "3", ".", "it is 20^3"),
    ],
)
def test_symbols_functions_and_numbers_have_powers(before: str, raised: str, after: str, text: str) -> None:
    assert before + written(before, raised, after) == text


@pytest.mark.parametrize(
    ("before", "raised", "after", "text"),
    [
        ("costs 320", "2", " dollars", "costs 320²"),
        ("$320", "3", " a year", "$320³"),
        ("in 2023", "2", "", "in 2023²"),
        ("4,120", "2", "", "4,120²"),
        ("Fees 615 702", "2", "", "Fees 615 702²"),
        ("702", "2", "", "702²"),
        ("Vitamin D", "3", " helps", "Vitamin D³"),
        ("Company B", "2", " and", "Company B²"),
        ("the sin", "2", " of pride", "the sin²"),
    ],
)
def test_amounts_years_cells_and_words_have_notes(before: str, raised: str, after: str, text: str) -> None:
    assert before + written(before, raised, after) == text


def test_a_note_makes_a_mark_of_what_is_unsure() -> None:
    assert is_unsure("a grid of 1000", "2", " cells")
    assert written("a grid of 1000", "2", " cells", is_note=True) == "²"
    assert not is_unsure("3 × 1000", "2")
    assert not is_unsure("costs 320", "2", " dollars")
    assert not is_unsure("5 km", "2")


@pytest.mark.parametrize(
    ("before", "raised", "after", "text"),
    [
        ("the 21", "st", " century", "the 21st"),
        ("le XIX", "e", " siècle", "le XIXe"),
        ("N", "o", " 5", "Nº"),
        ("Octavo", "TM", "", "Octavo™"),
        ("20", "o", "C", "20°"),
        ("$9", "99", "", "$9.99"),
        ("1", "1", "/2", "1 1"),
        ("Na", "+", "", "Na+"),
        ("M", "lle", " Dupont", "Mlle"),
        ("17", "3500", "", "17 3500"),
        ("", "1", " Before tax.", "1"),
        ("320", "¹", "", "320¹"),
    ],
)
def test_what_is_neither_stays(before: str, raised: str, after: str, text: str) -> None:
    assert before + written(before, raised, after) == text


def test_a_known_note_decides_what_could_be_both() -> None:
    assert written("the track is 5 km", "2", " long") == "^2"
    assert written("the track is 5 km", "2", " long", is_note=True) == "²"
    assert written("3 × 10", "2", is_note=True) == "^2"
    assert written("it costs 10", "1", is_note=True) == "¹"


def test_marks_go_and_powers_stay() -> None:
    assert without_marks("320¹ dollars, 4 m², 10⁶, 4,120ᵃ, word¹,²") == "320 dollars, 4 m², 10⁶, 4,120, word"
    assert is_power("10", "⁶")
    assert not is_power("320", "¹")


def test_superscripts_come_back_as_plain_characters() -> None:
    assert plain_mark(as_mark("(12)")) == "(12)"


@pytest.mark.parametrize(
    ("text", "powers", "marks"),
    [
        ("a grid of 1000² cells", "a grid of 1000^2 cells", []),
        ("the fee² of 500³ grains", "the fee² of 500^3 grains", ["2"]),
        ("the fee³ of 500³ grains", "the fee³ of 500³ grains", ["3"]),
        ("320² dollars in 2019³", "320² dollars in 2019³", ["2", "3"]),
        ("50 m² and 10⁶", "50 m² and 10⁶", []),
    ],
)
def test_a_typed_superscript_after_a_number_is_a_power_where_no_note_has_it(
    text: str, powers: str, marks: list[str]
) -> None:
    assert sure_marks(text) == marks
    assert with_powers(text, marks) == powers
