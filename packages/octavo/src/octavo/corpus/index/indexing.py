"""Many files: which are new, who indexes which, and what runs at the same time.

Parsing of the next files overlaps with the layers of the current one, which use every core themselves. The store's
leases keep two runs, in one process or in several, from building the same document: a document that someone else has is
put aside and looked at again when they are done with it, or gone.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import tempfile
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from octavo.corpus.index import sources
from octavo.corpus.index.batches import INTERRUPTIBLE_SECONDS, SmallFiles, is_small
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.building import DocumentBuilder, Task
from octavo.corpus.index.copies import copies_among
from octavo.corpus.reports import AddReport, CollectionReport, Failure, LeftOut
from octavo.corpus.store import NO_TEXT, DocumentInfo, LeaseLost, Quarantined, Source, Store
from octavo.corpus.store.paths import is_address, name_of, path_key, shown
from octavo.errors import FULL, CorpusError, SourceError
from octavo_documents.document import Document
from octavo_documents.parsing.articles import is_container

if TYPE_CHECKING:
    from octavo.corpus.index.fetching import Fetcher

_POLL_SECONDS = 0.2
"""Between two looks whether another process is done with a document."""
_AT_ONCE = 500
"""Files that the store is asked about at once."""
_FETCHED = 16
"""Documents that are fetched at the same time, and then indexed before the next; fewer where they are large."""
_BEATS = 0.25
"""Of the time a lease lasts, after which it is renewed."""
_WORTH_A_BATCH = 2
"""Small files from which on they are read together."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file on its way: how it looks, and its document's id once it was hashed."""

    source: Source
    order: int
    is_found: bool = False
    """Whether it was found in a folder; else somebody named it."""


@dataclass
class _Outcome:
    """What became of the files so far."""

    added: list[tuple[int, DocumentInfo]] = field(default_factory=list[tuple[int, DocumentInfo]])
    unchanged: dict[str, Source] = field(default_factory=dict[str, Source])
    """The first file of each document, by id, in order."""
    files: list[Source] = field(default_factory=list[Source])
    """All that lead to documents."""
    failed: list[tuple[int, Failure]] = field(default_factory=list[tuple[int, Failure]])
    collections: list[CollectionReport] = field(default_factory=list[CollectionReport])
    left_out: list[tuple[int, LeftOut]] = field(default_factory=list[tuple[int, LeftOut]])

    def add(self, order: int, source: Source, info: DocumentInfo) -> None:
        """Note that the document of a file is new, or new again; it is told under the file's name."""
        self.files.append(source)
        self.added.append((order, _under(info, source)))

    def report(self, store: Store, *, forgets: bool) -> AddReport:
        added = {info.id: info for _, info in sorted(self.added, key=lambda pair: pair[0])}
        infos = {info.id: info for info in store.bulk.find_documents([*self.unchanged])} if self.unchanged else {}
        infos = {item: _under(info, self.unchanged[item]) for item, info in infos.items()}
        return AddReport(
            added=tuple(added.values()),
            unchanged=tuple(infos[item] for item in self.unchanged if item in infos and item not in added),
            failed=tuple(failure for _, failure in sorted(self.failed, key=lambda pair: pair[0])),
            collections=tuple(self.collections),
            left_out=tuple(one for _, one in sorted(self.left_out, key=lambda pair: pair[0])),
            copies=copies_among(store, self.files, forgets=forgets),
        )


def _under(info: DocumentInfo, source: Source) -> DocumentInfo:
    return replace(info, name=shown(name_of(source)), path=shown(source.path))


