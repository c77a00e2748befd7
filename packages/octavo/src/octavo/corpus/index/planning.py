"""What a job would build and what it would cost, told without doing it; and the second half of an `add`.

Files that are not indexed are read, and what a paid layer reads is built by rule, in memory; nothing is stored and no
model is asked. The second half builds the optional layers that systems need, for the documents of a report. A document
keeps the layers it had: those that no longer hold are built again by rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.corpus import judges
from octavo.corpus.index import sources
from octavo.corpus.index.builders import Builders, Parser
from octavo.corpus.index.building import DocumentBuilder, HowToRead
from octavo.corpus.index.layering import Layering
from octavo.corpus.judges import shortfall
from octavo.corpus.progress import Progress, Reporter
from octavo.corpus.reports import AddReport, Failure
from octavo.corpus.store import DOCUMENT_PART, Source, Store
from octavo.corpus.store.paths import is_address, shown
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError, UsageError
from octavo_documents.document import Document
from octavo_documents.parsing.articles import is_container

if TYPE_CHECKING:
    from octavo.layers import Layer, LayerInputs
    from octavo.models.ports import Reranker


@dataclass(frozen=True, slots=True)
class Planned:
    """A part of a document that would be built, and by whom: ids of models, none for the rules.

    `calls` and tokens are None where the layer cannot tell, `cost` also where a price is not known. Replies that are
    kept from before cost nothing and are not taken off.
    """

    document: str
    path: str
    part: str
    models: tuple[str, ...] = ()
    calls: int | None = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0


@dataclass(frozen=True, slots=True)
class IndexingPlan:
    """All that a job would build, in order; sums leave out what cannot be told."""

    parts: tuple[Planned, ...] = ()

    @property
    def calls(self) -> int:
        """Calls of models."""
        return sum(part.calls or 0 for part in self.parts)

    @property
    def tokens(self) -> int:
        """Tokens of input and output."""
        return sum((part.input_tokens or 0) + (part.output_tokens or 0) for part in self.parts)

    @property
    def cost(self) -> float | None:
        """Return the cost in the currency of the prices; None when a part's is not known."""
        known = [part.cost for part in self.parts]
        return None if None in known else sum(cost or 0.0 for cost in known)

    @property
    def is_complete(self) -> bool:
        """Whether every part can tell its calls."""
        return all(part.calls is not None for part in self.parts)


