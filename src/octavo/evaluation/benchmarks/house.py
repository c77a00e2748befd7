"""Octavo's own question files: one JSON object a line, for the documents of whoever writes it.

Fields: `question` and `answer` are needed; `document` (a file name, or `documents`, a list; without either the whole
folder is in scope), `id`, `answer_format` (Int, Float, Str, List or None), `evidence_pages` (1-based pages of the PDF),
`evidence_sources`, `evidence_documents`, `evidence_text`, `evidence_blocks`, `task_type` and `document_type` may be
left out. A benchmark folder holds `questions.jsonl` and the folder `documents`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row
from octavo.evaluation.metrics import mmlongbench
from octavo.evaluation.question import NOT_ANSWERABLE, Question

_SEPARATED = re.compile(r"-?\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s?%?")

KEYS = (
    "question",
    "answer",
    "document",
    "documents",
    "id",
    "answer_format",
    "evidence_pages",
    "evidence_sources",
    "evidence_documents",
    "evidence_text",
    "evidence_texts",
    "evidence_blocks",
    "task_type",
    "question_type",
    "document_type",
    "doc_type",
    "first_release",
)
"""Every key that a row of this layout may have; `first_release` is for the set that has two releases."""

FORMATS = {"Int", "Float", "Str", "List", "None"}


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; the answer's format is read off the answer where it is not given."""
    row.require()
    answer = _answer(row)
    given = row.get("answer_format")
    if given is not None and given not in FORMATS:
        raise row.bad(f"needs one of {', '.join(sorted(FORMATS))} in 'answer_format', not {given!r}")
    name = row.optional("document")
    yield Question(
        id=row.optional("id") or row.where,
        question=row.text("question"),
        answer=answer,
        documents=row.texts("documents") or ((name,) if name else ()),
        answer_format=given or format_of(answer),
        evidence_pages=row.pages("evidence_pages"),
        evidence_sources=row.texts("evidence_sources"),
        evidence_documents=row.texts("evidence_documents"),
        evidence_texts=row.texts("evidence_text", "evidence_texts"),
        evidence_blocks=row.texts("evidence_blocks"),
        question_type=row.optional("task_type", "question_type"),
        document_type=row.optional("document_type", "doc_type"),
    )


def _answer(row: Row) -> object:
    """Return the gold: a list, or a text; null means that there is no answer."""
    if "answer" not in row.fields:
        raise row.bad("needs 'answer'; null for a question without one")
    answer = row.get("answer")
    if isinstance(answer, list):
        return row.items("answer")
    return NOT_ANSWERABLE if answer is None else row.text("answer")


def format_of(answer: object) -> str:
    """Return the format of a gold answer that does not say: by its type and by how it is written."""
    if mmlongbench.is_not_answerable(answer):
        return "None"
    if isinstance(answer, list) or mmlongbench.as_list(answer) != [answer]:
        return "List"
    text = mmlongbench.clean(answer)
    if not mmlongbench.is_number(text):
        return "Str"
    return "Int" if text.isdecimal() else "Float"


def first_release(row: Row) -> Iterator[Question]:
    """Yield the row's question with the gold of the set's first release where the row has one."""
    changed = row.below("first_release", row.get("first_release") or {})
    changed.require()
    return questions(dataclasses.replace(row, fields={**row.fields, **changed.fields}))


def own_questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; in a gold number thousands separators go, which no published rule could read."""
    answer = row.get("answer")
    if isinstance(answer, str) and _SEPARATED.fullmatch(answer.strip()):
        row = dataclasses.replace(row, fields={**row.fields, "answer": answer.replace(",", "")})
    return questions(row)


HOUSE = Definition(
    name="jsonl",
    title="Own questions",
    source="docs/evaluation.md",
    files=("questions.jsonl", "*.jsonl"),
    questions=own_questions,
    metrics=("mmlongbench", "mmlongbench_f1", "exact_match", "token_f1", "inclusion"),
    keys=KEYS,
)
