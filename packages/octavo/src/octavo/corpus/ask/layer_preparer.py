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
from octavo.models.words_alone import WordsAlone

if TYPE_CHECKING:
    from octavo.corpus.backend import Ranking
    from octavo.corpus.index.layering import Layering

_OTHER_MODEL = (
    "{} was indexed with another embedding model than {}: run 'octavo add' on its file, or name that model under "
    "[models] embedding"
)
_NO_VECTORS = "{} was indexed when the embedding model could not be used: run 'octavo add' on its file"


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
        """Build the layers that are needed and missing; `system` is who needs them.

        Raises CorpusError: also where layers that not every document has would be compared with a question in the space
        of another embedding model.
        """
        if not needs <= EVERY_DOCUMENT:
            self._build_missing(infos, needs, system)
            if self.models.embedder().name and (why := self.words_alone(needs, [info.id for info in infos])):
                raise CorpusError("missing", why)

    def words_alone(self, layers: Iterable[str], ids: Iterable[str]) -> str:
        """Return why words alone find in documents, "" where their vectors are of the model that questions are.

        The model cannot be used, or not all vectors of these layers are its own: those of two are never compared.
        """
        wanted = set(layers) - ABSENT.keys()  # those have a space of their own
        keys = [key for key in self.store.published(ids) if key.name in wanted]
        made = [key for key in keys if key.name == "vectors" or fingerprints.embedding_of(key.fingerprint)]
        if not made:
            return ""
        model = self.models.embedder()
        if isinstance(model, WordsAlone):
            return model.why
        own = fingerprints.embedding(model.name)
        other = next((key for key in made if fingerprints.embedding_of(key.fingerprint) != own), None)
        return "" if other is None else self._why(other.document_id, fingerprints.embedding_of(other.fingerprint))

    def words_alone_among(self, index: Ranking) -> str:
        """Return why words alone find the documents of an index, as `words_alone` does.

        Those without vectors keep nobody from comparing the others: they are found by their words.
        """
        model = self.models.embedder()
        if isinstance(model, WordsAlone):
            return model.why
        other = index.embeddings - {fingerprints.embedding(model.name)}
        return self._why(index.example(min(other)), min(other)) if other else ""

    def _why(self, document_id: str, embedding: str) -> str:
        name = next((info.name for info in self.store.bulk.find_documents([document_id])), "a document")
        return (_OTHER_MODEL if embedding else _NO_VECTORS).format(name, self.models.embedder().name)

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
