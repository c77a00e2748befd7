"""`octavo cluster`: set up, filled by several processes of which some are killed, copied into, looked after."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import storing
from engines import Server
from octavo.corpus import Corpus
from octavo.corpus.reports import AddReport
from octavo.errors import CorpusError, UsageError
from octavo.models.gateway import Entry
from octavo.models.language import Reply
from octavo_cluster import shared_corpus

pytestmark = pytest.mark.skipif(os.name == "nt", reason="PostgreSQL is reached over a Unix socket")


@pytest.fixture
def url(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return server.url(server.make())


def start(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "octavo", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def octavo(*words: object, status: int = 0) -> str:
    """Return what the program says: its output, or its one line of error."""
    process = start(*words)
    out, err = process.communicate(timeout=600)
    assert process.returncode == status, err
    if status:
        assert err.count("\n") == 1, err
    return err if status else out


WORKER = """
import sys
import storing
from octavo.corpus import Corpus
from octavo_cluster import shared_corpus

with Corpus(sys.argv[1], builders=lambda: storing.builders(slow=0.05)) as corpus:
    shared_corpus.work(corpus, corpus.add, lambda report: print(len(report.added), flush=True))
"""


def worker(url: str) -> subprocess.Popen[str]:
    """Start a process that works off the queue, a document in a twentieth of a second."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}",
    }
    return subprocess.Popen([sys.executable, "-c", WORKER, url], stdout=subprocess.PIPE, text=True, env=environment)


@pytest.fixture
def filled(url: str, tmp_path: Path) -> Iterator[Corpus]:
    """A shared corpus with forty files in its queue, whose leases end soon."""
    shared_corpus.create(url, str(tmp_path / "bucket"))
    texts = {f"f{at:02}": f"# Tree {at}\nIt is tree {at}, word pear." for at in range(40)}
    storing.write(tmp_path / "files", **texts)
    with Corpus(url, builders=storing.builders) as corpus:
        with shared_corpus.shared(corpus).connections.writing() as connection:
            connection.execute("UPDATE corpus SET lease_seconds = 1")
        assert shared_corpus.queue(corpus, [tmp_path / "files", tmp_path / "none"])[0] == 40
        yield corpus


def test_two_files_of_the_queue_that_have_become_one_document_keep_no_worker_waiting(
    filled: Corpus, tmp_path: Path
) -> None:
    files = sorted((tmp_path / "files").iterdir())
    for at in range(1, len(files), 2):
        files[at].write_bytes(files[at - 1].read_bytes())
    ended = threading.Thread(target=shared_corpus.work, args=(filled, filled.add, lambda _: None), daemon=True)
    ended.start()
    ended.join(60)
    assert not ended.is_alive()
    assert filled.count() == 20
    assert shared_corpus.shared(filled).queued() == (0, 0)


@pytest.mark.slow
def test_workers_that_are_killed_lose_and_double_nothing(filled: Corpus, url: str, tmp_path: Path) -> None:
    chance = random.Random(11)
    assert shared_corpus.queue(filled, [tmp_path / "files"])[0] == 0, "it is in the queue"
    running = [worker(url) for _ in range(2)]
    for _ in range(3):
        before = filled.count()
        deadline = time.monotonic() + 60
        while filled.count() <= before and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        killed = running.pop(0)
        killed.send_signal(signal.SIGKILL)
        assert killed.wait() == -signal.SIGKILL
        running.append(worker(url))
        view = filled.view()
        assert len(view.documents) == len({document.id for document in view.documents})
    assert filled.count() < 40, "all was over before a worker was killed"
    for one in running:
        assert one.wait(120) == 0
    store = shared_corpus.shared(filled)
    assert store.queued() == (0, 0)
    assert sorted(info.name for info in filled.list()) == [f"f{at:02}.pdf" for at in range(40)]
    assert not filled.check().findings
    shared_corpus.sweep(filled, older=-1)
    objects = [path for path in (tmp_path / "bucket" / "parts").rglob("*") if path.is_file()]
    assert len(objects) == len(store.published())
    assert filled.check().is_sound
    with storing.corpus(tmp_path / "corpus") as folder:
        folder.add(tmp_path / "files")
        assert filled.fingerprints() == folder.fingerprints()
        best = [one.search("What is tree 33?").passages[0].text for one in (filled, folder)]
        assert best[0] == best[1]
        assert "tree 33" in best[0]


