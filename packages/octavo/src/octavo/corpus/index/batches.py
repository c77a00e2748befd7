"""Many small documents at once: read in one message, their layers built together, made visible in one step.

What several documents gain nothing from is done beside the layers of the batch before. Nothing is kept of a batch that
is interrupted. `SmallFiles` takes files of flowing text; what a batch cannot settle is left to the run that takes files
one by one: a file that is up to date, that someone else has, that cannot be read.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.corpus import judges
from octavo.corpus.index import sources
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.building import DEADLY, DocumentBuilder, Task, trusted
from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, DocumentPart, LeaseLost, Ready, Source
from octavo.corpus.store.paths import name_of, shown
from octavo.errors import CorpusError, SourceError
from octavo_documents.document import Document
from octavo_documents.parsing.article_messages import ToRead, Unread
from octavo_documents.parsing.formats import FLOWING, format_of

if TYPE_CHECKING:
    from octavo.layers import Layer, LayerInputs


@dataclass(frozen=True, slots=True)
class Order:
    """A text to be indexed: its task, its text, and whether it is visible already, in an older state."""

    task: Task
    text: ToRead = field(repr=False)
    is_visible: bool = False


@dataclass(slots=True)
class Draft:
    """A document that was read, and its layers so far."""

    order: Order
    data: bytes = field(repr=False)
    document: Document = field(repr=False)
    layers: dict[str, bytes] = field(default_factory=dict[str, bytes], repr=False)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What became of the articles of a batch."""

    drafts: tuple[Draft, ...] = ()
    failed: tuple[tuple[Order, SourceError], ...] = ()


def _prepare(workshop: DocumentBuilder, orders: Sequence[Order], parser: Parser, path: str) -> _Batch:
    """Read articles and build the layers that are built one by one; `path` is the file they stand in.

    Raises LeaseLost, ModelError and CancelledError.
    """
    drafts: list[Draft] = []
    failed: list[tuple[Order, SourceError]] = []
    for order, result in zip(orders, _read(workshop, orders, parser, path), strict=True):
        if isinstance(result, SourceError):
            failed.append((order, result))
            continue
        try:
            drafts.append(Draft(order, result, trusted(result, order.task)))
        except SourceError as error:
            failed.append((order, error))
    for layer in _first(workshop.builders.layers):
        _build(workshop, layer, drafts)
    return _Batch(tuple(drafts), tuple(failed))


def _finish(workshop: DocumentBuilder, drafts: Sequence[Draft]) -> list[bool]:
    """Build the other layers and make the documents visible; return for each whether its lease was still held.

    Raises ModelError.
    """
    for layer in workshop.builders.layers.values():
        _build(workshop, layer, [draft for draft in drafts if layer.name not in draft.layers])
    return workshop.store.bulk.publish_many([_ready(workshop, draft) for draft in drafts])


def published(workshop: DocumentBuilder, expected: Mapping[str, Mapping[str, str]]) -> tuple[set[str], set[str]]:
    """Return the documents that are there as they are expected to be, and all of them that are visible.

    `expected` are the fingerprints of their parts by name, by id.
    """
    stored = workshop.stored(expected)
    return {item for item, parts in stored.items() if expected[item].items() <= parts.items()}, {*stored}


def _read(workshop: DocumentBuilder, orders: Sequence[Order], parser: Parser, path: str) -> list[bytes | SourceError]:
    """Return the packed document of each article, or why there is none."""
    try:
        results = parser.read_batch([order.text for order in orders], path)
    except SourceError as error:
        if len(orders) == 1:
            return [workshop.judged(orders[0].task, error)]
        # One of them is to blame: each gets a process of its own.
        return [result for order in orders for result in _read(workshop, [order], parser, order.task.source.at)]
    return [SourceError(one.reason, one.message) if isinstance(one, Unread) else one for one in results]


def _first(layers: Mapping[str, Layer]) -> list[Layer]:
    """Return the layers up to the first one that is built of many documents at once."""
    found: list[Layer] = []
    for layer in layers.values():
        if layer.build_many is not None:
            break
        found.append(layer)
    return found


def _build(workshop: DocumentBuilder, layer: Layer, drafts: Sequence[Draft]) -> None:
    inputs = [_inputs(workshop, layer, draft) for draft in drafts]
    if layer.build_many is not None and inputs:
        built = layer.build_many(inputs)
    else:
        built = [layer.build(one) for one in inputs]
    for draft, data in zip(drafts, built, strict=True):
        draft.layers[layer.name] = data


