"""Questions that documents suggest, for somebody to correct: cells of tables, and sentences that state one number.

Each is made by rule from one place, so that its answer and page are known. They ask what is easy to ask; whoever
corrects them adds what really is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from octavo_documents.document import Document, FoundTable, Kind
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.values import Value, ValueKind, values_in

Proposal = dict[str, Any]
"""A row of a file of own questions."""
Found = TypeVar("Found")

_SHORT, _LONG = 40, 220
"""Characters of a sentence that is asked for its number."""
_LONGEST_CELL = 40
_LEAST_WORDS = 2
_LETTERS = re.compile(r"[^\W\d_]{3}")
_NAMES_A_NUMBER = re.compile(r"\b[A-Z]\w*\W*$")
"""What stands before a number that is a name: "Chapter 6", "Room 12"."""
_NUMBERED = re.compile(r"^(?:Table|Figure|Tab\.)\s+[\w.]+[:.]?\s+|^[\d.]+\s+")
"""What numbers a caption or a heading, and is no part of what it says."""


@dataclass(frozen=True, slots=True)
class NamedCell:
    """A cell of a table: what the table is about, the names of its column and its row, what it says, and its page."""

    about: str
    head: str
    row: str
    text: str
    page: int

    @property
    def question(self) -> str:
        """What asks for it."""
        return f"{self.about}: what is the {_lowered(self.head)} of {self.row}?"


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A sentence with its one number asked for, the number with its unit and alone, and the page."""

    question: str
    answers: list[str]
    page: int


def proposals(document: Document, most: int = 8) -> list[Proposal]:
    """Return questions about a document, at most so many, half of them of tables where it has as many."""
    tabular = spread([*named_cells(document)], most // 2)
    stated = spread([*named_numbers(document)], most - len(tabular))
    rows = (
        *({"question": one.question, "answers": [one.text], "pages": [one.page], "kind": "table"} for one in tabular),
        *({"question": one.question, "answers": one.answers, "pages": [one.page], "kind": "text"} for one in stated),
    )
    return [{"document": document.name, **row} for row in rows]


def spread(found: Sequence[Found], most: int) -> list[Found]:
    """Return some, at most so many, from all over a document, in its order."""
    if len(found) <= most:
        return [*found]
    return [found[at * len(found) // most] for at in range(most)]


def named_cells(document: Document) -> Iterator[NamedCell]:
    """Yield cells of a document's tables whose row and column have names of their own, two of a table at most."""
    for table in document.tables:
        yield from islice(_of_table(document, table), 2)


def _of_table(document: Document, table: FoundTable) -> Iterator[NamedCell]:
    rows, heads = table.grid.rows(), table.grid.headers()
    path = document.blocks.section_path(table.row)
    about = _NUMBERED.sub("", on_one_line(table.caption or (path[-1] if path else "")))
    labels = [on_one_line(row[0]) for row in rows]
    if not about or not table.grid.header_rows:
        return
    for at, row in enumerate(rows):
        column = 1 + at % max(len(row) - 1, 1)
        if at < table.grid.header_rows or column >= len(row) or labels.count(labels[at]) > 1:
            continue
        head, answer = on_one_line(heads[column]), on_one_line(row[column])
        if _LETTERS.search(labels[at]) and _LETTERS.search(head) and 0 < len(answer) <= _LONGEST_CELL:
            yield NamedCell(about, head, labels[at], answer, table.part_of(at).page)


def named_numbers(document: Document) -> Iterator[NamedNumber]:
    """Yield the sentences of a document that state one number, with the number asked for."""
    blocks = document.blocks
    for row in range(len(blocks)):
        if blocks.kind_of(row) != Kind.PARAGRAPH:
            continue
        for start, stop in sentence_spans(blocks.text[row]):
            found = _of_sentence(on_one_line(blocks.text[row][start:stop]))
            if found:
                yield NamedNumber(*found, int(blocks.page[row]))


def _of_sentence(sentence: str) -> tuple[str, list[str]] | None:
    """Return a sentence with its one number asked for, and the number; None where it states none, or several."""
    if not _SHORT <= len(sentence) <= _LONG or sentence[-1:] != "." or not sentence[:1].isupper():
        return None
    values = [value for value in values_in(sentence) if value.kind != ValueKind.YEAR]
    if len(values) != 1 or not _is_count(values[0]) or _NAMES_A_NUMBER.search(sentence[: values[0].start]):
        return None
    value = values[0]
    question = f"{sentence[: value.start]}how many{sentence[value.stop : -1]}?"
    return question[:1].upper() + question[1:], [f"{value.text} {value.unit}", value.text]


def _is_count(value: Value) -> bool:
    """Whether a value says how many there are of what the next word names, which is asked for as "how many"."""
    is_plural = value.unit.endswith("s") and len(value.unit) > _LEAST_WORDS
    return value.kind == ValueKind.NUMBER and is_plural and not value.is_scaled and value.text[:1].isdigit()


def _lowered(head: str) -> str:
    """Return the head of a column inside a sentence; what is written in capitals stays so."""
    return head if head[1:2].isupper() else head[:1].lower() + head[1:]
