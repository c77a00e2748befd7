"""What the API returns of tables of answers, as types, as `octavo_server.responses` has the others."""

from __future__ import annotations

from typing_extensions import TypedDict

from octavo.corpus.tables.answer_table import AnswerRowFields, AnswerTableFields
from octavo.corpus.tables.cell import AnswerCellFields
from octavo_server.responses import CitationShape, PassageShape, ProblemShape


class AnswerCellShape(AnswerCellFields):
    """A cell of a table of answers: what it says, what that stands on, and passages that fit."""

    citations: list[CitationShape]
    passages: list[PassageShape]


class AnswerRowShape(AnswerRowFields):
    """A document and its cells, by column; null is a cell that is not filled yet."""

    cells: list[AnswerCellShape | None]


class AnswerTableShape(AnswerTableFields):
    """A table of answers: questions are columns, documents are rows."""

    rows: list[AnswerRowShape]


class TablePlanShape(TypedDict):
    """What filling a table takes, about: cells, those that are due, and what models would be asked for them."""

    cells: int
    due: int
    models: list[str]
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class TablePlanEvent(TypedDict):
    """A table as it stands, before the first of the cells that are due is asked."""

    due: int
    table: AnswerTableShape


class TableCellEvent(TypedDict):
    """A cell that was filled just now, the `done`th of those that were `due`; row and column are counted from 0."""

    row: int
    column: int
    cell: AnswerCellShape | None
    done: int
    due: int


class TableEvents(TypedDict):
    """The events of a table that is filled, each with its data: it ends with `done` or `error`."""

    plan: TablePlanEvent
    cell: TableCellEvent
    done: AnswerTableShape
    error: ProblemShape


class CorrectedShape(TypedDict):
    """A cell after a correction; null is one that is not filled."""

    cell: AnswerCellShape | None
