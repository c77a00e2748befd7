"""Adding files: what is built, what is skipped, what is taken up again, and what happens to bad files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import storing
from engines import ONLY_SQLITE, Engine
from octavo.corpus import Corpus
from octavo.corpus.index import fetch_rounds, sources
from octavo.corpus.index.admission import Admission
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.heartbeat import Heartbeat
from octavo.corpus.index.tasks import Task
from octavo.corpus.progress import Silence
from octavo.corpus.store import DOCUMENT_PART
from octavo.corpus.store.sqlite import SqliteStore
from octavo.errors import CorpusError, UsageError
from storing import write, write_file

pytestmark = pytest.mark.usefixtures("engine")

TEXT = "# Sales\nThey rose to 1,577.5 in 2015.\f# Costs\nThey fell."


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def corpus(tmp_path: Path, log: list[str]):
    with storing.corpus(tmp_path / "corpus", log=log) as opened:
        yield opened


PICTURES = {"told.png": "Harbour office", "blank.jpg": "", "icon.png": "ab"}
"""Names of pictures and what can be read in them."""


def names(infos: tuple) -> list[str]:
    return [info.name for info in infos]


def contents(corpus: Corpus) -> dict[str, Any]:
    """Return all that a corpus knows, in terms that do not depend on the order of events."""
    store = corpus._opened().store
    paths: dict[str, set[str]] = {}
    for source in store.sources().values():
        paths.setdefault(source.document_id, set()).add(source.path)
    parts = {(key.document_id, key.name): store.load(key) for key in store.published() if key.name != DOCUMENT_PART}
    documents = {key.document_id: len(store.load(key) or b"") for key in store.published() if key.name == DOCUMENT_PART}
    return {"paths": paths, "parts": parts, "documents": documents.keys()}


class TestWhatIsBuilt:
    def test_a_file_becomes_a_document_with_every_layer(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=TEXT)
        [info] = corpus.add(path).added
        assert (info.name, info.path, info.pages, info.sections, info.blocks) == ("a.pdf", str(path), 2, 2, 4)
        assert info.size_bytes == path.stat().st_size
        assert info.passages == len(corpus.view().passages) > 0
        assert corpus.view().vectors("vectors").shape == (info.passages, storing.DIMENSION)
        assert not corpus.status().jobs

    def test_a_folder_is_walked_in_order_and_hidden_files_are_skipped(self, corpus: Corpus, tmp_path: Path) -> None:
        folder = tmp_path / "files"
        write(folder, b="two", a="one")
        write(folder / "below", c="three")
        for other in (".hidden.pdf", "notes.unknown", ".git/d.pdf", "~$a.docx"):
            write_file(folder / other, "no")
        write_file(folder / "E.PDF", "five")
        report = corpus.add(folder, workers=1)
        assert names(report.added) == ["E.PDF", "a.pdf", "b.pdf", "c.pdf"]
        left_out = {Path(one.path).name: one.reason for one in report.left_out}
        assert left_out == {".hidden.pdf": "hidden", ".git": "hidden", "~$a.docx": "hidden", "notes.unknown": "format"}

    def test_pictures_of_a_folder_that_say_nothing_are_no_documents(self, corpus: Corpus, tmp_path: Path) -> None:
        [told, *_] = [write_file(tmp_path / "files" / name, text) for name, text in PICTURES.items()]
        for _ in range(2):
            report = corpus.add(tmp_path / "files")
            assert names([*report.added, *report.unchanged]) == ["told.png"]
            assert [(Path(one.path).name, one.reason) for one in report.left_out] == [
                ("blank.jpg", "no_text"),
                ("icon.png", "no_text"),
            ]
            assert not report.failed and not corpus.status().quarantined
        assert names(corpus.add(told.parent / "blank.jpg").added) == ["blank.jpg"]
        assert len(corpus.add(tmp_path / "files").unchanged) == 2

    def test_a_link_to_its_own_folder_does_not_trap_the_walk(self, corpus: Corpus, tmp_path: Path) -> None:
        write(tmp_path / "files", a="one")
        (tmp_path / "files" / "loop").symlink_to(tmp_path / "files")
        report = corpus.add(tmp_path / "files")
        assert names(report.added) == ["a.pdf"]
        assert [one.reason for one in report.left_out] == ["link"]

    def test_a_file_without_text_is_a_document_without_passages(self, corpus: Corpus, tmp_path: Path) -> None:
        [info] = corpus.add(write(tmp_path, a="")).added
        assert info.passages == 0
        assert not corpus.check().findings

    def test_a_name_that_is_no_utf8_can_be_added_listed_and_removed(self, corpus: Corpus, tmp_path: Path) -> None:
        path = os.fsencode(tmp_path) + b"/\xff.pdf"
        try:
            Path(os.fsdecode(path)).write_text("text")
        except OSError:
            pytest.skip("this file system takes UTF-8 only")
        [info] = corpus.add(os.fsdecode(path)).added
        info.path.encode("utf-8")
        assert corpus.add(os.fsdecode(path)).unchanged == (info,)
        assert [gone.id for gone in corpus.remove(os.fsdecode(path))] == [info.id]


class TestWhatIsSkipped:
    def test_an_unchanged_file_is_not_even_read(self, corpus: Corpus, tmp_path: Path, monkeypatch) -> None:
        files = write(tmp_path, a="one", b="two")
        first = corpus.add(files)
        monkeypatch.setattr(sources, "document_id", None)
        report = corpus.add(files)
        assert (report.added, report.failed) == ((), ())
        assert set(report.unchanged) == set(first.added)

    def test_a_file_that_was_only_touched_is_not_parsed_again(self, corpus: Corpus, tmp_path: Path, log) -> None:
        [path] = write(tmp_path, a="one")
        corpus.add(path)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        assert names(corpus.add(path).unchanged) == ["a.pdf"]
        assert log == ["a.pdf"]

    def test_a_file_written_moments_ago_is_read_again_since_its_time_stamp_proves_nothing(
        self, corpus: Corpus, tmp_path: Path
    ) -> None:
        path = tmp_path / "a.pdf"
        path.write_text("before")
        corpus.add(path)
        stamp = path.stat().st_mtime_ns
        path.write_text("after!")
        os.utime(path, ns=(stamp, stamp))
        assert names(corpus.add(path).added) == ["a.pdf"]

    def test_the_same_bytes_under_two_names_are_one_document_of_the_first_name(
        self, corpus: Corpus, tmp_path: Path, log
    ) -> None:
        report = corpus.add(write(tmp_path, a="same", b="same", c="same"), workers=3)
        assert names(report.added) == ["a.pdf"]
        assert (report.unchanged, report.failed) == ((), ())
        assert log == ["a.pdf"]
        found = corpus.resolve(str(tmp_path / "c.pdf"))
        assert (found.id, found.name) == (report.added[0].id, "c.pdf")
        assert [(Path(copy.path).name, Path(copy.of).name) for copy in report.copies] == [
            ("b.pdf", "a.pdf"),
            ("c.pdf", "a.pdf"),
        ]

    @ONLY_SQLITE
    def test_a_thousand_unchanged_files_take_less_than_a_second(self, corpus: Corpus, tmp_path: Path) -> None:
        folder = tmp_path / "files"
        files = [write_file(folder / f"{number}.pdf", f"word {number}") for number in range(1000)]
        store, expected = corpus._opened().store, storing.builders()
        corpus.add(files[0])
        pretend_indexed(store, corpus, files, expected)
        started = time.process_time()
        report = corpus.add(folder)
        assert time.process_time() - started < 1.0
        assert len(report.unchanged) == 1000

    def test_new_code_builds_again_only_what_depends_on_it(self, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=TEXT)
        with storing.corpus(tmp_path / "corpus") as corpus:
            corpus.add(path)
            before = {key.name: key for key in corpus._opened().store.published()}
        log: list[str] = []
        newer = storing.builders(log=log)
        vectors = newer.layers["vectors"]
        layers = {**newer.layers, "vectors": type(vectors)("vectors", 2, vectors.reads, vectors.build, vectors.model)}
        changed = type(newer)(newer.version, newer.parser, newer.recognizer, layers)
        with Corpus(storing.place_of(tmp_path / "corpus"), builders=lambda: changed) as corpus:
            assert names(corpus.add(path).added) == ["a.pdf"]
            after = {key.name: key for key in corpus._opened().store.published()}
        assert not log
        assert {name for name in before if before[name] != after[name]} == {"vectors"}

    def test_a_new_parser_reads_again(self, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=TEXT)
        log: list[str] = []
        for version in ("1", "2", "2"):
            with storing.corpus(tmp_path / "corpus", version=version, log=log) as corpus:
                corpus.add(path)
                assert len(corpus.list()) == 1
                assert not corpus.check().findings
        assert log == ["a.pdf", "a.pdf"]

    def test_another_way_of_reading_scans_reads_again(self, corpus: Corpus, tmp_path: Path, log) -> None:
        [path] = write(tmp_path, a=TEXT)
        assert corpus.add(path, ocr="auto").added
        assert corpus.add(path, ocr="never").added
        assert corpus.add(path, ocr="never").unchanged
        assert len(corpus.list()) == 1


def pretend_indexed(store, corpus: Corpus, files: list[Path], builders) -> None:
    """Write the rows that adding the files would, by copying those of the first."""
    from octavo.corpus.index.document_builder import DocumentBuilder
    from octavo.corpus.progress import Silence

    builder = DocumentBuilder(store, builders, Silence())
    with store.connections.writing() as connection:
        for number, path in enumerate(files[1:], 10):
            look = sources.look(str(path))
            document = sources.document_id(str(path))
            connection.execute(
                "INSERT INTO documents SELECT ?, ?, ?, ocr, pages, scanned_pages, blocks, sections, passages, "
                "size_bytes, added FROM documents WHERE number = 1",
                (number, document, path.name),
            )
            connection.execute(
                "INSERT INTO sources VALUES (?, ?, ?, ?, ?)", (look.path, look.path, look.size, look.mtime_ns, number)
            )
            for part, fingerprint in builder.expected(document).items():
                connection.execute("INSERT INTO blobs (data) VALUES (x'00')")
                connection.execute(
                    "INSERT INTO parts VALUES (?, ?, ?, 1, x'00', ?)",
                    (document, part, fingerprint, connection.last_insert_rowid()),
                )


class TestChangedFiles:
    def test_a_changed_file_takes_the_place_of_its_document(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a="word before")
        [old] = corpus.add(path).added
        write_file(path, "word after")
        [new] = corpus.add(path).added
        assert corpus.list() == (new,)
        assert new.id != old.id

    def test_a_changed_file_that_cannot_be_read_leaves_the_old_document(self, corpus: Corpus, tmp_path: Path) -> None:
        [path] = write(tmp_path, a="word")
        [old] = corpus.add(path).added
        write_file(path, "!damaged")
        assert corpus.add(path).failed
        assert corpus.list() == (old,)

    def test_a_file_that_changes_while_it_is_read_is_not_indexed(self, tmp_path: Path) -> None:
        [path] = write(tmp_path, a="word")
        changes = ["other words"]

        class Overtaken(storing.TextParser):
            def parse(self, source: str, **options) -> bytes:
                data = super().parse(source, **options)
                if changes:
                    write_file(path, changes.pop())
                return data

        good = storing.builders()
        overtaken = type(good)("1", Overtaken, good.recognizer, good.layers)
        with Corpus(storing.place_of(tmp_path / "corpus"), builders=lambda: overtaken) as corpus:
            assert "is not the file it was" in corpus.add(path).failed[0].message
            assert not corpus.list()
            assert corpus.add(path).added


class TestBadFiles:
    def test_bad_files_are_named_with_reasons_and_the_others_are_indexed(self, corpus: Corpus, tmp_path: Path) -> None:
        files = write(tmp_path, a="one", b="!damaged", c="three", d="!damaged too")
        report = corpus.add([*files, tmp_path / "nowhere.pdf"], workers=2)
        assert sorted(names(report.added)) == ["a.pdf", "c.pdf"]
        assert [(Path(failure.path).name, failure.reason) for failure in report.failed] == [
            ("b.pdf", "damaged"),
            ("d.pdf", "damaged"),
            ("nowhere.pdf", "missing"),
        ]
        assert all("\n" not in failure.message for failure in report.failed)
        assert not corpus.status().jobs
        assert not corpus.check().findings

    def test_a_folder_without_documents_says_so(self, corpus: Corpus, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        [failure] = corpus.add(tmp_path / "empty").failed
        assert "holds no document" in failure.message

    def test_a_file_that_kills_its_parser_twice_is_left_alone_until_something_changes(
        self, tmp_path: Path, log
    ) -> None:
        [path] = write(tmp_path, a="!crash")
        with storing.corpus(tmp_path / "corpus", log=log) as corpus:
            assert corpus.add(path).failed[0].reason == "crashed"
            assert log == ["a.pdf", "a.pdf"]
            again = corpus.add(path).failed[0]
            assert again.reason == "quarantined"
            assert again.message.count(str(path)) == 1
            assert again.message.endswith("is left alone because, read before, it made the PDF reader crash")
            assert len(log) == 2
            assert len(corpus.status().quarantined) == 1
            assert corpus.retry() == 1
            assert corpus.add(path).failed[0].reason == "crashed"
        with storing.corpus(tmp_path / "corpus", version="2", log=log) as corpus:
            assert corpus.add(path).failed[0].reason == "crashed"
            write_file(path, "mended")
            assert corpus.add(path).added

    def test_a_document_that_is_not_the_file_asked_for_is_refused(self, tmp_path: Path) -> None:
        class Liar(storing.TextParser):
            def parse(self, path: str, *, name: str, digest: str, **_) -> bytes:
                return super().parse(path, name=name, digest="0" * 64)

        class Babbler(storing.TextParser):
            def parse(self, path: str, *, name: str, digest: str, **_) -> bytes:
                return b"nonsense"

        good = storing.builders()
        for parser in (Liar, Babbler):
            bad = type(good)("1", parser, good.recognizer, good.layers)
            with Corpus(storing.place_of(tmp_path / "corpus"), builders=lambda bad=bad: bad) as corpus:
                assert corpus.add(write(tmp_path, a="text")).failed[0].reason == "damaged"
                assert not corpus.list()

    def test_an_unknown_way_of_reading_scans_is_a_usage_error(self, corpus: Corpus, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="'auto', 'always', 'never'"):
            corpus.add(tmp_path, ocr="perhaps")


class Expectant(Silence):
    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.finished: list[str] = []

    def expect(self, sizes: Mapping[str, int]) -> None:
        assert not self.finished
        self.sizes = {**sizes}

    def finish(self, path: str, outcome: str) -> None:
        del outcome
        self.finished.append(path)


class TestProgress:
    def test_whoever_asks_is_told_what_files_there_are_before_the_first_is_read(
        self, corpus: Corpus, tmp_path: Path
    ) -> None:
        seen = Expectant()
        corpus.add(write(tmp_path, a=TEXT, b=TEXT + " more"), progress=seen)
        assert {Path(path).name: size for path, size in seen.sizes.items()} == {
            name: (tmp_path / name).stat().st_size for name in ("a.pdf", "b.pdf")
        }
        assert {*seen.finished} == {*seen.sizes}

    def test_every_file_is_seen_through_its_stages_to_its_outcome(self, corpus: Corpus, tmp_path: Path) -> None:
        seen = Seen()
        corpus.add(write(tmp_path, a=TEXT, b="!damaged"), progress=seen)
        corpus.add(tmp_path / "a.pdf", progress=seen)
        stages = [stage for path, stage in seen.starts if path == "a.pdf"]
        assert list(dict.fromkeys(stages)) == ["parse", "passages", "terms", "vectors"]
        assert ("a.pdf", "parse", 2) in seen.steps
        assert seen.outcomes == {("a.pdf", "added"), ("b.pdf", "failed"), ("a.pdf", "unchanged")}


class Seen:
    """A `Progress` that remembers."""

    def __init__(self) -> None:
        self.starts: list[tuple[str, str]] = []
        self.steps: list[tuple[str, str, int]] = []
        self.outcomes: set[tuple[str, str]] = set()

    def start(self, path: str, stage: str, total: int) -> None:
        self.starts.append((Path(path).name, stage))

    def advance(self, path: str, stage: str, done: int) -> None:
        self.steps.append((Path(path).name, stage, done))

    def finish(self, path: str, outcome: str) -> None:
        self.outcomes.add((Path(path).name, outcome))


def test_a_running_add_renews_its_leases_even_when_one_attempt_fails() -> None:
    beats: list[str] = []
    enough = threading.Event()

    class Fussy:
        lease_seconds = 0.004

        def renew(self) -> None:
            beats.append("beat")
            if len(beats) == 1:
                raise CorpusError("locked", "try again")
            enough.set()

    with Heartbeat(Fussy()):
        assert enough.wait(10)


class Killing:
    """A `Progress` that raises at one stage."""

    def __init__(self, stage: str) -> None:
        self.stage = stage

    def start(self, path: str, stage: str, total: int) -> None:
        if stage == self.stage:
            raise KeyboardInterrupt

    def advance(self, path: str, stage: str, done: int) -> None: ...

    def finish(self, path: str, outcome: str) -> None: ...


class TestInterruptions:
    @pytest.mark.parametrize("stage", ["passages", "terms", "vectors"])
    def test_ctrl_c_keeps_the_finished_parts_and_the_next_run_reads_nothing_again(
        self, corpus: Corpus, tmp_path: Path, log, stage: str
    ) -> None:
        [path] = write(tmp_path, a=TEXT)
        with pytest.raises(KeyboardInterrupt):
            corpus.add(path, progress=Killing(stage))
        assert not corpus.list()
        [job] = corpus.status().jobs
        assert not job.is_running
        done = ["passages", "terms", "vectors"]
        assert set(job.parts) == {DOCUMENT_PART, *done[: done.index(stage)]}
        assert corpus.check().is_sound
        assert corpus.add(path).added
        assert log == ["a.pdf"]
        assert not corpus.status().jobs

    @pytest.mark.parametrize("wrong", [KeyboardInterrupt(), CorpusError("full", "the disk is full")])
    def test_no_lease_stays_behind_where_nothing_could_be_started(self, tmp_path: Path, wrong: BaseException) -> None:
        def parser(_workers: int) -> Parser:
            raise wrong

        made = replace(storing.builders(), parser=parser)
        paths = write(tmp_path, a=TEXT, b="one")
        with Corpus(storing.place_of(tmp_path / "corpus"), builders=lambda: made) as corpus:
            with pytest.raises(type(wrong)):
                corpus.add(paths)
            assert not any(job.is_running for job in corpus.status().jobs)
        with storing.corpus(tmp_path / "corpus") as corpus:
            assert len(corpus.add(paths).added) == 2

    def test_no_lease_stays_behind_where_the_store_fails_after_it_was_taken(
        self, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_self: Admission, _tasks: object) -> list[Task]:
            raise CorpusError("full", "the disk is full")

        paths = write(tmp_path, a=TEXT, b="one")
        with monkeypatch.context() as patched, pytest.raises(CorpusError, match="full"):
            patched.setattr(Admission, "without_done", fail)
            corpus.add(paths)
        assert not any(job.is_running for job in corpus.status().jobs)
        assert len(corpus.add(paths).added) == 2

    def test_ctrl_c_is_prompt_while_files_are_being_read(self, engine: Engine, tmp_path: Path) -> None:
        write(tmp_path / "files", **{f"f{number}": f"!slow 30\n{number}" for number in range(4)})
        process = start_adding(tmp_path, tmp_path / "files")
        wait_for(lambda: storing_jobs(engine, tmp_path) >= 2)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert time.monotonic() - started < 15, "the files take 30 seconds"
        assert "Traceback" not in process.stderr.read()

    def test_a_killed_process_is_noticed_and_its_work_is_taken_up(self, engine: Engine, tmp_path: Path, log) -> None:
        files = tmp_path / "files"
        write(files, a="first\nword", b="second\nword", c="third\nword")
        engine.hasten(tmp_path / "corpus")
        process = start_adding(tmp_path, files, slow=0.4)
        wait_for(lambda: len(stored_parts(engine, tmp_path, "vectors")) >= 1)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        with storing.corpus(tmp_path / "corpus", log=log) as corpus:
            assert len(corpus.list()) < 3
            assert corpus.status().jobs
            kept = stored_parts(engine, tmp_path, DOCUMENT_PART)
            report = corpus.add(files)
            assert len(report.added) + len(report.unchanged) == 3
            assert len(log) == 3 - len(kept)
            assert not corpus.status().jobs
            assert not corpus.check().findings
            broken_off = contents(corpus)
        with storing.corpus(tmp_path / "fresh") as fresh:
            fresh.add(files)
            assert contents(fresh) == broken_off


def test_killed_again_and_again_at_any_moment_the_work_is_finished_once_and_right(
    engine: Engine, tmp_path: Path
) -> None:
    files = tmp_path / "files"
    write(files, **{f"f{number}": f"# Part {number}\nword pear third" for number in range(8)})
    chance, killed = random.Random(3), 0
    engine.hasten(tmp_path / "corpus")
    while True:
        process = start_adding(tmp_path, files, slow=0.15)
        wait_for(lambda process=process: process.poll() is not None or jobs_of(engine, process, tmp_path))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0, 0.6))
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        killed += 1
        with storing.corpus(tmp_path / "corpus") as corpus:
            corpus.view().passages  # noqa: B018
            assert {finding.code for finding in corpus.check().findings} <= {"expired_lease"}
    assert process.returncode == 0
    assert killed >= 2
    with storing.corpus(tmp_path / "corpus") as corpus, storing.corpus(tmp_path / "fresh") as fresh:
        fresh.add(files)
        assert contents(corpus) == contents(fresh)
        assert not corpus.status().jobs
        assert not corpus.check().findings


def start_adding(folder: Path, files: Path, *, slow: float = 0.0) -> subprocess.Popen[str]:
    """Start another process that adds files to the corpus in `folder`."""
    code = f"""
        import sys
        import storing
        try:
            with storing.corpus({str(storing.place_of(folder / "corpus"))!r}, slow={slow}) as corpus:
                report = corpus.add({str(files)!r}, workers=2)
        except KeyboardInterrupt:
            sys.exit(130)
        print(len(report.added), len(report.unchanged), len(report.failed))
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}"},
    )


