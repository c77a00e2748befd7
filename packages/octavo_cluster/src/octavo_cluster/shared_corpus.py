"""A corpus that many machines share: setting it up, copying one into it, its queue and its workers, and its care."""

from __future__ import annotations

import hashlib
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.corpus.index import sources
from octavo.corpus.index.finding import found_at
from octavo.corpus.index.heartbeat import Heartbeat
from octavo.corpus.location import locate
from octavo.corpus.reports import AddReport, Failure
from octavo.corpus.store import DocumentPart, Publication, Ready, Source, Taken
from octavo.corpus.store.paths import absolute, is_address, shown
from octavo.corpus.store.sqlite import SqliteJournal
from octavo.errors import FULL, OFFLINE, PASSING, CorpusError, SourceError, UsageError
from octavo_cluster.engine import searchers
from octavo_documents.parsing.articles import is_container

if TYPE_CHECKING:
    from octavo.corpus.backend import Backend
    from octavo.corpus.corpus import Corpus
    from octavo_cluster.postgresql import PostgresStore
    from octavo_cluster.searchers import SearcherStatus

_AT_ONCE = 64
"""Documents that are copied in one transaction."""
_QUEUED = 500
"""Files that are put into the queue in one transaction."""
_TAKEN = 16
"""Documents whose leases a worker takes from the queue at once: small files are read together."""
_POLL_SECONDS = 1.0
"""Between two looks whether there is something to do."""
_MOST_ATTEMPTS = 5
"""To index a document that fails for a reason that passes."""
_PAUSE_SECONDS = 30.0
"""After a first failure; after each further one in a row it is four times as long."""
_MOST_FULL = 3
"""Addresses in a row that find no room, after which their worker ends."""
_LONGEST_REST = 480.0
"""Seconds that a worker without network rests at most."""


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """What a shared corpus holds and what is being done: `waiting` documents are in the queue, `running` at work.

    Of those that wait, `again` have failed for a reason that passes and are tried again.
    """

    corpus: str
    bucket: str
    documents: int
    pages: int
    passages: int
    bytes: int
    waiting: int
    again: int
    running: int
    quarantined: int
    searchers: tuple[SearcherStatus, ...] = ()


def create(url: str, bucket: str) -> str:
    """Set up a shared corpus in a database, with its bytes in a bucket or a folder; return the bucket's URL.

    Raises CorpusError: `locked` where the database or the bucket has one already, `unreachable`, `locked` (rights).
    """
    location = locate(url)
    if not location.url:
        raise UsageError(f"{url} is no database: name it as postgresql://HOST/DATABASE")
    place = bucket if "://" in bucket else f"file://{absolute(bucket)}"
    try:
        from octavo_cluster.postgresql.connections import Connections, create
        from octavo_cluster.postgresql.objects import Bucket
    except ImportError as error:
        raise UsageError("this needs the extra 'cluster': pip install 'octavo[cluster]'") from error
    connections = Connections(location.url)
    try:
        create(connections, place, Bucket(place).claim)
    finally:
        connections.close()
    return place


def shared(corpus: Corpus) -> PostgresStore:
    """Return the store of a shared corpus. Raises UsageError for one in a folder, and CorpusError."""
    if not corpus.location.url:
        raise UsageError(
            f"{corpus.location} is a folder: name a shared corpus with --corpus postgresql://HOST/DATABASE"
        )
    from octavo_cluster.postgresql import PostgresStore

    store = corpus.backend.store
    assert isinstance(store, PostgresStore)
    return store


def status(corpus: Corpus, ray: str = "") -> ClusterStatus:
    """Return what a shared corpus holds and what is being done in it, and its searchers in a Ray cluster."""
    store, totals = shared(corpus), corpus.backend.catalogue.totals()
    waiting, running = store.queued()
    return ClusterStatus(
        str(corpus.location),
        store.bucket.url,
        totals.documents,
        totals.pages,
        totals.passages,
        store.size_bytes(),
        waiting,
        store.to_be_tried_again() if waiting else 0,
        running,
        len(store.quarantined()),
        tuple(searchers().status(corpus.backend.catalogue.stamp(), ray)) if ray else (),
    )


def search(
    corpus: Corpus, ray: str, told: Callable[[SearcherStatus], None], *, shards: int | None, copies: int
) -> list[SearcherStatus]:
    """Start the searchers of a shared corpus in a Ray cluster, or those that are missing; see `searchers.start`."""
    shared(corpus)
    stamp = corpus.backend.catalogue.stamp()
    return searchers().start(corpus.location.url, stamp, ray, told, shards=shards, copies=copies)


def stop_searching(corpus: Corpus, ray: str) -> int:
    """Stop the searchers of a shared corpus; return how many there were."""
    shared(corpus)
    return searchers().stop(corpus.backend.catalogue.stamp().identity, ray)


