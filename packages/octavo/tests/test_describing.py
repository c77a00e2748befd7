"""What documents of a corpus are about, set by hand and by files beside them, over both engines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import storing
from octavo.corpus import Corpus
from octavo.corpus.ask.library_index import LibraryIndex
from octavo.errors import CorpusError, UnknownDocumentError, UsageError
from octavo.layers.about import ABOUT
from storing import write, write_file

pytestmark = pytest.mark.usefixtures("engine")
ONE_ENGINE = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
TEXT = "# Minutes of Norwick Ferries Ltd\nNorwick Ferries Ltd met on 4 March 2021.\nNorwick Ferries Ltd agreed."


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    plain = storing.layers
    monkeypatch.setattr(storing, "layers", lambda **how: {**plain(**how), "about": ABOUT})
    return storing.corpus(tmp_path / "corpus")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write(tmp_path / "files", minutes=TEXT, other="# Other\nSomething else.")
    return tmp_path / "files"


def beside(path: Path, fields: object, *, whole: bool = False) -> Path:
    sidecar = path.with_name(f"{path.name if whole else path.stem}.meta.json")
    sidecar.write_text(fields if isinstance(fields, str) else json.dumps(fields))
    return sidecar


def words(corpus: Corpus) -> dict[str, dict[str, float]]:
    """Return the words of each document's names, by its id, as a question finds them."""
    backend = corpus.backend
    library = LibraryIndex().current(backend.store, backend.catalogue)
    return {one: dict(profile.words) for one, profile in zip(library.ids, library.profiles, strict=True)}


def test_what_is_set_stands_over_what_the_rules_found(corpus: Corpus, files: Path) -> None:
    with corpus:
        corpus.add(files)
        found = corpus.about("minutes.pdf")
        assert (found.issuer, found.kind, found.date) == ("Norwick Ferries Ltd", "minutes", "2021-03-04")
        assert set(found.by.values()) == {"rule"}
        told = corpus.describe("minutes.pdf", {"case_no": 7}, issuer="Harbour Board", names=["HB"])
        assert told == corpus.about("minutes.pdf")
        assert (told.issuer, told.kind, told.names, told.own) == ("Harbour Board", "minutes", ("HB",), {"case_no": 7})
        assert (told.by["issuer"], told.by["kind"], told.by["case_no"]) == ("hand", "rule", "hand")
        assert corpus.about("other.pdf").issuer == ""
        assert corpus.describe("minutes.pdf", issuer=None, names=(), case_no="") == found


def test_bad_values_and_unknown_documents_change_nothing(corpus: Corpus, files: Path) -> None:
    with corpus:
        with pytest.raises(UnknownDocumentError):
            corpus.describe("minutes.pdf", title="x")
        corpus.add(files)
        for reference, fields in (("minutes.pdf", {"date": "soon"}), ("minutes.pdf", {}), ("minutes.pdf", ["title"])):
            with pytest.raises(UsageError):
                corpus.describe(reference, fields)  # pyright: ignore[reportArgumentType]
        with pytest.raises(UnknownDocumentError):
            corpus.about("nothing")
        assert corpus.backend.store.described() == {}


@ONE_ENGINE
def test_a_corpus_that_is_only_read_tells_and_takes_nothing(corpus: Corpus, files: Path, tmp_path: Path) -> None:
    with corpus:
        corpus.add(files)
        corpus.describe("minutes.pdf", title="Set")
    with Corpus(tmp_path / "corpus", builders=storing.builders, read_only=True) as fixed:
        assert fixed.about("minutes.pdf").title == "Set"
        with pytest.raises(CorpusError, match="cannot be opened for writing"):
            fixed.describe("minutes.pdf", title="Other")
        assert fixed.about("minutes.pdf").title == "Set"


def test_a_document_indexed_before_there_were_profiles_has_what_is_set(tmp_path: Path, files: Path) -> None:
    with storing.corpus(tmp_path / "corpus") as corpus:
        corpus.add(files)
        assert corpus.about("minutes.pdf").fields() == {}
        assert corpus.describe("minutes.pdf", title="Set").by == {"title": "hand"}