class Planner:
    """Plans for one corpus; `wanted` says by layer whether models are to decide."""

    def __init__(self, workshop: DocumentBuilder, layering: Layering, wanted: Mapping[str, bool]) -> None:
        self._workshop, self._layering, self._wanted = workshop, layering, wanted

    def of_documents(self, documents: Iterable[tuple[str, str]]) -> IndexingPlan:
        """Return what indexed documents, as (id, path), lack."""
        return IndexingPlan(tuple(part for document, path in documents for part in self._lacking(document, path)))

    def of_files(self, paths: Iterable[str]) -> IndexingPlan:
        """Return what files and folders lack. Files that cannot be read are left out, as `add` will say."""
        found: dict[str, str] = {}
        containers: list[Planned] = []
        for path in (file for given in paths for file in _walk(given)):
            if is_address(path):
                raise UsageError(f"{path} is not fetched to plan for it: plan for files, or add it")
            if is_container(path):
                containers.append(self._of_container(path))
                continue
            try:
                found.setdefault(sources.document_id(path), path)
            except SourceError:
                continue
        with self._workshop.builders.parser(1) as parser:
            parts = [part for document, path in found.items() for part in self._of_file(document, path, parser)]
        return IndexingPlan((*parts, *containers))

    def _of_container(self, path: str) -> Planned:
        """Return one part for all articles of a file: how many there are is not known before it is read."""
        names = [name for name, is_model in self._wanted.items() if is_model]
        layers = [layer for name, layer in self._workshop.builders.optional.items() if name in names]
        models = {model for layer in layers for model in self._layering.models_of(layer).values()}
        part = Planned("", shown(path), "articles", tuple(sorted(models)))
        return replace(part, calls=None, input_tokens=None, output_tokens=None, cost=None) if models else part

    def _of_file(self, document_id: str, path: str, parser: Parser) -> list[Planned]:
        expected = self._workshop.expected(document_id)
        stored = {key.name: key.fingerprint for key in self._workshop.store.published([document_id])}
        if expected.items() <= stored.items():
            return self._lacking(document_id, path)
        due = [name for name, fingerprint in expected.items() if stored.get(name) != fingerprint]
        parts = [self._due(document_id, path, name) for name in due]
        try:
            document = self._document(document_id, path, parser, due)
        except SourceError:
            return []
        layers = self._workshop.builders.chosen(self._wanted)
        memory = _Memory(self._layering, document, path, {})
        return parts + [self._planned(document_id, path, layer, memory) for layer in layers.values()]

    def _due(self, document_id: str, path: str, name: str) -> Planned:
        """Return a part every document has; how many headings a model will be asked about is not known before."""
        part = Planned(document_id, shown(path), name)
        model = judges.headings_model(self._workshop.judge) if name == DOCUMENT_PART else ""
        return (
            replace(part, models=(model,), calls=None, input_tokens=None, output_tokens=None, cost=None)
            if model
            else part
        )

    def _document(self, document_id: str, path: str, parser: Parser, due: list[str]) -> Document:
        """Return a document from the store when it is the one wanted there, else from its file."""
        if DOCUMENT_PART not in due:
            key = self._layering.state(document_id).parts[DOCUMENT_PART]
            return Document.from_bytes(self._workshop.store.load(key) or b"", checked=False)
        return Document.from_bytes(self._workshop.parse(Source(path, 0, 0, document_id), parser))

    def _lacking(self, document_id: str, path: str) -> list[Planned]:
        due = self._layering.due(document_id, self._wanted)
        if not due:
            return []
        state = self._layering.state(document_id)
        store = self._workshop.store
        data = store.load(state.parts[DOCUMENT_PART])
        if data is None:
            return []  # removed meanwhile
        again = {layer.name for layer in due}
        stored = {name: store.load(state.parts[name]) or b"" for name in state.holds if name not in again}
        memory = _Memory(self._layering, Document.from_bytes(data, checked=False), path, stored)
        return [self._planned(document_id, path, layer, memory) for layer in due]

    def _planned(self, document_id: str, path: str, layer: Layer, memory: _Memory) -> Planned:
        models = self._layering.models_of(layer) if self._wanted.get(layer.name) else {}
        part = Planned(document_id, shown(path), layer.name, tuple(dict.fromkeys(models.values())))
        if not models:
            return part
        if layer.estimate is None:
            return replace(part, calls=None, input_tokens=None, output_tokens=None, cost=None)
        calls = [call for call in memory.estimate(layer) if call[0] in models]
        prices = self._layering.judge.gateway.prices
        costs = [prices.cost(models[name], read, written) for name, read, written in calls]
        return replace(
            part,
            calls=len(calls),
            input_tokens=sum(read for _, read, _ in calls),
            output_tokens=sum(written for _, _, written in calls),
            cost=None if None in costs else sum(cost or 0.0 for cost in costs),
        )


class _Memory:
    """A document whose layers are built by rule, in memory, as far as an estimate reads them."""

    def __init__(self, layering: Layering, document: Document, path: str, stored: dict[str, bytes]) -> None:
        self._layering, self._document, self._path, self._stored = layering, document, path, stored

    def estimate(self, layer: Layer) -> list[tuple[str, int, int]]:
        """Return the calls of a layer."""
        inputs = self._inputs(layer, self._layering.judge)
        return [] if layer.estimate is None else [*layer.estimate(inputs)]

    def _inputs(self, layer: Layer, judge: Judge) -> LayerInputs:
        from octavo.layers import LayerInputs

        reads = {name: self._built(name) for name in layer.reads}
        builders = self._layering.builders
        return LayerInputs(self._document, reads, judge=judge, embedder=builders.embedder)

    def _built(self, name: str) -> bytes:
        if name not in self._stored:
            builders = self._layering.builders
            layer = builders.layers.get(name) or builders.optional[name]
            reporter = Reporter(self._layering.progress, self._path, name)
            self._stored[name] = layer.build(replace(self._inputs(layer, Judge()), progress=reporter))
        return self._stored[name]


def _walk(path: str) -> list[str]:
    if is_address(path):
        return [path]
    try:
        return [found.path for found in sources.walk(path) if not found.left_out]
    except SourceError:
        return []


_DEFAULT_SYSTEM = "auto"
"""Whose layers every document is given, by rule: it answers where no system is named."""


