"""Fetching what is at addresses in rounds: some documents at the same time, which are indexed before the next."""

from __future__ import annotations

import contextlib
import errno
import tempfile
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.fetching import Fetcher, PutOff
from octavo.corpus.index.finding import with_current
from octavo.corpus.index.indexing_loop import INTERRUPTIBLE_SECONDS
from octavo.corpus.index.outcome import FileOutcome
from octavo.corpus.index.tasks import Candidate
from octavo.corpus.store import Source
from octavo.errors import FULL, CorpusError, SourceError

_AT_ONCE = 16
"""Documents of a round; fewer where they are large."""


def fetch_rounds(
    addresses: Sequence[Candidate], builder: DocumentBuilder, outcome: FileOutcome, *, allow_private: bool
) -> Generator[list[Candidate]]:
    """Fetch documents from their addresses; yield those of a round that are new or changed.

    Their files are there until the next round is asked for. `allow_private` says whether addresses of this machine and
    its network may be fetched. Raises CorpusError (`full`).
    """
    waiting, most = [*addresses], _AT_ONCE
    while waiting:
        some, waiting = waiting[:most], waiting[most:]
        with _temporary_folder() as folder:
            fetcher = Fetcher(folder, allow_private=allow_private)
            fetched, put_off = _fetch(some, fetcher, builder, outcome)
            yield fetched
        waiting[:0] = put_off
        most = max(1, min(_AT_ONCE, 2 * (len(some) - len(put_off))))


def _fetch(
    files: Sequence[Candidate], fetcher: Fetcher, builder: DocumentBuilder, outcome: FileOutcome
) -> tuple[list[Candidate], list[Candidate]]:
    """Fetch documents, all at once; return the new and changed ones, and those for which the others left no room."""

    def fetch(file: Candidate, before: Source | None) -> Source | None:
        builder.progress.start(file.source.path, "fetch", 0)
        return fetcher.fetch(file.source.path, before)

    fetched: list[Candidate] = []
    put_off: list[Candidate] = []
    with ThreadPoolExecutor(_AT_ONCE, "octavo-fetch") as threads:
        try:
            under_way = [
                (file, before, threads.submit(fetch, file, before)) for file, before in with_current(files, builder)
            ]
            for file, before, future in under_way:
                try:
                    source = _result(future)
                except SourceError as error:
                    outcome.failed(file, error)
                except PutOff:
                    put_off.append(file)
                else:
                    if source is not None:
                        fetched.append(replace(file, source=source))
                    elif before is not None:
                        outcome.unchanged([replace(file, source=before)])
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            fetcher.stop()
            raise
    return fetched, put_off


def _result(future: Future[Source | None]) -> Source | None:
    while not future.done():
        wait([future], timeout=INTERRUPTIBLE_SECONDS)
    return future.result()


@contextlib.contextmanager
def _temporary_folder() -> Generator[Path]:
    """Give a temporary folder. Raises CorpusError (`full`)."""
    try:
        made = tempfile.TemporaryDirectory(prefix="octavo-")
    except OSError as error:
        # The first time a process asks, a folder that takes no bytes is reported as one that is not there.
        if isinstance(error, FileNotFoundError) or error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise CorpusError(
                FULL, f"no temporary folder takes a file ({error}): make room, or name one in TMPDIR"
            ) from error
        raise
    with made as folder:
        yield Path(folder)
