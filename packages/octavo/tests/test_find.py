"""What is typed is found where it stands in names and words; case, accents, typography and lines do not count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import storing
from octavo.corpus import Corpus
from octavo.corpus.places import finding
from octavo.errors import UsageError
from storing import write_file

BOILERS = """# Boilers of the station
The boiler is lit on Monday; a second one stands by.
It’s the stoker’s duty to read both
gauges of every BÖILER.
\f# Fuel
Peat arrives by boat.
Boiler | 5 | 15"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("find")
    with storing.corpus(folder / "corpus") as opened:
        write_file(folder / "station.pdf", BOILERS)
        write_file(folder / "boathouse.pdf", "# Tides\nHigh at noon, says the keeper.")
        opened.add([folder / "station.pdf", folder / "boathouse.pdf"])
        yield opened


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("boiler", {"station.pdf": ["Boiler", "boiler", "BÖILER", "Boiler"]}),
        ("oile", {"station.pdf": ["oile", "oile", "ÖILE", "oile"]}),
        ("to  read both", {"station.pdf": ["to read both"]}),
        ("it's the stoker's", {"station.pdf": ["It’s the stoker’s"]}),
        ("boiler 5 15", {"station.pdf": ["Boiler | 5 | 15"]}),
        ("monday; a", {"station.pdf": ["Monday; a"]}),
        ("bo", {"boathouse.pdf": [], "station.pdf": ["Bo", "bo", "bo", "BÖ", "bo", "Bo"]}),
        ("oa", {}),
        ("noon", {"boathouse.pdf": ["noon"]}),
        (".*", {}),
        ("nowhere", {}),
    ],
)
def test_what_is_typed_is_found(corpus: Corpus, text: str, found: dict[str, list[str]]) -> None:
    told = corpus.find(text)
    words = {one.document: [place.citation.quote for place in one.places] for one in told.documents}
    if text == "bo":  # "both" and "boat" begin with it too
        assert words.keys() == found.keys()
        assert {word.lower().replace("ö", "o") for word in words["station.pdf"]} == {"bo"}
    else:
        assert words == found
    assert (told.searched, told.is_complete) == (2, True)
    assert told.total == sum(one.total for one in told.documents)
    for one in told.documents:
        for place in one.places:
            assert place.snippet[place.start : place.stop] == place.citation.quote


def test_titles_and_names_come_first(corpus: Corpus) -> None:
    assert corpus.find("b").documents[0].document == "boathouse.pdf"
    (named,) = corpus.find("boathouse").documents
    assert (named.in_name, named.total) == (((0, 9),), 0)


def test_places_come_page_by_page_and_no_more_than_asked(corpus: Corpus) -> None:
    (whole,) = corpus.find("boiler").documents
    assert [place.citation.page for place in whole.places] == [1, 1, 1, 2]
    (some,) = corpus.find("boiler", limit=2, start=1).documents
    assert (some.places, some.total) == (whole.places[1:3], 4)
    assert not corpus.find("boiler", documents=["boathouse.pdf"]).documents


def test_of_more_than_are_read_those_that_fit_come_first(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "MOST_READ", 1)
    told = corpus.find("noon")
    assert ([one.document for one in told.documents], told.searched, told.is_complete) == (["boathouse.pdf"], 1, False)
    monkeypatch.setattr(finding, "MOST_READ", 1_000)
    monkeypatch.setattr(finding, "MOST_PAGES", 2)
    told = corpus.find("peat")
    assert ([one.document for one in told.documents], told.searched, told.is_complete) == (["station.pdf"], 1, False)


@pytest.mark.parametrize("text", ["", " \n", "a" * 201])
def test_what_cannot_be_looked_for_is_said(corpus: Corpus, text: str) -> None:
    with pytest.raises(UsageError):
        corpus.find(text)


def test_lines_and_cells_do_not_part_words() -> None:
    assert finding._pattern("read  both").search("read\nboth")
    assert finding._pattern("read both").search("read | both")
    assert not finding._pattern("read both").search("read\x00both")


@given(st.text())
def test_a_folded_text_is_as_long_and_folds_to_itself(text: str) -> None:
    folded = finding._folded(text)
    assert len(folded) == len(text)
    assert finding._folded(folded) == folded
