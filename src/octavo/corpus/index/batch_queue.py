"""Batches that were started: read in other processes, and finished here in the order they were started.

They are waited for so that Ctrl-C is heard, and the leases of those that are not finished are given up.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from octavo.corpus.index import batches
from octavo.corpus.index.batches import Batch, Order
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.building import Workshop
from octavo.errors import CorpusError

INTERRUPTIBLE_SECONDS = 0.5
"""The longest wait at once: on Windows one without end does not hear Ctrl-C."""


class BatchQueue:
    """The batches of one run that were started and are not finished; `len` is how many."""

    def __init__(self, workshop: Workshop) -> None:
        """Take where they are built and made visible."""
        self._workshop = workshop
        self._work: deque[tuple[Future[Batch], Sequence[Order]]] = deque()

    def __len__(self) -> int:
        return len(self._work)

    def start(self, threads: ThreadPoolExecutor, orders: Sequence[Order], parser: Parser, path: str) -> None:
        """Have a batch read; `path` is the file its texts stand in, or one of them."""
        self._work.append((threads.submit(batches.prepare, self._workshop, orders, parser, path), orders))

    def finish_first(self) -> tuple[Batch, list[bool]]:
        """Make the batch that was started first visible; return it, and for each draft whether its lease was held.

        Raises CorpusError and ModelError; the batch is then still one of those at work.
        """
        future, _ = self._work[0]
        while not future.done():
            wait([future], timeout=INTERRUPTIBLE_SECONDS)
        batch = future.result()
        self._workshop.store.bulk.release_many([order.task.lease for order, _ in batch.failed])
        held = batches.finish(self._workshop, batch.drafts)
        self._work.popleft()
        return batch, held

    def abandon(self, parser: Parser) -> None:
        """Give up what was not finished: nothing in a run without an error, the batches at work in any other."""
        if self._work:
            parser.close()
        for future, orders in self._work:
            future.cancel()
            with contextlib.suppress(CorpusError):  # the disk is full: the leases end with this process
                self._workshop.store.bulk.release_many([order.task.lease for order in orders])
