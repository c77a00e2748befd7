"""Many small files of text are indexed in batches, and come out as each by itself would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

import storing
from engines import ONLY_SQLITE
from octavo.corpus import Corpus
from octavo.corpus.index import admission, batching
from octavo.corpus.index.builders import Builders
from octavo.errors import SourceError
from octavo.layers import PASSAGES, TERMS
from octavo.layers.vectors import VECTORS
from octavo_documents.parsing import DEFAULT_LIMITS
from octavo_documents.parsing.article_messages import ToRead, Unread
from octavo_documents.parsing.formats import read_flow
from octavo_documents.structuring import worker as jobs
from octavo_documents.structuring.flow import flowing

pytestmark = pytest.mark.usefixtures("engine")

KINDS = {".md": "# {0}\n\nIt is {0}.\n", ".html": "<h1>{0}</h1><p>It is {0}.", ".txt": "It is {0}.\n"}


class Reader:
    """A `Parser` that reads in this process and notes what it reads together and what alone."""

    def __init__(self) -> None:
        self.together: list[list[str]] = []
        self.alone: list[str] = []
        self.before: Callable[[Sequence[str]], None] = lambda names: None

    def parse(self, path: str, *, name: str, digest: str, **_: object) -> bytes:
        self.alone.append(name)
        self.before([name])
        return flowing(read_flow(Path(path), DEFAULT_LIMITS), name=name, digest=digest).to_bytes()

    def read_batch(self, batch: Sequence[ToRead], path: str | Path) -> list[bytes | Unread]:
        del path
        self.together.append([one.name for one in batch])
        self.before([one.name for one in batch])
        return [jobs._document(one) for one in batch]

    def close(self) -> None:
        pass


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def corpus(tmp_path: Path, reader: Reader) -> Iterator[Corpus]:
    with opened(tmp_path / "corpus", reader) as found:
        yield found


def opened(folder: Path, reader: Reader) -> Corpus:
    layers = {layer.name: layer for layer in (PASSAGES, TERMS, VECTORS)}
    embedder = storing.WordEmbedder()
    return Corpus(
        storing.place_of(folder),
        builders=lambda: Builders("1", lambda workers: reader, storing.NoRecognizer, layers, embedder=lambda: embedder),
    )


def write(folder: Path, **texts: str) -> Path:
    """Write files of these names, "__" for the dot before the ending."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        storing.write_file(folder / name.replace("__", "."), text)
    return folder


def many(folder: Path, count: int = 7) -> Path:
    return write(
        folder,
        **{
            f"n{at}__{kind[1:]}": text.format(f"thing {at}{kind} of {folder.name}")
            for at in range(count)
            for kind, text in KINDS.items()
        },
    )


def parts(corpus: Corpus) -> dict[str, dict[str, bytes]]:
    store = corpus._opened().store
    found: dict[str, dict[str, bytes]] = {}
    for key in store.published():
        found.setdefault(key.document_id, {})[key.name] = store.load(key) or b""
    return found


