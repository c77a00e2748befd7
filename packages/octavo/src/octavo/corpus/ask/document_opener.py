"""The documents that are opened for a question: all in scope, or the best of many by a first search over passages."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo.about.question_names import DocumentsWith
from octavo.corpus.ask.filtering import fitting
from octavo.corpus.ask.layer_preparer import LayerPreparer
from octavo.corpus.ask.library_index import LibraryIndex
from octavo.corpus.ask.names_apart import NamesApart
from octavo.corpus.ask.passage_index import Scope
from octavo.corpus.ask.views import Views
from octavo.corpus.index.corpus_models import CorpusModels
from octavo.corpus.store import DocumentInfo
from octavo.corpus.store.references import Names
from octavo.errors import CorpusError
from octavo.evidence import UNSEARCHED, WORDS_ALONE, TraceStep, View
from octavo.evidence.meant_documents import MEANT, NAMED, NONE_MEANT, SURELY, MeantDocuments
from octavo.models.question_vectors import QuestionVectors, question_vectors
from octavo.question import understand
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.titles import mentioned_among

if TYPE_CHECKING:
    from octavo.corpus.backend import Backend, Ranking
    from octavo.systems import System

_RANKED = 1000
"""Documents of each ranking that are fused."""
_SMOOTHING = 60
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""
_TOLD = 5
"""Documents that are named as those which a question means, at most."""
_MENTIONING = 2
"""Best documents whose text is searched for the titles of others."""
_MENTIONED = 8
"""Documents that are opened because they are mentioned, at most; they take the places of the last."""


@dataclass(frozen=True)
class Opened:
    """What a question is asked of: the view, and where its documents were chosen, how, and the question's vectors."""

    view: View
    steps: tuple[TraceStep, ...] = ()
    vectors: QuestionVectors | None = None
    meant: MeantDocuments = NONE_MEANT
    words_alone: str = ""
    """Why no vectors are compared, "" where they are."""


@dataclass(frozen=True)
class DocumentOpener:
    """Opens the documents of one corpus for questions."""

    backend: Backend
    layers: LayerPreparer
    views: Views
    library: LibraryIndex
    names: NamesApart
    models: CorpusModels
    name: str
    """Of the corpus, in messages."""

    def open(self, question: str, references: Names | None, system: System, where: str | None = None) -> Opened:
        """Open the documents in scope, or the best of them where they are more than a system opens.

        Raises CorpusError (`missing`) when there is no document and as `Catalogue.scope` and `fitting` do.
        """
        catalogue, needs = self.backend.catalogue, system.needs()
        shown = self.library.shown(self.backend.store, catalogue) if references is None else None
        scope = shown if references is None else catalogue.scope(references)
        if where is not None and catalogue.count():
            scope = fitting(self.backend, self.library, scope, where)
            if not scope:
                raise CorpusError("missing", f"no document that is asked fits {where.strip()!r}")
        count = catalogue.count() if scope is None else len(scope)
        if not count:
            raise CorpusError("missing", f"There is no document in {self.name}: add some with 'octavo add FILE'")
        if count <= system.opens:
            infos = [*catalogue.listing()] if scope is None else catalogue.as_named(scope, references)
            view = self._view(infos, needs, system.name)
            meant, steps = self._meant(question, [info.id for info in infos], _term_counts(view))
            why, told = self._words_alone(view, needs)
            return Opened(view, (*told, *steps), meant=meant, words_alone=why)
        started = time.perf_counter()
        index = self.backend.first_stage.current()
        why = self.layers.words_alone_among(index)
        within = None if scope is None else np.array(scope)
        vectors, numbers, steps = self._chosen(index, question, within, started, by_words=bool(why))
        among = None if scope is None else self.library.ids(self.backend.store, catalogue, scope)
        meant, told = self._meant(question, among, index.documents_with)
        numbers = self._with_meant(numbers, meant, system.opens)
        numbers = self._with_mentioned(numbers, system.opens, steps)
        opening = time.perf_counter()
        view = self._view(catalogue.as_named(numbers[: system.opens], references), needs, system.name)
        steps.append(_step("OpenDocuments", {}, len(numbers), len(view), opening))
        parameters: dict[str, Any] = {"documents": count, "candidates": len(numbers), "opened": len(view.documents)}
        if index.unsearched:
            parameters[UNSEARCHED] = asdict(index.unsearched)
        whole = _step("FirstStage", parameters, count, len(view), started)
        why, without = self._words_alone(view, needs, why)
        return Opened(view, (replace(whole, steps=tuple(steps)), *without, *told), vectors, meant, why)

    def _words_alone(self, view: View, needs: frozenset[str], why: str = "") -> tuple[str, tuple[TraceStep, ...]]:
        """Return why words alone find in the documents of a view, "" where vectors do too, and the step that tells."""
        why = why or self.layers.words_alone(needs, [document.id for document in view.documents])
        step = TraceStep("FindByWords", {WORDS_ALONE: why}, len(view), len(view), 0.0)
        return why, (step,) if why else ()

    def _meant(
        self, question: str, among: Sequence[str] | None, documents_with: DocumentsWith
    ) -> tuple[MeantDocuments, tuple[TraceStep, ...]]:
        """Return which of the documents in scope the question means, and how that was told where it names any."""
        if among is not None and len(among) < 2:
            return NONE_MEANT, ()
        started = time.perf_counter()
        library = self.library.current(self.backend.store, self.backend.catalogue, among)
        meant = library.meant(question, documents_with)
        if not meant and not meant.strangers:
            return meant, ()
        best = meant.best(_TOLD) if meant.named or meant.kinds or meant.versions else []
        infos = {info.id: info for info in self.backend.store.bulk.find_documents(best)}
        called = self.names.of(self.backend.catalogue, [*infos.values()])
        parameters = {name: list(getattr(meant, name)) for name in NAMED if getattr(meant, name)}
        parameters |= {"age": meant.age} if meant.age else {}
        parameters["documents"] = [
            {"document": called.get(one, infos[one].name), "document_id": one} for one in best if one in infos
        ]
        return meant, (_step(MEANT, parameters, len(library), len(best), started),)

    def _with_meant(self, numbers: list[int], meant: MeantDocuments, opens: int) -> list[int]:
        """Return the numbers with those of documents first that the question surely means, in their order.

        Those of them that no passage speaks for are found by their profile alone.
        """
        if meant.confidence < SURELY:
            return numbers
        wanted = [one for one in meant.in_order(opens) if meant.may_hold(one)]
        found = self.library.numbers(wanted)
        among = {found[one] for one in wanted if one in found}
        first = [number for number in numbers if number in among]
        missing = [found[one] for one in wanted if one in found and found[one] not in {*numbers}]
        return [*dict.fromkeys([*first, *missing, *numbers])]

    def _chosen(
        self, index: Ranking, question: str, scope: Scope, started: float, *, by_words: bool
    ) -> tuple[QuestionVectors | None, list[int], list[TraceStep]]:
        """Return the question's vectors, the numbers of documents that fit it, best first, and how they were found."""
        steps = [_step("PassageIndex", {"segments": len(index.segments)}, index.passages, index.passages, started)]
        started = time.perf_counter()
        words = lexical(index, question, scope)
        steps.append(_step("BM25", {}, index.passages, len(words), started))
        if by_words:
            return None, words, steps
        started = time.perf_counter()
        vectors = QuestionVectors(self.models.embedder().embed([question])[0])
        is_english = understand(question).language == ENGLISH
        if index.has_other_languages or not is_english:
            vectors = question_vectors(question, vectors.own, self.models.multilingual, is_english=is_english)
        steps.append(_step("EmbedQuestion", {}, 1, 1, started))
        started = time.perf_counter()
        near = dense(index, vectors, scope)
        steps.append(_step("Dense", {}, index.passages, len(near), started))
        return vectors, fuse([words, near]), steps

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
        self.layers.make(infos, needs, system)
        return self.views.open(self.backend.store, infos, self.names.of(self.backend.catalogue, infos))


