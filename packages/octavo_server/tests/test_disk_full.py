"""A disk without room: one clear line, nothing half-written, and the work goes on once there is room."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cli_corpus
import octavo
import storing
from cli_corpus import Done
from octavo.corpus import Corpus
from octavo.errors import CorpusError, disk_full
from octavo.models.gateway import Entry, MemoryJournal, SpareJournal
from octavo.models.language import Reply
from octavo.models.scripted import ScriptedModel
from serving import events_of, serving
from storing import write

LONG = "\n".join(f"line {number} of a long document" for number in range(300))


def cap(corpus: Corpus, pages: int) -> None:
    """Let the file grow by so many pages more, in every thread."""
    connections = corpus._opened().store.connections
    size = int(connections.get().pragma("page_count"))
    prepare = connections._prepare

    def capped(connection) -> None:
        prepare(connection)
        connection.pragma("max_page_count", size + pages)

    connections._prepare = capped
    connections.get().pragma("max_page_count", size + pages)


def uncap(corpus: Corpus) -> None:
    corpus.close()


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with storing.corpus(tmp_path / "corpus") as opened:
        opened.add(write(tmp_path, small="word small"))
        yield opened


@pytest.mark.parametrize("pages", range(0, 60, 3))
def test_wherever_the_room_ends_nothing_is_half_written(corpus: Corpus, tmp_path: Path, pages: int) -> None:
    [path] = write(tmp_path, long=LONG)
    before = corpus.list()
    cap(corpus, pages)
    try:
        corpus.add(path)
    except CorpusError as error:
        assert error.reason == "full"
        assert "No space left" in str(error)
        assert "\n" not in str(error)
        assert corpus.list() == before
    assert corpus.view().passages
    assert not corpus.check().findings
    uncap(corpus)
    report = corpus.add(path)
    assert len(report.added) + len(report.unchanged) == 1
    assert len(corpus.list()) == 2
    assert not corpus.check().findings


def test_the_smallest_room_is_not_enough_and_the_largest_is(corpus: Corpus, tmp_path: Path) -> None:
    """Else the test above would show nothing."""
    [path] = write(tmp_path, long=LONG)
    cap(corpus, 3)
    with pytest.raises(CorpusError):
        corpus.add(path)
    uncap(corpus)
    cap(corpus, 60)
    assert corpus.add(path).added


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte, where this machine lets us mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if sys.platform != "linux" or not mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)):
        pytest.skip("only root may mount a file system")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def mount(*arguments: str) -> bool:
    program = shutil.which("mount")
    return bool(program) and not subprocess.run([program, *arguments], capture_output=True, check=False).returncode


def test_a_really_full_disk_is_named_and_the_corpus_stays_sound(small_disk: Path, tmp_path: Path) -> None:
    files = write(tmp_path, **{f"long{number}": f"{number}\n{LONG}" for number in range(60)})
    with storing.corpus(small_disk / "corpus") as corpus:
        assert corpus.add(write(tmp_path, small="word small")).added
        with pytest.raises(CorpusError) as caught:
            corpus.add(files)
        assert caught.value.reason == "full"
        listed = corpus.list()
        assert listed
        assert not [finding for finding in corpus.check().findings if finding.code != "orphan"]
        with pytest.raises(CorpusError, match="No space left"):
            (small_disk / "filler").write_bytes(b"x" * shutil.disk_usage(small_disk).free)
            corpus._opened().first_stage.current()
        assert len(corpus.view().documents) == len(listed)
        (small_disk / "filler").unlink()
        mount("-o", "remount,size=32m", str(small_disk))
        assert len(corpus.add(files).added) == len(files) - len(listed) + 1
        assert not corpus.check().findings
        corpus.remove(*(info.id for info in corpus.list()))
        assert corpus.list() == ()


@pytest.fixture
def roomy_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 megabytes, where this machine lets us mount one."""
    disk = tmp_path / "roomy"
    disk.mkdir()
    if sys.platform != "linux" or not mount("-t", "tmpfs", "-o", "size=48m", "tmpfs", str(disk)):
        pytest.skip("only root may mount a file system")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> None:
    """Leave no byte free."""
    with contextlib.suppress(OSError), (disk / "filler").open("ab", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))


def test_documents_are_removed_from_a_full_disk_and_the_room_comes_back(roomy_disk: Path, tmp_path: Path) -> None:
    files = write(tmp_path, **{f"long{number}": f"{number}\n{LONG * 8}" for number in range(30)})
    with storing.corpus(roomy_disk / "corpus") as corpus:
        corpus.add(files)
        corpus.backend.first_stage.current()
        assert (roomy_disk / "corpus" / "reserve").exists()
        fill(roomy_disk)
        assert shutil.disk_usage(roomy_disk).free == 0
        size = sum(path.stat().st_size for path in (roomy_disk / "corpus").rglob("*.db"))
        [first, *rest] = corpus.list()
        corpus.remove(first.id)
        fill(roomy_disk)
        corpus.remove(*(info.id for info in rest))
        assert corpus.list() == ()
        assert not [one for one in corpus.check().findings if one.code != "orphan"]
        assert sum(path.stat().st_size for path in (roomy_disk / "corpus").rglob("*.db")) < size / 4
        assert (roomy_disk / "corpus" / "reserve").exists()


