"""From a question to what it is asked with: its words, checked, the view opened for it, models and pictures."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo.corpus.ask.passage_index import Scope
from octavo.corpus.ask.segments import Floats
from octavo.corpus.index import fingerprints
from octavo.corpus.index.builders import ABSENT, EVERY_DOCUMENT, CorpusModels
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.judges import Judges
from octavo.corpus.progress import Progress, Silence
from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, PartKey, Store, is_layer
from octavo.corpus.store.references import Names
from octavo.errors import CorpusError, SourceError, UnbuiltError, UsageError
from octavo.evidence import UNSEARCHED, Query, TraceStep, View
from octavo_documents.document import Document
from octavo_documents.text.titles import mentioned_among

if TYPE_CHECKING:
    from octavo.corpus.backend import Backend, Ranking
    from octavo.corpus.index.layering import Layering
    from octavo.decisions.engine.judge import Judge
    from octavo.layers.base import Renderer
    from octavo.models.ports import Raster
    from octavo.operators.core import Drawer, Place, Run
    from octavo.systems import System


_OTHER_MODEL = (
    "{} was indexed with another embedding model than {}: run 'octavo add' on its file, or name that model under "
    "[models] embedding"
)


@dataclass(frozen=True)
class LayerPreparer:
    """Looks after the layers of one store. `watch` gives what is told when layers are built, entered only then.

    Without `builds` none is built: what needs one is refused with an UnbuiltError.
    """

    store: Store
    models: CorpusModels
    watch: Callable[[], AbstractContextManager[Progress]]
    prints: RenderedPdfs = NONE
    builds: bool = True

    def make(self, infos: Sequence[DocumentInfo], needs: frozenset[str], system: str = "") -> None:
        """Build the layers that are needed and missing; `system` is who needs them. Raises CorpusError."""
        if not needs <= EVERY_DOCUMENT:
            self._build_missing(infos, needs, system)
        self.require_one_space(needs, [info.id for info in infos])

    def require_one_space(self, layers: Iterable[str], ids: Iterable[str]) -> None:
        """Raise CorpusError when vectors of these layers are of another embedding model than questions are."""
        wanted, known = set(layers) - ABSENT.keys(), ""  # those have a space of their own
        for key in self.store.published(ids):
            if key.name in wanted and (model := fingerprints.embedding_of(key.fingerprint)):
                known = known or fingerprints.embedding(self.models.embedder().name)
                if model != known:
                    raise self._other_model(key.document_id)

    def require_model_of(self, index: Ranking) -> None:
        """Raise CorpusError when passages of an index have vectors of another embedding model than questions are."""
        other = index.embeddings - {fingerprints.embedding(self.models.embedder().name)}
        if other:
            raise self._other_model(index.example(min(other)))

    def _other_model(self, document_id: str) -> CorpusError:
        name = next((info.name for info in self.store.bulk.find_documents([document_id])), "a document")
        return CorpusError("missing", _OTHER_MODEL.format(name, self.models.embedder().name))

    def _build_missing(self, infos: Sequence[DocumentInfo], needs: frozenset[str], system: str) -> None:
        from octavo.corpus.index.layering import Layering
        from octavo.corpus.index.planning import paths_of

        builders = self.models.builders()
        wanted = dict.fromkeys(builders.chosen(needs), False)
        layering = Layering(self.store, builders, Silence(), prints=self.prints)
        due = [info.id for info in infos if layering.due(info.id, wanted)]
        if not due:
            return
        if not self.builds or self.store.is_read_only:
            _refuse(layering, [info for info in infos if info.id in {*due}], wanted, system)
            return
        paths = paths_of(self.store, due)
        with self.watch() as progress:
            for item in due:
                _complete(replace(layering, progress=progress), item, paths.get(item, ""), wanted)
                progress.finish(paths.get(item, ""), "layered")


_PASSAGE_SECONDS = 0.005
"""To build a layer by rule, for a passage of the document: between 0.0002 (descriptions) and 0.009 (entity vectors)."""


def _refuse(layering: Layering, infos: Sequence[DocumentInfo], wanted: dict[str, bool], system: str) -> None:
    """Raise UnbuiltError for layers that are due, but for those a question can do without."""
    due = {info.id: [one for one in layering.due(info.id, wanted) if not one.is_dispensable] for info in infos}
    lacking = [info for info in infos if due[info.id]]
    if lacking:
        names = tuple(dict.fromkeys(layer.name for info in lacking for layer in due[info.id]))
        seconds = sum(_PASSAGE_SECONDS * info.passages * len(due[info.id]) for info in lacking)
        raise UnbuiltError(system, names, tuple(info.id for info in lacking), seconds)


def _complete(layering: Layering, document_id: str, path: str, wanted: dict[str, bool]) -> None:
    """Build what is due by rule; what a question can do without may fail. Raises CorpusError and SourceError."""
    try:
        layering.complete(document_id, path, wanted)
    except SourceError:
        if not all(layer.is_dispensable for layer in layering.due(document_id, wanted)):
            raise


def deciders(store: Store, ids: Iterable[str] | None = None) -> dict[str, dict[str, str]]:
    """Return, by document id and layer, who decided, of all documents or of some: `rule` or `model`."""
    found: dict[str, dict[str, str]] = {}
    for key in store.published(ids):
        if is_layer(key.name):
            by = "rule" if fingerprints.decided_by(key.fingerprint) == fingerprints.RULE else "model"
            found.setdefault(key.document_id, {})[key.name] = by
    return found


_RANKED = 1000
"""Documents of each ranking that are fused."""
_SMOOTHING = 60
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""
_MENTIONING = 2
"""Best documents whose text is searched for the titles of others."""
_MENTIONED = 8
"""Documents that are opened because they are mentioned, at most; they take the places of the last."""


@dataclass(frozen=True)
class Opened:
    """What a question is asked of: the view, and where its documents were chosen, how, and the question's vector."""

    view: View
    steps: tuple[TraceStep, ...] = ()
    vector: Floats | None = None


