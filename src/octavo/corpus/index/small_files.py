"""Many small files of flowing text at once: read in one message, built together, made visible in one step.

What a batch cannot settle is left to the run that takes files one by one: a file that is up to date, that someone else
has, that cannot be read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from octavo.corpus import judges
from octavo.corpus.index import batches, sources
from octavo.corpus.index.batches import BatchQueue, Order
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.building import DEADLY, Task, Workshop
from octavo.corpus.store import DocumentInfo, Source
from octavo.corpus.store.paths import name_of, shown
from octavo.errors import SourceError
from octavo.parsing.formats import FLOWING, format_of
from octavo.parsing.messages import ToRead

_SMALL_BYTES = 1 << 17
"""Size of a file up to which it is read together with others."""
_BATCH_BYTES = 1 << 19
"""Bytes of a batch, which is all that Ctrl-C can lose."""
_BATCH_FILES = 128
"""Files of a batch, however small they are."""


@dataclass
class Outcome:
    """What became of small files: documents, files that killed their reader twice, and those left for later."""

    added: list[tuple[Source, DocumentInfo]] = field(default_factory=list[tuple[Source, DocumentInfo]])
    failed: list[tuple[Source, SourceError]] = field(default_factory=list[tuple[Source, SourceError]])
    left: list[Source] = field(default_factory=list[Source])


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A file with its document's id, and its text."""

    source: Source
    text: ToRead = field(repr=False)

    @property
    def id(self) -> str:
        """The document's id."""
        return self.source.document_id


def is_small(source: Source, workshop: Workshop) -> bool:
    """Whether a file is one of those read together: not where a model is asked about each document's headings."""
    named = Path(source.at).suffix.lower() in FLOWING and not workshop.prints.takes(source.path)
    return named and source.size <= _SMALL_BYTES and not judges.headings_model(workshop.judge)


class SmallFiles:
    """Indexes small files batch by batch. `index` may be called once."""

    def __init__(self, workshop: Workshop, *, workers: int) -> None:
        self._workshop, self._workers = workshop, workers
        self._bulk = workshop.store.bulk
        self._outcome = Outcome()
        self._work = BatchQueue(workshop)
        self._seen: set[str] = set()
        """Ids of documents that were taken up."""

    def index(self, files: Iterable[Source], parser: Parser) -> Outcome:
        """Index the files; raises CorpusError and ModelError, and keeps the batches that are done."""
        with ThreadPoolExecutor(self._workers, "octavo-small") as threads:
            try:
                for batch in _batches(files):
                    if orders := self._orders(batch):
                        source = orders[0].task.source
                        self._workshop.progress.start(source.path, "parse", 0)  # one of them stands for all
                        self._work.start(threads, orders, parser, source.at)
                    while len(self._work) > self._workers:
                        self._finish_one()
                while self._work:
                    self._finish_one()
            finally:
                self._work.abandon(parser)
        return self._outcome

    # What is to be done

    def _orders(self, batch: Sequence[Source]) -> list[Order]:
        """Take the leases of the files of a batch that are to be indexed here."""
        loaded = [one for source in batch if (one := self._load(source))]
        quarantined = self._workshop.store.quarantined([one.id for one in loaded])
        expected = {one.id: self._workshop.expected(one.id) for one in loaded}
        current, visible = batches.published(self._workshop, expected)
        wanted = [one for one in loaded if one.id not in {*current, *quarantined}]
        leases = self._bulk.claim_many([(one.id, one.source.path) for one in wanted])
        held = [(one, lease) for one, lease in zip(wanted, leases, strict=True) if lease is not None]
        # Between the look and the lease someone else may have indexed one.
        done, _ = batches.published(self._workshop, {one.id: expected[one.id] for one, _ in held})
        self._bulk.release_many([lease for one, lease in held if one.id in done])
        orders = [
            Order(Task(one.source, lease, expected[one.id]), one.text, is_visible=one.id in visible)
            for one, lease in held
            if one.id not in done
        ]
        taken = {order.task.id for order in orders}
        self._outcome.left += [one.source for one in loaded if one.id not in taken]
        return orders

    def _load(self, source: Source) -> _Loaded | None:
        """Return a file as it is read, None for one that is no such file or that another here is equal to."""
        try:
            data = Path(source.at).read_bytes()
            sources.confirm(source)
        except (OSError, SourceError):
            data = b""
        form, digest = format_of(source.at, data), hashlib.sha256(data).hexdigest()
        found = replace(source, document_id=f"sha256:{digest}")
        if not data or form is None or found.document_id in self._seen:
            self._outcome.left.append(source)
            return None
        self._seen.add(found.document_id)
        return _Loaded(sources.settled(found), ToRead(form, shown(name_of(source)), "", digest, data))

    # What came of it

    def _finish_one(self) -> None:
        batch, held = self._work.finish_first()
        self._note([draft.order for draft, is_held in zip(batch.drafts, held, strict=True) if is_held])
        self._leave([draft.order for draft, is_held in zip(batch.drafts, held, strict=True) if not is_held])
        self._leave([order for order, error in batch.failed if error.reason not in DEADLY])
        self._outcome.failed += [(order.task.source, error) for order, error in batch.failed if error.reason in DEADLY]

    def _note(self, orders: Sequence[Order]) -> None:
        infos = {info.id: info for info in self._bulk.find_documents([order.task.id for order in orders])}
        for order in orders:
            if order.task.id in infos:
                self._outcome.added.append((order.task.source, infos[order.task.id]))
            self._workshop.progress.finish(order.task.source.path, "added")

    def _leave(self, orders: Sequence[Order]) -> None:
        self._outcome.left += [order.task.source for order in orders]


def _batches(files: Iterable[Source]) -> Iterator[list[Source]]:
    batch: list[Source] = []
    size = 0
    for source in files:
        if batch and (size + source.size > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += source.size
    if batch:
        yield batch