def test_questions_find_documents_by_what_was_set_in_another_process_too(
    corpus: Corpus, files: Path, tmp_path: Path
) -> None:
    with corpus, storing.corpus(tmp_path / "corpus") as another:
        corpus.add(files)
        backend = corpus.backend
        index = LibraryIndex()
        before = index.current(backend.store, backend.catalogue)
        assert "zumthor" not in before.profiles[before.rows[corpus.resolve("other.pdf").id]].words
        another.describe("other.pdf", issuer="Zumthor Baths", period="2019")
        after = index.current(backend.store, backend.catalogue)
        profile = after.profiles[after.rows[corpus.resolve("other.pdf").id]]
        assert (profile.words["zumthor"], profile.words["zb"], profile.period) == (1.0, 1.0, "2019")
        another.describe("other.pdf", issuer="", period="")
        assert words(corpus) == {one: dict(before.profiles[row].words) for one, row in before.rows.items()}
        assert corpus.search("met").passages  # the passage index goes along


@ONE_ENGINE
def test_two_programs_set_fields_of_one_document(corpus: Corpus, files: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from octavo.corpus import Corpus\n"
        "with Corpus(sys.argv[1]) as corpus:\n"
        "    for at in range(20): corpus.describe('minutes.pdf', {f'{sys.argv[2]}{at}': at})"
    )
    with corpus:
        corpus.add(files)
        place = str(tmp_path / "corpus")
        started = [subprocess.Popen([sys.executable, "-c", code, place, name]) for name in ("a", "b")]
        assert [one.wait(60) for one in started] == [0, 0]
        assert corpus.about("minutes.pdf").own == {f"{name}{at}": at for name in "ab" for at in range(20)}


def test_a_changed_file_keeps_them_a_removed_one_does_not(corpus: Corpus, files: Path) -> None:
    with corpus:
        corpus.add(files)
        before = corpus.describe("minutes.pdf", issuer="Harbour Board")
        write_file(files / "minutes.pdf", f"{TEXT}\nMore was agreed.")
        corpus.add(files)
        after = corpus.about("minutes.pdf")
        assert after.id != before.id
        assert (after.issuer, after.by["issuer"]) == ("Harbour Board", "hand")
        assert [*corpus.backend.store.described()] == [after.id]
        corpus.remove("minutes.pdf")
        corpus.add(files)
        assert corpus.about("minutes.pdf").issuer == "Norwick Ferries Ltd"
        assert corpus.check().findings == ()


def test_copies_are_one_document(corpus: Corpus, files: Path) -> None:
    write_file(files / "again.pdf", TEXT)
    with corpus:
        corpus.add(files)
        corpus.describe("again.pdf", title="Set")
        assert corpus.about("minutes.pdf").title == "Set"
        corpus.remove("again.pdf")
        assert corpus.about("minutes.pdf").title == "Set"


# Files beside others


@pytest.mark.parametrize("whole", [False, True])
def test_a_file_beside_another_says_what_it_is_about(corpus: Corpus, files: Path, whole: bool) -> None:
    sidecar = beside(files / "minutes.pdf", {"issuer": "Beside", "date": 2020, "tags": ["a"], "n": 1}, whole=whole)
    with corpus:
        report = corpus.add(files)
        assert [info.name for info in report.added] == ["minutes.pdf", "other.pdf"]
        assert (report.failed, report.left_out, report.notes) == ((), (), ())
        about = corpus.about("minutes.pdf")
        assert (about.issuer, about.date, about.tags, about.own) == ("Beside", "2020", ("a",), {"n": 1})
        assert (about.by["issuer"], about.by["kind"]) == ("sidecar", "rule")
        assert corpus.describe("minutes.pdf", issuer="By hand").issuer == "By hand"
        beside(files / "minutes.pdf", {"issuer": "New", "kind": "memo"}, whole=whole)
        generation = corpus.backend.store.generation()
        corpus.add(files)
        assert corpus.backend.store.generation() == generation + 1
        corpus.add(files)
        assert corpus.backend.store.generation() == generation + 1
        about = corpus.about("minutes.pdf")
        assert (about.issuer, about.kind, about.tags) == ("By hand", "memo", ())
        sidecar.unlink()
        corpus.add(files)
        about = corpus.about("minutes.pdf")
        assert (about.issuer, about.kind, about.by["kind"]) == ("By hand", "minutes", "rule")
        assert corpus.describe("minutes.pdf", issuer=None).issuer == "Norwick Ferries Ltd"