def _inputs(workshop: DocumentBuilder, layer: Layer, draft: Draft) -> LayerInputs:
    from octavo.layers import LayerInputs

    reads = {name: draft.layers[name] for name in layer.reads}
    return LayerInputs(draft.document, reads, embedder=workshop.builders.embedder)


def _ready(workshop: DocumentBuilder, draft: Draft) -> Ready:
    task = draft.order.task
    made = {DOCUMENT_PART: draft.data, **draft.layers}
    publication = workshop.publication(task, draft.document, draft.layers, _fingerprints(workshop, draft.order))
    parts = [DocumentPart(name, task.fingerprints[name], data) for name, data in made.items()]
    return Ready(task.lease, publication, task.source, parts)


def _fingerprints(workshop: DocumentBuilder, order: Order) -> Mapping[str, str]:
    """Return those of the parts to publish, optional layers that still hold among them."""
    if not order.is_visible:
        return order.task.fingerprints
    try:
        return workshop.parts_of(order.task)
    except LeaseLost:
        return order.task.fingerprints  # it will not be published


INTERRUPTIBLE_SECONDS = 0.5
"""The longest wait at once: on Windows one without end does not hear Ctrl-C."""


class BatchQueue:
    """The batches of one run that were started and are not finished; `len` is how many.

    They are read in other processes and finished here in the order they were started. They are waited for so that
    Ctrl-C is heard, and the leases of those that are not finished are given up.
    """

    def __init__(self, workshop: DocumentBuilder) -> None:
        """Take where they are built and made visible."""
        self._workshop = workshop
        self._work: deque[tuple[Future[_Batch], Sequence[Order]]] = deque()

    def __len__(self) -> int:
        return len(self._work)

    def start(self, threads: ThreadPoolExecutor, orders: Sequence[Order], parser: Parser, path: str) -> None:
        """Have a batch read; `path` is the file its texts stand in, or one of them."""
        self._work.append((threads.submit(_prepare, self._workshop, orders, parser, path), orders))

    def finish_first(self) -> tuple[_Batch, list[bool]]:
        """Make the batch that was started first visible; return it, and for each draft whether its lease was held.

        Raises CorpusError and ModelError; the batch is then still one of those at work.
        """
        future, _ = self._work[0]
        while not future.done():
            wait([future], timeout=INTERRUPTIBLE_SECONDS)
        batch = future.result()
        self._workshop.store.bulk.release_many([order.task.lease for order, _ in batch.failed])
        held = _finish(self._workshop, batch.drafts)
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


_SMALL_BYTES = 1 << 17
"""Size of a file up to which it is read together with others."""
_BATCH_BYTES = 1 << 19
"""Bytes of a batch, which is all that Ctrl-C can lose."""
_BATCH_FILES = 128
"""Files of a batch, however small they are."""


@dataclass
class BatchOutcome:
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


def is_small(source: Source, workshop: DocumentBuilder) -> bool:
    """Whether a file is one of those read together: not where a model is asked about each document's headings."""
    named = Path(source.at).suffix.lower() in FLOWING and not workshop.prints.takes(source.path)
    return named and source.size <= _SMALL_BYTES and not judges.headings_model(workshop.judge)


class SmallFiles:
    """Indexes small files batch by batch. `index` may be called once."""

    def __init__(self, workshop: DocumentBuilder, *, workers: int) -> None:
        self._workshop, self._workers = workshop, workers
        self._bulk = workshop.store.bulk
        self._outcome = BatchOutcome()
        self._work = BatchQueue(workshop)
        self._seen: set[str] = set()
        """Ids of documents that were taken up."""

    def index(self, files: Iterable[Source], parser: Parser) -> BatchOutcome:
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
        current, visible = published(self._workshop, expected)
        wanted = [one for one in loaded if one.id not in {*current, *quarantined}]
        leases = self._bulk.claim_many([(one.id, one.source.path) for one in wanted])
        held = [(one, lease) for one, lease in zip(wanted, leases, strict=True) if lease is not None]
        # Between the look and the lease someone else may have indexed one.
        done, _ = published(self._workshop, {one.id: expected[one.id] for one, _ in held})
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