def sweep(corpus: Corpus, *, older: float) -> tuple[int, int]:
    """Remove bytes that nothing names and that are older than so many seconds; return how many there were, and went."""
    shared(corpus)
    from octavo_cluster.postgresql.care import PostgresCare

    care = corpus.backend.care
    assert isinstance(care, PostgresCare)
    return care.sweep(older)


# Copying a corpus


def copy(source: Corpus, target: Corpus, told: Callable[[int], None] = lambda _: None) -> int:
    """Copy the documents, layers and paid replies of a corpus in a folder into a shared one; return how many documents.

    What is there already stays and is not copied again. `told` is called with how many documents were looked at.
    """
    if source.location.url:
        raise UsageError(f"{source.location} is shared already: name the folder of a corpus")
    shared(target)
    held, into = source.backend, target.backend
    if isinstance(held.journal, SqliteJournal):
        for key, entry in held.journal.entries():
            into.journal.settle(key, "", entry)
    for case in held.store.quarantined().values():
        into.store.quarantine(case)
    modes = held.store.ocr_modes()
    copied = 0
    # In the order they came in: equal scores go by it, so that rankings stay what they are.
    listed = [info.id for info in held.catalogue.listing(sort="newest")][::-1]
    for at in range(0, len(listed), _AT_ONCE):
        copied += _copy_some(held, into, listed[at : at + _AT_ONCE], modes)
        told(min(at + _AT_ONCE, len(listed)))
    _copy_containers(held, into)
    return copied


def _copy_some(held: Backend, into: Backend, ids: Sequence[str], modes: dict[str, str]) -> int:
    """Copy some documents that are not there as they are here; return how many."""
    parts: dict[str, dict[str, str]] = {}
    keys = held.store.published(ids)
    for key in keys:
        parts.setdefault(key.document_id, {})[key.name] = key.fingerprint
    there: dict[str, dict[str, str]] = {}
    for key in into.store.published(ids):
        there.setdefault(key.document_id, {})[key.name] = key.fingerprint
    files: dict[str, list[Source]] = {}
    for one in held.store.sources(ids=ids).values():
        files.setdefault(one.document_id, []).append(one)
    whole = [item for item in ids if item in parts and item in files]
    due = [item for item in whole if not parts[item].items() <= there.get(item, {}).items()]
    infos = {info.id: info for info in held.store.bulk.find_documents(due)}
    data = held.store.load_all([key for key in keys if key.document_id in due])
    leases = into.store.bulk.claim_many([(item, files[item][0].path) for item in due])
    batch: list[Ready] = []
    for item, lease in zip(due, leases, strict=True):
        if lease is not None:
            own = [DocumentPart(key.name, key.fingerprint, data[key.number]) for key in keys if key.document_id == item]
            batch.append(Ready(lease, Publication(infos[item], modes[item], parts[item]), files[item][0], own))
    published = sum(into.store.bulk.publish_many(batch))
    into.store.bulk.attach_many([one for item in ids for one in files.get(item, [])])
    there_too = into.store.described(ids)
    for item, description in held.store.described(set(ids) - there_too.keys()).items():
        for by, fields in description.by.items():
            into.store.describe(item, by, fields, anew=True)
    cells_there = into.store.cells(ids)
    for item, cells in held.store.cells(set(ids) - cells_there.keys()).items():
        for key, cell in cells.items():
            into.store.keep_cell(item, key, cell)
    return published


def _copy_containers(held: Backend, into: Backend) -> None:
    """Note of files that hold many documents how they were read, so that they are not read again."""
    readings: dict[str, int] = {}
    for one in held.store.sources().values():
        if one.container:
            readings[one.container] = max(readings.get(one.container, 0), one.mtime_ns)
    for container, reading in readings.items():
        read = held.store.bulk.last_read(container)
        if read is None:
            continue
        while into.store.bulk.begin_reading(container) < reading:
            continue
        into.store.bulk.finish_reading(container, 0, read)


# The queue


def queue(corpus: Corpus, paths: Iterable[str | Path]) -> tuple[int, list[str], list[Failure]]:
    """Have files and the documents in folders indexed by the workers of a shared corpus.

    Return how many were not in the queue yet, the files that hold many documents, which are for one process to read,
    and what cannot be read.
    """
    store = shared(corpus)
    waiting: list[tuple[str, str]] = []
    containers: list[str] = []
    failed: list[Failure] = []
    queued = 0
    for path in map(absolute, paths):
        try:
            for found in found_at(path):
                if found.left_out:
                    continue
                if is_address(found.path):  # what it holds is known when it is fetched
                    waiting.append((f"address:{hashlib.sha256(found.path.encode()).hexdigest()}", found.path))
                elif is_container(found.path):
                    containers.append(found.path)
                else:
                    try:
                        waiting.append((sources.document_id(found.path), found.path))
                    except SourceError as error:  # the others of its folder are queued
                        failed.append(Failure(shown(found.path), error.reason, str(error)))
                if len(waiting) == _QUEUED:
                    queued, waiting = queued + store.queue(waiting), []
        except SourceError as error:
            failed.append(Failure(shown(path), error.reason, str(error)))
    return queued + store.queue(waiting), containers, failed