def wait_for(condition, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def jobs_of(engine: Engine, process: subprocess.Popen[str], folder: Path) -> list[tuple]:
    own = f"pid = {process.pid}" if engine.name == "sqlite" else "expires > now()"
    return engine.query(folder / "corpus", f"SELECT 1 FROM jobs WHERE token <> '' AND {own}")


def storing_jobs(engine: Engine, folder: Path) -> int:
    return len(engine.query(folder / "corpus", "SELECT 1 FROM jobs"))


def stored_parts(engine: Engine, folder: Path, name: str) -> list[tuple]:
    return engine.query(folder / "corpus", f"SELECT document_id FROM parts WHERE name = '{name}'")


FILES = st.sampled_from(["a", "b", "c"])
TEXTS = st.sampled_from(["word", "word pear", "# third\nword", "!damaged"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), FILES, TEXTS),
        st.tuples(st.just("delete"), FILES, st.just("")),
        st.tuples(st.just("remove"), FILES, st.just("")),
        st.tuples(st.just("add"), FILES, st.just("")),
    ),
    max_size=12,
)


@settings(max_examples=25)
@given(STEPS)
def test_any_history_leads_to_the_index_of_its_final_state(tmp_path_factory, steps) -> None:
    """Whatever was added, changed and removed before, the corpus equals a fresh one of the files it lists."""
    folder = tmp_path_factory.mktemp("history")
    believed: dict[Path, str] = {}
    # Texts of files that moved, or of which another copy stays: their titles, which are file names, stay the former.
    once_elsewhere: set[str] = set()
    with storing.corpus(folder / "corpus") as corpus:
        forgets = isinstance(
            corpus._opened().store, SqliteStore
        )  # of a shared corpus another machine may have the file
        for action, name, text in steps:
            path = folder / f"{name}.pdf"
            if action == "write":
                write_file(path, text)
            elif action == "delete":
                path.unlink(missing_ok=True)
            elif action == "add" and path.exists():
                corpus.add(path)
                text = path.read_text()
                if "!damaged" not in text:
                    moved = [file for file, other in believed.items() if other == text and not file.exists()]
                    moved = moved if forgets else []
                    once_elsewhere.update(believed[file] for file in moved)
                    believed = {file: other for file, other in believed.items() if file not in moved}
                    believed[path] = text
            elif action == "remove" and path in believed:
                corpus.remove(str(path))
                text = believed.pop(path)
                if text in believed.values():
                    once_elsewhere.add(text)
        for path, text in believed.items():
            write_file(path, text)
        assert not [finding for finding in corpus.check().findings if finding.code != "vanished_source"]
        with storing.corpus(folder / "fresh") as fresh:
            fresh.add([*believed])
            found, expected = contents(corpus), contents(fresh)
            for text in once_elsewhere:
                terms = ("sha256:" + hashlib.sha256(text.encode()).hexdigest(), "terms")
                for one in (found, expected):
                    one["parts"].pop(terms, None)
            assert found == expected
            assert {info.name for info in corpus.list()} <= {path.name for path in believed}


@ONLY_SQLITE
def test_the_disk_layout_is_a_folder_with_one_file(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add(write(tmp_path, a="one"))
    corpus.close()
    assert sorted(path.name for path in (tmp_path / "corpus").iterdir()) == ["corpus.db", "reserve"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    write_file(tmp_path / "file", "")
    with pytest.raises((CorpusError, UsageError), match="file"):
        storing.corpus(tmp_path / "file" / "corpus").add(write(tmp_path, a="one"))


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, "No usable temporary directory found"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
    ],
)
def test_a_temporary_folder_that_takes_nothing_is_told_as_full(error: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr(fetch_rounds.tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(CorpusError, match="TMPDIR") as caught, fetch_rounds._temporary_folder():
        pass
    assert caught.value.reason == "full"