def test_they_are_read_together_and_are_what_each_by_itself_is(
    tmp_path: Path, corpus: Corpus, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = many(tmp_path / "texts")
    report = corpus.add(folder)
    assert (len(report.added), len(reader.together), reader.alone) == (21, 1, [])
    monkeypatch.setattr(batching, "_WORTH_A_BATCH", 10_000)
    with opened(tmp_path / "other", reader) as other:
        alone = other.add(folder)
        assert len(reader.alone) == 21
        assert parts(other) == parts(corpus)
        named = [[(info.id, info.name, info.path, info.passages) for info in one.added] for one in (report, alone)]
        assert named[0] == named[1]


def test_batches_are_bounded(tmp_path: Path, corpus: Corpus, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "_BATCH_FILES", 4)
    monkeypatch.setattr(batching, "_SMALL_BYTES", 100)
    folder = write(many(tmp_path / "texts", 3), large__md="words " * 50)
    assert len(corpus.add(folder).added) == 10
    assert [len(batch) for batch in reader.together] == [4, 4, 1]
    assert reader.alone == ["large.md"]


def test_what_stands_there_already_is_not_read_again(tmp_path: Path, corpus: Corpus, reader: Reader) -> None:
    folder = many(tmp_path / "texts", 2)
    corpus.add(folder)
    storing.write_file(folder / "n0.md", "# changed\n")
    storing.write_file(folder / "n1.md", "# changed too\n")
    reader.together.clear()
    report = corpus.add(folder)
    assert ([info.name for info in report.added], len(report.unchanged)) == (["n0.md", "n1.md"], 4)
    assert reader.together == [["n0.md", "n1.md"]]
    assert len(corpus.list()) == 6


def test_two_files_of_the_same_bytes_are_one_document(tmp_path: Path, corpus: Corpus) -> None:
    folder = write(tmp_path / "texts", a__md="same", b__md="same", c__md="other")
    report = corpus.add(folder)
    assert sorted(info.name for info in report.added) == ["a.md", "c.md"]
    assert not report.failed
    assert len(corpus._opened().store.sources()) == 3


def test_one_that_cannot_be_read_says_so_as_it_does_alone(tmp_path: Path, corpus: Corpus) -> None:
    folder = write(many(tmp_path / "texts", 1), empty__md="", bare__html="<nav>x</nav>")
    (folder / "bytes.txt").write_bytes(bytes(range(9)) * 99)
    report = corpus.add(folder)
    assert len(report.added) == 3
    assert sorted((failure.reason, Path(failure.path).name) for failure in report.failed) == [
        ("empty", "bare.html"),
        ("empty", "empty.md"),
        ("format", "bytes.txt"),
    ]
    assert all(failure.path in failure.message for failure in report.failed)


def test_one_that_kills_its_reader_loses_no_other(tmp_path: Path, corpus: Corpus, reader: Reader) -> None:
    def die(names: Sequence[str]) -> None:
        if "evil.md" in names:
            raise SourceError("crashed", "the reader crashed")

    reader.before = die
    folder = write(many(tmp_path / "texts", 2), evil__md="evil")
    report = corpus.add(folder)
    assert len(report.added) == 6
    assert [(failure.reason, Path(failure.path).name) for failure in report.failed] == [("crashed", "evil.md")]
    again = corpus.add(folder)
    assert [failure.reason for failure in again.failed] == ["quarantined"]
    reader.before = lambda names: None
    corpus.retry()
    assert [info.name for info in corpus.add(folder).added] == ["evil.md"]


def test_what_was_done_before_an_interruption_stays_and_no_lease_is_kept(
    tmp_path: Path, corpus: Corpus, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "_BATCH_FILES", 3)

    def stop(names: Sequence[str]) -> None:
        if "n3.md" in names:
            raise KeyboardInterrupt

    reader.before = stop
    folder = many(tmp_path / "texts", 5)
    with pytest.raises(KeyboardInterrupt):
        corpus.add(folder, workers=1)
    assert 0 < len(corpus.list()) < 15
    assert corpus.status().jobs == ()
    reader.before = lambda names: None
    corpus.add(folder)
    assert len(corpus.list()) == 15


def test_one_that_another_process_indexes_is_waited_for(
    tmp_path: Path, corpus: Corpus, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = many(tmp_path / "texts", 1)
    with opened(tmp_path / "corpus", Reader()) as other:
        store: Any = other._opened().store
        document = storing.digest_of(folder / "n0.md")
        lease = store.claim(document, str(folder / "n0.md"))
        monkeypatch.setattr(admission.time, "sleep", lambda _: store.release(lease, keep=False))
        report = corpus.add(folder)
    assert (len(report.added), reader.alone) == (3, ["n0.md"])


def _steps(corpus: Corpus, work: Callable[[], object]) -> int:
    """Return how many hundreds of steps SQLite takes for some work, in all threads."""
    counted = [0]
    connections = corpus._opened().store.connections
    prepare = connections._prepare

    def count() -> bool:
        counted[0] += 1
        return False

    def prepared(connection: apsw.Connection) -> None:
        prepare(connection)
        connection.set_progress_handler(count, 100)

    connections._prepare = prepared
    connections.close()
    work()
    return counted[0]


@ONLY_SQLITE
@pytest.mark.parametrize("more", [1, 3], ids=["alone", "together"])
def test_more_files_take_the_store_no_more_work_where_there_are_many(tmp_path: Path, corpus: Corpus, more: int) -> None:
    taken: list[int] = []
    for count in (30, 300):
        corpus.add(many(tmp_path / f"of{count}", count))
        corpus.search("thing 7", limit=1)
        new = write(tmp_path / f"new{count}", **{f"n{at}__md": f"# New {at} of {count}" for at in range(more)})
        taken.append(_steps(corpus, lambda new=new: corpus.add(new)))
    assert taken[1] < 1.5 * taken[0], taken