@dataclass(frozen=True)
class OptionalLayerJob:
    """What the documents of an `add` are given. `wanted` says by layer whether models decide."""

    workshop: DocumentBuilder
    layering: Layering
    wanted: Mapping[str, bool]
    notes: tuple[str, ...] = ()
    """What the systems go without; the report adds what models did not decide."""

    def of(self, report: AddReport, announce: Callable[[IndexingPlan], None] | None = None) -> AddReport:
        """Build what is due for the documents of a report; return it with what came of that."""
        documents = self._documents(report)
        if announce is not None and self.layering.judge.models and any(self.wanted.values()):
            announce(Planner(self.workshop, self.layering, self.wanted).of_documents(documents.items()))
        built, failed = set[str](), [*report.failed]
        for document_id, path in documents.items():
            try:
                built |= {document_id} if self._complete(document_id, path) else set()
            except SourceError as error:
                failed.append(Failure(shown(path), error.reason, str(error)))
        return replace(
            report,
            added=(*report.added, *(info for info in report.unchanged if info.id in built)),
            unchanged=tuple(info for info in report.unchanged if info.id not in built),
            failed=tuple(failed),
            stopped=self.layering.judge.stopped,
            usage=self.layering.judge.usage(),
            notes=(*self.notes, *shortfall(self.layering.judge)),
        )

    def _documents(self, report: AddReport) -> dict[str, str]:
        """Return the documents of a report that are visible, by id, with their paths."""
        store = self.layering.store
        ids = [info.id for info in (*report.added, *report.unchanged)]
        paths = paths_of(store, ids) if ids else {}
        found = {document_id: paths[document_id] for document_id in ids if document_id in paths}
        for collection in report.collections:
            articles = dict(store.bulk.article_ids(collection.path))
            self.workshop.stored(articles)  # a file that looks as it did was not looked into
            found |= articles
        return found

    def _complete(self, document_id: str, path: str) -> bool:
        wanted = dict.fromkeys(self.workshop.had.get(document_id, ()), False) | dict(self.wanted)
        built = self.layering.complete(document_id, path, wanted)
        if built:
            self.layering.progress.finish(path, "layered")
        return bool(built)


def completion(
    opened: Callable[[], Store],
    builders: Builders,
    reading: HowToRead,
    progress: Progress,
    systems: Sequence[str],
    judge: Judge,
    reranker: Callable[[], Reranker] | None = None,
) -> OptionalLayerJob:
    """Return what an `add` for some systems is done with; the store is opened when the systems are known.

    Raises UsageError for a system there is not.
    """
    wanted = layers_of(systems, builders)
    store = opened()
    workshop = DocumentBuilder(
        store, builders, progress, reading.ocr, reading.password, reading.layout, reading.prints, judge
    )
    layering = Layering(store, builders, progress, judge, reading.password, reading.prints, reranker)
    return OptionalLayerJob(workshop, layering, wanted, notes_of(systems, builders))


def paths_of(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """Return the file each of some documents was first found under, by id."""
    found: dict[str, str] = {}
    for source in store.sources(ids=ids).values():
        found.setdefault(source.document_id, source.path)
    return found


def layers_of(systems: Iterable[str], builders: Builders) -> dict[str, bool]:
    """Return, by name, the optional layers that the default system and these need, and whether models decide in them.

    Models decide in what a named system needs. Raises UsageError for a system there is not, or that needs a layer
    nobody builds. Layers that are absent as things are configured are left out.
    """
    from octavo import systems as table

    named = {name: table.get(name).needs() for name in systems}
    for name, needs in named.items():
        unknown = sorted(needs - builders.layers.keys() - builders.optional.keys() - builders.absent.keys())
        if unknown:
            raise UsageError(f"The system {name!r} needs {', '.join(unknown)}, which cannot be built here")
    wanted = dict.fromkeys(builders.chosen(table.get(_DEFAULT_SYSTEM).needs()), False)
    return wanted | dict.fromkeys(builders.chosen({layer for needs in named.values() for layer in needs}), True)


def filters_sections(systems: Iterable[str]) -> bool:
    """Tell whether any of some systems has a model tell which lines of a document are headings, where one is named.

    Raises UsageError for a system there is not.
    """
    from octavo.systems import get

    return any(get(name).filters_sections for name in systems)


def notes_of(systems: Iterable[str], builders: Builders) -> tuple[str, ...]:
    """Return a line for each layer that a system named would read and goes without."""
    from octavo import systems as table

    needs = {name: table.get(name).needs() for name in systems}
    return tuple(
        f"{name} goes without {layer}: {why}"
        for name in needs
        for layer, why in builders.absent.items()
        if layer in needs[name]
    )
