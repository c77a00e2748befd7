"""Layers that a question needs: those that are missing are built by rule, or refused where nothing may be built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.index.builders import ABSENT, EVERY_DOCUMENT
from octavo.corpus.index.corpus_models import CorpusModels
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.progress import Progress, Silence
from octavo.corpus.store import DocumentInfo, Store
from octavo.errors import CorpusError, SourceError, UnbuiltError

if TYPE_CHECKING:
    from octavo.corpus.backend import Ranking
    from octavo.corpus.index.layering import Layering

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
        from octavo.corpus.index.layering import Layering, paths_of

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
