"""A corpus keeps up with a folder: what is new is added, what has gone is hidden, what moved is the same document."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from cli_corpus import octavo as octavo_command
from octavo.corpus import Corpus
from octavo.corpus.reports import AddReport
from octavo.corpus.watching import WatchedFolder
from octavo.errors import SourceError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "papers"
    path.mkdir()
    (path / "alba.txt").write_text("The ferry Alba is painted green.")
    (path / "bruma.txt").write_text("The ferry Bruma is painted red.")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with octavo.open(tmp_path / "corpus") as opened:
        yield opened


def names(corpus: Corpus) -> list[str]:
    return [info.name for info in corpus.list()]


def found(corpus: Corpus) -> set[str]:
    return {passage.document for passage in corpus.search("Which colour is the ferry painted?").passages}


def test_a_file_is_taken_when_two_looks_find_it_the_same(corpus: Corpus, folder: Path) -> None:
    watched = WatchedFolder(corpus, folder)
    first = watched.look(corpus.add)
    assert len(first.waiting) == 2
    assert not first
    with (folder / "bruma.txt").open("a") as file:
        file.write(" It is not whole yet")
    second = watched.look(corpus.add)
    assert [Path(path).name for path in second.waiting] == ["bruma.txt"]
    assert names(corpus) == ["alba.txt"]
    assert watched.look(corpus.add).report is not None
    assert names(corpus) == ["alba.txt", "bruma.txt"]
    assert not watched.look(corpus.add)


def test_what_has_gone_is_hidden_and_asked_where_it_is_named_and_comes_back(corpus: Corpus, folder: Path) -> None:
    watched = WatchedFolder(corpus, folder)
    watched.look(corpus.add, settled=True)
    kept = (folder / "bruma.txt").read_text()
    (folder / "bruma.txt").unlink()
    assert [Path(path).name for path in watched.look(corpus.add).hidden] == ["bruma.txt"]
    assert names(corpus) == ["alba.txt", "bruma.txt"]
    assert found(corpus) == {"alba.txt"}
    assert "red" in corpus.search("Which colour is the ferry?", documents="bruma.txt").passages[0].text
    assert watched.look(corpus.add).hidden == []
    (folder / "bruma.txt").write_text(kept)
    assert [Path(path).name for path in watched.look(corpus.add, settled=True).back] == ["bruma.txt"]
    assert found(corpus) == {"alba.txt", "bruma.txt"}
    assert "gone" not in corpus.about("bruma.txt").own


def test_a_moved_file_keeps_its_id_and_its_tags(corpus: Corpus, folder: Path) -> None:
    watched = WatchedFolder(corpus, folder)
    watched.look(corpus.add, settled=True)
    corpus.describe("alba.txt", tags=["ships"])
    before = corpus.resolve("alba.txt").id
    (folder / "green").mkdir()
    shutil.move(folder / "alba.txt", folder / "green" / "alba.txt")
    changes = watched.look(corpus.add, settled=True)
    assert changes.hidden == []
    assert corpus.resolve("alba.txt").id == before
    assert corpus.about("alba.txt").tags == ("ships",)
    assert corpus.paths()[before] == (str(folder / "green" / "alba.txt"),)


def test_a_folder_that_vanishes_hides_nothing(corpus: Corpus, folder: Path) -> None:
    watched = WatchedFolder(corpus, folder)
    watched.look(corpus.add, settled=True)
    shutil.move(folder, folder.with_name("elsewhere"))
    with pytest.raises(SourceError, match="is not there"):
        watched.look(corpus.add)
    assert found(corpus) == {"alba.txt", "bruma.txt"}
    shutil.move(folder.with_name("elsewhere"), folder)
    assert not watched.look(corpus.add).hidden


def test_what_went_with_its_folder_while_it_was_read_is_read_when_it_is_back(corpus: Corpus, folder: Path) -> None:
    watched, away = WatchedFolder(corpus, folder), folder.with_name("elsewhere")

    def add_nothing_there(paths: list[str]) -> AddReport:
        shutil.move(folder, away)
        try:
            return corpus.add(paths)
        finally:
            shutil.move(away, folder)

    changes = watched.look(add_nothing_there, settled=True)
    assert changes.report and len(changes.report.failed) == 2
    watched.look(corpus.add)
    assert names(corpus) == ["alba.txt", "bruma.txt"]


def test_an_emptied_folder_hides_its_documents_alone(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("The ferry Cala is painted blue.")
    corpus.add(tmp_path / "other.txt")
    watched = WatchedFolder(corpus, folder)
    watched.look(corpus.add, settled=True)
    for path in folder.iterdir():
        path.unlink()
    assert len(watched.look(corpus.add).hidden) == 2
    assert found(corpus) == {"other.txt"}


def test_what_became_of_a_file_with_known_bytes_is_said(folder: Path, tmp_path: Path) -> None:
    def told() -> str:
        return octavo_command("watch", str(folder), "--once", "--corpus", str(tmp_path / "corpus")).out

    told()
    shutil.move(folder / "alba.txt", folder / "green.txt")
    assert f"moved {folder / 'alba.txt'} to {folder / 'green.txt'}\n" in told()
    (folder / "ships").mkdir()
    shutil.move(folder / "green.txt", folder / "ships" / "green.txt")
    told()
    shutil.move(folder / "ships", folder / "boats")
    assert f"moved {folder / 'ships' / 'green.txt'} to {folder / 'boats' / 'green.txt'}\n" in told()
    shutil.copy(folder / "bruma.txt", folder / "copy.txt")
    assert f"known {folder / 'copy.txt'}: a copy of {folder / 'bruma.txt'}\n" in told()


def test_pruning_says_first_and_removes_then(folder: Path, tmp_path: Path) -> None:
    where = ["--corpus", str(tmp_path / "corpus")]
    assert octavo_command("watch", str(folder), "--once", *where).status == 0
    (folder / "alba.txt").unlink()
    told = octavo_command("watch", str(folder), "--prune", *where)
    assert "would be removed" in told.out and "nothing was removed" in told.err
    with octavo.open(tmp_path / "corpus") as opened:
        assert names(opened) == ["alba.txt", "bruma.txt"]
    assert octavo_command("watch", str(folder), "--prune", "--yes", *where).status == 0
    with octavo.open(tmp_path / "corpus") as opened:
        assert names(opened) == ["bruma.txt"]


def test_what_is_hidden_is_marked_in_the_list_and_said_of_the_document(folder: Path, tmp_path: Path) -> None:
    where = ["--corpus", str(tmp_path / "corpus")]
    assert octavo_command("watch", str(folder), "--once", *where).status == 0
    told = "no longer in the watched folder"
    assert told not in octavo_command("list", *where).out
    (folder / "alba.txt").unlink()
    assert octavo_command("watch", str(folder), "--once", *where).status == 0
    marked = [line for line in octavo_command("list", *where).out.splitlines() if told in line]
    assert len(marked) == 1 and "alba.txt" in marked[0]
    marked = [line for line in octavo_command("list", "--about", *where).out.splitlines() if told in line]
    assert len(marked) == 1 and "alba.txt" in marked[0]
    listed = json.loads(octavo_command("list", "--json", *where).out)["documents"]
    assert {one["name"]: one["hidden"] for one in listed} == {"alba.txt": True, "bruma.txt": False}
    (gone,) = (line for line in octavo_command("about", "alba.txt", *where).out.splitlines() if "gone" in line)
    assert gone.rstrip().endswith(told)


def test_bad_calls_are_one_line(folder: Path, tmp_path: Path) -> None:
    where = ["--corpus", str(tmp_path / "corpus")]
    missing = octavo_command("watch", str(tmp_path / "nowhere"), "--once", *where)
    assert missing.status == 1 and missing.err.count("\n") == 1
    assert octavo_command("watch", str(folder), "--yes", *where).status == 2
    assert octavo_command("watch", str(folder), "--every", "soon", *where).status == 2
