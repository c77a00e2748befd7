"""Filling a table of answers: a question of each document by itself, cell by cell, each kept as soon as it is there."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Protocol

from octavo.corpus.judges import shortfall
from octavo.corpus.tables.answer_table import AnswerTable, TableRow
from octavo.corpus.tables.cell import AnswerCellShape, KeptCell, cell_key, made_of
from octavo.decisions.engine import total
from octavo.errors import BudgetError, CorpusError, UnbuiltError
from octavo.models.gateway import Budget
from octavo.models.spans import carried

if TYPE_CHECKING:
    from octavo.corpus.ask.session import Session
    from octavo.decisions.engine.judge import Judge
    from octavo.evidence import Answer, Usage

_GONE = ("missing", "unknown")
"""Reasons of errors about a document that was removed while the table was filled."""
_REHEARSED = 3
"""Cells by which it is estimated what all cells take."""
_REPLY_TOKENS = 300
"""Tokens of a model's answer to a question, more or less."""


class CellStore(Protocol):
    """Where cells are kept."""

    def cells(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the cells of documents, by id and key."""
        ...

    def keep_cell(self, document_id: str, key: str, cell: str | None) -> bool:
        """Keep a cell; return whether there is such a document."""
        ...


class UnwrittenCells:
    """A `CellStore` over one that may not be written: what is new is kept in memory, the last so many. Thread-safe."""

    def __init__(self, kept: CellStore, most: int = 20_000) -> None:
        """Take the store that is read, and how many cells are kept beside it."""
        self._kept, self._most = kept, most
        self._new: dict[tuple[str, str], str] = {}
        self._lock = threading.Lock()

    def cells(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the cells of documents, by id and key."""
        wanted = dict.fromkeys(ids)
        found = {one: dict(cells) for one, cells in self._kept.cells(wanted).items()}
        with self._lock:
            for (document, key), cell in self._new.items():
                if document in wanted and '"hand":{' not in found.get(document, {}).get(key, ""):
                    found.setdefault(document, {})[key] = cell
        return found

    def keep_cell(self, document_id: str, key: str, cell: str | None) -> bool:
        """Keep a cell in memory."""
        with self._lock:
            self._new.pop((document_id, key), None)
            if cell is not None:
                self._new[document_id, key] = cell
            while len(self._new) > self._most:
                del self._new[next(iter(self._new))]
        return True


@dataclasses.dataclass(frozen=True)
class TableDocument:
    """A row: a document under its name, and what tells its content from another reading of it."""

    id: str
    name: str
    title: str
    content: str


@dataclasses.dataclass(frozen=True)
class TablePlan:
    """What filling a table takes, about: by a few of its cells, asked as they will be but with no model called.

    Sums are 0 without a model; `cost` is None where a price is not known.
    """

    cells: int
    due: int
    models: tuple[str, ...] = ()
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0


@dataclasses.dataclass(frozen=True)
class CellFilled:
    """A cell that was filled just now, the `done`th of those that were `due`."""

    row: int
    column: int
    cell: AnswerCellShape
    done: int
    due: int


OnCell = Callable[[CellFilled], None]
"""Is told each cell as it is filled; from several threads where models are asked, never from two at once."""


class TableFilling:
    """A table that can be filled: from where it stands, a row after the other. `cancel` ends it from any thread."""

    def __init__(
        self,
        questions: Sequence[str],
        documents: Sequence[TableDocument],
        session: Callable[[str, str, Budget, Judge | None], Session],
        *,
        how: str,
        store: CellStore,
        budget: Budget,
        again: bool = False,
    ) -> None:
        """Take the questions and the documents.

        `session` makes the question of a document that is to be asked; `how` says by what system and which models.
        With `again` what was made before counts for nothing, and what was filled by hand stays.
        """
        self.questions, self.documents = tuple(questions), tuple(documents)
        self._session, self._how, self._store, self._budget = session, how, store, budget
        self._lock = threading.RLock()
        self._kept = self._stored()
        self._due: list[tuple[int, int]] = []
        self._due_of: dict[int, list[int]] = {}
        """Columns that are due, by row."""
        self._cells: dict[tuple[int, int], AnswerCellShape | None] = {}
        for row, document in enumerate(self.documents):
            mark = "" if again else self._mark(document)
            for column in range(len(self.questions)):
                kept = self._at(row, column)
                self._cells[row, column] = kept.shown if kept.holds(mark) else None
                if not kept.holds(mark):
                    self._due.append((row, column))
                    self._due_of.setdefault(row, []).append(column)
        self._open = set["Session"]()
        self._is_cancelled = False
        self._done = 0
        self._usages = list["Usage"]()
        self._notes: dict[str, None] = {}

    @property
    def due(self) -> int:
        """How many cells there were to fill."""
        return len(self._due)

    @property
    def rows_due(self) -> list[int]:
        """The rows that there were cells to fill in."""
        return [*self._due_of]

    @property
    def table(self) -> AnswerTable:
        """The table as it stands."""
        columns = range(len(self.questions))
        with self._lock:
            rows = tuple(
                TableRow(one.name, one.id, one.title, tuple(self._cells[row, column] for column in columns))
                for row, one in enumerate(self.documents)
            )
            return AnswerTable(self.questions, rows, self._budget.stopped, tuple(self._notes), total(self._usages))

    def plan(self, judge: Judge) -> TablePlan:
        """Return what filling it takes, about; the judge knows the models and their prices and calls none."""
        from octavo.decisions.engine.rehearsal import Rehearsal

        cells = len(self.documents) * len(self.questions)
        models = tuple(dict.fromkeys(model.id for model in judge.models.values() if model is not None))
        tried = self._due[:: max(1, len(self._due) // _REHEARSED)][:_REHEARSED]
        if not models or not tried:
            return TablePlan(cells, len(self._due), models)
        rehearsal = Rehearsal(judge, reply_tokens=_REPLY_TOKENS)
        for row, column in tried:
            self._session(self.questions[column], self.documents[row].id, Budget(), rehearsal).answer()
        share, prices = len(self._due) / len(tried), judge.gateway.prices
        asked = [(judge.model_for(name), read, written) for name, read, written in rehearsal.calls]
        costs = [prices.cost(model.id, read, written) for model, read, written in asked if model is not None]
        known = [cost for cost in costs if cost is not None]
        return TablePlan(
            cells,
            len(self._due),
            models,
            round(len(asked) * share),
            round(sum(read for _, read, _ in asked) * share),
            round(sum(written for _, _, written in asked) * share),
            sum(known) * share if len(known) == len(costs) else None,
        )

    def fill(self, on_cell: OnCell | None = None, workers: int = 1) -> AnswerTable:
        """Fill all cells that are due, so many rows at once, and return the table.

        Ctrl-C ends what is under way; what is filled is kept. Raises as `Corpus.ask` does.
        """
        rows = self.rows_due
        if workers < 2 or len(rows) < 2:
            for row in rows:
                self.fill_row(row, on_cell)
            return self.table
        with ThreadPoolExecutor(workers, "octavo-table") as pool:
            working = [pool.submit(carried(self.fill_row), row, on_cell) for row in rows]
            try:
                for one in as_completed(working):
                    one.result()
            except BaseException:
                self.cancel()
                raise
        return self.table

    def fill_row(self, row: int, on_cell: OnCell | None = None) -> None:
        """Fill the cells of a row that are due, from left to right. Raises as `Corpus.ask` does."""
        for column in self._due_of.get(row, ()):
            if self._is_over():
                return
            self._fill_cell(row, column, on_cell)

    def cancel(self) -> None:
        """End what is under way; no other cell is begun."""
        self._is_cancelled = True
        with self._lock:
            for session in self._open:
                session.cancel()

    def _is_over(self) -> bool:
        return self._is_cancelled or self._budget.stopped is not None or not self._has_time()

    def _has_time(self) -> bool:
        try:
            self._budget.require_seconds()
        except BudgetError:
            return False
        return True

    def _fill_cell(self, row: int, column: int, on_cell: OnCell | None) -> None:
        document, question = self.documents[row], self.questions[column]
        session = self._session(question, document.id, self._budget, None)
        with self._lock:
            self._open.add(session)
        try:
            answer = session.answer()
        except UnbuiltError:
            raise
        except CorpusError as error:
            if error.reason not in _GONE:
                raise
            with self._lock:
                self._notes[f"{document.name} was removed meanwhile"] = None
            return
        finally:
            with self._lock:
                self._open.discard(session)
        if not self._is_cancelled:
            self._take(row, column, answer, shortfall(session.judge), on_cell)

    def _take(self, row: int, column: int, answer: Answer, failures: Sequence[str], on_cell: OnCell | None) -> None:
        """Keep a cell that was made; not one that a cap cut short or a failing model left to the rules."""
        with self._lock:
            self._usages.append(answer.usage)
            if answer.stopped is not None:
                return
            document, kept = self.documents[row], self._at(row, column)
            made = dataclasses.replace(kept, made=made_of(answer), mark=self._mark(document))
            if failures:
                self._notes |= dict.fromkeys(failures)
            else:
                self._store.keep_cell(document.id, cell_key(self.questions[column]), made.to_json())
            shown = made.shown
            assert shown is not None
            self._cells[row, column] = shown
            self._done += 1
            if on_cell is not None:
                on_cell(CellFilled(row, column, shown, self._done, len(self._due)))

    def _stored(self) -> Mapping[str, Mapping[str, KeptCell]]:
        wanted = {cell_key(question) for question in self.questions}
        return {
            document: {key: KeptCell.from_json(cell) for key, cell in cells.items() if key in wanted}
            for document, cells in self._store.cells([one.id for one in self.documents]).items()
        }

    def _at(self, row: int, column: int) -> KeptCell:
        question = self.questions[column]
        kept = self._kept.get(self.documents[row].id, {}).get(cell_key(question))
        return kept or KeptCell(question)

    def _mark(self, document: TableDocument) -> str:
        """Return what tells how a cell of a document is made: by whom, and of which reading of it."""
        return hashlib.sha256(f"{self._how}\n{document.content}".encode()).hexdigest()[:32]
