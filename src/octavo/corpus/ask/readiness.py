"""Whether documents can be asked by a system: its layers are there, and vectors are of the model questions are put in.

Missing layers are built on the way, by rule, so that asking never pays for indexing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.index.builders import ABSENT, EVERY_DOCUMENT, CorpusModels
from octavo.corpus.index.prints import NONE, Prints
from octavo.corpus.progress import Progress, Silence
from octavo.corpus.store import DocumentInfo, Store, is_layer
from octavo.errors import CorpusError, SourceError

if TYPE_CHECKING:
    from octavo.corpus.backend import Ranking
    from octavo.corpus.index.layering import Layering

_OTHER_MODEL = (
    "{} was indexed with another embedding model than {}: run 'octavo add' on its file, or name that model under "
    "[models] embedding"
)


@dataclass(frozen=True)
class Readiness:
    """Looks after the layers of one store. `watch` gives what is told when layers are built, entered only then."""

    store: Store
    models: CorpusModels
    watch: Callable[[], AbstractContextManager[Progress]]
    prints: Prints = NONE

    def make(self, infos: Sequence[DocumentInfo], needs: frozenset[str]) -> None:
        """Build the layers that are needed and missing. Raises CorpusError."""
        if not needs <= EVERY_DOCUMENT:
            self._build_missing(infos, needs)
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

    def _build_missing(self, infos: Sequence[DocumentInfo], needs: frozenset[str]) -> None:
        from octavo.corpus.index.layering import Layering
        from octavo.corpus.index.optional_layers import paths_of

        builders = self.models.builders()
        wanted = dict.fromkeys(builders.chosen(needs), False)
        layering = Layering(self.store, builders, Silence(), prints=self.prints)
        due = [info.id for info in infos if layering.due(info.id, wanted)]
        if not due:
            return
        paths = paths_of(self.store, due)
        with self.watch() as progress:
            for item in due:
                _complete(replace(layering, progress=progress), item, paths.get(item, ""), wanted)
                progress.finish(paths.get(item, ""), "layered")


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