@dataclass(frozen=True)
class Opener:
    """Opens the documents of one corpus for questions."""

    backend: Backend
    readiness: LayerPreparer
    views: Views
    models: CorpusModels
    name: str
    """Of the corpus, in messages."""

    def open(self, question: str, references: Names | None, system: System) -> Opened:
        """Open the documents in scope, or the best of them where they are more than a system opens.

        Raises CorpusError (`missing`) when there is no document and as `Catalogue.scope` does.
        """
        catalogue, needs = self.backend.catalogue, system.needs()
        scope = None if references is None else catalogue.scope(references)
        count = catalogue.count() if scope is None else len(scope)
        if not count:
            raise CorpusError("missing", f"There is no document in {self.name}: add some with 'octavo add FILE'")
        if count <= system.opens:
            infos = [*catalogue.listing()] if scope is None else catalogue.as_named(scope, references)
            return Opened(self._view(infos, needs, system.name))
        started = time.perf_counter()
        index = self.backend.first_stage.current()
        vector, numbers, steps = self._chosen(index, question, None if scope is None else np.array(scope), started)
        numbers = self._with_mentioned(numbers, system.opens, steps)
        opening = time.perf_counter()
        view = self._view(catalogue.as_named(numbers[: system.opens], references), needs, system.name)
        steps.append(_step("OpenDocuments", {}, len(numbers), len(view), opening))
        parameters: dict[str, Any] = {"documents": count, "candidates": len(numbers), "opened": len(view.documents)}
        if index.unsearched:
            parameters[UNSEARCHED] = asdict(index.unsearched)
        whole = _step("FirstStage", parameters, count, len(view), started)
        return Opened(view, (replace(whole, steps=tuple(steps)),), vector)

    def _chosen(
        self, index: Ranking, question: str, scope: Scope, started: float
    ) -> tuple[Floats, list[int], list[TraceStep]]:
        """Return the question's vector, the numbers of documents that fit it, best first, and how they were found."""
        self.readiness.require_model_of(index)
        steps = [_step("PassageIndex", {"segments": len(index.segments)}, index.passages, index.passages, started)]
        started = time.perf_counter()
        words = lexical(index, question, scope)
        steps.append(_step("BM25", {}, index.passages, len(words), started))
        started = time.perf_counter()
        vector = self.models.embedder().embed([question])[0]
        steps.append(_step("EmbedQuestion", {}, 1, 1, started))
        started = time.perf_counter()
        near = dense(index, vector, scope)
        steps.append(_step("Dense", {}, index.passages, len(near), started))
        return vector, fuse([words, near]), steps

    def _with_mentioned(self, numbers: list[int], opens: int, steps: list[TraceStep]) -> list[int]:
        """Return the numbers with those first that are opened: the best, and candidates they mention by title.

        What answers the second half of a question shares few words with it; the text that answers the first names it.
        """
        from octavo.operators.score.fuse import title_words

        started, catalogue = time.perf_counter(), self.backend.catalogue
        best = self.views.open(self.backend.store, catalogue.documents(numbers[:_MENTIONING]))
        found = mentioned_among(title_words(best), catalogue.names(numbers))
        moved = [number for number in found if number not in numbers[:opens]]
        moved = moved[: max(0, min(_MENTIONED, opens - _MENTIONING))]
        steps.append(_step("BoostMentionedDocuments", {"documents": len(found)}, len(numbers), len(moved), started))
        return [*dict.fromkeys([*numbers[: opens - len(moved)], *moved, *numbers])]

    def _view(self, infos: Sequence[DocumentInfo], needs: frozenset[str], system: str) -> View:
        self.readiness.make(infos, needs, system)
        return self.views.open(self.backend.store, infos)


