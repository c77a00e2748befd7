"""From a question to the view it is asked of: the documents in scope, or the best of them when there are many.

Owns that choice and how it shows in the trace. Knows nothing about systems but the layers one needs and how many
documents it opens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo.corpus.catalogue import Catalogue
from octavo.corpus.derived import DerivedIndex
from octavo.corpus.firststage import dense, fuse, lexical
from octavo.corpus.passage_index import Scope
from octavo.corpus.readiness import Readiness
from octavo.corpus.reading import Views
from octavo.corpus.references import Names
from octavo.corpus.segments import Floats
from octavo.corpus.sqlite import SqliteStore
from octavo.corpus.store import DocumentInfo
from octavo.document import TraceStep, View
from octavo.errors import CorpusError
from octavo.text.titles import mentioned_among

if TYPE_CHECKING:
    from octavo.models.ports import TextEmbedder
    from octavo.systems import System


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
    """Opens the documents of one store for questions."""

    store: SqliteStore
    readiness: Readiness
    views: Views
    index: DerivedIndex
    embedder: Callable[[], TextEmbedder]
    folder: Path
    """Of the corpus; for messages."""

    def open(self, question: str, references: Names | None, system: System) -> Opened:
        """Open the documents in scope, or the best of them where they are more than a system opens.

        Raises CorpusError (`missing`) when there is no document and as `Catalogue.scope` does.
        """
        catalogue, needs = Catalogue(self.store), system.needs()
        scope = None if references is None else catalogue.scope(references)
        count = catalogue.count() if scope is None else len(scope)
        if not count:
            raise CorpusError("missing", f"There is no document in {self.folder}: add some with 'octavo add FILE'")
        if count <= system.opens:
            infos = [*catalogue.listing()] if scope is None else catalogue.documents(scope)
            return Opened(self._view(infos, needs))
        started = time.perf_counter()
        vector, numbers, steps = self._chosen(question, None if scope is None else np.array(scope), catalogue)
        numbers = self._with_mentioned(numbers, system.opens, catalogue, steps)
        opening = time.perf_counter()
        view = self._view(catalogue.documents(numbers[: system.opens]), needs)
        steps.append(_step("OpenDocuments", {}, len(numbers), len(view), opening))
        parameters = {"documents": count, "candidates": len(numbers), "opened": len(view.documents)}
        whole = _step("FirstStage", parameters, count, len(view), started)
        return Opened(view, (replace(whole, steps=tuple(steps)),), vector)

    def _chosen(self, question: str, scope: Scope, catalogue: Catalogue) -> tuple[Floats, list[int], list[TraceStep]]:
        """Return the question's vector, the numbers of documents that fit it, best first, and how they were found."""
        started = time.perf_counter()
        index = self.index.current(catalogue)
        self.readiness.require_model_of(index)
        steps = [_step("PassageIndex", {"segments": len(index.segments)}, index.passages, index.passages, started)]
        started = time.perf_counter()
        words = lexical(index, question, scope)
        steps.append(_step("BM25", {}, index.passages, len(words), started))
        started = time.perf_counter()
        vector = self.embedder().embed([question])[0]
        steps.append(_step("EmbedQuestion", {}, 1, 1, started))
        started = time.perf_counter()
        near = dense(index, vector, scope)
        steps.append(_step("Dense", {}, index.passages, len(near), started))
        return vector, fuse([words, near]), steps

    def _with_mentioned(
        self, numbers: list[int], opens: int, catalogue: Catalogue, steps: list[TraceStep]
    ) -> list[int]:
        """Return the numbers with those first that are opened: the best, and candidates they mention by title.

        What answers the second half of a question shares few words with it; the text that answers the first names it.
        """
        started = time.perf_counter()
        best = self.views.open(self.store, catalogue.documents(numbers[:_MENTIONING]))
        texts = ["\n".join(document.blocks.text) for document in best.documents]
        found = mentioned_among(texts, catalogue.names(numbers))
        moved = [number for number in found if number not in numbers[:opens]]
        moved = moved[: max(0, min(_MENTIONED, opens - _MENTIONING))]
        steps.append(_step("Mentioned", {"documents": len(found)}, len(numbers), len(moved), started))
        return [*dict.fromkeys([*numbers[: opens - len(moved)], *moved, *numbers])]

    def _view(self, infos: Sequence[DocumentInfo], needs: frozenset[str]) -> View:
        self.readiness.make(infos, needs)
        return self.views.open(self.store, infos)


def _step(name: str, parameters: dict[str, Any], rows_in: int, rows_out: int, started: float) -> TraceStep:
    return TraceStep(name, parameters, rows_in, rows_out, round(time.perf_counter() - started, 6))
