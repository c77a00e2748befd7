"""Filters of documents by what they are about: read, held against fields, and used wherever documents are asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import storing
from cli_corpus import octavo
from octavo.about.document_about import DocumentAbout
from octavo.about.where import check_fields, parsed
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.errors import CorpusError, UsageError
from octavo.layers.about import ABOUT
from storing import write

REPORT = DocumentAbout(
    "sha256:aa",
    "2024/report.pdf",
    title="Annual Report",
    issuer="Harbour Trust",
    kind="annual report",
    date="2024-03",
    period="2023 Q4",
    version="version 2.10",
    tags=("urgent", "two words"),
    own={"case_no": 7, "shelf": "A1"},
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("date >= 2024 and type = report", True),
        ("date > 2024", False),
        ("date > 2023-12-31", True),
        ("date = 2024", True),
        ("date = 2024-03-05", False),
        ("date < 2024-04", True),
        ("date <= 2024-02", False),
        ("period = 2023", True),
        ("period = 2023 Q4", True),
        ("period < 2023-10", False),
        ("type = 10-K", True),
        ("kind = minutes", False),
        ("version > 2.9", True),
        ("version = 2.10", True),
        ("case_no >= 7", True),
        ("case_no = 7.0", True),
        ("case_no = seven", False),
        ("case_no != seven", True),
        ("tags = URGENT", True),
        ('tag = "two words"', True),
        ("tag = two words and shelf = a1", True),
        ("tag != urgent", False),
        ("author ~ trust and not (language = de or case_no < 3)", True),
        ("name ~ report", True),
        ("language != de", True),
        ("language = de", False),
        ("not language = de", True),
        ("shelf = B or case_no = 7 and title ~ annual", True),
        ("(shelf = B or case_no = 7) and title ~ quarterly", False),
    ],
)
def test_a_filter_says_what_fits(text: str, holds: bool) -> None:
    assert parsed(text).holds(REPORT) is holds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("date", "after 'date' is wanted"),
        ("date >=", "a value after 'date >=' is wanted"),
        ("date >= 2024 and", "a field is wanted, and it ends there"),
        ("(shelf = 1", "'\\)' is wanted"),
        ("shelf = 1)", "'and' or 'or' is wanted, not '\\)'"),
        ("date = soon", "date is compared with 2023"),
        ("date = 2024-13", "date is compared with 2023"),
        ("shelf = 'x", "cannot be read"),
        ("shelf = ''", "is empty"),
        ("1x = 2", "is no name of a field"),
        ("(" * 40 + "a=1" + ")" * 40, "more than 30 brackets"),
        ("not " * 40 + "a=1", "more than 30 brackets"),
        ("a" * 2001, "2,000 characters at most"),
    ],
)
def test_one_that_cannot_be_read_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as wrong:
        parsed(text)
    assert "\n" not in str(wrong.value)


@given(st.text(alphabet="dateypkin=!<>~()'\" 0124-andor", max_size=40))
def test_any_text_is_read_or_told(text: str) -> None:
    try:
        assert parsed(text).holds(REPORT) in (True, False)
    except UsageError as wrong:
        assert "where" in str(wrong)


def test_an_unknown_field_is_told_with_those_there_are() -> None:
    check_fields(parsed("shelf = 1 and type = x"), {"shelf"})
    with pytest.raises(UsageError, match=r"no document has a field 'isuer'; did you mean 'issuer'"):
        check_fields(parsed("isuer = x"), set())
    with pytest.raises(UsageError, match=r"no document has a field 'zz'; the fields are name, title"):
        check_fields(parsed("shelf = 1 or zz = 2"), {"shelf"})


# Wherever documents are asked


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    plain = storing.layers
    monkeypatch.setattr(storing, "layers", lambda **how: {**plain(**how), "about": ABOUT})
    for year in (2021, 2022, 2023):
        text = f"# Minutes of Norwick Ferries Ltd\nNorwick Ferries Ltd met on 4 March {year}.\n"
        text += f"The fare is {year - 2000} crowns."
        write(tmp_path / "files", **{f"minutes{year}": text})
    opened = storing.corpus(tmp_path / "corpus")
    opened.add(tmp_path / "files")
    return opened


def test_only_documents_that_fit_are_asked_listed_and_tabulated(corpus: Corpus) -> None:
    with corpus:
        late = "date >= 2022 and type = minutes"
        assert [info.name for info in corpus.list(where=late)] == ["minutes2022.pdf", "minutes2023.pdf"]
        assert [info.name for info in corpus.list("*2023*", where=late)] == ["minutes2023.pdf"]
        assert corpus.list(where="type = contract") == ()
        found = corpus.search("What is the fare?", where="date = 2021")
        assert {one["document"] for one in found.to_json()["pages"]} == {"minutes2021.pdf"}
        answer = corpus.ask("What is the fare?", where="date = 2022")
        assert {one.document for one in answer.passages} == {"minutes2022.pdf"}
        talk = corpus.conversation()
        assert {one.document for one in talk.ask("What is the fare?", where="date = 2023").passages} == {
            "minutes2023.pdf"
        }
        table = corpus.table(["What is the fare?"], where=late)
        assert [row.document for row in table.rows] == ["minutes2022.pdf", "minutes2023.pdf"]
        with pytest.raises(CorpusError, match="no document that is asked fits 'type = contract'"):
            corpus.ask("What is the fare?", where="type = contract")
        with pytest.raises(CorpusError, match="no document that is asked fits"):
            corpus.ask("What is the fare?", documents="minutes2021.pdf", where=late)
        with pytest.raises(UsageError, match="no document has a field 'shelf'"):
            corpus.search("What is the fare?", where="shelf = 1")
        corpus.describe("minutes2021.pdf", shelf=1, tags=["old"], language="en")
        assert [info.name for info in corpus.list(where="shelf = 1 and tag = old")] == ["minutes2021.pdf"]


def test_the_command_line_takes_it(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.close()
    monkeypatch.setattr(context, "open_corpus", lambda _settings, **_how: storing.corpus(tmp_path / "corpus"))
    listed = octavo("list", "--where", "date > 2022", "--about")
    assert "minutes2023.pdf" in listed.out
    assert "minutes2022.pdf" not in listed.out
    assert "minutes2021.pdf" in octavo("ask", "What is the fare?", "--where", "date = 2021").out
    assert "minutes2021.pdf" in octavo("search", "What is the fare?", "--where", "date = 2021").out
    for command in (("list",), ("ask", "What is the fare?")):
        done = octavo(*command, "--where", "dat >= 2022")
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert "did you mean 'date'" in done.err