def test_what_cannot_be_read_or_is_there_leaves_the_queue(filled: Corpus, tmp_path: Path) -> None:
    filled.add(tmp_path / "files" / "f00.pdf")
    storing.write_file(tmp_path / "files" / "f01.pdf", "!damaged")
    (tmp_path / "files" / "f02.pdf").unlink()
    reports = []
    shared_corpus.work(filled, filled.add, reports.append)
    assert shared_corpus.shared(filled).queued() == (0, 0)
    assert sorted(failure.reason for report in reports for failure in report.failed) == ["damaged", "missing"]
    assert filled.count() == 38


def test_what_ends_the_work_leaves_in_the_queue_what_was_not_done(
    filled: Corpus, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notes are read in batches, whose leases are given up when something fails; their places in the queue are not."""
    for at in range(40):
        (tmp_path / "files" / f"f{at:02}.pdf").unlink()
        (tmp_path / "files" / f"f{at:02}.md").write_text(f"# Tree {at}\n\nIt is tree {at}.\n")
    with shared_corpus.shared(filled).connections.writing() as connection:
        connection.execute("DELETE FROM jobs")
    shared_corpus.queue(filled, [tmp_path / "files"])
    for error in (CorpusError("unreachable", "the bucket is away"), KeyboardInterrupt()):
        with Corpus(url) as corpus:

            def fail(*_: object, error: BaseException = error) -> list[bool]:
                raise error

            store = shared_corpus.shared(corpus)
            monkeypatch.setattr(type(store.bulk), "publish_many", fail)
            with pytest.raises(type(error)):
                shared_corpus.work(corpus, corpus.add, lambda _: None)
            monkeypatch.undo()
        assert shared_corpus.shared(filled).queued() == (40, 0)
    with Corpus(url) as corpus:
        shared_corpus.work(corpus, corpus.add, lambda _: None)
        assert corpus.count() == 40
        assert shared_corpus.shared(corpus).queued() == (0, 0)


def test_a_job_from_the_queue_stays_until_all_layers_are_built(filled: Corpus) -> None:
    store = shared_corpus.shared(filled)
    seen = []

    def add(paths: list[str]) -> AddReport:
        report = filled.add(paths)
        seen.append((len(report.added), store.queued()))
        return report

    shared_corpus.work(filled, add, lambda _: None)
    assert seen == [(16, (24, 16)), (16, (8, 16)), (8, (0, 8))]
    assert store.queued() == (0, 0)


def test_a_backup_put_back_elsewhere_is_the_same_corpus(
    filled: Corpus, url: str, server: Server, tmp_path: Path
) -> None:
    folder = engines.programs()
    dump, restore = (folder / name if folder else Path() for name in ("pg_dump", "psql"))
    if not (dump.exists() and restore.exists()):
        pytest.skip("the tools of PostgreSQL are not installed")
    shared_corpus.work(filled, filled.add, lambda _: None)
    filled.remove("f00.pdf")
    saved = subprocess.run([dump, "--schema=octavo", url], capture_output=True, check=True).stdout
    shutil.copytree(tmp_path / "bucket", tmp_path / "copy")  # after the database: what it names is there
    other = server.url(server.make())
    subprocess.run([restore, "--quiet", other], input=saved, capture_output=True, check=True)
    moved = f"UPDATE octavo.corpus SET bucket = 'file://{tmp_path / 'copy'}'"
    subprocess.run([restore, "--quiet", "-c", moved, other], capture_output=True, check=True)
    shutil.rmtree(tmp_path / "bucket")
    with Corpus(other, builders=storing.builders) as restored:
        assert restored.fingerprints() == filled.fingerprints()
        assert restored.check().is_sound
        assert "tree 33" in restored.search("What is tree 33?").passages[0].text
        assert len(restored.add(storing.write(tmp_path / "files", f99="# New\nA new one.")).added) == 1


class TestCopying:
    def test_documents_layers_and_paid_replies_are_copied_once(self, url: str, tmp_path: Path) -> None:
        shared_corpus.create(url, str(tmp_path / "bucket"))
        entry = Entry(Reply("yes", 12, 3), "openai:m", "classify", "2", 0.25, 0.003, "2026-01-02T03:04:05Z")
        log: list[str] = []
        with (
            storing.corpus(tmp_path / "corpus") as folder,
            Corpus(url, builders=lambda: storing.builders(log=log)) as shared,
        ):
            files = storing.write(tmp_path, a="# One\nword pear", b="two word", c="# One\nword pear", d="four")
            folder.add(files)
            folder.backend.journal.settle("key", "", entry)
            assert shared_corpus.copy(folder, shared) == 3
            assert [(info.id, info.name, info.path) for info in shared.list()] == [
                (info.id, info.name, info.path) for info in folder.list()
            ]
            assert shared.fingerprints() == folder.fingerprints()
            assert shared.backend.journal.find("key") == entry
            assert (
                shared.search("pear").to_json(trace=False)["pages"]
                == folder.search("pear").to_json(trace=False)["pages"]
            )
            assert shared_corpus.copy(folder, shared) == 0
            assert len(shared.add(files).unchanged) == 3
            assert not log
            assert not shared.check().findings

    def test_equal_documents_rank_as_in_the_folder_which_goes_by_the_order_they_came_in(
        self, url: str, tmp_path: Path
    ) -> None:
        shared_corpus.create(url, str(tmp_path / "bucket"))
        with (
            storing.corpus(tmp_path / "corpus") as folder,
            Corpus(url, builders=storing.builders) as shared,
        ):
            for name in ("zeta", "beta", "iota"):  # neither by name nor by path
                folder.add(storing.write(tmp_path / name, **{name: f"pear\nunlike {name}"}))
            shared_corpus.copy(folder, shared)
            ranked = [
                [corpus.backend.catalogue.names([number])[number] for number in index.lexical(["pear"], None, 9)]
                for corpus in (folder, shared)
                for index in [corpus.backend.first_stage.current()]
            ]
            assert ranked[0] == ranked[1] == ["zeta.pdf", "beta.pdf", "iota.pdf"]

    def test_a_file_of_many_documents_is_not_read_again(self, url: str, tmp_path: Path) -> None:
        shared_corpus.create(url, str(tmp_path / "bucket"))
        articles = tmp_path / "a.jsonl"
        articles.write_text(
            "".join(json.dumps({"title": f"T{at}", "text": f"Of tree {at}."}) + "\n" for at in range(9))
        )
        stamp = 1_600_000_000
        os.utime(articles, (stamp, stamp))
        with Corpus(tmp_path / "corpus") as folder, Corpus(url) as shared:
            for _ in range(2):
                folder.add(articles)
            assert shared_corpus.copy(folder, shared) == 9
            assert shared.count() == 9
            (report,) = shared.add(articles).collections
            assert (report.added, report.unchanged) == (0, 9)

    def test_only_a_folder_is_copied_and_only_into_a_shared_corpus(self, tmp_path: Path) -> None:
        one, other = storing.corpus(tmp_path / "a"), storing.corpus(tmp_path / "b")
        with pytest.raises(UsageError, match="is a folder"):
            shared_corpus.copy(one, other)


@pytest.mark.slow
def test_the_commands_from_setting_up_to_an_answer(url: str, tmp_path: Path, server: Server) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for at in range(6):
        (notes / f"n{at}.md").write_text(f"# Ferry {at}\n\nThe crew of ferry {at} is {at + 10} people.\n")
    bucket = tmp_path / "bucket"
    assert "octavo cluster init" in octavo("list", "--corpus", url, status=1)
    assert "is set up" in octavo("cluster", "init", url, bucket)
    assert "holds a corpus already" in octavo("cluster", "init", url, tmp_path / "other", status=1)
    other = server.url(server.make())
    assert "belongs to another corpus" in octavo("cluster", "init", other, bucket, status=1)
    assert "octavo cluster init" in octavo("list", "--corpus", other, status=1), "nothing is left of the attempt"
    assert json.loads(octavo("cluster", "worker", notes, "--corpus", url, "--json"))["added"] == 6
    found = json.loads(octavo("cluster", "status", "--corpus", url, "--json"))
    assert (found["documents"], found["waiting"], found["running"]) == (6, 0, 0)
    assert "13" in octavo("ask", "How many people are the crew of ferry 3?", "--corpus", url)
    assert "removed 0" in octavo("cluster", "sweep", "--corpus", url)
    octavo("add", notes, "--corpus", tmp_path / "folder")
    third = server.url(server.make())
    octavo("cluster", "init", third, tmp_path / "third")
    assert json.loads(octavo("cluster", "import", tmp_path / "folder", "--to", third, "--json"))["copied"] == 6
    assert len(json.loads(octavo("list", "--corpus", third, "--json"))["documents"]) == 6
    assert "is a folder" in octavo("cluster", "status", "--corpus", tmp_path / "folder", status=2)
