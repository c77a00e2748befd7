"""The one loop of indexing: batches are admitted, read in other processes, given their layers and made visible.

A large file is a batch of one, whose parts are stored as they are finished: a run that is killed goes on with the layer
it was in. Of small files and articles, which are read together, nothing is stored before all of a batch is there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Self

from octavo.corpus.index.admission import Admission, release
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.document_layers import build_first, build_rest, build_stored
from octavo.corpus.index.document_reading import FATAL, read_file, read_texts
from octavo.corpus.index.heartbeat import Heartbeat
from octavo.corpus.index.publishing import publish
from octavo.corpus.index.tasks import Candidate, Draft, IndexingOutcome, Task
from octavo.corpus.store import LeaseLost
from octavo.errors import SourceError

INTERRUPTIBLE_SECONDS = 0.5
"""The longest wait at once: on Windows one without end does not hear Ctrl-C."""
_Read = Draft | SourceError | LeaseLost


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """A batch at work: its tasks, of texts that are read together or of one file, and what comes of reading them."""

    tasks: Sequence[Task]
    reading: Future[list[_Read]]

    @property
    def is_together(self) -> bool:
        return self.tasks[0].candidate.text is not None


class IndexingLoop:
    """Indexes batch after batch. A context manager; what it works with is made when the first batch comes.

    The next batches are read while the layers of one are built, which use every core themselves. One batch waits beside
    those that are being read, not more: they are held in memory.
    """

    def __init__(self, builder: DocumentBuilder, *, workers: int) -> None:
        self.builder, self._workers = builder, workers
        self._at_work: list[_Batch] = []
        self._failed: dict[str, SourceError] = {}
        self._stack = ExitStack()

    @cached_property
    def parser(self) -> Parser:
        """What reads files in other processes."""
        return self._stack.enter_context(contextlib.closing(self.builder.builders.parser(self._workers)))

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        self._stack.enter_context(Heartbeat(self.builder.store, lambda: bool(self._at_work)))
        threads = ThreadPoolExecutor(self._workers, "octavo-parse")
        self._stack.callback(threads.shutdown, wait=True, cancel_futures=True)
        return threads

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, batches: Iterable[Sequence[Candidate]], outcome: IndexingOutcome) -> None:
        """Index batches, and what had to be put aside of them.

        Raises CorpusError and ModelError; what is published is kept, and so are the finished parts of large files.
        """
        admission, upcoming = Admission(self.builder, outcome, self._failed), iter(batches)
        try:
            while self._start(upcoming, admission) or admission.wait_for_others():
                if self._at_work:
                    self._finish(self._first_read(), admission, outcome)
        except BaseException:
            self._give_up()
            raise

    def _start(self, upcoming: Iterator[Sequence[Candidate]], admission: Admission) -> bool:
        """Have batches read, one more than there are workers at most; return whether any is at work."""
        while len(self._at_work) <= self._workers:
            batch = next(upcoming, None)
            if batch is None:
                batch = admission.next_again()
            if batch is None:
                break
            if tasks := admission.admit(batch):
                try:
                    self._at_work.append(_Batch(tasks, self._threads.submit(self._read, tasks, self.parser)))
                except BaseException:  # nothing could be started
                    release(self.builder.store, tasks)
                    raise
        return bool(self._at_work)

    def _read(self, tasks: Sequence[Task], parser: Parser) -> list[_Read]:
        """Read a batch, in a thread: a file as far as it is stored, texts with the layers built one by one."""
        if tasks[0].candidate.text is not None:
            read = read_texts(self.builder, tasks, parser)
            build_first(self.builder, [draft for draft in read if isinstance(draft, Draft)])
            return [*read]
        try:
            return [read_file(self.builder, task, parser) for task in tasks]
        except (SourceError, LeaseLost) as error:
            return [error]

    def _first_read(self) -> _Batch:
        """Wait for a batch that was read, and return it.

        Those of small documents are taken in order, so that the same files get the same rankings; a large file as soon
        as it is read.
        """
        first = next((batch for batch in self._at_work if batch.is_together), None)
        awaited = [batch for batch in self._at_work if not batch.is_together or batch is first]
        while True:
            done, _ = wait([batch.reading for batch in awaited], INTERRUPTIBLE_SECONDS, FIRST_COMPLETED)
            for batch in awaited:
                if batch.reading in done:
                    return batch

    def _finish(self, batch: _Batch, admission: Admission, outcome: IndexingOutcome) -> None:
        """Build what is left of a batch, make it visible, and say what became of it."""
        read = [*zip(batch.tasks, batch.reading.result(), strict=True)]
        failed = [(task, result) for task, result in read if isinstance(result, SourceError)]
        if failed:
            self.builder.store.bulk.release_many([task.lease for task, _ in failed])
        drafts = [
            result
            for task, result in read
            if isinstance(result, Draft)
            # Another task comes back where a model failed and rules decided: that state may be published already.
            and (result.task is task or admission.without_done([result.task]))
        ]
        held = self._publish(drafts, is_together=batch.is_together)
        self._at_work.remove(batch)
        outcome.added([draft.task.candidate for draft in drafts if draft.task.id in held])
        lost = {draft.task.id for draft in drafts} - held
        for task, result in read:
            if isinstance(result, LeaseLost) or task.id in lost:
                admission.put_aside(task.candidate)
        for task, error in failed:
            if batch.is_together and error.reason not in FATAL and not task.candidate.is_article:
                admission.read_alone(task.candidate)
            else:
                admission.fail(task.candidate, error)

    def _publish(self, drafts: Sequence[Draft], *, is_together: bool) -> set[str]:
        """Build the layers that are missing and make documents visible; return the ids of those that now are."""
        if is_together:
            build_rest(self.builder, drafts)
        else:
            try:
                for draft in drafts:
                    build_stored(self.builder, draft)
            except LeaseLost:
                return set()
        held = publish(self.builder, drafts) if drafts else []
        return {draft.task.id for draft, is_held in zip(drafts, held, strict=True) if is_held}

    def _give_up(self) -> None:
        """End what is being read, and give back the leases; the finished parts of large files stay."""
        try:
            if self._at_work:
                self.parser.close()
            self._stack.close()
        finally:  # on a second Ctrl-C too
            for batch in self._at_work:
                release(self.builder.store, batch.tasks)
