"""A file that holds many articles: which of them are new, and the run that indexes those batch by batch.

An article's document is known by its kind, title and text, so that of a changed file only changed articles are read
anew. Its name is its title; further articles of the same title are "TITLE (2)" and so on, in the order of the file.
Of the file only the batches at work are in memory.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.corpus.index import batches, fingerprints, sources
from octavo.corpus.index.batches import BatchQueue, Order
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.building import DocumentBuilder, Task
from octavo.corpus.reports import CollectionReport
from octavo.corpus.store import Lease, Quarantined, ReadDocument, Source
from octavo.corpus.store.paths import article_path, name_of, shown
from octavo.errors import SourceError
from octavo_documents.parsing.article_messages import ToRead
from octavo_documents.parsing.articles import REASONS

if TYPE_CHECKING:
    from octavo_documents.parsing.article_messages import RawBatch
    from octavo_documents.parsing.articles import Article

STAGE = "articles"
"""The stage of `Progress` whose units are articles."""
_EXAMPLES = 3
"""Examples told of each reason for skipping."""
_LONGEST_EXAMPLE = 200
"""Characters of an example."""
_POLL_SECONDS = 0.2
"""Between two looks whether another process is done with an article."""
_ENOUGH_READ = 0.01
"""Share of a file from which on the number of its articles can be told."""


@dataclass
class Tally:
    """What became of the articles so far."""

    seen: int = 0
    added: int = 0
    unchanged: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])
    examples: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    remarks: Counter[str] = field(default_factory=Counter[str])

    def skip(self, reason: str, where: str, message: str = "") -> None:
        """Count something that is not indexed."""
        self.seen += 1
        self.skipped[reason] += 1
        examples = self.examples.setdefault(reason, [])
        if len(examples) < _EXAMPLES:
            told = message or f"it {REASONS.get(reason, reason)}"
            examples.append(f"{shown(where)}: {told}"[:_LONGEST_EXAMPLE])


@dataclass(frozen=True, slots=True)
class _Named:
    """An article with its document's id and its name, which no other article of the file has."""

    article: Article = field(repr=False)
    id: str
    name: str


