"""Several adds at once: nothing is built twice, nothing is lost, nobody sees an error."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from pathlib import Path
from typing import Self

import pytest

import storing
from engines import Engine
from octavo.corpus.index import admission, indexing_loop
from octavo.corpus.index.heartbeat import Heartbeat
from octavo.corpus.progress import Silence
from storing import write, write_file

pytestmark = pytest.mark.usefixtures("engine")

FILES = 12


def start(folder: Path, log: Path) -> subprocess.Popen[str]:
    """Start a process that adds the files and appends the name of each it parses to a log."""
    code = f"""
        import storing

        class Log(list):
            def append(self, name):
                with open({str(log)!r}, "a") as file:
                    file.write(name + "\\n")

        with storing.corpus({str(storing.place_of(folder / "corpus"))!r}, slow=0.02, log=Log()) as corpus:
            report = corpus.add({str(folder / "files")!r}, workers=2)
        print(len(report.added), len(report.unchanged), len(report.failed))
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}"},
    )


def test_three_processes_share_the_work_of_a_new_corpus_without_doing_any_twice(tmp_path: Path) -> None:
    write(tmp_path / "files", **{f"f{number:02}": f"word {number}" for number in range(FILES)})
    log = tmp_path / "log"
    processes = [start(tmp_path, log) for _ in range(3)]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], outputs
    counts = [tuple(map(int, output.split())) for output, _ in outputs]
    assert all(added + unchanged == FILES and failed == 0 for added, unchanged, failed in counts)
    assert sum(added for added, _, _ in counts) == FILES
    assert Counter(log.read_text().split()) == {f"f{number:02}.pdf": 1 for number in range(FILES)}
    with storing.corpus(tmp_path / "corpus") as corpus:
        assert len(corpus.list()) == FILES
        assert not corpus.check().findings
        assert not corpus.status().jobs


def test_two_threads_of_one_corpus_share_the_work_too(tmp_path: Path) -> None:
    files = write(tmp_path, **{f"f{number}": f"!slow 0.05\nword {number}" for number in range(6)})
    log: list[str] = []
    with storing.corpus(tmp_path / "corpus", log=log) as corpus:
        reports = []
        threads = [threading.Thread(target=lambda: reports.append(corpus.add(files, workers=2))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(report.added) + len(report.unchanged) for report in reports] == [6, 6]
        assert Counter(log) == {path.name: 1 for path in files}
        assert not corpus.status().jobs


class Telling(Silence):
    """Notes when a file waits for another process."""

    def __init__(self) -> None:
        self.waiting = threading.Event()

    def start(self, path: str, stage: str, total: int) -> None:
        if stage == "waiting":
            self.waiting.set()


def test_who_waits_for_an_owner_that_gives_up_does_the_work(tmp_path: Path) -> None:
    [path] = write(tmp_path, a="word")
    with storing.corpus(tmp_path / "corpus") as owner, storing.corpus(tmp_path / "corpus") as waiter:
        store = owner._opened().store
        digest = storing.digest_of(path)
        lease = store.claim(digest, str(path))
        assert lease
        telling, reports = Telling(), []
        thread = threading.Thread(target=lambda: reports.append(waiter.add(path, progress=telling)))
        thread.start()
        assert telling.waiting.wait(10)
        store.release(lease, keep=True)
        thread.join(10)
        assert len(reports[0].added) == 1


def test_a_lease_that_nobody_works_under_ends_though_its_process_waits(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another document is indexed first, so that the leases of this process are being renewed."""
    left, other = write(tmp_path, a="word", b="another")
    hearts: list[Heartbeat] = []

    class Held(Heartbeat):
        def __enter__(self) -> Self:
            hearts.append(self)
            return self

        def __exit__(self, *error: object) -> None:
            pass

    waits: list[float] = []

    def time_passes(seconds: float) -> None:
        waits.append(seconds)
        assert len(waits) < 5, "it waits for itself"
        engine.let_leases_end(tmp_path / "corpus")
        hearts[0].beat()

    monkeypatch.setattr(indexing_loop, "Heartbeat", Held)
    monkeypatch.setattr(admission.time, "sleep", time_passes)
    with storing.corpus(tmp_path / "corpus") as corpus:
        assert corpus._opened().store.claim(storing.digest_of(left), str(left))
        report = corpus.add([left, other])
        assert len(report.added) == 2
        assert waits
        assert not corpus.status().jobs


def test_leases_are_renewed_while_there_is_work() -> None:
    beats: list[str] = []

    class Noting:
        lease_seconds = 60.0

        def renew(self) -> None:
            beats.append("beat")

    work = ["a document"]
    heart = Heartbeat(Noting(), lambda: bool(work))
    heart.beat()
    work.clear()
    heart.beat()
    assert beats == ["beat"]


def test_work_that_was_taken_over_is_left_to_the_new_owner(engine: Engine, tmp_path: Path) -> None:
    """A process that slept through its lease publishes nothing, and reports what the new owner made."""
    [path] = write(tmp_path, a="word")
    with storing.corpus(tmp_path / "corpus") as sleeper, storing.corpus(tmp_path / "corpus") as other:

        class StolenFrom(Silence):
            def start(self, path: str, stage: str, total: int) -> None:
                if stage == "vectors" and not other.list():
                    engine.let_leases_end(tmp_path / "corpus")
                    assert other.add(path).added

        report = sleeper.add(path, progress=StolenFrom())
        assert (len(report.added), len(report.unchanged)) == (0, 1)
        assert len(sleeper.list()) == 1
        assert not sleeper.check().findings


def test_readers_see_whole_documents_while_others_add_and_remove(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    stop, problems, seen = threading.Event(), [], Counter()

    def read() -> None:
        with storing.corpus(tmp_path / "corpus") as corpus:
            while not stop.is_set():
                try:
                    view = corpus.view()
                    for document in view.documents:
                        seen[document.blocks.text[0]] += 1
                    if view.documents:
                        texts = set(view.passages.text)
                        assert texts == {"\n".join(view.blocks.text)}, texts
                except storing.Changed:
                    seen["changed"] += 1
                except Exception as error:  # noqa: BLE001
                    problems.append(error)
                    return

    with storing.corpus(tmp_path / "corpus") as writer:
        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        for number in range(25):
            writer.add(write_file(path, f"version {number}"))
            if number % 5 == 4:
                writer.remove("a.pdf")
        stop.set()
        for reader in readers:
            reader.join()
    assert not problems
    assert len(seen) > 3
