"""Material is shortened by rule, at sentence ends, and every cut says how much is missing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.engine.fitting import first_that_fit, share, shorten
from octavo.models.language import estimate_tokens


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
