"""Files that hold many articles: what of them is in the corpus, what changes when they do, and what interrupts it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import storing
from engines import ONLY_SQLITE, Engine
from octavo.corpus import AddReport, Corpus
from octavo.corpus.index.builders import Builders
from octavo.corpus.reports import CollectionReport
from octavo.errors import SourceError
from octavo.layers import PASSAGES, TERMS
from octavo.layers.vectors import VECTORS
from octavo_documents.document import Document
from octavo_documents.parsing.article_messages import RawBatch, ToRead, Unread
from octavo_documents.structuring import worker as jobs
from octavo_documents.structuring.parser_pool import ParserPool

pytestmark = pytest.mark.usefixtures("engine")


class Embedder:
    """Counts how it is called; every vector is the same."""

    name = "counting"
    dimension = 4

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str], *, progress: object = None) -> np.ndarray:
        del progress
        self.calls.append(len(texts))
        return np.tile(np.float32([[1, 0, 0, 0]]), (len(texts), 1))


class Reader:
    """A `Parser` that reads articles in this process and notes which."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.before: Callable[[Sequence[ToRead]], None] = lambda batch: None

    def articles(self, path: str | Path) -> Iterator[RawBatch]:
        with jobs.Container(Path(path)) as container:
            yield from jobs._batches(container)

    def read_batch(self, batch: Sequence[ToRead], path: str | Path) -> list[bytes | Unread]:
        del path
        self.before(batch)
        self.log += [one.name for one in batch]
        return [jobs._document(one) for one in batch]

    def close(self) -> None:
        pass


class Bench:
    """A corpus of articles whose parser and embedder can be watched."""

    def __init__(self, folder: Path, place: str | Path | None = None) -> None:
        self.log: list[str] = []
        self.reader, self.embedder = Reader(self.log), Embedder()
        self.folder = folder
        layers = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
        self.parser: Callable[[int], Any] = lambda workers: self.reader
        self.corpus = Corpus(
            place or storing.place_of(folder / "corpus"),
            builders=lambda: Builders(
                "1", lambda workers: self.parser(workers), storing.NoRecognizer, layers, embedder=lambda: self.embedder
            ),
        )

    def write(self, *articles: object, name: str = "a.jsonl") -> Path:
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in articles)
        data = text.encode()
        path = self.folder / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        stamp = 1_600_000_000 + next(storing._ticks)
        os.utime(path, (stamp, stamp))
        return path

    def add(self, *articles: object, name: str = "a.jsonl") -> CollectionReport:
        self.log.clear()
        return only(self.corpus.add(self.write(*articles, name=name)))

    def names(self) -> list[str]:
        return sorted(info.name for info in self.corpus.list())


def only(report: AddReport) -> CollectionReport:
    assert not report.added
    assert len(report.collections) == 1
    return report.collections[0]


def article(title: str, text: str = "Some words.") -> dict[str, str]:
    return {"title": title, "text": text}


def many(count: int) -> list[dict[str, str]]:
    return [article(f"Title {number}", f"Words of number {number}.") for number in range(count)]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path)
    with found.corpus:
        yield found


def test_every_article_is_a_document_named_by_its_title(bench: Bench) -> None:
    report = bench.add(article("A/B # c"), article("D"))
    assert (report.articles, report.added, report.unchanged, report.removed) == (2, 2, 0, 0)
    first, second = bench.corpus.list()
    assert (first.name, first.path) == ("A/B # c", f"{bench.folder / 'a.jsonl'}#A/B # c")
    assert (second.name, second.pages, second.passages) == ("D", 1, 1)
    assert bench.corpus.document(first.id).metadata.title == "A/B # c"


def test_articles_of_one_title_are_numbered_in_order(bench: Bench) -> None:
    bench.add(article("A", "one"), article("A", "two"), article("A (2)", "three"), article("A", "four"))
    assert bench.names() == ["A", "A (2)", "A (2) (2)", "A (3)"]
    texts = {info.name: bench.corpus.document(info.id).blocks.text[0] for info in bench.corpus.list()}
    assert texts == {"A": "one", "A (2)": "two", "A (2) (2)": "three", "A (3)": "four"}


def test_an_article_that_stands_there_twice_is_counted_once(bench: Bench) -> None:
    report = bench.add(article("A"), article("B"), article("A"))
    assert (report.articles, report.skipped) == (2, {"duplicate": 1})


def test_the_same_article_in_two_files_is_one_document_until_both_are_gone(bench: Bench) -> None:
    bench.add(article("A"), article("B"))
    assert bench.add(article("A"), name="b.jsonl.gz").unchanged == 1
    assert bench.names() == ["A", "B"]
    bench.add(article("B"))
    assert bench.names() == ["A", "B"]
    bench.add(article("C"), name="b.jsonl.gz")
    assert bench.names() == ["B", "C"]


