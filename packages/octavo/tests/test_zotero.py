"""Zotero's storage is read with what Zotero says of each file, whatever state its database is in."""

from __future__ import annotations

import itertools
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from cli_corpus import octavo as command
from octavo.corpus import Corpus
from octavo.corpus.index import zotero
from zotero_folders import ZoteroFolder, fill, open_zotero


@pytest.fixture
def used(tmp_path: Path) -> Iterator[ZoteroFolder]:
    """A folder that Zotero has open: all that it wrote stands in its log."""
    with open_zotero(tmp_path / "Zotero") as made:
        fill(made)
        yield made


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with octavo.open(tmp_path / "corpus") as opened:
        yield opened


def test_documents_have_what_zotero_says_while_it_is_open(used: ZoteroFolder, corpus: Corpus) -> None:
    assert Path(f"{used.database}-wal").stat().st_size > used.database.stat().st_size
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite3.connect(used.database, timeout=0).execute("SELECT * FROM items")
    report = corpus.add(used.folder)
    assert report.notes == ()
    assert [info.name for info in report.added] == ["alone.txt", "lee2019.txt"]
    about = corpus.about("lee2019.txt")
    assert (about.title, about.issuer, about.date, about.kind, about.language, about.tags) == (
        "Tides of Orrin Skerry",
        "Ann Lee; Harbour Office",
        "2019-03",
        "journal article",
        "en",
        ("tides", "to read"),
    )
    assert about.own == {
        "authors": ("Ann Lee", "Harbour Office"),
        "collections": ("Thesis > Chapter 2",),
        "doi": "10.1000/xyz",
        "publication": "Journal of Tides",
        "zotero": "ITEM2345",
    }
    assert {*about.by.values()} == {"zotero"}
    alone = corpus.about("alone.txt")
    assert (alone.title, alone.own) == ("", {"zotero": "ALNE2345"})


@pytest.mark.parametrize(
    "where",
    ["authors = 'Ann Lee' and date = 2019", "collections ~ thesis", "tag = tides", "doi = 10.1000/xyz", "type = paper"],
)
def test_questions_are_limited_by_it(used: ZoteroFolder, corpus: Corpus, where: str) -> None:
    corpus.add(used.folder)
    assert [info.name for info in corpus.list(where=where)] == ["lee2019.txt"]


def test_what_changed_in_zotero_is_taken_and_a_hand_and_a_file_beside_go_before_it(
    used: ZoteroFolder, corpus: Corpus
) -> None:
    corpus.add(used.folder)
    corpus.describe("lee2019.txt", title="By hand")
    used.connection.execute("DELETE FROM itemTags")
    beside = used.folder / "storage" / "FILE2345" / "lee2019.txt.meta.json"
    beside.write_text(json.dumps({"date": "2020", "shelf": 3, "author": "Beside"}))
    corpus.add(used.folder)
    about = corpus.about("lee2019.txt")
    assert (about.issuer, about.by["issuer"], about.by["kind"]) == ("Beside", "sidecar", "zotero")
    assert (about.title, about.date, about.tags, about.own["shelf"], about.kind) == (
        "By hand",
        "2020",
        (),
        3,
        "journal article",
    )


def damaged(folder: Path) -> None:
    data = bytearray((folder / "zotero.sqlite").read_bytes())
    data[4096 : len(data)] = b"\xff" * (len(data) - 4096)
    (folder / "zotero.sqlite").write_bytes(data)


def cut(folder: Path) -> None:
    (folder / "zotero.sqlite").write_bytes(b"no database at all, but long enough to be one" * 100)


def newer(folder: Path) -> None:
    with sqlite3.connect(folder / "zotero.sqlite") as connection:
        connection.execute("UPDATE version SET version = 400 WHERE schema = 'userdata'")
        connection.execute("ALTER TABLE itemData RENAME TO itemValues")


def other(folder: Path) -> None:
    (folder / "zotero.sqlite").unlink()
    sqlite3.connect(folder / "zotero.sqlite").execute("CREATE TABLE t (a)")


