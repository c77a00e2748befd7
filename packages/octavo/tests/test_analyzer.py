"""Terms: the same words match however they are written."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from octavo.corpus.index import fingerprints
from octavo.layers.passages import TERMS
from octavo_documents.text.analyzer import STEMMER, analyze, fold, is_function_word


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The 1,577.5 reported sales", ["1577.5", "report", "sale"]),
        ("$3.1m, up 12%", ["3.1", "m", "up", "12", "percent"]),
        ("12 percent", ["12", "percent"]),
        ("mmdetection v2.18.0", ["mmdetect", "v", "2.18.0"]),
        ("FY2015 and fy 2015", ["fy", "2015", "fy", "2015"]),
        ("the company's risk-adjusted return", ["compani", "risk", "adjust", "return"]),
        ("what is the", []),
        ("1,2,3 and 12,34", ["1", "2", "3", "12", "34"]),
        ("", []),
    ],
)
def test_terms_are_what_a_reader_would_look_up(text: str, terms: list[str]) -> None:
    assert analyze(text) == terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe"),
        ("ﬁnance", "finance"),
        ("1,000,000", "1000000"),
        ("reporting", "Reports"),
        ("naïve", "NAIVE"),
        ("Straße", "strasse"),
    ],
)
def test_spellings_of_one_word_are_one_term(one: str, other: str) -> None:
    assert analyze(one) == analyze(other) != []


def test_different_numbers_are_different_terms() -> None:
    assert analyze("1,577.5") != analyze("1,577")
    assert analyze("2015") != analyze("2016")


@given(st.text(max_size=60))
def test_any_text_gives_terms_without_white_space(text: str) -> None:
    assert all(term and term == term.strip() for term in analyze(text))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(fold(text))) == fold(fold(text))


def test_threads_get_the_same_terms() -> None:
    texts = [f"Reports {number} of running operations {number % 7}" for number in range(400)]
    expected = [analyze(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analyze, texts)) == expected


def test_function_words_are_known_in_any_case() -> None:
    assert is_function_word("The")
    assert not is_function_word("revenue")


def test_terms_of_another_stemmer_are_made_again() -> None:
    parts = {"document": "d", "passages": "p"}
    before = dataclasses.replace(TERMS, parameters="snowball 1.0")
    assert Stemmer.version().startswith(STEMMER.removeprefix("snowball "))
    assert fingerprints.of_layer(TERMS, "", parts) != fingerprints.of_layer(before, "", parts)