class Indexing:
    """One `add`. `run` may be called once."""

    def __init__(
        self,
        workshop: DocumentBuilder,
        *,
        workers: int | None = None,
        allow_private: bool = False,
        forgets: bool = False,
    ) -> None:
        """Take how many files are read at once, whether addresses here may be fetched, and whether paths are forgotten.

        `forgets` says whether files are this machine's alone, so that one that is not here is gone.
        """
        self._workshop, self._allow_private, self._forgets = workshop, allow_private, forgets
        self._store = workshop.store
        self._progress = workshop.progress
        self._workers = workers or os.cpu_count() or 1
        self._outcome = _Outcome()
        self._files: deque[_File] = deque()
        self._aside: list[_File] = []
        self._reading: dict[Future[tuple[Task, Document]], tuple[_File, Task]] = {}
        self._broken: dict[str, Failure] = {}
        self._containers: list[Source] = []
        self._remote: list[_File] = []

    def run(self, paths: Iterable[str]) -> AddReport:
        """Index files, folders and what is at addresses; what is done is kept.

        Raises CorpusError (`full` and others) and ModelError.
        """
        self._find(paths)
        if self._files:
            self._index()
        most = _FETCHED
        while self._remote:
            some, self._remote = self._remote[:most], self._remote[most:]
            put_off = self._index_remote(some)
            self._remote[:0] = put_off
            most = max(1, min(_FETCHED, 2 * (len(some) - len(put_off))))
        if self._containers:
            self._collect()
        return self._outcome.report(self._store, forgets=self._forgets)

    # Which files

    def _find(self, paths: Iterable[str]) -> None:
        """Queue the files that are new or look different from when they were indexed."""
        seen: set[str] = set()
        order = itertools.count()
        found: list[_File] = []
        for path in paths:
            try:
                for one in sources.found_at(path):
                    if (key := path_key(one.path)) not in seen:
                        seen.add(key)
                        found += self._seen(one, next(order))
            except SourceError as error:
                self._fail(Source(path, 0, 0), next(order), error)
        for start in range(0, len(found), _AT_ONCE):
            self._sort(found[start : start + _AT_ONCE])

    def _seen(self, found: sources.FoundFile, order: int) -> list[_File]:
        """Return a file as it looks now; one that holds many articles waits apart, what is no document is noted."""
        if found.left_out:
            self._leave_out(found.path, order, found.left_out)
            return []
        if is_address(found.path):
            self._remote.append(_File(Source(found.path, 0, -1), order, is_found=not found.is_named))
            return []
        try:
            source = sources.look(found.path)
        except SourceError as error:
            self._fail(Source(found.path, 0, 0), order, error)
            return []
        if is_container(found.path):
            self._containers.append(source)
            return []
        return [_File(source, order, is_found=not found.is_named)]

    def _sort(self, files: Sequence[_File]) -> None:
        """Queue those of some files that are to be indexed."""
        known = self._store.sources(file.source.path for file in files)
        for source in known.values():
            self._workshop.prints.want(source.document_id, source.path)
        current = self._up_to_date(source.document_id for source in known.values())
        for file in files:
            source, before = file.source, known.get(path_key(file.source.path))
            looks_so = before and (before.size, before.mtime_ns) == (source.size, source.mtime_ns)
            if before and looks_so and before.document_id in current:
                self._unchanged(before)
            else:
                self._files.append(file)

    def _up_to_date(self, ids: Iterable[str]) -> set[str]:
        """Return those of some documents that are there as they are to be."""
        stored = self._workshop.stored(ids).items()
        return {item for item, parts in stored if self._workshop.expected(item).items() <= parts.items()}

    # What is fetched

    def _index_remote(self, files: Sequence[_File]) -> list[_File]:
        """Fetch documents from their addresses, all at once, and index those that are new or changed.

        Return those for which there was no room beside the others; one has it.
        """
        from octavo.corpus.index.fetching import Fetcher, PutOff

        known = self._store.sources(file.source.path for file in files)
        current = self._up_to_date(source.document_id for source in known.values())
        sound = {key: source for key, source in known.items() if source.document_id in current}
        with _temporary() as folder, ThreadPoolExecutor(_FETCHED) as threads:
            fetcher = Fetcher(folder, allow_private=self._allow_private)
            try:
                under_way = [
                    (file, before, threads.submit(self._fetch, fetcher, file, before))
                    for file in files
                    for before in [sound.get(path_key(file.source.path))]
                ]
                put_off: list[_File] = []
                for file, before, future in under_way:
                    try:
                        self._take_fetched(file, before, future)
                    except PutOff:
                        put_off.append(file)
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                fetcher.stop()
                raise
            if self._files:
                self._index()
        return put_off

    def _fetch(self, fetcher: Fetcher, file: _File, before: Source | None) -> Source | None:
        self._progress.start(file.source.path, "fetch", 0)
        return fetcher.fetch(file.source.path, before)

    def _take_fetched(self, file: _File, before: Source | None, future: Future[Source | None]) -> None:
        while not future.done():
            wait([future], timeout=INTERRUPTIBLE_SECONDS)
        try:
            source = future.result()
        except SourceError as error:
            self._fail(file.source, file.order, error)
            return
        if source is not None:
            self._files.append(replace(file, source=source))
        elif before is not None:
            self._unchanged(before)

    # The run

    def _index(self) -> None:
        parser = self._workshop.builders.parser(self._workers)
        threads = ThreadPoolExecutor(self._workers, "octavo-parse")
        try:
            with Heartbeat(self._store):
                self._index_small(parser)
                while self._files or self._reading or self._aside:
                    self._feed(threads, parser)
                    self._take()
        finally:
            parser.close()
            threads.shutdown(wait=True, cancel_futures=True)
            for _, task in self._reading.values():
                with contextlib.suppress(CorpusError):  # the disk is full: the leases end with this process
                    self._store.release(task.lease, keep=True)

    def _index_small(self, parser: Parser) -> None:
        """Index small files together; those that are left go on with the others, one by one."""
        small = {file.source.path: file for file in self._files if is_small(file.source, self._workshop)}
        if len(small) < _WORTH_A_BATCH:
            return
        outcome = SmallFiles(self._workshop, workers=self._workers).index(
            [file.source for file in small.values()], parser
        )
        for source, info in outcome.added:
            self._outcome.add(small[source.path].order, source, info)
        for source, error in outcome.failed:
            self._fail(source, small[source.path].order, error)
        left = {source.path for source in outcome.left}
        self._files = deque(file for file in self._files if file.source.path in left or file.source.path not in small)

    def _collect(self) -> None:
        """Index the files that hold many articles, one after the other."""
        from octavo.corpus.index.collecting import Collection

        parser = self._workshop.builders.parser(self._workers)
        with contextlib.closing(parser), Heartbeat(self._store):
            for container in self._containers:
                collection = Collection(self._workshop, container, workers=self._workers)
                report, problem = collection.known(), None
                outcome = "unchanged"
                if report is None:
                    report, problem = collection.index(parser)
                    outcome = "failed" if problem else "added" if report.added else "unchanged"
                self._gather(report, problem)
                self._progress.finish(container.path, outcome)

    def _gather(self, report: CollectionReport, problem: SourceError | None) -> None:
        self._outcome.collections.append(report)
        if problem is None and not report.articles:
            skipped = f" ({sum(report.skipped.values()):,} skipped)" if report.skipped else ""
            problem = SourceError("empty", f"{report.path} holds no article that can be indexed{skipped}")
        if problem is not None:
            failure = Failure(report.path, problem.reason, str(problem))
            self._outcome.failed.append((len(self._outcome.failed), failure))

    def _feed(self, threads: ThreadPoolExecutor, parser: Parser) -> None:
        """Keep each process busy and one document waiting, not more: they are held in memory."""
        while self._files and len(self._reading) <= self._workers:
            file = self._files.popleft()
            try:
                task = self._admit(file)
            except SourceError as error:
                self._refuse(file, file.source, error)
                continue
            if task:
                self._reading[threads.submit(self._workshop.read, task, parser)] = (file, task)
        if not self._reading:
            self._wait_for_others()

    def _admit(self, file: _File) -> Task | None:
        """Return the work to be done on a file, None when there is none or someone else does it."""
        source = file.source
        if not source.document_id:
            source = replace(source, document_id=sources.document_id(source.at))
        file = replace(file, source=source)
        self._workshop.prints.want(source.document_id, source.path)
        if failure := self._broken.get(source.document_id):
            raise SourceError(failure.reason, failure.message)
        if self._up_to_date([source.document_id]) and self._store.attach(sources.settled(source)):
            self._unchanged(source)
            return None
        self._refuse_quarantined(file)
        lease = self._store.claim(source.document_id, source.path)
        if lease is None:
            self._progress.start(source.path, "waiting", 0)
            self._aside.append(file)
            return None
        task = Task(source, lease, self._workshop.expected(source.document_id), is_found=file.is_found)
        return None if self._is_done(task) else task

    def _is_done(self, task: Task) -> bool:
        """Whether a document is there as it is to be; then the lease is given back and nothing is left to do."""
        published = self._workshop.stored([task.id]).get(task.id, {})
        if not task.fingerprints.items() <= published.items() or not self._store.attach(sources.settled(task.source)):
            return False
        self._store.release(task.lease, keep=False)
        self._unchanged(task.source)
        return True

    def _refuse_quarantined(self, file: _File) -> None:
        source = file.source
        case = self._store.quarantined([source.document_id]).get(source.document_id)
        if case and case.reason == NO_TEXT:
            if file.is_found and case.parser == self._workshop.image_reader_version:
                raise SourceError(NO_TEXT, case.message)
        elif case and case.parser == self._workshop.builders.version:
            happened = case.message.removeprefix(case.path).lstrip(": ")
            raise SourceError("quarantined", f"{shown(source.path)} is left alone because, read before, it {happened}")

    def _take(self) -> None:
        """Finish the documents that have been read, oldest first."""
        if not self._reading:
            return
        done, _ = wait(self._reading, timeout=INTERRUPTIBLE_SECONDS, return_when=FIRST_COMPLETED)
        for future in [future for future in self._reading if future in done]:
            file, task = self._reading[future]
            self._finish(file, task, future)
            del self._reading[future]

    def _finish(self, file: _File, task: Task, reading: Future[tuple[Task, Document]]) -> None:
        try:
            read, document = reading.result()
            if read is not task and self._is_done(read):
                return  # the model failed, and the rules have decided before
            info = self._workshop.finish(read, document)
        except SourceError as error:
            self._store.release(task.lease, keep=False)
            self._refuse(file, task.source, error)
        except LeaseLost:
            self._aside.append(replace(file, source=task.source))
        else:
            self._outcome.add(file.order, task.source, info)
            self._progress.finish(task.source.path, "added")

    def _wait_for_others(self) -> None:
        """Take up again what others are done with."""
        if not self._aside or self._files:
            return
        ids = [file.source.document_id for file in self._aside]
        busy = {job.document_id for job in self._store.jobs(ids) if job.is_running}
        free = [file for file in self._aside if file.source.document_id not in busy]
        self._aside = [file for file in self._aside if file.source.document_id in busy]
        self._files.extend(free)
        if not free:
            time.sleep(_POLL_SECONDS)

    # Outcomes

    def _unchanged(self, source: Source) -> None:
        self._outcome.unchanged.setdefault(source.document_id, source)
        self._outcome.files.append(source)
        self._progress.finish(source.path, "unchanged")

    def _refuse(self, file: _File, source: Source, error: SourceError) -> None:
        """Note why a file is not in the corpus: a picture found in a folder that says nothing is no failure."""
        if error.reason != NO_TEXT:
            self._fail(source, file.order, error)
            return
        if not self._store.quarantined([source.document_id]):
            case = Quarantined(
                source.document_id, source.path, self._workshop.image_reader_version, NO_TEXT, str(error)
            )
            self._store.quarantine(case)
        self._leave_out(source.path, file.order, NO_TEXT)
        self._progress.finish(source.path, "left out")

    def _leave_out(self, path: str, order: int, reason: str) -> None:
        self._outcome.left_out.append((order, LeftOut(shown(path), reason)))

    def _fail(self, source: Source, order: int, error: SourceError) -> None:
        failure = Failure(shown(source.path), error.reason, source.told(error))
        if source.document_id:
            self._broken[source.document_id] = failure
        self._outcome.failed.append((order, failure))
        self._progress.finish(source.path, "failed")


@contextlib.contextmanager
def _temporary() -> Generator[Path]:
    """Give a temporary folder. Raises CorpusError (`full`)."""
    try:
        made = tempfile.TemporaryDirectory(prefix="octavo-")
    except OSError as error:
        # The first time a process asks, a folder that takes no bytes is told as one that is not there.
        if isinstance(error, FileNotFoundError) or error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise CorpusError(
                FULL, f"no temporary folder takes a file ({error}): make room, or name one in TMPDIR"
            ) from error
        raise
    with made as folder:
        yield Path(folder)


class Heartbeat:
    """Renews the leases of a store while a run lasts."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seconds = store.lease_seconds * _BEATS
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="octavo-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                self._store.renew()
            except CorpusError:
                continue  # the next beat comes before the lease ends; if none succeeds, publishing says so