def missing(folder: Path) -> None:
    (folder / "zotero.sqlite").unlink()


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (damaged, "is damaged"),
        (cut, "is damaged"),
        (newer, "is of a version that Octavo does not know (400; "),
        (other, "is no database of Zotero's"),
        (missing, "cannot be copied: No such file"),
    ],
)
def test_a_database_that_cannot_be_read_is_told_in_a_line_and_what_it_said_stays(
    used: ZoteroFolder, corpus: Corpus, tmp_path: Path, break_it: object, told: str
) -> None:
    used.connection.close()
    corpus.add(used.folder)
    break_it(used.folder)  # type: ignore[operator]
    (used.folder / "storage" / "NEWW2345").mkdir()
    (used.folder / "storage" / "NEWW2345" / "new.txt").write_text("A new file.")
    report = corpus.add(used.folder)
    (note,) = report.notes
    assert told in note
    assert "\n" not in note
    assert [info.name for info in report.added] == ["new.txt"]
    assert corpus.about("lee2019.txt").own["doi"] == "10.1000/xyz"


def test_a_database_that_is_written_while_it_is_copied_is_copied_again(
    used: ZoteroFolder, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, copies, numbers = shutil.copyfile, list[str](), itertools.count()

    def while_writing(source: str, target: Path) -> object:
        done = copy(source, target)
        copies.append(Path(source).name)
        if len(copies) == 2:
            used.item("MORE2345", title="More")
        return done

    monkeypatch.setattr(zotero.shutil, "copyfile", while_writing)
    assert corpus.add(used.folder).notes == ()
    assert copies == ["zotero.sqlite", "zotero.sqlite-wal"] * 2
    assert corpus.about("lee2019.txt").own["zotero"] == "ITEM2345"

    def always_writing(source: str, target: Path) -> object:
        used.item(f"MORE{next(numbers):04}")
        return while_writing(source, target)

    monkeypatch.setattr(zotero.shutil, "copyfile", always_writing)
    (note,) = corpus.add(used.folder).notes
    assert "is being written by Zotero" in note
    assert corpus.about("lee2019.txt").own["zotero"] == "ITEM2345"


def test_a_storage_without_a_database_is_a_folder_like_any_other(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "storage" / "FILE2345" / "a.txt"
    path.parent.mkdir(parents=True)
    path.write_text("The ferry is green.")
    path.with_name("a.meta.json").write_text('{"title": "Beside"}')
    assert corpus.add(tmp_path / "storage").notes == ()
    assert corpus.about("a.txt").title == "Beside"


def test_a_folder_without_storage_is_told_in_a_line(tmp_path: Path) -> None:
    with open_zotero(tmp_path / "Zotero"):
        pass
    shutil.rmtree(tmp_path / "Zotero" / "storage")
    done = command("add", str(tmp_path / "Zotero"), "--corpus", str(tmp_path / "corpus"))
    assert done.status != 0
    assert "holds no document" in done.err


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2023-08-30 August 30, 2023", "2023-08-30"),
        ("1987-00-00 1987", "1987"),
        ("2001-02-30 x", "2001"),
        ("n.d.", ""),
        ("", ""),
    ],
)
def test_dates_are_as_precise_as_zotero_has_them(text: str, date: str) -> None:
    assert zotero._date(text) == date


def test_what_no_field_may_hold_costs_itself(used: ZoteroFolder, corpus: Corpus) -> None:
    item = used.item("ODDD2345", "report", title="Odd", date="0000-00-00 0000", language="\n")
    used.attached("ODDF2345", "odd.txt", item).write_text("Its date is none.")
    assert corpus.add(used.folder).notes == ()
    about = corpus.about("odd.txt")
    assert (about.title, about.date, about.own["zotero"]) == ("Odd", "", "ODDD2345")


def test_what_is_too_long_or_too_much_is_cut(used: ZoteroFolder, corpus: Corpus) -> None:
    item = used.item("LONG2345", "report", title="T" * 500)
    for at in range(80):
        used.creator(item, "Given", f"Family{at}")
        used.tag(item, f"{at} " + "t" * 100)
    used.attached("LONF2345", "long.txt", item).write_text("A long list of authors.")
    assert corpus.add(used.folder).notes == ()
    about = corpus.about("long.txt")
    assert (len(about.title), len(about.issuer), len(about.tags)) == (300, 200, 50)
    assert len(about.own["authors"]) == 50  # type: ignore[arg-type]
