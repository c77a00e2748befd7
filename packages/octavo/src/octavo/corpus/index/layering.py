"""The layers only some systems read: which a document lacks, and building them one by one.

A layer is due when it is not there, or was made from something that has changed. Where models are to decide, it is due
also when other models or the rules decided in it. Each becomes visible as soon as it is done. At a cap the
layers that still need a model are left as they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.index.builders import Builders
from octavo.corpus.index.heartbeat import Heartbeat
from octavo.corpus.index.pictures import NONE, Pictures, RenderedPdfs
from octavo.corpus.index.previous_layers import previous_name, usable_previous
from octavo.corpus.judges import fell_back
from octavo.corpus.progress import Progress, Reporter
from octavo.corpus.store import DOCUMENT_PART, DocumentPart, Lease, LeaseLost, PartKey, Store
from octavo.decisions import DECISIONS
from octavo.decisions.engine.judge import Judge
from octavo.errors import CorpusError
from octavo.layers import LayerInputs
from octavo.layers.base import LEFT, embeds_texts
from octavo_documents.document import Document

if TYPE_CHECKING:
    from octavo.layers import Layer
    from octavo.models.ports import Reranker

_RERANK = "rerank"
"""The name a reranker has beside the decisions of models."""
_POLL_SECONDS = 0.2
"""Between two tries to take the lease of a document that another process has."""


@dataclass(frozen=True)
class LayeringState:
    """What is stored of a document: the visible parts by name, and the fingerprints of those that hold."""

    parts: Mapping[str, PartKey]
    holds: Mapping[str, str]


@dataclass(frozen=True)
class Layering:
    """Builds optional layers of indexed documents.

    `judge` decides, and `reranker` scores, where a caller wants models, else the rules do.
    """

    store: Store
    builders: Builders
    progress: Progress
    judge: Judge = field(default_factory=Judge)
    password: str | None = field(default=None, repr=False)
    prints: RenderedPdfs = NONE
    reranker: Callable[[], Reranker] | None = None
    _models: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False)

    def due(self, document_id: str, wanted: Mapping[str, bool]) -> list[Layer]:
        """Return the layers to be built, in order. `wanted` says by name whether models are to decide."""
        state, names = self.state(document_id), set[str]()
        found: list[Layer] = []
        for layer in self.builders.chosen(wanted).values():
            if not names.isdisjoint(layer.reads) or self._is_due(layer, state, wanted):
                names.add(layer.name)
                found.append(layer)
        return found

    def complete(self, document_id: str, path: str, wanted: Mapping[str, bool]) -> list[str]:
        """Build what is due, each layer visible when it is done; return the names.

        Raises CorpusError, ModelError, and SourceError where pictures of the file are needed and cannot be had. What
        was built before stays.
        """
        built: list[str] = []
        with Pictures(document_id, path, self.password, print_of_it=self.prints.find(document_id)) as pictures:
            for name, layer in self.builders.chosen(wanted).items():
                while self._is_due(layer, self.state(document_id), wanted):
                    outcome = self._attempt(document_id, path, layer, wanted, pictures)
                    built += [name] if outcome else []
                    if outcome is not None:
                        break
        return built

    def state(self, document_id: str) -> LayeringState:
        """Return what is visible of a document, and which optional layers hold."""
        parts = {key.name: key for key in self.store.published([document_id])}
        stored = {name: key.fingerprint for name, key in parts.items()}
        start = {name: stored[name] for name in (DOCUMENT_PART, *self.builders.layers) if name in stored}
        optional = [*self.builders.in_build_order(stored).values()]
        holds = fingerprints.sound(stored, start, optional, self._model_of)
        if any(embeds_texts(layer) and layer.name not in holds for layer in optional) and not self.builders.embeds:
            # What was built without vectors is as whole as it can be where the embedding model cannot be used.
            holds = fingerprints.sound(stored, holds, optional, lambda layer: self._model_of(layer, is_used=False))
        return LayeringState(parts, holds)

    def models_of(self, layer: Layer) -> dict[str, str]:
        """Return the ids of the models that would decide in a layer, by decision."""
        scores = {_RERANK: self.reranker().name} if layer.reranks and self.reranker is not None else {}
        if not layer.decisions or not self.judge.models:
            return scores
        roles = {name: DECISIONS[name].role if name in DECISIONS else "language" for name in layer.decisions}
        found = {name: self.judge.model_for(name, role) for name, role in roles.items()}
        return scores | {name: model.id for name, model in found.items() if model is not None}

    def _is_due(self, layer: Layer, state: LayeringState, wanted: Mapping[str, bool]) -> bool:
        if any(name not in state.holds for name in layer.reads):
            return False
        models = self.models_of(layer) if wanted.get(layer.name) else {}
        if models and self.judge.stopped:
            return False
        own = state.holds.get(layer.name)
        return own is None or bool(models and fingerprints.decided_by(own) != fingerprints.deciders(models))

    def _model_of(self, layer: Layer, *, is_used: bool = True) -> str:
        if not is_used and embeds_texts(layer):
            return ""
        if layer.name not in self._models:
            self._models[layer.name] = self.builders.model_of(layer)
        return self._models[layer.name]

    # One layer

    def _attempt(
        self, document_id: str, path: str, layer: Layer, wanted: Mapping[str, bool], pictures: Pictures
    ) -> bool | None:
        """Build one layer; return whether it was stored, None when it must be looked at again."""
        with self._leased(document_id, path) as lease:
            state = self.state(document_id)
            if not self._is_due(layer, state, wanted):
                return None
            judge = self.judge.branch() if wanted.get(layer.name) else None
            try:
                return self._build(lease, path, layer, state, judge, pictures)
            except LeaseLost:
                return None

    @contextmanager
    def _leased(self, document_id: str, path: str) -> Generator[Lease]:
        """Hold the document's lease; waits while someone else has it. Another's unfinished parts stay."""
        while (lease := self.store.claim(document_id, path)) is None:
            self.progress.start(path, "waiting", 0)
            time.sleep(_POLL_SECONDS)
        has_unfinished = any(job.parts for job in self.store.jobs([document_id]))
        try:
            with Heartbeat(self.store):
                yield lease
        finally:
            self.store.release(lease, keep=has_unfinished)

    def _build(
        self, lease: Lease, path: str, layer: Layer, state: LayeringState, asked: Judge | None, pictures: Pictures
    ) -> bool:
        models = {} if asked is None else self.models_of(layer)
        judge = asked or Judge()
        self.progress.start(path, layer.name, 0)
        try:
            inputs = self.inputs(path, layer, state, judge, pictures)
            data = layer.build(replace(inputs, reranker=self.reranker if _RERANK in models else None))
        finally:
            for record in judge.records:
                self.judge.record(record)
        is_part = layer.keeps_part and _is_part(judge)
        if models and judge.stopped and not is_part:
            return False
        decided = fingerprints.deciders(_in_part(models, judge) if is_part else {} if fell_back(judge) else models)
        model = self._model_of(layer, is_used=not embeds_texts(layer) or self.builders.embeds)
        fingerprint = fingerprints.of_layer(layer, model, state.holds, decided)
        if fingerprint == state.holds.get(layer.name):
            return False  # the models failed, and the rules have decided before
        self.store.replace_part(
            lease,
            DocumentPart(layer.name, fingerprint, data),
            without=[*self._readers(layer.name), previous_name(layer.name)],
        )
        return True

    def inputs(
        self, path: str, layer: Layer, state: LayeringState, judge: Judge, pictures: Pictures | None = None
    ) -> LayerInputs:
        """Return what a layer of a stored document is built from."""
        before = usable_previous(layer, self._model_of(layer), state.parts) if judge.models else None
        renders = layer.needs_rendering or judge.model_for("", "vision") is not None
        document = Document.from_bytes(self._load(state.parts[DOCUMENT_PART]), checked=False)
        return LayerInputs(
            document,
            {name: self._load(state.parts[name]) for name in layer.reads},
            Reporter(self.progress, path, layer.name),
            judge=judge,
            embedder=self.builders.embedder,
            render=pictures.renderer(document.pages.within) if pictures is not None and renders else None,
            earlier=None if before is None else self._load(before),
        )

    def _load(self, key: PartKey) -> bytes:
        data = self.store.load(key)
        if data is None:
            raise CorpusError("missing", f"The {key.name} of {key.document_id[:19]} was changed meanwhile: try again")
        return data

    def _readers(self, name: str) -> list[str]:
        """Return the layers that read this one, or one that does."""
        found = [name]
        for layer in self.builders.in_build_order({*self.builders.optional}).values():
            if not set(found).isdisjoint(layer.reads):
                found.append(layer.name)
        return found[1:]


def _is_part(judge: Judge) -> bool:
    """Whether models decided the beginning of a layer and what comes after was left for the next time."""
    has_replies = any(record.by != "rule" for record in judge.records)
    return has_replies and any(record.why == LEFT for record in judge.records)


def _in_part(models: Mapping[str, str], judge: Judge) -> dict[str, str]:
    """Return who decided a layer in part, with how far they came: neither the rules nor models that are through."""
    replies = sum(record.by != "rule" for record in judge.records)
    return {name: f"{model}, {replies} replies" for name, model in models.items()}


def paths_of(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """Return the file each of some documents was first found under, by id."""
    found: dict[str, str] = {}
    for source in store.sources(ids=ids).values():
        found.setdefault(source.document_id, source.path)
    return found