def test_a_file_that_looks_as_it_did_is_not_read(bench: Bench) -> None:
    path = bench.write(*many(3), "no json")
    bench.corpus.add(path)
    bench.log.clear()
    bench.reader.articles = lambda path: pytest.fail("it was read")  # pyright: ignore[reportAttributeAccessIssue]
    report = only(bench.corpus.add(path))
    assert (report.articles, report.unchanged, report.skipped) == (3, 3, {"no_object": 1})


def test_of_a_changed_file_only_changed_articles_are_read(bench: Bench) -> None:
    bench.add(*many(5))
    kept = {info.name: info.id for info in bench.corpus.list()}
    changed = [*many(5)[1:], article("New")]
    changed[1] = article("Title 2", "Other words.")
    report = bench.add(*changed)
    assert sorted(bench.log) == ["New", "Title 2"]
    assert (report.articles, report.added, report.unchanged, report.removed) == (5, 2, 3, 1)
    assert bench.names() == ["New", "Title 1", "Title 2", "Title 3", "Title 4"]
    now = {info.name: info.id for info in bench.corpus.list()}
    assert {name for name in now if kept.get(name) == now[name]} == {"Title 1", "Title 3", "Title 4"}


def test_an_article_may_take_the_name_of_one_that_has_gone(bench: Bench) -> None:
    bench.add(article("A", "one"), article("A", "two"))
    second = next(info.id for info in bench.corpus.list() if info.name == "A (2)")
    bench.add(article("A", "two"))
    (left,) = bench.corpus.list()
    assert (left.id, left.name, bench.log) == (second, "A", [])


def test_a_removed_article_comes_back_with_the_next_add(bench: Bench) -> None:
    path = bench.write(*many(3))
    bench.corpus.add(path)
    bench.corpus.remove("Title 1")
    assert bench.names() == ["Title 0", "Title 2"]
    assert only(bench.corpus.add(path)).added == 1
    assert bench.names() == ["Title 0", "Title 1", "Title 2"]


def test_passages_of_many_articles_are_embedded_in_one_call(bench: Bench) -> None:
    bench.add(*many(200))
    assert bench.embedder.calls == [200]


