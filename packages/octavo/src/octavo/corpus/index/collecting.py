"""A file that holds many articles: which of them are new, and the run that indexes those batch by batch.

An article's document is known by its kind, title and text, so that of a changed file only changed articles are read
anew. Its name is its title; further articles of the same title are "TITLE (2)" and so on, in the order of the file.
Of the file only the batches at work are in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints, sources
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.indexing_loop import IndexingLoop
from octavo.corpus.index.tasks import Candidate
from octavo.corpus.reports import CollectionReport
from octavo.corpus.store import ReadDocument, Source
from octavo.corpus.store.paths import article_path, name_of, shown
from octavo.errors import SourceError
from octavo_documents.parsing.article_messages import ToRead
from octavo_documents.parsing.articles import REASONS

if TYPE_CHECKING:
    from octavo_documents.parsing.articles import Article

STAGE = "articles"
"""The stage of `Progress` whose units are articles."""
_EXAMPLES = 3
"""Examples of each reason for skipping."""
_LONGEST_EXAMPLE = 200
"""Characters of an example."""
_ENOUGH_READ = 0.01
"""Share of a file from which on the number of its articles can be estimated."""


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
            what = message or f"it {REASONS.get(reason, reason)}"
            examples.append(f"{shown(where)}: {what}"[:_LONGEST_EXAMPLE])


class Collection:
    """One container in one `add`, and the `IndexingOutcome` of its articles. `index` may be called once."""

    def __init__(self, builder: DocumentBuilder, container: Source) -> None:
        self._builder, self._container = builder, container
        self._bulk = builder.store.bulk
        self._path = container.path
        self._tally = Tally()
        self._reading = 0
        self._names: dict[str, str] = {}
        """Ids of the articles at work, by name."""
        self._again: Counter[str] = Counter()
        """How often a title has been found, for titles found more than once."""
        self._total = 0
        self._problem: SourceError | None = None

    def index(self, loop: IndexingLoop) -> tuple[CollectionReport, SourceError | None]:
        """Index the container; return what became of it, and what kept it from being read to its end.

        One that looks as it did and is up to date is not read. Raises CorpusError and ModelError; the batches that are
        done are kept.
        """
        report, problem, outcome = self._known(), None, "unchanged"
        if report is None:
            report, problem = self._read_anew(loop)
            outcome = "failed" if problem else "added" if report.added else "unchanged"
        self._builder.progress.finish(self._path, outcome)
        return report, problem

    def _known(self) -> CollectionReport | None:
        """Return the report of a container that looks as it did and is up to date, None for any other."""
        read = self._bulk.last_read(self._path)
        now = (self._container.size, self._container.mtime_ns, self._fingerprint())
        if read is None or (read.size, read.mtime_ns, read.fingerprint) != now:
            return None
        count = self._bulk.count_articles(self._path)
        return CollectionReport(shown(self._path), count, unchanged=count, skipped=read.skipped)

    def _read_anew(self, loop: IndexingLoop) -> tuple[CollectionReport, SourceError | None]:
        self._reading = self._bulk.begin_reading(self._path)
        self._builder.progress.start(self._path, STAGE, 0)
        loop.run(self._batches(loop.parser), self)
        removed = 0
        if self._problem is None:
            try:
                sources.confirm(self._container)
                removed = self._finish_reading()
            except SourceError as error:
                self._problem = error
        return self._report(removed), self._problem

    def _batches(self, parser: Parser) -> Iterator[list[Candidate]]:
        """Yield the articles in the order of the file, up to what cannot be read of it."""
        try:
            for raw in parser.articles(self._path):
                for one in raw.skipped:
                    self._tally.skip(one.reason, one.where)
                self._tally.remarks.update(article.remark for article in raw.articles if article.remark)
                yield self._named(raw.articles)
                self._report_progress(raw.position)
        except SourceError as error:
            self._problem = error

    # What became of articles

    def added(self, candidates: Sequence[Candidate]) -> None:
        """Count articles that are new, or new again."""
        self._tally.added += len(candidates)
        self._count(candidates)

    def unchanged(self, candidates: Sequence[Candidate]) -> None:
        """Count articles that were there as they are to be."""
        self._tally.unchanged += len(candidates)
        self._count(candidates)

    def _count(self, candidates: Sequence[Candidate]) -> None:
        self._tally.seen += len(candidates)
        for one in candidates:
            self._names.pop(name_of(one.source), None)

    def failed(self, candidate: Candidate, error: SourceError) -> None:
        """Count an article that is not indexed."""
        name = name_of(candidate.source)
        self._tally.skip(error.reason, name, str(error))
        self._names.pop(name, None)

    # Which articles

    def _named(self, articles: Sequence[Article]) -> list[Candidate]:
        """Return the articles that are not in the file twice, each with a name that no other of the file has."""
        ids = [f"sha256:{article.digest}" for article in articles]
        found = self._bulk.find_ids(self._path, ids)
        seen = {document for document, reading in found.items() if reading == self._reading} | {*self._names.values()}
        titles = [article.title or article.where for article in articles]
        taken = {
            name for name, row in self._bulk.find_names(self._path, titles).items() if row.reading >= self._reading
        }
        # An article that an overlapping run has found just now keeps the name it was given there.
        named: list[Candidate] = []
        for article, document, title in zip(articles, ids, titles, strict=True):
            if document in seen:
                self._tally.skip("duplicate", title)
                continue
            seen.add(document)
            name = self._name(title, document, taken)
            self._names[name] = document
            named.append(self._candidate(article, document, name))
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

    def _candidate(self, article: Article, document: str, name: str) -> Candidate:
        source = Source(article_path(self._path, name), len(article.data), self._reading, document, self._path)
        text = ToRead(article.format, name, article.title, document.removeprefix("sha256:"), article.data)
        return Candidate(source, text=text)

    # The container

    def _finish_reading(self) -> int:
        settled = sources.settled(self._container)
        read = ReadDocument(settled.size, settled.mtime_ns, self._fingerprint(), self._tally.skipped)
        return self._bulk.finish_reading(self._path, self._reading, read)

    def _fingerprint(self) -> str:
        """Return what articles are read with, whatever is in them."""
        expected = self._builder.expected("", by_rule=True)
        languages = [f"languages={self._builder.languages}"] if self._builder.languages else []
        words = ["words alone"] if self._builder.wordless else []  # then it is read again the next time
        return fingerprints.of(*(f"{name}={expected[name]}" for name in sorted(expected)), *languages, *words)

    def _report_progress(self, position: int) -> None:
        """Report progress; from the part that was read follows about how many articles there are."""
        share = position / max(self._container.size, 1)
        total = round(self._tally.seen / share) if share > _ENOUGH_READ else 0
        if abs(total - self._total) > self._total / 10:
            self._total = total
            self._builder.progress.start(self._path, STAGE, total)
        self._builder.progress.advance(self._path, STAGE, self._tally.seen)

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
