"""What a job would build and what it would cost.

Files that are not indexed are read, and what a paid layer reads is built by rule, in memory; nothing is stored and no
model is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.corpus import judges
from octavo.corpus.index import sources
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.document_reading import parse
from octavo.corpus.index.layering import Layering
from octavo.corpus.progress import Reporter
from octavo.corpus.store import DOCUMENT_PART, Source
from octavo.corpus.store.paths import is_address, shown
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError, UsageError
from octavo.layers import LayerInputs
from octavo_documents.document import Document
from octavo_documents.parsing.articles import is_container

if TYPE_CHECKING:
    from octavo.layers import Layer


@dataclass(frozen=True, slots=True)
class Planned:
    """A part of a document that would be built, and by whom: ids of models, none for the rules.

    `calls` and tokens are None where the layer cannot say, `cost` also where a price is not known. Replies that are
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
    """All that a job would build, in order; sums leave out what is not known."""

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
        """Whether the calls of every part are known."""
        return all(part.calls is not None for part in self.parts)


class Planner:
    """Plans for one corpus; `wanted` says by layer whether models are to decide."""

    def __init__(self, builder: DocumentBuilder, layering: Layering, wanted: Mapping[str, bool]) -> None:
        self._builder, self._layering, self._wanted = builder, layering, wanted

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
        with self._builder.builders.parser(1) as parser:
            parts = [part for document, path in found.items() for part in self._of_file(document, path, parser)]
        return IndexingPlan((*parts, *containers))

    def _of_container(self, path: str) -> Planned:
        """Return one part for all articles of a file: how many there are is not known before it is read."""
        names = [name for name, is_model in self._wanted.items() if is_model]
        layers = [layer for name, layer in self._builder.builders.optional.items() if name in names]
        models = {model for layer in layers for model in self._layering.models_of(layer).values()}
        part = Planned("", shown(path), "articles", tuple(sorted(models)))
        return replace(part, calls=None, input_tokens=None, output_tokens=None, cost=None) if models else part

    def _of_file(self, document_id: str, path: str, parser: Parser) -> list[Planned]:
        expected = self._builder.expected(document_id)
        stored = {key.name: key.fingerprint for key in self._builder.store.published([document_id])}
        due = self._builder.lacks(expected, stored)
        if not due:
            return self._lacking(document_id, path)
        parts = [self._due(document_id, path, name) for name in due]
        try:
            document = self._document(document_id, path, parser, due)
        except SourceError:
            return []
        layers = self._builder.builders.chosen(self._wanted)
        memory = _Memory(self._layering, document, path, {})
        return parts + [self._planned(document_id, path, layer, memory) for layer in layers.values()]

    def _due(self, document_id: str, path: str, name: str) -> Planned:
        """Return a part every document has; how many headings a model will be asked about is not known before."""
        part = Planned(document_id, shown(path), name)
        model = judges.headings_model(self._builder.judge) if name == DOCUMENT_PART else ""
        return (
            replace(part, models=(model,), calls=None, input_tokens=None, output_tokens=None, cost=None)
            if model
            else part
        )

    def _document(self, document_id: str, path: str, parser: Parser, due: list[str]) -> Document:
        """Return a document from the store when it is the one wanted there, else from its file."""
        if DOCUMENT_PART not in due:
            key = self._layering.state(document_id).parts[DOCUMENT_PART]
            return Document.from_bytes(self._builder.store.load(key) or b"", checked=False)
        return Document.from_bytes(parse(self._builder, Source(path, 0, 0, document_id), parser))

    def _lacking(self, document_id: str, path: str) -> list[Planned]:
        due = self._layering.due(document_id, self._wanted)
        if not due:
            return []
        state = self._layering.state(document_id)
        store = self._builder.store
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
        reads = {name: self._built(name) for name in layer.reads}
        builders = self._layering.builders
        return LayerInputs(
            self._document, reads, judge=judge, embedder=builders.embedder, multilingual=builders.multilingual
        )

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
