"""A disk without room: one clear line, nothing half-written, and the work goes on once there is room."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import storing
from octavo.corpus import Corpus
from octavo.errors import CorpusError
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
