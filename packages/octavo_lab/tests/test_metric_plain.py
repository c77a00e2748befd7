"""What metrics of plain questions compare by: whether words stand in a text, and whether an answer is right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_lab.metrics.answer_correctness import holds, is_right, item_stands_in, same_value, stands_in, tokens

STANDS = [
    ("12", "It took 12 days."),
    ("Berlin School", "in the BERLIN\n  school of"),
    ("$35,700", "a grant of 35700"),
    ("35700", "a grant of $ 35,700, paid"),
    ("12.2%", "it was 12.2 percent"),
    ("12.2 per cent", "12.2 %"),
    ("67.8", "Open: 67.80"),
    ("35,700", "35,700¹ of them"),  # a footnote's mark
    ("1234", "1\u202f234 pieces"),
    ("35'700", "35,700"),
    ("4–5×", "∼4-5x higher"),
    ("2,803", "Dividends (2,803) (2,678)"),
    ("-4", "53 49 −4"),
    ("shape, form", "“shape, form”"),
    ("Iran's programme", "Iran’s programme"),
    ("e-mail", "an email"),
    ("state owned", "state-owned"),
    ("example", "an exam-\nple of it"),
    ("175 mA", "at most 175mA"),
    ("December 6", "on December 6th."),
    ("the U.S.", "in the US"),
    ("8:30 a.m.", "at 8:30 a.m today"),
    ("90 days", "a 90-day policy"),
    ("Ernst & Young", "Ernst and Young"),
    ("café", "the Cafe"),
    ("2.18.0", "since v2.18.0"),
    ("±4.8", "plus or minus 4.8 points"),
    ("CO2", "of CO₂"),
]
STANDS_NOT = [
    ("12", "312 days"),
    ("12", "12,500 days"),
    ("12", "12.5 days"),
    ("0.5", "10.5"),
    ("25", "BM25"),
    ("2.18", "2.18.0"),
    ("4", "it fell by -4"),
    ("-4", "it rose by 4"),
    ("$12", "12%"),
    ("no", "nothing"),
    ("a", "as"),
    ("1 day", "11 days"),
    ("Berlin School", "the school in Berlin"),
    ("168", "47 16 8"),
    ("...", "anything ..."),
    ("", "anything"),
    ("anything", ""),
]


@pytest.mark.parametrize(("answer", "text"), STANDS)
def test_an_answer_is_found_however_it_is_written(answer: str, text: str) -> None:
    assert stands_in(answer, text)


@pytest.mark.parametrize(("answer", "text"), STANDS_NOT)
def test_only_whole_tokens_are_found(answer: str, text: str) -> None:
    assert not stands_in(answer, text)


@given(st.text())
def test_what_has_a_word_or_number_stands_in_itself_and_nothing_else_does(text: str) -> None:
    assert stands_in(text, text) is bool(tokens(text))


@pytest.mark.parametrize(
    ("item", "text", "stands"),
    [
        ("rationale and/or research plan", "a rationale and/or research plan", True),
        ("free of charge / at no cost", "sent at no cost", True),
        ("free of charge / at no cost", "sent at once", False),
        ("RXD (serial input port)", "RXD, TXD and WR", True),
        ("extra lighting in the hallways", "extra lighting had been installed in the hallways", True),
        ("at least 16 seconds", "hold it for 15 seconds at least", False),
        ("30 bright yellow lamps", "20 lamps, bright and yellow", False),  # every number has to be met
        ("bright lamps", "lamps that are bright", False),  # of two words each stands in its place
        ("1 minute", "21 minutes", False),
    ],
)
def test_an_item_stands_in_other_words_of_the_same_content(item: str, text: str, stands: bool) -> None:
    assert item_stands_in(item, text) is stands


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("$35,700", "35700", True),
        ("12.2%", "12.2 percent", True),
        ("$2.8 billion", "2,800 million", True),
        ("18 million", "18,000,000", True),
        ("-4", "4", False),
        ("$12", "12%", False),
        ("2,803 million", "2,803", False),
        ("2.18.0", "2.18.0", False),  # no number
        ("22 shops", "22", False),
        ("ten", "ten", False),
        ("", "", False),
    ],
)
def test_numbers_are_the_same_by_value(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same


@pytest.mark.parametrize("given", ["$35,700", "35,700", "35700", "$ 35,700.00", "The grant was $35,700."])
@pytest.mark.parametrize("gold", ["$35,700", "35,700", "35700"])
def test_money_is_right_however_it_is_written(gold: str, given: str) -> None:
    assert is_right([gold], given)


LONG = "The station was built in 1931. " * 10


def test_a_paragraph_that_happens_to_hold_the_answer_is_no_short_answer() -> None:
    assert not is_right(["1931"], LONG)
    assert is_right(["1931"], "It was built in 1931, by the Harbour Board, and opened a year later.")


def test_a_models_words_may_explain() -> None:
    assert is_right(["1931"], LONG, by_model=True)
    assert not is_right(["1931"], "In 1932.", by_model=True)


@pytest.mark.parametrize(
    ("gold", "given", "right"),
    [
        ("no", "No, it closed in 1931.", True),
        ("no", "“No.”", True),
        ("no", "There is no end date, so no.", False),
        ("yes", "No, although many say yes.", False),
        ("yes", "Yes", True),
        ("yes", "", False),
        ("no", "None of them", False),
    ],
)
def test_of_yes_or_no_the_first_word_decides(gold: str, given: str, right: bool) -> None:
    assert is_right([gold], given) is right


def test_all_items_must_be_there() -> None:
    items = ["Chemistry", "Clean Energy Physics", "Environmental Biology"]
    assert is_right([], "Environmental Biology; Chemistry; Clean Energy Physics", items=items)
    assert not is_right([], "Chemistry; Environmental Biology", items=items)
    assert not is_right([], "Chemistry, Clean Energy Physics, Environmental Biology. " + "word " * 150, items=items)


def test_an_acceptable_answer_will_do_in_the_place_of_its_items() -> None:
    assert holds(["three programmes"], "There are three programmes.", items=["Chemistry", "Biology"])
    assert not holds([], "anything")
