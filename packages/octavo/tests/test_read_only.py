"""A corpus that cannot be written, as on a disk that is mounted for reading, can still be asked."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

import octavo
import storing
from octavo.errors import CorpusError
from octavo.models.scripted import ScriptedModel


@pytest.fixture
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a corpus of two documents that nobody may write to any more."""
    files = storing.write(tmp_path, a="The quay has nine moorings.", b="The pier has two lamps.")
    with storing.corpus(tmp_path / "corpus") as corpus:
        corpus.add(files)
    monkeypatch.setattr("octavo.corpus.store.sqlite.connections.os.access", lambda _path, _mode: False)
    return tmp_path / "corpus"


def asked(folder: Path) -> str:
    with storing.corpus(folder) as corpus:
        assert len(corpus.list()) == corpus.status().documents == 2
        found = corpus.search("How many moorings has the quay?", system="bm25").evidence
        return found.view.blocks.text[int(found.ranked("relevance")[0])]


def test_it_is_asked_and_closed(fixed: Path) -> None:
    assert asked(fixed) == "The quay has nine moorings."


class Barred(apsw.Connection):
    """A connection to a file in WAL beside which nothing can be made: what SQLite does on such a disk."""

    def __init__(self, name: str, **more: Any) -> None:
        super().__init__(name, **more)
        self._is_barred = "immutable" not in name

    def execute(self, *statement: Any, **more: Any) -> Any:
        if self._is_barred:
            raise apsw.CantOpenError("unable to open database file")
        return super().execute(*statement, **more)


@pytest.fixture
def barred(monkeypatch: pytest.MonkeyPatch, fixed: Path) -> Path:
    monkeypatch.setattr(apsw, "Connection", Barred)
    return fixed


def test_it_is_asked_where_nothing_can_be_put_beside_it(barred: Path) -> None:
    assert asked(barred) == "The quay has nine moorings."


def test_what_was_written_last_is_not_passed_over(barred: Path) -> None:
    (barred / "corpus.db-wal").write_bytes(b"what a writer has left")
    with pytest.raises(CorpusError, match="cannot be opened for writing"):
        asked(barred)


def test_a_model_is_asked_and_its_replies_are_kept_while_it_is_open(fixed: Path) -> None:
    model = ScriptedModel(lambda _request: '{"evidence": [], "answerable": false}')
    with storing.corpus(fixed, models=model) as corpus:
        asked = [corpus.ask("How many moorings has the quay?", system="bm25") for _ in range(2)]
    assert [one.decided_by for one in asked] == [{"model": 1}, {"cache": 1}]
    assert model.calls == 1


def test_changing_it_says_that_it_cannot_be_written(fixed: Path) -> None:
    more = storing.write_file(fixed.parent / "c.pdf", "The third.")
    with storing.corpus(fixed) as corpus:
        for change in (lambda: corpus.add(more), lambda: corpus.remove("a.pdf")):
            with pytest.raises(CorpusError, match="cannot be opened for writing") as caught:
                change()
            assert caught.value.reason == "locked"
    assert asked(fixed) == "The quay has nine moorings."


@pytest.mark.parametrize("is_read_only", [True, False])
@pytest.mark.needs("octavo_server")
def test_a_server_that_stops_says_what_is_kept(tmp_path: Path, *, is_read_only: bool) -> None:
    with octavo.open(tmp_path / "corpus") as corpus:
        (tmp_path / "quay.txt").write_text("The quay has nine moorings.")
        corpus.add(tmp_path / "quay.txt")
    words = ["serve", "--port", "0", "--corpus", str(tmp_path / "corpus"), *(["--read-only"] if is_read_only else [])]
    with subprocess.Popen([sys.executable, "-m", "octavo", *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Octavo is at")
        process.send_signal(signal.SIGINT)
        told = process.stdout.read()
    assert told.startswith("Stopped; nothing was written" if is_read_only else "Stopped; what was added")