def _step(name: str, parameters: dict[str, Any], rows_in: int, rows_out: int, started: float) -> TraceStep:
    return TraceStep(name, parameters, rows_in, rows_out, round(time.perf_counter() - started, 6))


def fitting(backend: Backend, views: Views, text: str, references: Names | None, most: int) -> tuple[View, bool]:
    """Return a view of the documents in scope, of more than `most` those with the words of a text, and if it has all.

    Raises as `Catalogue.scope` does.
    """
    catalogue, store = backend.catalogue, backend.store
    scope = None if references is None else catalogue.scope(references)
    if (catalogue.count() if scope is None else len(scope)) <= most:
        return views.open(store, [*catalogue.listing(scope)]), True
    index = backend.first_stage.current()
    ranked = lexical(index, text, None if scope is None else np.array(scope))
    if index.unsearched:
        raise CorpusError("unreachable", f"{index.unsearched}: 'octavo cluster search' starts searchers again")
    return views.open(store, catalogue.documents(ranked[:most])), False


def lexical(index: Ranking, question: str, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage fits a question's words best (BM25), best first."""
    from octavo_documents.text.analyzer import analyze

    return index.lexical(analyze(question), scope, _RANKED)


def dense(index: Ranking, vector: Floats, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage is nearest to a question's vector, best first."""
    return index.dense(vector, scope, _RANKED)


def fuse(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Return all documents of some rankings by the sum of 1 / (60 + rank), best first; ties go by number."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (_SMOOTHING + rank)
    return sorted(scores, key=lambda document: (-scores[document], document))


_KEPT_BYTES = 256 << 20
"""Packed bytes of documents and layers that are kept; what the last question was asked of is kept whatever its size."""
_KEPT_JOINED = 4
"""Views of several documents that are kept: putting one together again takes milliseconds."""


class Changed(CorpusError):
    """A document was changed or removed while it was being read; reading again gives the new state."""


class PinnedLayers:
    """A `LayerSource` over the parts a view was opened on: never those of a later version, whose rows differ."""

    def __init__(self, store: Store, keys: Mapping[str, PartKey]) -> None:
        self._store = store
        self._keys = keys
        self.bytes_read = 0

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, None when it was not built. Raises Changed when it has gone since."""
        key = self._keys.get(layer)
        if key is None:
            return None
        data = fetch(self._store, [key])[key.number]
        self.bytes_read += len(data)
        return data


def fetch(store: Store, keys: Sequence[PartKey]) -> dict[int, bytes]:
    """Return parts by number. Raises Changed when one has gone, CorpusError (`damaged`) when a checksum is wrong."""
    found = store.load_all(keys)
    for key in keys:
        if key.number not in found:
            raise Changed("missing", f"Document {key.document_id[:19]} was changed while it was read: ask again")
    return found


_State = tuple[str, str, frozenset[int]]
"""Of a document: its id, its name and the numbers of its parts."""


class Views:
    """Opens views and keeps what was read of the last documents, as long as nothing in them changes. Thread-safe."""

    def __init__(self, kept_bytes: int = _KEPT_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._alone: OrderedDict[_State, tuple[View, PinnedLayers]] = OrderedDict()
        self._joined: OrderedDict[tuple[_State, ...], View] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, store: Store, infos: Sequence[DocumentInfo]) -> View:
        """Return a view of these documents, in this order."""
        keys = defaultdict[str, dict[str, PartKey]](dict)
        for key in store.published([info.id for info in infos]):
            keys[key.document_id][key.name] = key
        states = [(info.id, info.name, frozenset(key.number for key in keys[info.id].values())) for info in infos]
        with self._lock:
            kept = {state: self._alone[state] for state in states if state in self._alone}
            joined = self._joined.get(tuple(states))
        new = [(state, info) for state, info in zip(states, infos, strict=True) if state not in kept]
        opened = kept | _opened(store, [(state, info, keys[info.id]) for state, info in new])
        if joined is None:
            joined = View.of([opened[state][0] for state in states])
        self._keep(opened, tuple(states), joined)
        return joined

    def _keep(self, opened: Mapping[_State, tuple[View, PinnedLayers]], states: tuple[_State, ...], view: View) -> None:
        """Keep the last documents as long as there is room, and the last views of several of them."""
        with self._lock:
            for state in states:
                self._alone[state] = self._alone.get(state) or opened[state]
                self._alone.move_to_end(state)
            size = sum(layers.bytes_read for _, layers in self._alone.values())
            while len(self._alone) > len(states) and size > self._kept_bytes:
                size -= self._alone.popitem(last=False)[1][1].bytes_read
            if len(states) > 1:
                self._joined[states] = view
                self._joined.move_to_end(states)
            while len(self._joined) > _KEPT_JOINED:
                self._joined.popitem(last=False)

    def clear(self) -> None:
        """Let go of every view."""
        with self._lock:
            self._alone.clear()
            self._joined.clear()


def _opened(
    store: Store, documents: Sequence[tuple[_State, DocumentInfo, Mapping[str, PartKey]]]
) -> dict[_State, tuple[View, PinnedLayers]]:
    """Return a view of each document alone, all read at once."""
    wanted = [keys[DOCUMENT_PART] for _, _, keys in documents if DOCUMENT_PART in keys]
    data = fetch(store, wanted) if wanted else {}
    opened: dict[_State, tuple[View, PinnedLayers]] = {}
    for state, info, keys in documents:
        if DOCUMENT_PART not in keys:
            raise Changed("missing", f"{info.name} was removed while it was read: ask again")
        layers = PinnedLayers(store, keys)
        packed = data[keys[DOCUMENT_PART].number]
        layers.bytes_read = len(packed)
        document = Document.from_bytes(packed, checked=False)
        # The file it was first found under may have gone since it was read.
        is_so = document.name == info.name
        opened[state] = View([document if is_so else dataclasses.replace(document, name=info.name)], layers), layers
    return opened


def query_of(question: str, limit: int) -> Query:
    """Return the question as systems take it; raise UsageError when nothing is asked or no page is allowed."""
    if not question.strip():
        raise UsageError("the question is empty: ask something")
    if limit < 1:
        raise UsageError(f"the limit is a number of pages, 1 or more, not {limit}")
    return Query(question, limit=limit)


def run_of(opener: Opener, question: str, documents: Names | None, system: System, judge: Judge, judges: Judges) -> Run:
    """Return the run of a question: its documents opened, its models to be had. Raises as `Opener.open` does."""
    from octavo.operators.core import Run

    opened = opener.open(question, documents, system)
    run = Run(
        opened.view,
        opener.models.embedder,
        trace=[*opened.steps],
        judge=judge,
        reranker=judges.reranker(judge, opener.models.embedder),
        image_text=opener.models.image_text,
        late_interaction=opener.models.late_interaction,
        pictures=drawer(opener.backend.catalogue.path, opener.readiness.prints),
    )
    if opened.vector is not None:
        run.remember(question, opened.vector)
    return run


def drawer(path_of: Callable[[str], str], prints: RenderedPdfs = NONE) -> Drawer:
    """Return what draws places of documents; a process is started for each call and ends with it.

    `path_of` gives the file of a document by its id, "" for none; `prints` those of files that have no pages.
    """

    def draw(document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        from octavo.corpus.index.pictures import Pictures

        with Pictures(document_id, path_of(document_id), print_of_it=prints.find(document_id)) as pictures:
            renderer = pictures.renderer()
            return [None if renderer is None else _drawn(renderer, place) for place in places]

    return draw


def _drawn(renderer: Renderer, place: Place) -> Raster | None:
    try:
        return renderer(place.page, place.box, place.dpi)
    except SourceError:
        return None