def work(
    corpus: Corpus, add: Callable[[list[str]], AddReport], told: Callable[[AddReport], None], *, stay: bool = False
) -> None:
    """Index what is in the queue of a shared corpus, with `add`, until nothing is left, or for ever.

    What another worker has is waited for: its lease ends when it dies. `told` is called after each few documents.
    Raises as `Rounds.next` does.
    """
    store, rounds = shared(corpus), Rounds(corpus, add)
    while True:
        report = rounds.next()
        if report is not None:
            told(report)
        elif not stay and not sum(store.queued()):
            return
        else:
            time.sleep(_POLL_SECONDS)


def _pause_after(failures: int) -> float:
    return _PAUSE_SECONDS * 4 ** (failures - 1)


class Rounds:
    """Takes documents from the queue of a shared corpus, some at a time, and indexes them with `add`."""

    def __init__(self, corpus: Corpus, add: Callable[[list[str]], AddReport]) -> None:
        self._store, self._add = shared(corpus), add
        self._full = 0
        """Addresses in a row that found no room."""
        self._unconnected = 0
        """Rounds in a row that reached nothing."""
        self._rests_until = 0.0
        self.back: tuple[str, ...] = ()
        """Paths that the last round put back into the queue for another attempt."""

    def next(self) -> AddReport | None:
        """Index some documents; None when nothing is there to be taken, or this machine rests as it has no network.

        What needs no work, or cannot be read, is taken off the queue. What failed for a reason that passes waits there
        for another attempt, which the report tells as a note, until the last one fails. Raises CorpusError (`full`)
        when address after address finds no room here.
        """
        if self._full >= _MOST_FULL:
            raise CorpusError(
                FULL,
                f"{self._full} addresses in a row could not be fetched, as {socket.gethostname()} has no room in "
                f"{tempfile.gettempdir()}: make some, then start the worker again; what it had is back in the queue",
            )
        jobs = self._store.take(_TAKEN) if time.monotonic() >= self._rests_until else []
        if not jobs:
            return None
        with Heartbeat(self._store):
            report = self._add([job.path for job in jobs])
        passing = {failure.path: failure for failure in report.failed if failure.reason in PASSING}
        failed = [(job, passing[path]) for job in jobs if (path := shown(job.path)) in passing]
        self._look_at_health(jobs, Counter(failure.reason for _, failure in failed))
        report, back = self._with_attempts(report, failed)
        self._store.put_back(back)
        self._store.settle({job.document_id for job in jobs} - {document for document, *_ in back})
        again = {document for document, *_ in back}
        self.back = tuple(job.path for job, _ in failed if job.document_id in again)
        return report

    def _look_at_health(self, jobs: Sequence[Taken], reasons: Counter[str]) -> None:
        """Count addresses in a row without room, and rest after a round that reached nothing.

        Whether the network is away or just what was asked for, others take it meanwhile.
        """
        has_room = sum(is_address(job.path) for job in jobs) > reasons[FULL]
        self._full = 0 if has_room else self._full + reasons[FULL]
        self._unconnected = self._unconnected + 1 if reasons[OFFLINE] == len(jobs) else 0
        if self._unconnected:
            self._rests_until = time.monotonic() + min(_pause_after(self._unconnected), _LONGEST_REST)

    def _with_attempts(
        self, report: AddReport, failed: Sequence[tuple[Taken, Failure]]
    ) -> tuple[AddReport, list[tuple[str, int, float]]]:
        """Return a report in which that has failed which is not tried again, and what is put back into the queue."""
        back: list[tuple[str, int, float]] = []
        ended = {failure.path: failure for failure in report.failed}
        notes = [*report.notes]
        for job, failure in failed:
            attempts = job.attempts + 1
            if attempts == _MOST_ATTEMPTS:
                ended[failure.path] = replace(failure, message=f"{failure.message} ({attempts} attempts)")
                continue
            del ended[failure.path]
            pause = _pause_after(attempts)
            back.append((job.document_id, attempts, pause))
            notes.append(f"{failure.message}; attempt {attempts + 1} of {_MOST_ATTEMPTS} is in {pause:g} seconds")
        return replace(report, failed=tuple(ended.values()), notes=tuple(notes)), back
