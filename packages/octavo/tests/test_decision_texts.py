"""The texts of a call: how material is shortened, and which passage a reply stands on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.answer_from_evidence import stands_on
from octavo.decisions.engine import first_that_fit, share, shorten
from octavo.models.language import estimate_tokens

TEXTS = ("The pier was built in 1901.", "Ferries leave the pier at noon; tickets cost 7 crowns.", "Tickets: 7 crowns.")


# Shortening: by rule, at sentence ends; every cut says how much is missing


def test_a_text_that_fits_stays_whole() -> None:
    assert shorten("One. Two.", 10) == ("One. Two.", 0)


def test_a_cut_ends_with_a_sentence_and_says_what_is_missing() -> None:
    text = "The first sentence stands here. " * 6 + "And the last one is cut away somewhere in the middle of it."
    short, missing = shorten(text, 60)
    assert short.startswith("The first sentence stands here.")
    assert short.partition("\n")[0].endswith("here.")
    assert f"{missing} words left out" in short


@given(st.text(max_size=400), st.integers(20, 80))
def test_a_shortened_text_is_never_longer_than_the_room(text: str, tokens: int) -> None:
    short, _ = shorten(text, tokens)
    assert estimate_tokens(short) <= tokens + 8


@given(st.lists(st.text(min_size=1, max_size=200), max_size=8), st.integers(20, 200))
def test_the_first_that_fit_are_the_first(texts: list[str], tokens: int) -> None:
    kept, left_out = first_that_fit(texts, tokens)
    assert len(kept) + left_out == len(texts)
    assert kept[1:] == texts[1 : len(kept)]
    assert bool(kept) == bool(texts)


def test_long_texts_are_cut_to_a_common_length_and_short_ones_stay_whole() -> None:
    long = "word " * 300
    (short, first, second), cut = share(["short", long, long], 200)
    assert (short, cut) == ("short", 2)
    assert first == second
    assert len(first) < len(long)


# Which text a reply stands on when it names none: by its quote, else by the words of its answer


@pytest.mark.parametrize(
    ("answer", "quotes", "at"),
    [
        ("7 crowns", (), 1),
        ("7 Crowns.", ("Tickets: 7 crowns",), 2),
        ("1901", (), 0),
        ("noon", ("tickets cost",), 1),
        ("at noon", ("no such words at all",), 1),
        ("9 crowns", (), None),
        ("7", (), None),
        ("yes", (), None),
        ("", (), None),
        ("", ("Ferries leave the pier at",), 1),
    ],
)
def test_a_reply_stands_on_the_text_that_has_its_quote_or_its_answer(
    answer: str, quotes: tuple[str, ...], at: int | None
) -> None:
    assert stands_on(TEXTS, answer, quotes) == at


@pytest.mark.parametrize(("answer", "at"), [("7", 1), ("1901", 0), ("9", None), ("", None), ("yes", None)])
def test_a_short_answer_stands_on_one_of_a_few_texts_that_has_it(answer: str, at: int | None) -> None:
    assert stands_on(TEXTS, answer, are_few=True) == at


def test_nothing_stands_on_no_text() -> None:
    assert stands_on((), "7 crowns", ("tickets cost 7 crowns",)) is None