@ONE_ENGINE
def test_either_name_of_a_field_is_found_by_filters(corpus: Corpus, files: Path) -> None:
    beside(files / "minutes.pdf", {"type": "protocol", "author": "Nils Berg"})
    with corpus:
        corpus.add(files)
        about = corpus.about("minutes.pdf")
        assert (about.kind, about.issuer, about.own) == ("protocol", "Nils Berg", {})
        assert (about.by["kind"], about.by["issuer"]) == ("sidecar", "sidecar")
        for where in ("type = protocol", "kind = protocol", "author ~ Berg"):
            assert [one.name for one in corpus.list(where=where)] == ["minutes.pdf"]
        with pytest.raises(UsageError) as caught:
            corpus.list(where="shade = x")
        assert str(caught.value).count(" type,") == 1


def test_of_two_the_one_with_the_whole_name_counts(corpus: Corpus, files: Path) -> None:
    beside(files / "minutes.pdf", {"title": "Stem"})
    beside(files / "minutes.pdf", {"title": "Whole"}, whole=True)
    with corpus:
        corpus.add(files)
        assert corpus.about("minutes.pdf").title == "Whole"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{nope", "line 1 is not JSON"),
        ("", "line 1 is not JSON"),
        ("[1]", "it holds no object"),
        ('{"date": "soon"}', "date takes 2023"),
        ('{"Title": "x"}', "'Title' is no name of a field"),
        ('{"title": {"en": "x"}}', "title takes a text, not a dict"),
        ("[" * 100_000, "not JSON"),
        ('{"n": ' + "9" * 5000 + "}", "not JSON"),
        ('{"n": ' + "9" * 400 + "}", "n takes a text, a number"),
        ('"' + "x" * 300_000 + '"', "larger than 256 KB"),
    ],
    ids=range(10),
)
def test_one_that_cannot_be_used_is_told_of_and_the_document_is_added(
    corpus: Corpus, files: Path, text: str, told: str
) -> None:
    sidecar = beside(files / "minutes.pdf", text)
    with corpus:
        report = corpus.add(files)
        assert len(report.added) == 2
        assert not report.failed
        (note,) = report.notes
        assert str(sidecar) in note
        assert told in note
        assert "\n" not in note
        assert set(corpus.about("minutes.pdf").by.values()) == {"rule"}


def test_one_in_another_encoding_is_told_of(corpus: Corpus, files: Path) -> None:
    (files / "minutes.meta.json").write_bytes('{"title": "ä"}'.encode("latin-1"))
    with corpus:
        assert "it is not JSON in UTF-8" in corpus.add(files).notes[0]
        (files / "minutes.meta.json").write_bytes('{"title": "ä"}'.encode("utf-8-sig"))
        assert corpus.add(files).notes == ()
        assert corpus.about("minutes.pdf").title == "ä"


def test_one_that_is_named_stands_for_what_it_is_of(corpus: Corpus, files: Path) -> None:
    sidecar = beside(files / "minutes.pdf", {"title": "Beside"})
    alone = beside(files / "nothing.pdf", {"title": "Beside"})
    with corpus:
        report = corpus.add([sidecar, alone])
        assert [info.name for info in report.added] == ["minutes.pdf"]
        assert [failure.reason for failure in report.failed] == ["missing"]
        assert "there is none" in report.failed[0].message
        assert corpus.about("minutes.pdf").title == "Beside"
        assert corpus.add(sorted(files.iterdir())).left_out == ()


def test_of_copies_the_first_with_one_counts_whichever_is_added(corpus: Corpus, files: Path) -> None:
    write_file(files / "again.pdf", TEXT)
    beside(files / "minutes.pdf", {"title": "Beside"})
    with corpus:
        corpus.add(files / "again.pdf")
        assert corpus.about("again.pdf").title == ""
        corpus.add(files / "minutes.pdf")
        assert corpus.about("again.pdf").title == "Beside"
        corpus.add(files / "again.pdf")
        assert corpus.about("again.pdf").title == "Beside"


def test_a_changed_file_has_what_its_sidecar_says(corpus: Corpus, files: Path) -> None:
    sidecar = beside(files / "minutes.pdf", {"title": "Beside"})
    with corpus:
        corpus.add(files)
        write_file(files / "minutes.pdf", f"{TEXT}\nMore was agreed.")
        sidecar.unlink()
        corpus.add(files)
        assert corpus.about("minutes.pdf").title == ""
        assert corpus.backend.store.described() == {}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_one_that_may_not_be_read_is_told_of(corpus: Corpus, files: Path) -> None:
    beside(files / "minutes.pdf", {"title": "Beside"}).chmod(0)
    with corpus:
        assert "cannot be read" in corpus.add(files).notes[0]
