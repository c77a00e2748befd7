"""The corpus: an index of documents in a folder, and everything one does with it.

These are the public calls; `store` keeps documents, `index` builds them and `ask` opens them for a question.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Self

from octavo.corpus import arguments, backend, judges, location, removing
from octavo.corpus.ask.document_opener import DocumentOpener, view_matching
from octavo.corpus.ask.filtering import fitting
from octavo.corpus.ask.layer_preparer import LayerPreparer
from octavo.corpus.ask.library_index import LibraryIndex
from octavo.corpus.ask.names_apart import NamesApart
from octavo.corpus.ask.options import AskOptions
from octavo.corpus.ask.views import Views
from octavo.corpus.backend import Backend
from octavo.corpus.care import CorpusCare
from octavo.corpus.describing import Descriptions
from octavo.corpus.index.builders import Builders, OcrMode
from octavo.corpus.index.corpus_models import CorpusModels, layout_of
from octavo.corpus.index.pictures import RenderedPdfs
from octavo.corpus.judges import Judges, ModelConfig, ModelNames
from octavo.corpus.places import Places
from octavo.corpus.progress import Progress, Silence
from octavo.corpus.reports import AddReport, CheckReport, Removal
from octavo.corpus.store import DocumentInfo, Store
from octavo.corpus.store.catalogue import Holding, Sort
from octavo.corpus.store.paths import all_absolute
from octavo.corpus.store.references import Names, holding, listed, meant
from octavo.corpus.tables import Tables
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Result, View
from octavo.models.gateway import Journal, MemoryJournal, SpareJournal
from octavo_documents.document import Document

if TYPE_CHECKING:
    from octavo.corpus.ask.session import Session
    from octavo.corpus.conversation import Conversation
    from octavo.corpus.index.document_builder import HowToRead
    from octavo.corpus.index.optional_layer_job import OptionalLayerJob
    from octavo.corpus.index.planning import IndexingPlan
    from octavo.corpus.places.pages import Pages
    from octavo.corpus.streaming import Event, Listen, PendingAnswer
    from octavo.models.gateway import Budget, Caps
    from octavo.models.ports import ImageTextEmbedder, LateInteraction, LayoutModel, TextEmbedder
    from octavo.systems import System


@arguments.checked
class Corpus(Places, Descriptions, CorpusCare, Tables):
    """Documents in one place. A context manager; threads may share it, and processes may open the same one.

    A folder is made by the first `add`. Methods raise CorpusError (`damaged`, `version`, `locked`, `gone`, `full`).
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        models: ModelConfig | ModelNames | None = None,
        embedding: str | Callable[[], TextEmbedder] | None = None,
        image_text: str | ImageTextEmbedder | LateInteraction | None = None,
        late_interaction: str | LateInteraction | None = None,
        password: str | None = None,
        builders: Callable[[], Builders] | None = None,
        ray: str = "",
        partial: bool = False,
        sure: float | None = None,
        read_only: bool = False,
        watch: Callable[[], AbstractContextManager[Progress]] | None = None,
    ) -> None:
        """Open the corpus at a path; None: the folder OCTAVO_CORPUS names, else the user's own.

        Args:
            path: A folder, made by the first `add`.
            models: Language models that decisions may ask, as "PROVIDER:NAME", or by role or decision, or `ModelConfig`
                that state prices and limits too; None: the rules decide.
            embedding: The text embedding model, as "path:FOLDER" or another text (`octavo.models.embedders`), or what
                makes one; None: the one that comes with Octavo. Documents indexed with another are indexed with this
                one by the next `add`, and cannot be asked before.
            image_text: A model that embeds images and texts, or its name (`octavo.models.embedders`); None: none.
            late_interaction: A model that gives texts many vectors, as ColBERT does, or its name; None: none.
            password: Of encrypted files whose pages are to be drawn; it is kept in memory only.
            builders: Gives the parser, recogniser, layers and, where `embedding` is None, the embedding model that
                documents are indexed with; None: those that come with Octavo.
            ray: Of a shared corpus, the Ray cluster whose searchers hold its passages, "auto" for one here; "": none.
            partial: Whether a question is answered where a part of the passages has no searcher that answers; what was
                not searched is the answer's `unsearched`. It is an error else.
            sure: How sure (0 to 1) a short answer must be that no model gives; None: 0.5, passages are shown else.
            read_only: Whether nothing is written in the folder: nothing is added, built or kept there.
            watch: Gives what hears of layers that a question has built on the way; entered only then.
        """
        self.location = dataclasses.replace(location.locate(path), is_fixed=read_only)
        self.path = self.location.folder
        self._models = CorpusModels.of(builders, embedding, image_text, late_interaction)
        self._backend: Backend | None = None
        self._ray, self._partial, self._sure = ray, partial, sure
        self._opening = threading.Lock()
        self._drawer: Pages | None = None
        self._password = password
        self._views, self._library, self._names = Views(), LibraryIndex(), NamesApart()
        self._judges = Judges(models, self._journal)
        self._watch = watch or (lambda: nullcontext(Silence()))
        self.builds_layers = not read_only
        """Whether a question has layers built that are missing; else it is refused with an UnbuiltError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({str(self.location)!r})"

    def close(self) -> None:
        """Close the corpus. No other thread may be using it."""
        with self._opening:
            for part in filter(None, (self._backend, self._drawer)):
                part.close()
            self._backend = self._drawer = None
        self._views.clear()

    # What is in it

    def add(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        ocr: OcrMode = "auto",
        layout_model: LayoutModel | str | Path | None = None,
        render: bool = False,
        password: str | None = None,
        workers: int | None = None,
        allow_private: bool = False,
        progress: Progress | None = None,
        systems: str | Sequence[str] = (),
        caps: Caps | Budget | None = None,
        announce: Callable[[IndexingPlan], None] | None = None,
    ) -> AddReport:
        """Index files, the documents in folders and below, and what is at addresses.

        A file that looks as it did is skipped, the same bytes under two names are one document (the report's `copies`),
        a changed file takes the place of its old document. What was interrupted before is taken up again. Ctrl-C loses
        no more than the layer in work, or the batch of small files.

        Args:
            paths: Files, folders, and addresses: `https://...`, or `s3://BUCKET/...` with all that is below.
            ocr: Which pages are read by OCR: those without a text layer, all, or none.
            layout_model: One that tells the parts of every page, or the ONNX file of one with a card beside it
                (`octavo_documents.models.layout`); documents read with another, or with none, are read again.
            render: Whether LibreOffice, where it is installed, prints office files, so that they have pages to look at
                and boxes; those that have keep them. What is not printed is told in the report's `notes`.
            password: For encrypted files.
            workers: How many files are read at once; default: one per processor.
            allow_private: Whether addresses of this machine and its network may be fetched.
            progress: Is told what happens.
            systems: Names of systems whose layers are built too, by the corpus's models where it has any: what the
                rules built is built again by them. Other layers are built by rule, when a system first needs them.
                "about" among them has a model say what each document is about.
            caps: The most that models may take. At a cap the report's `stopped` names it, and the next `add` goes on.
            announce: Is told what will be built with models, and what that may cost, before the first call.

        Returns:
            What became of each file; one that cannot be read is in `failed` and does not stop the others.
        """
        from octavo.corpus.index.add_paths import add_paths
        from octavo.corpus.index.document_builder import HowToRead

        prints = self._prints(is_wanted=render)
        how = HowToRead(ocr, layout_of(layout_model), password, prints)
        job = self._layer_job(lambda: self._opened().store, how, progress, systems, lambda: self._judges.judge(caps))
        is_local = not self.location.url
        indexed = add_paths(all_absolute(paths), job.builder, workers, allow_private=allow_private, forgets=is_local)
        added = job.of(indexed, announce)
        if is_local:  # a worker of a shared corpus need not hold the index of those who ask
            self._reading().first_stage.prepare()
        return dataclasses.replace(added, notes=(*added.notes, *prints.notes))

    def plan(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        ocr: OcrMode = "auto",
        layout_model: LayoutModel | str | Path | None = None,
        render: bool = False,
        password: str | None = None,
        progress: Progress | None = None,
        systems: str | Sequence[str] = (),
    ) -> IndexingPlan:
        """Return what `add` would build, and for layers that models decide the estimated calls, tokens and cost.

        Nothing is stored or asked; files that are not indexed are read for it. Raises UsageError for addresses.
        """
        from octavo.corpus.index.document_builder import HowToRead
        from octavo.corpus.index.planning import Planner

        how = HowToRead(ocr, layout_of(layout_model), password, self._prints(is_wanted=render))
        job = self._layer_job(lambda: self._reading().store, how, progress, systems, self._judges.pricing)
        return Planner(job.builder, job.layering, job.wanted).of_files(all_absolute(paths))

    def list(
        self,
        match: str | None = None,
        *,
        in_part: bool = False,
        where: str | None = None,
        limit: int | None = None,
        sort: Sort = "path",
    ) -> tuple[DocumentInfo, ...]:
        """Return documents in an order: all or those `match` means, the first `limit` of them.

        `match` names documents as `documents` of `ask` does; `in_part`, also all that have it in name or title. `where`
        is a filter as there. None is no error. `sort` is "path", "title" (what they are called), "newest" or "pages".
        """
        opened = self._reading()
        numbers = None if match is None else (holding if in_part else meant)(opened.catalogue, match)
        if where is None:
            return tuple(opened.catalogue.listing(numbers, limit=limit, sort=sort))
        return tuple(opened.catalogue.listing(fitting(opened, self._library, numbers, where), limit=limit, sort=sort))

    def count(self) -> int:
        """Return how many documents there are."""
        return self._reading().catalogue.count()

    def holdings(self) -> tuple[Holding, ...]:
        """Return what each folder, and each file that holds many documents, brought in, by path."""
        return tuple(self._reading().catalogue.holdings())

    def resolve(self, reference: str) -> DocumentInfo:
        """Return the document with this id, start of a hash (4 digits or more), path, name or title; a part will do.

        Raises UnknownDocumentError (a CorpusError) when there is none and UsageError when there are several.
        """
        catalogue = self._reading().catalogue
        return catalogue.as_named([catalogue.resolve(reference)], reference)[0]

    def check_name(self, name: str) -> None:
        """Raise AmbiguousDocumentError for a bare name that several documents have.

        `resolve` takes the file of that name in the working directory first, which only its own user knows of.
        """
        self._reading().catalogue.check_name(name)

    def select(self, references: Names) -> tuple[DocumentInfo, ...]:
        """Return the documents that references mean, named as `documents` of `ask` does; raises as `resolve` does."""
        catalogue = self._reading().catalogue
        return tuple(catalogue.as_named(catalogue.scope(references), references))

    def remove(self, *references: str | Path | Removal) -> tuple[Removal, ...]:
        """Forget files, and remove the documents that no other file leads to, with all made from them.

        A path, name, folder, file of many and pattern mean files, an id a document with all its files. Names are in
        full here; one that several files have is a UsageError, and nothing is removed. Else raises as `resolve` does.
        """
        return removing.remove(self._reading(), references, self.path, self._views) if references else ()

    def removals(self, *references: str | Path | Removal, in_full: bool = True) -> tuple[Removal, ...]:
        """Return what `remove` would do, and do nothing; unless `in_full` a part of a name will do.

        What is returned may be given to `remove`.
        """
        return removing.removals(self._reading(), references, self.path, in_full=in_full)[1]

    def paths(self, ids: Iterable[str] | None = None) -> dict[str, tuple[str, ...]]:
        """Return, by document id, the files that lead to each of all documents or some, the first found first."""
        return removing.paths(self._reading().store, ids)

    def view(self, ids: Names | None = None, *, layers: Collection[str] = ()) -> View:
        """Return documents, all or those of some references, as one table; `layers` are built where missing."""
        opened = self._reading()
        infos = [*opened.catalogue.listing()] if ids is None else self.select(ids)
        self._preparer(opened).make(infos, frozenset(layers))
        return self._views.open(opened.store, infos)

    def document(self, reference: str) -> Document:
        """Return one document."""
        return self.view([reference]).documents[0]

    # Questions

    def search(
        self,
        question: str,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
        passages: bool = True,
    ) -> Result:
        """Return the evidence for a question, best first; see `ask`.

        `passages` says whether the best pages are also read for passages, which takes most of the time.
        """
        return self._session(question, AskOptions(documents, system, limit, caps, where)).search(passages=passages)

    def ask(
        self,
        question: str,
        *,
        documents: Names | None = None,
        where: str | None = None,
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
            where: Of these only those that fit a filter of what they are about, such as "date >= 2024 and type =
                report" (`octavo.about.where`); None: all.
            system: A system or the name of one; `octavo.systems.SYSTEMS` holds all.
            limit: Pages a fixed-size retriever returns, and the most for others; None: what the system takes.
            caps: The most that models may take, or a budget that several questions share. At a cap the best answer so
                far comes back; `stopped` names the cap.

        Raises:
            CorpusError: (`missing`) there is no document; (`unknown`) there is none of that name.
            ModelError: The model cannot be opened, or refuses the key.
            UsageError: there is no such system, or nothing is asked.
        """
        answer = self._session(question, AskOptions(documents, system, limit, caps, where)).answer()
        cited = (dataclasses.replace(one, drawn_by=self.picture_of) for one in answer.citations)
        return dataclasses.replace(answer, citations=tuple(cited))

    def stream(
        self,
        question: str,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> Generator[Event]:
        """Yield what `ask` does as it happens: each `TraceStep`, then the `Answer`.

        With a model also the `PassagesRead`, before it is asked to answer from them, and `AnswerText` while it writes.

        Raises as `ask` does. Stopping early (`close`) cancels what is under way.
        """
        from octavo.corpus.streaming import events

        return events(
            lambda listen: self.asking(
                question, listen, documents=documents, where=where, system=system, limit=limit, caps=caps
            )
        )

    def asking(
        self,
        question: str,
        listen: Listen,
        *,
        documents: Names | None = None,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
    ) -> PendingAnswer:
        """Return a question ready to be answered in a thread of the caller's: `listen` gets what `stream` yields.

        Raises UsageError and ModelError as `ask` does; its `run` raises the rest.
        """
        from octavo.corpus.streaming import PendingAnswer

        session = self._session(question, AskOptions(documents, system, limit, caps, where))
        return PendingAnswer(lambda: session.answer_aloud(listen), session.cancel)

    def conversation(self, documents: Names | None = None) -> Conversation:
        """Return a conversation over documents, named as for `ask`: its questions may leave open what was said."""
        from octavo.corpus.conversation import Conversation

        return Conversation(self, documents)

    def judge(self, config: ModelConfig | None = None, caps: Caps | Budget | None = None) -> Judge:
        """Return a judge for decisions of one's own, by the corpus's models or others; replies are kept here.

        Raises ModelError when a model cannot be opened.
        """
        return (self._judges if config is None else Judges(config, self._journal)).judge(caps)

    @property
    def models(self) -> dict[str, str]:
        """Return the names of the models that decide, by role or decision, and rerank; empty when the rules do."""
        return self._judges.names()

    # Care

    def check(self, *, repair: bool = False) -> CheckReport:
        """Look for damage; with `repair`, mend what can be mended.

        A damaged or missing layer is made again from the stored document, a damaged document is read again.
        """
        from octavo.corpus.check import checked

        if not self.is_there:
            return CheckReport()
        self._views.clear()
        return checked(self._opened, self.location.holder, self._models.builders(), self._prints(), repair=repair)

    def retry(self) -> int:
        """Let files that killed their parser be tried again by the next `add`; return how many there are."""
        return self._opened().store.clear_quarantine() if self.is_there else 0

    @property
    def backend(self) -> Backend:
        """What the corpus stands on; made when it does not exist."""
        return self._opened()

    # Inside

    def _layer_job(
        self,
        opened: Callable[[], Store],
        how: HowToRead,
        progress: Progress | None,
        systems: str | Sequence[str],
        judge: Callable[[], Judge],
    ) -> OptionalLayerJob:
        from octavo.corpus.index.optional_layer_job import filters_sections, optional_layer_job

        names, builders = listed(systems), self._models.builders()
        is_asked = names or self._judges.has_own(judges.HEADINGS_DECISION)
        decides = judge() if is_asked else Judge()  # the rules build what is not asked for by name
        if filters_sections(names):
            judges.put_headings(decides)
        reranker = self._judges.reranker(decides, builders.embedder) if names else None
        return optional_layer_job(opened, builders, how, progress or Silence(), names, decides, reranker)

    def _journal(self) -> Journal:
        opened = self._opened()
        return MemoryJournal() if opened.store.is_read_only else SpareJournal(opened.journal)

    @property
    def is_there(self) -> bool:
        """Whether there is something to read; the first `add` makes it."""
        return self._backend is not None or backend.exists(self.location)

    def _reading(self) -> Backend:
        """Return what is read from; an empty one, in memory, when the corpus was never written."""
        return self._opened() if self.is_there else backend.empty(self.location)

    def _opened(self) -> Backend:
        """Return what is written to, made when it does not exist."""
        with self._opening:
            if self._backend is None:
                self._backend = backend.opened(self.location, self._ray, partial=self._partial)
            return self._backend

    def _session(self, question: str, options: AskOptions) -> Session:
        from octavo.corpus.ask.session import Session

        return Session(self._opener, self._judges, question, options, sure=self._sure)

    def _opener(self) -> DocumentOpener:
        opened = self._reading()
        return DocumentOpener(
            opened, self._preparer(opened), self._views, self._library, self._names, self._models, str(self.location)
        )

    def _preparer(self, opened: Backend) -> LayerPreparer:
        return LayerPreparer(opened.store, self._models, self._watch, self._prints(), self.builds_layers)

    def _one(self, reference: str) -> tuple[DocumentInfo, View]:
        info, opened = self.resolve(reference), self._reading()
        return info, self._views.open(opened.store, [info], self._names.of(opened.catalogue, [info]))

    def _view_matching(
        self, text: str, documents: Names | None, most: int, pages: int | None = None
    ) -> tuple[View, bool]:
        return view_matching(self._reading(), self._views, self._names, text, documents, most, pages)

    def _prints(self, *, is_wanted: bool = False) -> RenderedPdfs:
        return RenderedPdfs(location.printed(self.path), is_wanted=is_wanted)

    def _pages(self) -> Pages:
        from octavo.corpus.places.pages import KeptWords, Pages

        with self._opening:
            if self._drawer is None:
                kept = KeptWords(location.words(self.path), is_fixed=self.location.is_fixed)
                self._drawer = Pages(self._models.builders().recognizer, kept, self._password, self._prints())
            return self._drawer


open = Corpus  # noqa: A001  (octavo.open)