def test_a_file_cut_off_keeps_what_stands_before_and_removes_nothing(bench: Bench) -> None:
    whole = bench.write(*many(600), name="a.jsonl.gz")
    bench.corpus.add(whole)
    data = whole.read_bytes()
    whole.write_bytes(data[: len(data) // 2])
    report = bench.corpus.add(whole)
    assert [failure.reason for failure in report.failed] == ["damaged"]
    assert "is cut off" in report.failed[0].message
    assert report.collections[0].removed == 0
    assert len(bench.corpus.list()) == 600


def test_what_cannot_be_read_is_counted_by_reason_with_examples(bench: Bench) -> None:
    redirect = {"title": "R", "wikitext": "#REDIRECT [[S]]"}
    back = {"title": "S", "wikitext": "#REDIRECT [[R]]"}
    report = bench.add(article("A"), redirect, back, {"title": "E", "text": " "}, *(["no json"] * 500))
    assert report.skipped == {"no_object": 500, "redirect": 2, "empty": 1}
    assert all(len(examples) <= 3 for examples in report.examples.values())
    assert "sends on to “S”" in report.examples["redirect"][0]
    assert report.articles == 1


def test_a_file_without_articles_is_a_failure(bench: Bench) -> None:
    (failure,) = bench.corpus.add(bench.write({"question": "?"})).failed
    assert failure.reason == "empty"
    assert "1 skipped" in failure.message


def test_containers_are_found_in_folders(bench: Bench) -> None:
    bench.write(article("A"), name="a.jsonl")
    bench.write("<rss/>", name="feed.xml")
    report = bench.corpus.add(bench.folder)
    assert [Path(one.path).name for one in report.collections] == ["a.jsonl"]
    assert report.failed == ()


@ONLY_SQLITE
def test_unusual_articles_are_indexed(bench: Bench) -> None:
    headings = "\n\n".join(f"## Heading {number}" for number in range(10_000))
    bare = {"title": "Bare", "markdown": "#\n\n##  \n\nOnly this.\n\n# \n"}
    report = bench.add({"title": "Headings", "markdown": headings}, bare, article("Long", "many words. " * 400_000))
    assert (report.articles, report.skipped) == (3, {})
    sizes = {info.name: info.sections for info in bench.corpus.list()}
    assert sizes == {"Headings": 10_000, "Bare": 0, "Long": 0}


def test_one_article_that_kills_its_process_harms_no_other(bench: Bench) -> None:
    def die(batch: Sequence[ToRead]) -> None:
        if any(one.name == "Title 7" for one in batch):
            raise SourceError("crashed", "the process died")

    bench.reader.before = die
    report = bench.add(*many(20))
    assert (report.articles, report.skipped) == (19, {"crashed": 1})
    bench.reader.before = lambda batch: None
    assert bench.add(*many(21)).skipped == {"quarantined": 1}
    assert "Title 7" not in bench.names()


def test_an_interrupted_run_goes_on_after_the_batches_that_are_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs._Batch, "ARTICLES", 10)
    path = bench.write(*many(100))
    read = bench.embedder.embed

    def interrupted(texts: Sequence[str], *, progress: object = None) -> np.ndarray:
        if len(bench.embedder.calls) == 4:
            raise KeyboardInterrupt
        return read(texts, progress=progress)

    bench.embedder.embed = interrupted  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(KeyboardInterrupt):
        bench.corpus.add(path)
    assert len(bench.corpus.list()) == 40
    assert bench.corpus.status().jobs == ()
    bench.embedder.embed = read  # pyright: ignore[reportAttributeAccessIssue]
    bench.log.clear()
    report = only(bench.corpus.add(path))
    assert (report.added, report.unchanged) == (60, 40)
    assert sorted(bench.log) == sorted(f"Title {number}" for number in range(40, 100))
    assert bench.corpus.check().findings == ()


def test_a_run_gives_what_an_interrupted_and_resumed_one_does(tmp_path: Path, bench: Bench) -> None:
    bench.add(*many(30), article("Title 3", "twice"))
    other = Bench(tmp_path / "other") if (tmp_path / "other").mkdir() is None else bench
    with other.corpus:
        other.add(*many(17))
        other.add(*many(30), article("Title 3", "twice"))
        assert {info.name: info.id for info in other.corpus.list()} == {
            info.name: info.id for info in bench.corpus.list()
        }


def test_articles_are_read_in_guarded_processes(bench: Bench) -> None:
    bench.parser = lambda workers: ParserPool(workers)
    report = bench.add({"title": "A", "wikitext": "== B ==\n[[Words]]."}, {"title": "C", "html": "<h1>D</h1><p>e"})
    assert (report.articles, report.skipped) == (2, {})
    document: Document = bench.corpus.document("A")
    assert list(document.blocks.text) == ["B", "Words."]


def test_a_vanished_container_is_told_once(bench: Bench) -> None:
    bench.add(*many(5))
    (bench.folder / "a.jsonl").unlink()
    (finding,) = bench.corpus.check().findings
    assert finding.code == "vanished_source"
    assert len(bench.corpus.list()) == 5


def test_two_runs_at_once_give_what_one_does(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs._Batch, "ARTICLES", 10)
    path = bench.write(*many(100), article("Title 5", "another"))
    with ThreadPoolExecutor(2) as threads:
        reports = [only(report) for report in threads.map(lambda _: bench.corpus.add(path), range(2))]
    assert sum(report.added for report in reports) == 101
    assert [report.articles for report in reports] == [101, 101]
    assert all(report.skipped == {} for report in reports)
    assert {"Title 5", "Title 5 (2)"} <= set(bench.names())
    assert len(bench.names()) == 101
    assert bench.corpus.check().findings == ()


_KILLED = """
import os, signal, sys
from pathlib import Path
import test_collections as here
from octavo_documents.structuring import worker as jobs

jobs._Batch.ARTICLES = 10
bench = here.Bench(Path(sys.argv[1]), sys.argv[3])
read = bench.embedder.embed

def embed(texts, *, progress=None):
    if len(bench.embedder.calls) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return read(texts, progress=progress)

bench.embedder.embed = embed
bench.corpus.add(Path(sys.argv[1]) / "a.jsonl")
"""


def test_a_killed_run_goes_on_after_the_batches_that_are_done(
    engine: Engine, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs._Batch, "ARTICLES", 10)
    path = bench.write(*many(60))
    environment = {
        **os.environ,
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}",
    }
    engine.hasten(bench.folder / "corpus")
    command = [
        sys.executable,
        "-c",
        _KILLED,
        str(bench.folder),
        "3",
        str(bench.corpus.location.url or bench.corpus.path),
    ]
    ended = subprocess.run(command, env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(bench.corpus.list()) == 30
    report = only(bench.corpus.add(path))
    assert (report.added, report.unchanged, report.articles) == (30, 30, 60)
    assert sorted(bench.log) == sorted(f"Title {number}" for number in range(30, 60))
    assert bench.corpus.check().findings == ()


def test_an_article_called_like_an_office_file_is_not_printed(bench: Bench) -> None:
    path = bench.write(article("Notes.docx"))
    report = bench.corpus.add(path, render=True)
    assert (only(report).added, report.notes) == (1, ())
    assert only(bench.corpus.add(path)).unchanged == 1
