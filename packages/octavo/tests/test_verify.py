"""A quote is told to stand in documents only as it does: letter for letter, but for typography, nearly, or not."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import storing
from octavo.corpus import Corpus
from octavo.errors import CorpusError, UsageError
from octavo.evidence.citation_ids import CitationId
from octavo_documents.text.quotes import folded, folded_places, is_at_words, nearest, words
from storing import write_file

FERRY = """# Fares
The crossing costs 11.50 crowns, and a day pass 21 crowns; the purser sells both.
It’s the captain’s duty to “count every soul” — even in fog.
The of-
fice opens at 7 and closes at 19.
\f# Cargo
Sheep travel below deck and goats above, since goats eat the ropes when nobody
watches them in the dark.
Rows 1 | 5 | 15"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("verify")
    with storing.corpus(folder / "corpus") as opened:
        write_file(folder / "ferry.pdf", FERRY)
        write_file(folder / "other.pdf", "# Tides\nHigh at noon.")
        opened.add([folder / "ferry.pdf", folder / "other.pdf"])
        yield opened


@pytest.mark.parametrize(
    ("quote", "found", "words_found"),
    [
        ("a day pass 21 crowns", "exact", "a day pass 21 crowns"),
        ("  a day pass 21 crowns\n", "exact", "a day pass 21 crowns"),
        ("A DAY PASS 21 crowns.", "normalised", "a day pass 21 crowns"),
        ("it's the captain's duty to 'count every soul' -- even in fog".replace("--", "-"), "normalised", None),
        ("the office opens at 7", "normalised", None),
        ("nobody watches them", "normalised", "watches them"),
        ("rows 1 5 15", "normalised", "Rows 1 | 5 | 15"),
        ("Sheep travel above deck and goats above, since goats eat the ropes", "near", None),
        ("the crossing costs 11.50 crowns and a week pass 21 crowns", "near", None),
        ("The crossing costs 1.50 crowns", "near", None),
        ("50 crowns", "none", None),
        ("costs 1", "none", None),
        ("oat", "none", None),
        ("15 15", "none", None),
        ("rows 1515", "none", None),
        ("The fleet was sold to a company in the south", "none", None),
    ],
)
def test_a_quote_is_found_as_it_stands(corpus: Corpus, quote: str, found: str, words_found: str | None) -> None:
    told = corpus.verify(quote)
    assert told.found == found
    assert (told.searched, told.is_complete) == (2, True)
    assert bool(told.places) == (found != "none")
    for place in told.places:
        assert place.citation.document == "ferry.pdf"
        assert (place.similarity < 1) == (found == "near")
        document = corpus.document("ferry.pdf")
        row, start, stop = CitationId.parse(place.citation.id).found_in(document) or (0, 0, 0)
        assert document.blocks.text[row][start:stop] == place.citation.quote
    if words_found:
        assert told.places[0].citation.quote == words_found


def test_all_places_are_told_up_to_the_limit_and_only_in_scope(corpus: Corpus) -> None:
    assert [place.citation.quote for place in corpus.verify("crowns").places] == ["crowns", "crowns"]
    assert len(corpus.verify("crowns", limit=1).places) == 1
    assert corpus.verify("crowns", documents="other.pdf").found == "none"
    with pytest.raises(CorpusError) as unknown:
        corpus.verify("crowns", documents="nowhere.pdf")
    assert unknown.value.reason == "unknown"


@pytest.mark.parametrize("quote", ["", " \n ", "…", "|||", "x" * 4001, "a " * 5000])
def test_a_quote_without_words_or_too_long_is_refused(corpus: Corpus, quote: str) -> None:
    with pytest.raises(UsageError, match="quote"):
        corpus.verify(quote)


def test_a_limit_out_of_range_is_refused(corpus: Corpus) -> None:
    for limit in (0, -1, 10**9):
        with pytest.raises(UsageError, match="limit"):
            corpus.verify("crowns", limit=limit)


def test_hostile_quotes_are_only_text(corpus: Corpus) -> None:
    for quote in (
        "(" * 500 + "a",
        "a*" * 1000,
        "\x00\ud800 b",
        "' OR 1=1 --",
        "a " * 1999,
        "<script>alert(1)</script>",
    ):
        assert corpus.verify(quote).found == "none"


def test_of_many_documents_those_with_its_words_are_looked_through(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / f"{at}.pdf", f"# Part {at}\nLot {at} holds {at * 7} crates.") for at in range(30)]
    with storing.corpus(tmp_path / "corpus") as opened:
        opened.add(paths)
        told = opened.verify("Lot 27 holds 189 crates")
        assert (told.found, told.is_complete) == ("exact", False)
        assert told.places[0].citation.document == "27.pdf"
        assert told.searched <= 24
        assert opened.verify("Lot 27 holds", documents=["27.pdf", "3.pdf"]).is_complete


@given(st.text(alphabet="aBé1 2.,5-–|\n\t“'ﬁ\u0301\xadßİ(", max_size=30))
def test_a_folded_text_keeps_the_places_of_its_characters(text: str) -> None:
    whole, places = folded_places(text)
    assert whole == folded(text)
    assert len(places) == len(whole)
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)


def test_words_inside_of_numbers_and_words_are_none() -> None:
    assert is_at_words("it cost 11.50 now", 8, 13)
    for start, stop in ((11, 13), (8, 10), (9, 13), (3, 6)):
        assert not is_at_words("it cost 11.50 now", start, stop)


def test_the_nearest_run_of_words_is_the_one_with_fewest_changes() -> None:
    generator = random.Random(7)
    text = ["".join(generator.choices(string.ascii_lowercase, k=4)) for _ in range(3000)]
    numbers = {word: at for at, word in enumerate(dict.fromkeys(text))}
    coded = np.array([numbers[word] for word in text])
    quote = text[1000:1012]
    assert nearest(quote, numbers, coded, 0.9) is not None
    changed = [*quote[:3], "unknown", *quote[4:8], *quote[9:]]
    found = nearest(changed, numbers, coded, 0.7)
    assert found is not None
    assert (found.start, found.stop) == (1000, 1012)
    assert found.similarity == pytest.approx(1 - 2 / 12)
    assert nearest(changed, numbers, coded, 0.9) is None
    assert nearest(["never", "said"], numbers, coded, 0.5) is None


def test_words_are_folded_and_keep_their_places() -> None:
    assert [*words("Café: 1,577.5 (−3)!")] == [("cafe", 0, 4), ("1,577.5", 6, 13), ("3", 16, 17)]