def _step(name: str, parameters: dict[str, Any], rows_in: int, rows_out: int, started: float) -> TraceStep:
    return TraceStep(name, parameters, rows_in, rows_out, round(time.perf_counter() - started, 6))


def _term_counts(view: View) -> DocumentsWith:
    """Return what tells in how many documents of a view terms stand."""

    def documents_with(terms: Sequence[str]) -> list[int]:
        from octavo.operators.score.search import terms_of

        return terms_of(view).documents_with(terms)

    return documents_with


def view_matching(
    backend: Backend,
    views: Views,
    apart: NamesApart,
    text: str,
    references: Names | None,
    most: int,
    pages: int | None = None,
) -> tuple[View, bool]:
    """Return a view of the documents in scope, of more than `most` those with the words of a text, and if it has all.

    Where `pages` are given these have no more in all, and others follow those with the words. Raises as
    `Catalogue.scope` does.
    """
    catalogue, store = backend.catalogue, backend.store
    scope = None if references is None else catalogue.scope(references)
    count = catalogue.count() if scope is None else len(scope)
    infos = [*catalogue.listing(scope)] if count <= most else []
    if len(infos) < count or (pages is not None and sum(info.pages for info in infos) > pages):
        index = backend.first_stage.current()
        ranked = lexical(index, text, None if scope is None else np.array(scope))
        if index.unsearched:
            raise CorpusError("unreachable", f"{index.unsearched}: 'octavo cluster search' starts searchers again")
        others = [] if pages is None else catalogue.ordered(scope, None, "path")
        infos = _within(catalogue.documents([*dict.fromkeys([*ranked, *others])][:most]), pages)
    return views.open(store, infos, apart.of(catalogue, infos)), len(infos) == count


def _within(infos: Sequence[DocumentInfo], pages: int | None) -> list[DocumentInfo]:
    """Return the first documents that have so many pages in all, one of them in any case."""
    if pages is None:
        return [*infos]
    sums = [*accumulate(info.pages for info in infos)]
    return [info for info, pages_so_far in zip(infos, sums, strict=True) if pages_so_far <= pages or info is infos[0]]


def lexical(index: Ranking, question: str, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage fits a question's words best (BM25), best first.

    The words of a question in another language are looked for as English documents have them, too.
    """
    codes = dict.fromkeys((understand(question).language, ENGLISH))
    return index.lexical([term for code in codes for term in analyze(question, code)], scope, _RANKED)


def dense(index: Ranking, vectors: QuestionVectors, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage is nearest to a question, best first."""
    return index.dense(vectors, scope, _RANKED)


def fuse(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Return all documents of some rankings by the sum of 1 / (60 + rank), best first; ties go by number."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (_SMOOTHING + rank)
    return sorted(scores, key=lambda document: (-scores[document], document))
