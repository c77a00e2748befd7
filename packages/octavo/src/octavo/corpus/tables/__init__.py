"""Tables of answers: questions as columns, documents as rows, a cell for each, kept in the corpus.

What is kept is the cell, by its document and its question: a table is filled from where it was left, another document
fills its own row only, and one table begins with what another has of the same. `cell` says what a cell holds, `filling`
fills them, `answer_table` is the table as it stands.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from octavo.corpus import arguments
from octavo.corpus.ask.filtering import fitting
from octavo.corpus.ask.options import AskOptions
from octavo.corpus.store import DOCUMENT_PART
from octavo.errors import CorpusError, UnknownDocumentError, UsageError
from octavo.models.gateway import Budget
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.corpus.ask.document_opener import DocumentOpener
    from octavo.corpus.ask.library_index import LibraryIndex
    from octavo.corpus.ask.session import Session
    from octavo.corpus.backend import Backend
    from octavo.corpus.judges import Judges
    from octavo.corpus.store import DocumentInfo
    from octavo.corpus.store.references import Names
    from octavo.corpus.tables.answer_table import AnswerTable
    from octavo.corpus.tables.cell import AnswerCellShape, KeptCell
    from octavo.corpus.tables.filling import CellStore, OnCell, TableDocument, TableFilling, TablePlan
    from octavo.decisions.engine.judge import Judge
    from octavo.evidence import View
    from octavo.evidence.answer_shapes import CitationShape
    from octavo.evidence.places import Cited
    from octavo.models.gateway import Caps
    from octavo.systems import System

MOST_QUESTIONS = 200
_LONGEST = 2_000
"""Questions of a table, and characters of one, at most."""
_BY_RULE = 2
"""Documents that are asked at once without a model: part of the work, embedding, lets another thread go on."""


@arguments.checked
class Tables(ABC):
    """What a corpus answers in tables."""

    _judges: Judges
    _library: LibraryIndex
    _sure: float | None

    @abstractmethod
    def _reading(self) -> Backend:
        """Return what is read from."""

    @abstractmethod
    def _opener(self) -> DocumentOpener:
        """Return what opens documents for a question."""

    @abstractmethod
    def resolve(self, reference: str) -> DocumentInfo:
        """Return the one document that a reference means."""

    @abstractmethod
    def select(self, references: Names) -> tuple[DocumentInfo, ...]:
        """Return the documents that references mean."""

    @abstractmethod
    def names_apart(self, documents: Sequence[DocumentInfo]) -> dict[str, str]:
        """Return what tells documents of like names apart."""

    @abstractmethod
    def _one(self, reference: str) -> tuple[DocumentInfo, View]:
        """Return one document and a view of it."""

    @abstractmethod
    def cited(self, citation_id: str) -> Cited:
        """Return the words that the id of a citation names."""

    def table(
        self,
        questions: Sequence[str],
        documents: Names | None = None,
        *,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
        again: bool = False,
        workers: int | None = None,
        announce: Callable[[TablePlan], None] | None = None,
        on_cell: OnCell | None = None,
    ) -> AnswerTable:
        """Ask each question of each document by itself, and return the table of the answers.

        Each cell is kept in the corpus as soon as it is there: called again, only what is missing is asked, and what
        was corrected by hand stays. After Ctrl-C and at a cap it is filled from where it was left by the next call.

        Args:
            questions: The columns.
            documents: The rows, named as for `ask`; None: all documents.
            where: Of these only those that fit a filter, as for `ask`.
            system: As of `ask`, as are `limit` and `caps`, which hold for the whole table.
            limit: Pages a fixed-size retriever returns.
            caps: The most that models may take.
            again: Whether cells that were filled before, but not by hand, are asked anew.
            workers: Documents that are asked at once; None: as many as models are asked at once, two without a model.
            announce: Is told, before the first question, what filling the table takes.
            on_cell: Is told each cell as it is filled.

        Raises as `ask` does.
        """
        filling = self.table_filling(
            questions, documents, where=where, system=system, limit=limit, caps=caps, again=again
        )
        if announce is not None:
            announce(filling.plan(self._judges.pricing()))
        usual = self._judges.judge().workers if self._judges.has_model else _BY_RULE
        return filling.fill(on_cell, workers or usual)

    def table_plan(
        self,
        questions: Sequence[str],
        documents: Names | None = None,
        *,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        again: bool = False,
    ) -> TablePlan:
        """Return what `table` would take, about; no model is asked, and nothing is kept."""
        filling = self.table_filling(questions, documents, where=where, system=system, limit=limit, again=again)
        return filling.plan(self._judges.pricing())

    def table_filling(
        self,
        questions: Sequence[str],
        documents: Names | None = None,
        *,
        where: str | None = None,
        system: str | System = "auto",
        limit: int | None = None,
        caps: Caps | Budget | None = None,
        again: bool = False,
        store: CellStore | None = None,
    ) -> TableFilling:
        """Return a table as it stands, ready to be filled row by row; `store` keeps the cells, None: the corpus.

        Raises UsageError for questions that none may ask, and as `ask` does of documents.
        """
        from octavo.corpus.ask.session import Session
        from octavo.corpus.tables.filling import TableFilling

        wanted = _questions(questions)
        opened = self._reading()
        infos = [*opened.catalogue.listing()] if documents is None else [*self.select(documents)]
        if where is not None and infos:
            infos = self._fitting(opened, infos, where)
        if not infos:
            raise CorpusError("missing", "there is no document to fill a table with: add some with 'octavo add FILE'")
        options = AskOptions(system=system, limit=limit)
        chosen, query = options.resolve(wanted[0])
        how = (
            f"{chosen.name} {query.limit} {chosen.retrieve!r} {chosen.answer!r} {sorted(self._judges.names().items())}"
            + ("" if self._sure is None else f" sure {self._sure}")
        )

        def session(question: str, document: str, budget: Budget, judge: Judge | None) -> Session:
            asked = replace(options, documents=[document], caps=budget)
            return Session(self._opener, self._judges, question, asked, judge, sure=self._sure)

        return TableFilling(
            wanted,
            self._rows(opened, infos),
            session,
            how=how,
            store=store or self.cell_store(),
            budget=caps if isinstance(caps, Budget) else Budget(caps),
            again=again,
        )

    def cell_store(self, *, is_written: bool = True) -> CellStore:
        """Return where cells are kept: the corpus, or memory over it where that is not to be written."""
        from octavo.corpus.tables.filling import UnwrittenCells

        store = self._reading().store
        return store if is_written and not store.is_read_only else UnwrittenCells(store)

    def correct(
        self, reference: str, question: str, text: str | None, *, citation: str | None = None
    ) -> AnswerCellShape | None:
        """Put a text in the place of what was found in a document for a question of a table, and return the cell.

        Args:
            reference: The document, named as `resolve` does.
            question: The question of the column, as it is asked.
            text: What is to stand there; "" says that the document does not state it; None takes a correction back.
            citation: The id of a citation or a passage that it stands on; without one it stands on what was found where
                that has its words, and else on nothing.

        Raises UsageError, and CorpusError (`locked`) where the corpus cannot be written.
        """
        from octavo.corpus.tables.cell import KeptCell, by_hand, cell_key

        wanted, info, store = _questions([question])[0], self.resolve(reference), self._reading().store
        key, cells = cell_key(wanted), store.cells([info.id]).get(info.id, {})
        kept = KeptCell.from_json(cells[key]) if key in cells else KeptCell(wanted)
        hand = None
        if text is not None:
            said = _text(text)
            stated = self._holding(info, said, kept) if citation is None else [self._stands_on(info, citation)]
            hand = by_hand(said, stated)
        after = replace(kept, hand=hand)
        if not store.keep_cell(info.id, key, after.to_json() if after.shown else None):
            raise UnknownDocumentError(reference)
        return after.shown

    def _holding(self, info: DocumentInfo, text: str, kept: KeptCell) -> list[CitationShape]:
        """Return the first place of what was found that has the words of a text, none where no place has them."""
        made = kept.made
        for one in [*made["citations"], *made["passages"]] if made and text else ():
            try:
                place = self._stands_on(info, one["id"])
            except CorpusError:  # the document was read anew since, and the words have gone
                continue
            if _has_words(place["quote"], text):
                return [place]
        return []

    def _stands_on(self, info: DocumentInfo, citation: str) -> CitationShape:
        """Return a citation of a document; of a block that is cited as a whole, as much as a cell takes is its quote.

        Raises UsageError for one of another document, and as `cited` does.
        """
        told = self.cited(citation).citation.to_json()
        if told["document_id"] != info.id:
            raise UsageError(f"the citation {citation} is of {told['document']}, not of {info.name}")
        if not told["quote"]:
            row = int(told["block"].removeprefix("b"))
            told["quote"] = self._one(info.id)[1].blocks.text[row][:_LONGEST]
        return told

    def _fitting(self, opened: Backend, infos: Sequence[DocumentInfo], where: str) -> list[DocumentInfo]:
        by_number = {opened.catalogue.resolve(info.id, in_full=True): info for info in infos}
        found = [by_number[number] for number in fitting(opened, self._library, [*by_number], where)]
        if not found:
            raise CorpusError("missing", f"no document that is asked fits {where.strip()!r}")
        return found

    def _rows(self, opened: Backend, infos: Sequence[DocumentInfo]) -> list[TableDocument]:
        from octavo.corpus.tables.filling import TableDocument

        ids = [info.id for info in infos]
        content = {key.document_id: key.fingerprint for key in opened.store.published(ids, names=(DOCUMENT_PART,))}
        called = self.names_apart(infos)
        return [
            TableDocument(info.id, called.get(info.id, info.name), info.title, content.get(info.id, ""))
            for info in infos
        ]


def _has_words(quote: str, text: str) -> bool:
    """Whether a text stands in a quote, from the beginning of a word or number to the end of one."""
    words = re.escape(on_one_line(text).casefold())
    return bool(re.search(rf"(?<!\w)(?<!\d[.,]){words}(?!\w)(?![.,]\d)", on_one_line(quote).casefold()))


def _questions(questions: Sequence[str]) -> list[str]:
    """Return questions as they are asked, each once. Raises UsageError for none, too many and too long ones."""
    found = [*dict.fromkeys(on_one_line(question) for question in questions)]
    if not any(found) or not all(found):
        raise UsageError("a question of the table is empty: ask something" if found else "a table needs a question")
    if len(found) > MOST_QUESTIONS:
        raise UsageError(f"a table has {MOST_QUESTIONS} questions at most, not {len(found):,}")
    if long := next((one for one in found if len(one) > _LONGEST), ""):
        raise UsageError(f"a question of a table has {_LONGEST:,} characters at most: {long[:40]!r}... has more")
    return found


def _text(text: str) -> str:
    line = text.strip()
    if len(line) > _LONGEST:
        raise UsageError(f"a cell takes {_LONGEST:,} characters at most, not {len(line):,}")
    return line