class Collection:
    """One container in one `add`. `index` may be called once."""

    def __init__(self, workshop: DocumentBuilder, container: Source, *, workers: int) -> None:
        self._workshop, self._container, self._workers = workshop, container, workers
        self._bulk = workshop.store.bulk
        self._path = container.path
        self._tally = Tally()
        self._reading = 0
        self._names: dict[str, str] = {}
        """Ids of the articles at work, by name."""
        self._again: Counter[str] = Counter()
        """How often a title has been found, for titles found more than once."""
        self._work = BatchQueue(workshop)
        self._aside: list[_Named] = []
        self._total = 0

    def known(self) -> CollectionReport | None:
        """Return the report of a container that looks as it did and is up to date, None for any other."""
        read = self._bulk.last_read(self._path)
        now = (self._container.size, self._container.mtime_ns, self._fingerprint())
        if read is None or (read.size, read.mtime_ns, read.fingerprint) != now:
            return None
        count = self._bulk.count_articles(self._path)
        return CollectionReport(shown(self._path), count, unchanged=count, skipped=read.skipped)

    def index(self, parser: Parser) -> tuple[CollectionReport, SourceError | None]:
        """Index the container; return what became of it, and what kept it from being read to its end.

        Raises CorpusError and ModelError; the batches that are done are kept.
        """
        self._reading = self._bulk.begin_reading(self._path)
        self._workshop.progress.start(self._path, STAGE, 0)
        problem, removed = None, 0
        with ThreadPoolExecutor(self._workers, "octavo-articles") as threads:
            try:
                self._run(threads, parser)
                sources.confirm(self._container)
                removed = self._finish_reading()
            except SourceError as error:
                problem = error
                self._drain()
            finally:
                self._work.abandon(parser)
        return self._report(removed), problem

    # The run

    def _run(self, threads: ThreadPoolExecutor, parser: Parser) -> None:
        for raw in parser.articles(self._path):
            self._count(raw)
            self._start(self._admitted(self._named(raw.articles)), threads, parser)
            while len(self._work) > self._workers:
                self._finish_one()
            self._tell(raw.position)
        self._drain()
        while self._aside:
            waiting, self._aside = self._aside, []
            orders = self._admitted(waiting)
            if not orders and len(self._aside) == len(waiting):
                self._workshop.progress.start(self._path, "waiting", 0)
                time.sleep(_POLL_SECONDS)
            self._start(orders, threads, parser)
            self._drain()

    def _start(self, orders: list[Order], threads: ThreadPoolExecutor, parser: Parser) -> None:
        if orders:
            self._work.start(threads, orders, parser, self._path)

    def _drain(self) -> None:
        while self._work:
            self._finish_one()

    def _finish_one(self) -> None:
        batch, held = self._work.finish_first()
        for order, error in batch.failed:
            self._tally.skip(error.reason, name_of(order.task.source), str(error))
            self._names.pop(name_of(order.task.source), None)
        for draft, is_held in zip(batch.drafts, held, strict=True):
            order, name = draft.order, name_of(draft.order.task.source)
            if is_held:
                self._names.pop(name, None)
            else:
                self._aside.append(_Named(_article(order), order.task.id, name))
        self._tally.added += sum(held)
        self._tally.seen += sum(held)

    # Which articles

    def _count(self, raw: RawBatch) -> None:
        for one in raw.skipped:
            self._tally.skip(one.reason, one.where)
        self._tally.remarks.update(article.remark for article in raw.articles if article.remark)

    def _named(self, articles: Sequence[Article]) -> list[_Named]:
        """Return the articles that are not in the file twice, with a name for each."""
        ids = [f"sha256:{article.digest}" for article in articles]
        found = self._bulk.find_ids(self._path, ids)
        seen = {document for document, reading in found.items() if reading == self._reading} | {*self._names.values()}
        titles = [article.title or article.where for article in articles]
        taken = {
            name for name, row in self._bulk.find_names(self._path, titles).items() if row.reading >= self._reading
        }
        # An article that an overlapping run has found just now keeps the name it was given there.
        named: list[_Named] = []
        for article, document, title in zip(articles, ids, titles, strict=True):
            if document in seen:
                self._tally.skip("duplicate", title)
                continue
            seen.add(document)
            name = self._name(title, document, taken)
            self._names[name] = document
            named.append(_Named(article, document, name))
        return named

    def _name(self, title: str, document: str, taken: set[str]) -> str:
        """Return the title, or the title with a number when another article of this reading has it."""
        if title not in self._names and (title not in taken or self._is_own(title, document)):
            return title
        while True:
            self._again[title] += 1
            name = f"{title} ({self._again[title] + 1})"
            if name not in self._names and self._is_own(name, document):
                return name

    def _is_own(self, name: str, document: str) -> bool:
        """Whether no other article of this reading, or of one that overlaps with it, has a name."""
        row = self._bulk.find_names(self._path, [name]).get(name)
        return row is None or row.reading < self._reading or row.document_id == document

    def _admitted(self, articles: Sequence[_Named]) -> list[Order]:
        """Return the articles to be indexed; the others are up to date, left alone, or put aside while others index."""
        expected = {one.id: self._workshop.expected(one.id, judged=False) for one in articles}
        current, visible = batches.published(self._workshop, expected)
        self._attach([one for one in articles if one.id in current])
        cases = self._workshop.store.quarantined(expected)
        wanted = [one for one in articles if one.id not in current and not self._is_left_alone(one, cases.get(one.id))]
        leases = self._bulk.claim_many([(one.id, self._source(one).path) for one in wanted])
        self._aside += [one for one, lease in zip(wanted, leases, strict=True) if lease is None]
        held = {one.id: (one, lease) for one, lease in zip(wanted, leases, strict=True) if lease is not None}
        done, _ = batches.published(self._workshop, {document: expected[document] for document in held})
        self._attach([held[document][0] for document in done])
        self._bulk.release_many([held[document][1] for document in done])
        return [
            self._order(one, lease, expected[document], is_visible=document in visible)
            for document, (one, lease) in held.items()
            if document not in done
        ]

    def _attach(self, articles: Sequence[_Named]) -> None:
        self._bulk.attach_many([self._source(one) for one in articles])
        for one in articles:
            self._names.pop(one.name, None)
        self._tally.unchanged += len(articles)
        self._tally.seen += len(articles)

    def _is_left_alone(self, one: _Named, case: Quarantined | None) -> bool:
        if case is None or case.parser != self._workshop.builders.version:
            return False
        self._names.pop(one.name, None)
        self._tally.skip("quarantined", one.name, f"left alone because, read before, it {case.reason}")
        return True

    def _source(self, one: _Named) -> Source:
        path = article_path(self._path, one.name)
        return Source(path, len(one.article.data), self._reading, one.id, self._path)

    def _order(self, one: _Named, lease: Lease, expected: dict[str, str], *, is_visible: bool) -> Order:
        task = Task(self._source(one), lease, expected)
        text = ToRead(one.article.format, one.name, one.article.title, one.id.removeprefix("sha256:"), one.article.data)
        return Order(task, text, is_visible)

    # Outcome

    def _finish_reading(self) -> int:
        settled = sources.settled(self._container)
        read = ReadDocument(settled.size, settled.mtime_ns, self._fingerprint(), self._tally.skipped)
        return self._bulk.finish_reading(self._path, self._reading, read)

    def _fingerprint(self) -> str:
        """Return what articles are read with, whatever is in them."""
        expected = self._workshop.expected("", judged=False)
        return fingerprints.of(*(f"{name}={expected[name]}" for name in sorted(expected)))

    def _tell(self, position: int) -> None:
        """Report progress; from the part that was read follows about how many articles there are."""
        share = position / max(self._container.size, 1)
        total = round(self._tally.seen / share) if share > _ENOUGH_READ else 0
        if abs(total - self._total) > self._total / 10:
            self._total = total
            self._workshop.progress.start(self._path, STAGE, total)
        self._workshop.progress.advance(self._path, STAGE, self._tally.seen)

    def _report(self, removed: int) -> CollectionReport:
        tally = self._tally
        return CollectionReport(
            path=shown(self._path),
            articles=self._bulk.count_articles(self._path),
            added=tally.added,
            unchanged=tally.unchanged,
            removed=removed,
            skipped=dict(tally.skipped.most_common()),
            examples={reason: tuple(found) for reason, found in tally.examples.items()},
            remarks=dict(tally.remarks),
        )


def _article(order: Order) -> Article:
    """Return the article that an order was made of."""
    from octavo_documents.parsing.articles import Article

    return Article(order.text.title, order.text.format, order.text.data)
