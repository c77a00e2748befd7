"""What the server can tell of a corpus: synchronous, thread-safe functions that return JSON values.

The web pages, the API and the tools of agents call these and nothing below; an error is an OctavoError that says what
to do. No value holds a path of the machine.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from octavo.corpus import Corpus, DocumentInfo
from octavo.corpus.first_look import first_look
from octavo.corpus.location import is_upload
from octavo.corpus.store.catalogue import Sort
from octavo.errors import CorpusError, OctavoError, UsageError
from octavo.example import EXAMPLE_QUESTIONS, example_file
from octavo.models.gateway import Caps
from octavo_documents.document import Document
from octavo_documents.document.document import outline_json
from octavo_server import shapes
from octavo_server.problems import said
from octavo_server.questions import PendingQuestion, QuestionOptions, Questions, StepSentences
from octavo_server.store import Store

if TYPE_CHECKING:
    from octavo.corpus.streaming import Listen
    from octavo.corpus.tables.filling import CellStore, TableFilling
    from octavo.models.ports import Raster
    from octavo_documents.parsing.content import Box
    from octavo_server.finding_responses import FindsShape
    from octavo_server.history import History
    from octavo_server.layer_responses import GraphShape, LayerShape
    from octavo_server.pools import PoolSlot
    from octavo_server.responses import (
        AnswerShape,
        CitedShape,
        ConversationShape,
        DocumentShape,
        DocumentsShape,
        ExampleShape,
        FirstLookShape,
        MarksShape,
        OutlineShape,
        PageShape,
        SearchShape,
        StatusShape,
        VerificationShape,
        WordsShape,
    )
    from octavo_server.table_responses import TablePlanShape


_ID = re.compile(r"(?:sha256:)?([0-9a-f]{16,64})", re.I)
_PATH_OR_PATTERN = re.compile(r"[/\\*?\[]")
_BLOCK = re.compile(r"b(\d{1,9})")
CURSOR = r"^[0-9]{1,9}$"
"""What a cursor looks like."""
MOST_ROWS = 200
"""Rows of one page of a list."""
USUAL_ROWS = 50
_MOST_LOOKS = 500
"""First looks that are kept."""


class Library:
    """The documents, questions and citations of a corpus as JSON values."""

    def __init__(self, corpus: Corpus, *, store: Store | None = None, can_write: bool = False) -> None:
        """Take the corpus, and the store of answers and conversations; None keeps those in memory."""
        self.corpus = corpus
        self.store = store or Store(None)
        self._can_write = can_write
        self.instance = secrets.token_hex(8)
        """Another one each time: who sees a new one has streams and questions to begin again."""
        self._questions = Questions(corpus, self.store)
        self._looking = threading.Lock()
        self._looks: dict[str, tuple[bool, FirstLookShape]] = {}

    # Documents

    def documents(
        self,
        match: str | None = None,
        *,
        folder: str | None = None,
        where: str | None = None,
        limit: int = USUAL_ROWS,
        cursor: str | None = None,
        sort: Sort = "path",
    ) -> DocumentsShape:
        """Return a page of the list of documents in an order; `cursor` is what the page before of that order names."""
        start = position(cursor)
        is_all = not match and where is None and not folder
        infos = self.corpus.list(
            match or None, in_part=True, where=where, limit=start + limit + 1 if is_all else None, sort=sort
        )
        if folder:
            inside = {info.id for info in self.corpus.list(folder)}
            infos = tuple(info for info in infos if info.id in inside)
        total = self.corpus.count() if is_all else len(infos)
        shown = [*islice(infos, start, start + limit)]
        items = self._told(shown)
        return {"items": items, "next": str(start + limit) if len(infos) > start + limit else None, "total": total}

    def document(self, reference: str) -> DocumentShape:
        """Return a document by its id or the first 16 digits or more of it."""
        return self._told([self.info(reference)])[0]

    def describe(self, reference: str, fields: Mapping[str, object]) -> DocumentShape:
        """Set what a document is about, by hand, and return the document. Raises UsageError, CorpusError."""
        info = self.info(reference)
        self.corpus.describe(info.id, fields)
        return self._told([info])[0]

    def _told(self, infos: Sequence[DocumentInfo]) -> list[DocumentShape]:
        """Return what is told of some documents."""
        called = self.corpus.names_apart(infos)
        infos = [dataclasses.replace(info, name=called.get(info.id, info.name)) for info in infos]
        ids = [info.id for info in infos]
        layers, files, about = self.corpus.layers(ids), self._files(ids), self.corpus.all_about(infos)
        return [
            shapes.document(info, self.corpus.document(info.id), one, layers.get(info.id, {}), files.get(info.id, ()))
            for info, one in zip(infos, about, strict=True)
        ]

    def _files(self, ids: Sequence[str]) -> dict[str, list[bool]]:
        """Return, by document, whether each file that leads to it was sent."""
        folder = self.corpus.path
        return {one: [is_upload(folder, path) for path in paths] for one, paths in self.corpus.paths(ids).items()}

    def info(self, reference: str) -> DocumentInfo:
        """Return what the corpus lists of a document, by its id or the beginning of it."""
        found = _ID.fullmatch(reference)
        if found is None:
            raise CorpusError("unknown", f"{reference!r} is no id of a document: it has 16 to 64 hexadecimal digits")
        return self.corpus.resolve(f"sha256:{found[1].lower()}")

    def meant(self, reference: str) -> DocumentInfo:
        """Return the document that an id, the start of one, or a name means. Raises as `Corpus.resolve` does."""
        return self.corpus.resolve(self._unambiguous(reference))

    def _unambiguous(self, reference: str) -> str:
        """Return a reference. Raises AmbiguousDocumentError for the bare name of several documents."""
        if _ID.fullmatch(reference) is None and not _PATH_OR_PATTERN.search(reference):
            self.corpus.check_name(reference)
        return reference

    def outline(self, reference: str, *, blocks: bool = False) -> OutlineShape:
        """Return the section tree of a document, with all its blocks when asked."""
        return cast("OutlineShape", outline_json(self._document(self.info(reference)), blocks=blocks))

    def first_look(self, reference: str, *, asks: bool = True) -> FirstLookShape:
        """Return what there is in a document; questions are asked of it once, where it `asks`."""
        info = self.info(reference)
        with self._looking:
            known = self._looks.get(info.id)
        if known is None or (asks and not known[0]):
            known = asks, shapes.first_look(first_look(self.corpus, info.id, asks=asks))
            with self._looking:
                self._looks = {**dict([*self._looks.items()][-_MOST_LOOKS:]), info.id: known}
        return known[1]

    def page(self, reference: str, number: int) -> PageShape:
        """Return a page (1-based) with its blocks in reading order."""
        document = self._document(self.info(reference))
        _check_page(document, number)
        return shapes.page(document, number)

    def words(self, reference: str, number: int) -> WordsShape:
        """Return the words of a page and where they stand, in points."""
        info = self.info(reference)
        _check_page(self._document(info), number)
        return shapes.words(number, self.corpus.words(info.id, number))

    def marks(self, reference: str, block: str, texts: Sequence[str]) -> MarksShape:
        """Return where texts stand in a block, a box for each line of print."""
        info = self.info(reference)
        document = self._document(info)
        _check_block(document, block)
        return {"marks": [shapes.mark(document, mark) for mark in self.corpus.marks(info.id, block, texts)]}

    def layer(self, reference: str, name: str, *, limit: int | None = None, cursor: str | None = None) -> LayerShape:
        """Return the rows of a layer; where it is not built, what builds it and what that may cost."""
        return shapes.layer(self.corpus, self.info(reference), name, position(cursor), limit)

    def entity_graph(self, reference: str, entity: str, *, limit: int = 30) -> GraphShape:
        """Return an entity with those it is related to, as nodes and edges."""
        return shapes.around(self.corpus, self.info(reference), entity, limit)

    def picture(self, reference: str, page: int, *, width: int = 900, box: Box | None = None) -> Raster:
        """Draw a page, or a box on it (points), `width` pixels wide, as (height, width, 3) uint8 RGB."""
        info = self.info(reference)
        document = self._document(info)
        _check_page(document, page)
        if not document.is_drawn(page):
            what = "this page of it has no picture" if document.pages.width.any() else "it has no pages to draw"
            raise CorpusError("unknown", f"{document.name} is flowing text: {what}")
        try:
            return self.corpus.picture(info.id, page, width=width, box=box)
        except CorpusError:
            raise
        except Exception as error:
            error.args = (said(str(error), info.path), *error.args[1:])
            raise

    def read(self, reference: str) -> Document:
        """Return a document's tables, for what is worked out of them."""
        return self._document(self.info(reference))

    def _document(self, info: DocumentInfo) -> Document:
        """Return a document under what tells it from others of its name."""
        found = self.corpus.document(info.id)
        called = self.corpus.names_apart([info]).get(info.id)
        return dataclasses.replace(found, name=called) if called else found

    # Questions

    def warm(self) -> None:
        """Load what the first question would have to wait for."""
        with contextlib.suppress(OctavoError):
            if self.corpus.count():
                self.corpus.search("contents", limit=1, caps=Caps(calls=0))

    def search(
        self,
        question: str,
        *,
        documents: Sequence[str] | None = None,
        where: str | None = None,
        system: str = "auto",
        limit: int | None = None,
        caps: Caps | None = None,
        trace: bool = False,
        passages: bool = True,
    ) -> SearchShape:
        """Return the evidence for a question, as `octavo search --json` does."""
        result = self.corpus.search(
            question,
            documents=self._some(documents),
            where=where,
            system=system,
            limit=limit,
            caps=caps,
            passages=passages,
        )
        return {
            **result.to_json(trace=trace),
            "passages": [shapes.passage_json(passage) for passage in result.passages],
        }

    def ask(self, question: str, options: QuestionOptions, slot: PoolSlot, *, trace: bool = False) -> AnswerShape:
        """Answer a question and keep the answer; `slot` is given back while a model reads."""
        steps = StepSentences()
        asked = self.asking(question, steps, options)
        return asked.finish(asked.run(slot), steps.sentences, trace)

    def asking(self, question: str, listen: Listen, options: QuestionOptions) -> PendingQuestion:
        """Return a question ready to be answered in a thread of the caller's; `listen` is called with what happens."""
        documents = self._some(options.documents)
        return self._questions.asking(question, listen, dataclasses.replace(options, documents=documents))

    def check_documents(self, documents: Sequence[str] | None) -> None:
        """Raise what `ask` would of documents that are not there, and of an empty corpus, before anything is done."""
        if documents:
            self.corpus.select([self._unambiguous(one) for one in documents])
        elif not self.corpus.count():
            raise CorpusError("missing", "there are no documents yet: add one with POST /v1/documents")

    def table_filling(
        self, questions: Sequence[str], documents: Sequence[str] | None, *, may_write: bool, **how: Any
    ) -> TableFilling:
        """Return a table as it stands; where the caller may not write, new cells are kept in memory alone."""
        if documents or not self.corpus.count():
            self.check_documents(documents)
        store = None if may_write else self._unwritten_cells
        return self.corpus.table_filling(questions, self._some(documents), store=store, **how)

    def table_plan(self, filling: TableFilling) -> TablePlanShape:
        """Return what filling a table takes, about."""
        found = filling.plan(self.corpus.judge())
        return {**dataclasses.asdict(found), "models": [*found.models]}  # type: ignore[typeddict-item]

    @functools.cached_property
    def _unwritten_cells(self) -> CellStore:
        return self.corpus.cell_store(is_written=False)

    def answer(self, identity: str, owner: str = "") -> AnswerShape:
        """Return an answer that was given to an owner, by its id, if it is still kept."""
        return self._questions.answer(identity, owner)

    def conversation(self, identity: str, owner: str = "") -> ConversationShape:
        """Return a conversation of an owner with the answers of its turns."""
        return self._questions.conversation(identity, owner)

    @property
    def history(self) -> History:
        """The conversations that are kept."""
        return self._questions.history

    # Citations

    def citation(self, identity: str) -> CitedShape:
        """Return what a citation stands for: its quote, where it stands now, and the block's text."""
        cited = self.corpus.cited(identity)
        return shapes.cited(self.corpus.document(cited.citation.document_id), cited)

    def verify(self, quote: str, documents: Sequence[str] | None = None, *, limit: int = 10) -> VerificationShape:
        """Return whether documents, some or all, hold a quote, and where."""
        if not quote.strip():
            raise UsageError("the quote is empty: give the words to look for")
        return shapes.verification(self.corpus.verify(quote, documents=self._some(documents), limit=limit))

    def find(
        self, text: str, documents: Sequence[str] | None = None, *, limit: int = 20, cursor: str | None = None
    ) -> FindsShape:
        """Return where documents, some or all, have a text as it is typed."""
        start = position(cursor)
        return shapes.finds(self.corpus.find(text, self._some(documents), limit=limit, start=start), start)

    def _some(self, documents: Sequence[str] | None) -> Sequence[str] | None:
        """Return what a question is asked of: nothing named is all. Raises AmbiguousDocumentError."""
        return [self._unambiguous(one) for one in documents] if documents else None

    # The corpus

    def status(self) -> StatusShape:
        """Return what the corpus holds, what may be asked, and what the server may do."""
        return shapes.status(self.corpus, can_write=self._can_write, example=_example(), instance=self.instance)


def position(cursor: str | None) -> int:
    """Return the row at which a page of a list begins. Raises UsageError for a cursor that no page named."""
    if not cursor:
        return 0
    if not re.fullmatch(CURSOR, cursor):
        raise UsageError("there is no such cursor: give the 'next' of the page before, or none for the first")
    return int(cursor)


def _check_page(document: Document, number: int) -> None:
    count = len(document.pages)
    if not 1 <= number <= count:
        raise CorpusError("unknown", f"{document.name} has pages 1 to {count}; there is no page {number}")


def _check_block(document: Document, block: str) -> None:
    found = _BLOCK.fullmatch(block)
    if found is None or int(found[1]) >= len(document.blocks):
        last = len(document.blocks) - 1
        raise CorpusError("unknown", f"{document.name} has no block {block!r}: its blocks are b0 to b{last}")


@functools.cache
def _example() -> ExampleShape | None:
    """Return the document's id, name and questions as JSON; None where it was left out."""
    path = example_file()
    if path is None:
        return None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"id": f"sha256:{digest}", "name": path.name, "questions": [*EXAMPLE_QUESTIONS]}
