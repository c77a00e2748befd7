"""A table of answers as it stands: a question a column, a document a row."""

from __future__ import annotations

import dataclasses

from typing_extensions import TypedDict

from octavo.corpus.tables.cell import AnswerCellShape
from octavo.evidence import Usage
from octavo.evidence.answer_shapes import UsageShape
from octavo_documents.wording import counted, t


class AnswerRowFields(TypedDict):
    """The document of a row."""

    document: str
    document_id: str
    document_title: str


class AnswerRowShape(AnswerRowFields):
    """A document and its cells, by column; null is a cell that is not filled yet."""

    cells: list[AnswerCellShape | None]


class AnswerTableFields(TypedDict):
    """All of a table but its rows. `stopped` is the cap that ended it early, `notes` what is to be told of it."""

    questions: list[str]
    stopped: str | None
    notes: list[str]
    usage: UsageShape


class AnswerTableShape(AnswerTableFields):
    """A table as JSON has it."""

    rows: list[AnswerRowShape]


@dataclasses.dataclass(frozen=True)
class TableRow:
    """A document and its cells, by column; None is a cell that is not filled yet."""

    document: str
    document_id: str
    document_title: str
    cells: tuple[AnswerCellShape | None, ...]


@dataclasses.dataclass(frozen=True, repr=False)
class AnswerTable:
    """What `Corpus.table` returns."""

    questions: tuple[str, ...]
    rows: tuple[TableRow, ...]
    stopped: str | None = None
    """The cap that ended it early, None where all cells are filled."""
    notes: tuple[str, ...] = ()
    """A line for each thing that is to be told, such as a model that failed."""
    usage: Usage = dataclasses.field(default_factory=Usage)
    """What models took; of cells that were kept, nothing."""

    def __repr__(self) -> str:
        return f"AnswerTable({self.summary()})"

    def cell(self, row: int, column: int) -> AnswerCellShape | None:
        """Return a cell by its row and column, from 0; None for one that is not filled."""
        return self.rows[row].cells[column]

    def counts(self) -> dict[str, int]:
        """Return how many cells there are of each kind: answers, passages, nothing, empty, and of all by hand."""
        cells = [cell for row in self.rows for cell in row.cells]
        outcomes = [cell["outcome"] for cell in cells if cell is not None]
        return {
            "answers": outcomes.count("answer"),
            "passages": outcomes.count("passages"),
            "nothing": outcomes.count("nothing"),
            "empty": cells.count(None),
            "by_hand": sum(cell is not None and cell["by"] == "hand" for cell in cells),
        }

    def summary(self) -> str:
        """Return what there is in a line."""
        counts = self.counts()
        documents, questions = counted(len(self.rows), "document"), counted(len(self.questions), "question")
        size = t("{documents} by {questions}", documents=documents, questions=questions)
        told = [
            counted(counts["answers"], "answer"),
            t("{n} with passages to choose from", n=counts["passages"]),
            t("{n} not stated", n=counts["nothing"]),
        ]
        told += [t("{n} not filled", n=counts["empty"])] if counts["empty"] else []
        told += [t("{n} by hand", n=counts["by_hand"])] if counts["by_hand"] else []
        return f"{size}: {', '.join(told)}"

    def to_json(self) -> AnswerTableShape:
        """Return the object that `octavo table --json` prints."""
        return {
            "questions": [*self.questions],
            "rows": [
                {
                    "document": row.document,
                    "document_id": row.document_id,
                    "document_title": row.document_title,
                    "cells": [*row.cells],
                }
                for row in self.rows
            ],
            "stopped": self.stopped,
            "notes": [*self.notes],
            "usage": self.usage.to_json(),
        }
