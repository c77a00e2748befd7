"""The corpus: an index of documents in a folder, and everything one does with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from octavo.corpus import fingerprints, headings, location, sources
from octavo.corpus.builders import Builders, OcrMode, image_text_of, layout_of
from octavo.corpus.catalogue import Catalogue, Holding
from octavo.corpus.derived import DerivedIndex
from octavo.corpus.journal import SqliteJournal
from octavo.corpus.judges import Judges, Means, ModelNames
from octavo.corpus.opening import Opener
from octavo.corpus.progress import Progress, Silence
from octavo.corpus.questions import drawer, query_of
from octavo.corpus.readiness import Readiness, deciders
from octavo.corpus.reading import Changed, Views
from octavo.corpus.references import Names, listed
from octavo.corpus.reports import AddReport, CheckReport, Finding, Status
from octavo.corpus.sqlite import SqliteStore
from octavo.corpus.store import DOCUMENT_PART, DocumentInfo
from octavo.document import Answer, Document, Result, View
from octavo.errors import CorpusError, SourceError, UsageError
from octavo.models.gateway import Journal, MemoryJournal

if TYPE_CHECKING:
    from octavo.corpus.building import Reading
    from octavo.corpus.completing import Completion
    from octavo.corpus.conversation import Conversation
    from octavo.corpus.planning import Plan
    from octavo.corpus.streaming import Event
    from octavo.decisions.engine.judge import Judge
    from octavo.models.gateway import Budget, Caps
    from octavo.models.ports import ImageTextEmbedder, LayoutModel, Raster, TextEmbedder
    from octavo.operators.core.run import Run
    from octavo.parsing.content import Box
    from octavo.systems import System

_T = TypeVar("_T")
_LOST = "{} cannot be read through: move it away and add the files again"
_OCR_MODES = ("auto", "always", "never")


class Corpus:
    """Documents in a folder. A context manager; threads may share it, and processes may open the same folder.

    The folder is made by the first `add`; before that the corpus is empty. Every method raises CorpusError when the
    folder cannot be read (`damaged`, `version`, `locked`) or written (`full`).
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        models: Means | ModelNames | None = None,
        embedding: str | Callable[[], TextEmbedder] | None = None,
        image_text: str | ImageTextEmbedder | None = None,
        builders: Callable[[], Builders] | None = None,
    ) -> None:
        """Open the corpus at a path; None: the folder OCTAVO_CORPUS names, else the user's own.

        Args:
            path: A folder, made by the first `add`.
            models: Language models that decisions may ask, as "PROVIDER:NAME", or by role or decision, or `Means`
                that state prices and limits too; None: the rules decide.
            embedding: The text embedding model, as "path:FOLDER" or another text (`octavo.models.embedders`), or what
                makes one; None: the one that comes with Octavo. Documents indexed with another are indexed with this
                one by the next `add`, and cannot be asked before.
            image_text: A model that embeds images and texts, or its name (`octavo.models.image_text`); None: none.
            builders: Gives the parser, recogniser, layers and, where `embedding` is None, the embedding model that
                documents are indexed with; None: those that come with Octavo.
        """
        self.path = location.locate(path)
        self._makers = builders
        self._embedding = embedding
        self._image_text = image_text_of(image_text)
        self._store: SqliteStore | None = None
        self._opening = threading.Lock()
        self._views = Views()
        self._index = DerivedIndex(location.derived(self.path))
        self._judges = Judges(models, self._journal)
        self.watch: Callable[[], AbstractContextManager[Progress]] = lambda: nullcontext(Silence())
        """Gives what is told when a question has layers built on the way; entered only then."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r})"

    def close(self) -> None:
        """Close the corpus. No other thread may be using it."""
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None
        self._views.clear()
        self._index.close()

    # What is in it

    def add(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        ocr: OcrMode = "auto",
        layout_model: LayoutModel | str | Path | None = None,
        password: str | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        systems: str | Sequence[str] = (),
        caps: Caps | Budget | None = None,
        announce: Callable[[Plan], None] | None = None,
    ) -> AddReport:
        """Index files, and the documents in folders and below.

        A file that looks as it did is skipped, the same bytes under two names are one document, and a file whose bytes
        changed takes the place of its old document. What was interrupted before is taken up again. Ctrl-C loses no more
        than the layer in work, or the batch of small files.

        Args:
            paths: Files and folders.
            ocr: Which pages are read by OCR: those without a text layer, all, or none.
            layout_model: One that tells the parts of every page, or the ONNX file of one with a card beside it
                (`octavo.models.layout`); documents read with another, or with none, are read again.
            password: For encrypted files.
            workers: How many files are read at once; default: one per processor.
            progress: Is told what happens.
            systems: Names of systems whose layers are built too, by the corpus's models where it has any: what the
                rules built is built again by them. Other layers are built by rule, when a system first needs them.
            caps: The most that models may take. At a cap the report's `stopped` names it; the documents are there with
                the layers that are done, and the next `add` goes on.
            announce: Is told what will be built with models, and what that may cost, before the first call.

        Returns:
            What became of each file; one that cannot be read is in `failed` and does not stop the others.
        """
        from octavo.corpus.building import Reading
        from octavo.corpus.indexing import Run as Indexing

        reading = Reading(ocr, layout_of(layout_model), password)
        completion = self._completion(self._opened, reading, progress, systems, lambda: self._judges.judge(caps))
        report = Indexing(completion.workshop, workers=workers).run(sources.all_absolute(paths))
        added = completion.of(report, announce)
        self._index.prepare(self._catalogue())
        return added

    def plan(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        ocr: OcrMode = "auto",
        layout_model: LayoutModel | str | Path | None = None,
        password: str | None = None,
        progress: Progress | None = None,
        systems: str | Sequence[str] = (),
    ) -> Plan:
        """Return what `add` would build, and for layers that models decide the estimated calls, tokens and cost.

        Nothing is stored and no model is asked; files that are not indexed are read for it.
        """
        from octavo.corpus.building import Reading
        from octavo.corpus.planning import Planner

        reading = Reading(ocr, layout_of(layout_model), password)
        job = self._completion(self._reading, reading, progress, systems, self._judges.pricing)
        return Planner(job.workshop, job.layering, job.wanted).of_files(sources.all_absolute(paths))

    def list(self, match: str | None = None, *, limit: int | None = None) -> tuple[DocumentInfo, ...]:
        """Return documents in the order of their paths: all or those `match` means, the first `limit` of them.

        `match` names documents as `documents` of `ask` does; none is no error.
        """
        return tuple(self._catalogue().find(match, limit=limit))

    def holdings(self) -> tuple[Holding, ...]:
        """Return what each folder, and each file that holds many documents, brought in, by path."""
        return tuple(self._catalogue().holdings())

    def resolve(self, reference: str) -> DocumentInfo:
        """Return the document with this id, start of a hash (4 digits or more), path, or name; part of a name will do.

        Raises UnknownDocumentError (a CorpusError) when there is none and UsageError when there are several.
        """
        catalogue = self._catalogue()
        return catalogue.documents([catalogue.resolve(reference)])[0]

    def select(self, references: Names) -> tuple[DocumentInfo, ...]:
        """Return the documents that references mean, named as `documents` of `ask` does; raises as `resolve` does."""
        catalogue = self._catalogue()
        return tuple(catalogue.documents(catalogue.scope(references)))

    def layers(self, ids: Iterable[str] | None = None) -> dict[str, dict[str, str]]:
        """Return, by document id, the layers of all documents or some, and who decided in each: `rule` or `model`."""
        return deciders(self._reading(), ids)

    def remove(self, *references: str | Path) -> tuple[DocumentInfo, ...]:
        """Remove documents, named as for `ask` but never by a part of a name, and all made from them; return them."""
        catalogue = self._catalogue()
        numbers = catalogue.scope(references, in_full=True)
        found = tuple(catalogue.documents(numbers))
        if found:
            self._opened().remove(info.id for info in found)
            self._views.clear()
            self._index.forget(numbers)
        return found

    def view(self, ids: Names | None = None, *, layers: Collection[str] = ()) -> View:
        """Return documents, all or those of some references, as one table; `layers` are built where missing."""
        store = self._reading()
        catalogue = Catalogue(store)
        infos = [*catalogue.listing()] if ids is None else catalogue.documents(catalogue.scope(ids))
        self._readiness(store).make(infos, frozenset(layers))
        return self._views.open(store, infos)

    def document(self, reference: str) -> Document:
        """Return one document."""
        return self.view([reference]).documents[0]

    def render(
        self, reference: str, page: int, *, box: Box | None = None, dpi: float = 150.0, password: str | None = None
    ) -> Raster:
        """Draw page `page` (1-based) of a document, or `box` on it (points), as (height, width, 3) uint8 RGB.

        The picture comes from the file, in a guarded process. Raises SourceError when the file has gone (`missing`) or
        is no longer the one that was indexed (`damaged`), and as `add` does when it cannot be read.
        """
        from octavo.parsing.child import ParserPool

        info = self.resolve(reference)
        if sources.document_id(info.path) != info.id:
            raise SourceError("damaged", f"{sources.shown(info.path)} has changed since it was indexed: add it again")
        with ParserPool(1) as pool:
            return pool.render(info.path, page, box=box, dpi=dpi, password=password)

    # Questions

    def search(
        self,
        question: str,
        *,
        documents: Names | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Result:
        """Return the evidence for a question, best first; see `ask`."""
        from octavo.systems import get, run_search

        chosen = get(system)
        query = query_of(question, chosen.limit if limit is None else limit)
        return self._ask(question, documents, caps, chosen, lambda run: run_search(chosen, query, run, shows=True))

    def ask(
        self,
        question: str,
        *,
        documents: Names | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Answer:
        """Answer a question.

        Args:
            question: In words.
            documents: The document or documents to look into, each named as `resolve` does, or many at once: by a
                folder, a file that holds many, or a pattern that fits names or paths ("wiki.jsonl#*"). None: all. Of
                more documents than the system opens (24 where it does not say) a first search picks the best.
            system: A system or the name of one; `octavo.systems.SYSTEMS` holds all.
            limit: Pages a fixed-size retriever returns, and the most for others; None: what the system takes.
            caps: The most that models may take, or a budget that several questions share. At a cap the best answer so
                far comes back; `stopped` names the cap.

        Raises:
            CorpusError: (`missing`) there is no document; (`unknown`) there is none of that name.
            ModelError: The model cannot be opened, or refuses the key.
            UsageError: there is no such system, or nothing is asked.
        """
        from octavo.systems import get, run_ask

        chosen = get(system)
        query = query_of(question, chosen.limit if limit is None else limit)
        return self._ask(question, documents, caps, chosen, lambda run: run_ask(chosen, query, run))

    def stream(
        self,
        question: str,
        *,
        documents: Names | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Generator[Event]:
        """Yield what `ask` does as it happens: each `TraceStep`, `AnswerText` while a model writes, then the `Answer`.

        Raises as `ask` does. Stopping early (`close`) cancels what is under way.
        """
        from octavo.corpus.streaming import Listener, events
        from octavo.systems import get, run_ask

        chosen = get(system)
        query = query_of(question, chosen.limit if limit is None else limit)
        judge = self._judges.judge(caps)

        def answer(listener: Listener) -> Answer:
            run = self._run(question, documents, chosen, judge)
            run.on_step, run.on_text = listener.on_step, listener.on_text
            return run_ask(chosen, query, run)

        return events(answer, judge.cancel)

    def conversation(self, documents: Names | None = None) -> Conversation:
        """Return a conversation over documents, named as for `ask`: its questions may leave open what was said."""
        from octavo.corpus.conversation import Conversation

        return Conversation(self, documents)

    def judge(self, means: Means | None = None, caps: Caps | Budget | None = None) -> Judge:
        """Return a judge for decisions of one's own, by the corpus's models or others; replies are kept here.

        Raises ModelError when a model cannot be opened.
        """
        return (self._judges if means is None else Judges(means, self._journal)).judge(caps)

    @property
    def models(self) -> dict[str, str]:
        """Return the names of the models that decide, by role or decision, and rerank; empty when the rules do."""
        return self._judges.names()

    # Care

    def status(self) -> Status:
        """Return what the corpus holds, what is being done with it, and what models were asked."""
        store, catalogue = self._reading(), self._catalogue()
        totals, derived = catalogue.totals(), location.derived_bytes(self.path)
        return Status(
            path=str(self.path),
            documents=totals.documents,
            pages=totals.pages,
            passages=totals.passages,
            bytes=store.size_bytes() + derived,
            derived_bytes=derived,
            jobs=store.jobs(),
            quarantined=tuple(store.quarantined().values()),
            layers=catalogue.layers(),
            models=SqliteJournal(store).usage(),
        )

    def fingerprints(self, layers: Collection[str] | None = None) -> dict[str, str]:
        """Return, by document id, a digest of what the document and its layers, all or these, were made from."""
        parts: dict[str, list[str]] = {}
        for key in self._reading().published():
            if layers is None or key.name == DOCUMENT_PART or key.name in layers:
                parts.setdefault(key.document_id, []).append(f"{key.name} {key.fingerprint}")
        return {name: fingerprints.of(*sorted(found)) for name, found in parts.items()}

    def check(self, *, repair: bool = False) -> CheckReport:
        """Look for damage; with `repair`, mend what can be mended.

        A damaged or missing layer is made again from the stored document, a damaged document is read again.
        """
        from octavo.corpus.check import Examination
        from octavo.corpus.repair import rebuild

        if not self._exists():
            return CheckReport()
        builders, found = self._builders(), list[Finding]()
        self._views.clear()
        try:
            store = self._opened()
            case = Examination(store, location.derived(self.path), tuple(builders.layers), repair)
            found.extend(case.run())
            found.extend(rebuild(store, builders, case.rebuild, case.lost))
        except CorpusError as error:
            if error.reason != "damaged":
                raise
            found.append(Finding("integrity", "", _LOST.format(location.database(self.path))))
        return CheckReport(tuple(sorted(found, key=lambda finding: (finding.repaired, finding.code))))

    def retry(self) -> int:
        """Let files that killed their parser be tried again by the next `add`; return how many there are."""
        return self._opened().pardon() if self._exists() else 0

    # Inside

    def _embedder(self) -> TextEmbedder:
        """Return the text embedding model. Raises UsageError and ModelError as `models.embedder` does."""
        from octavo import models

        if callable(self._embedding):
            return self._embedding()
        if self._embedding is not None:
            return models.embedder(self._embedding)
        return models.embedder() if self._makers is None else self._makers().embedder()

    def _builders(self) -> Builders:
        made = Builders.default(self._embedder) if self._makers is None else self._makers()
        own = made if self._embedding is None else replace(made, embedder=self._embedder)
        return own.seeing(self._image_text)

    def _completion(
        self,
        opened: Callable[[], SqliteStore],
        reading: Reading,
        progress: Progress | None,
        systems: str | Sequence[str],
        judge: Callable[[], Judge],
    ) -> Completion:
        from octavo.corpus.completing import completion
        from octavo.decisions.engine.judge import Judge

        if reading.ocr not in _OCR_MODES:
            raise UsageError(f"ocr is one of {', '.join(_OCR_MODES)}, not {reading.ocr!r}")
        is_asked = systems or self._judges.has_own(headings.DECISION)
        decides = judge() if is_asked else Judge()  # the rules build what is not asked for by name
        return completion(opened, self._builders(), reading, progress or Silence(), listed(systems), decides)

    def _readiness(self, store: SqliteStore) -> Readiness:
        return Readiness(store, self._builders, self._embedder, self.watch)

    def _journal(self) -> Journal:
        store = self._opened()
        return MemoryJournal() if store.connections.is_read_only else SqliteJournal(store)

    def _exists(self) -> bool:
        return self._store is not None or location.database(self.path).exists()

    def _reading(self) -> SqliteStore:
        """Return the store; an empty one, in memory, when the corpus was never written."""
        return self._opened() if self._exists() else SqliteStore(None)

    def _opened(self) -> SqliteStore:
        """Return the store, made when it does not exist."""
        with self._opening:
            if self._store is None:
                try:
                    self.path.mkdir(parents=True, exist_ok=True)
                except OSError as error:
                    raise CorpusError("locked", f"{self.path} cannot be made: {error.strerror}") from error
                self._store = SqliteStore(location.database(self.path))
            return self._store

    def _ask(
        self,
        question: str,
        documents: Names | None,
        caps: Caps | Budget | None,
        system: System,
        answer: Callable[[Run], _T],
    ) -> _T:
        """Run a system; once more when a document it read was changed meanwhile."""
        judge = self._judges.judge(caps)
        try:
            return answer(self._run(question, documents, system, judge))
        except Changed:
            return answer(self._run(question, documents, system, judge))

    def _run(self, question: str, documents: Names | None, system: System, judge: Judge) -> Run:
        from octavo.operators.core.run import Run

        store = self._reading()
        opener = Opener(store, self._readiness(store), self._views, self._index, self._embedder, self.path)
        opened = opener.open(question, documents, system)
        reranker = self._judges.reranker(judge, self._embedder)
        pictures = drawer(Catalogue(store).path)
        run = Run(
            opened.view,
            self._embedder,
            trace=[*opened.steps],
            judge=judge,
            reranker=reranker,
            image_text=self._image_text,
            pictures=pictures,
        )
        if opened.vector is not None:
            run.remember(question, opened.vector)
        return run

    def _catalogue(self) -> Catalogue:
        return Catalogue(self._reading())


def open(  # noqa: A001  (octavo.open)
    path: str | Path | None = None,
    *,
    models: Means | ModelNames | None = None,
    embedding: str | Callable[[], TextEmbedder] | None = None,
    image_text: str | ImageTextEmbedder | None = None,
) -> Corpus:
    """Open the corpus at a path; None: the folder OCTAVO_CORPUS names, else the user's own. See `Corpus`."""
    return Corpus(path, models=models, embedding=embedding, image_text=image_text)