def test_an_answer_that_was_paid_for_is_given_on_a_full_disk(roomy_disk: Path, tmp_path: Path) -> None:
    model = ScriptedModel(lambda _request: '{"evidence": [], "answerable": false}')
    with storing.corpus(roomy_disk / "corpus", models=model) as corpus:
        corpus.add(write(tmp_path, small="The quay has nine moorings."))
        fill(roomy_disk)
        first = corpus.ask("How many moorings has the quay?", system="bm25")
        assert (first.decided_by, corpus.unkept_replies) == ({"model": 1}, 1)
        assert corpus.ask("How many moorings has the quay?", system="bm25").decided_by == {"cache": 1}
        assert corpus.status().documents == 1
        (roomy_disk / "filler").unlink()
        corpus.ask("How many lamps has the quay?", system="bm25")
        assert corpus.unkept_replies == 1


def test_a_job_does_not_go_on_paying_for_what_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.models.gateway.journal._MOST_UNKEPT", 3)

    class Full(MemoryJournal):
        def lease(self, key: str, token: str, *, seconds: float) -> bool:
            raise disk_full("a disk")

        def settle(self, key: str, token: str, entry: Entry) -> None:
            raise disk_full("a disk")

    journal = SpareJournal(Full())
    entry = Entry(Reply("said", 1, 1, "stop"), "model", "decision", "1", 0.1, None, "")
    for number in range(3):
        assert journal.lease(f"{number}", "token", seconds=9)
        journal.settle(f"{number}", "token", entry)
        assert journal.find(f"{number}") == entry
    with pytest.raises(CorpusError, match="No space left"):
        journal.lease("4", "token", seconds=9)


def test_a_server_on_a_full_disk_answers_and_removes(roomy_disk: Path, tmp_path: Path) -> None:
    with octavo.open(roomy_disk / "corpus") as corpus, serving(corpus) as client:
        (tmp_path / "quay.txt").write_text("The quay has nine moorings.")
        corpus.add(tmp_path / "quay.txt")
        first = {"question": "How many moorings has the quay?", "conversation": "new"}
        begun = client.post("/v1/ask", json=first).json()
        assert begun["is_kept"]
        fill(roomy_disk)
        more = {"question": "And how many lamps has it?", "conversation": begun["conversation"]}
        while (asked := client.post("/v1/ask", json=more).json())["is_kept"]:
            pass  # what the file has room for without growing
        assert any("no room" in one for one in asked["failures"])
        assert client.get(asked["link"].replace("/a/", "/v1/answers/")).json()["id"] == asked["id"]
        turns = client.get(f"/v1/conversations/{begun['conversation']}").json()["turns"]
        assert (turns[0]["id"], turns[-1]["id"]) == (begun["id"], asked["id"])
        told = client.post("/v1/ask", json=more, headers={"Accept": "text/event-stream"}).text
        assert events_of(told)[-1][0] == "done"
        refused = client.post("/v1/documents?name=more.txt", content=b"More words.")
        assert refused.json()["reason"] == "full"
        [listed] = client.get("/v1/documents").json()["items"]
        assert client.delete(f"/v1/documents/{listed['id']}").status_code == 204
        assert client.get("/v1/documents").json()["total"] == 0
        assert client.get(f"/v1/answers/{asked['id']}").status_code == 410
        assert (tmp_path / "quay.txt").exists()


def run(*words: str) -> Done:
    """Run the program in a process of its own."""
    ran = subprocess.run([sys.executable, "-m", "octavo", *words], capture_output=True, text=True, check=False)
    return Done(ran.returncode, ran.stdout, ran.stderr)


@pytest.mark.parametrize("is_made", [True, False])
def test_a_program_that_starts_on_a_full_disk_says_so(roomy_disk: Path, tmp_path: Path, *, is_made: bool) -> None:
    (quay := tmp_path / "quay.txt").write_text("The quay has nine moorings.")
    if is_made:
        with octavo.open(roomy_disk / "corpus") as corpus:
            corpus.add(quay)
    (roomy_disk / "corpus").mkdir(exist_ok=True)
    fill(roomy_disk)
    asked = [(run, ["add", str(quay)]), (run, ["serve", "--port", "0"])]
    if is_made:
        here = cli_corpus.octavo
        asked += [(here, ["list"]), (here, ["ask", "How many moorings?"]), (here, ["check", "--repair"])]
        asked += [(run, ["status"])]
    for way, words in asked:
        ran = way(*words, "--corpus", str(roomy_disk / "corpus"))
        assert (words, ran.status, ran.out) == (words, 1, "")
        assert "No space left" in ran.err
        assert "damaged" not in ran.err
        assert len(ran.err.splitlines()) == 1
    (roomy_disk / "filler").unlink()
    with octavo.open(roomy_disk / "corpus") as corpus:
        assert len(corpus.list()) == is_made
        assert not corpus.check().findings
