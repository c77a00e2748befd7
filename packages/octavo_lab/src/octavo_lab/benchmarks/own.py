"""Octavo's own question files: one JSON object a line, for the documents of whoever writes it.

Fields: `question` and `answers` are needed, a list any of which is right, empty where the documents hold no answer;
`items` is what has to be named where several things are asked for, `kind` what kind of question it is, `pages` the
1-based pages of the PDF that each answer it. The gold of published benchmarks is read too: `answer` and `answer_format`
(Int, Float, Str, List or None), `evidence_pages` (all are needed), `evidence_sources`, `evidence_documents`,
`evidence_text`, `evidence_blocks`, `task_type` and `document_type`. `document` is a file name, `documents` several;
without either the whole folder is in scope. Pages of several documents are an object of lists by file name. A benchmark
folder holds `questions.jsonl` and the folder `documents`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo_lab.benchmarks.rows import Definition, Row
from octavo_lab.metrics import mmlongbench
from octavo_lab.metrics.answer_correctness import is_yes_or_no
from octavo_lab.metrics.overlap import items
from octavo_lab.metrics.registry import of_plain_questions
from octavo_lab.question import NOT_ANSWERABLE, Question

KEYS = (
    "question",
    "answers",
    "items",
    "pages",
    "kind",
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
    "evidence",
    "note",
)
"""Every key that a row of this layout may have; `first_release` is for the set that has two releases.

`evidence` and `note` are for whoever reads the file.
"""

FORMATS = {"Int", "Float", "Str", "List", "None"}
UNANSWERABLE, YES_OR_NO = "unanswerable", "yes/no"
KINDS = {"none": UNANSWERABLE, "yesno": YES_OR_NO, "yes-no": YES_OR_NO, "yes or no": YES_OR_NO}
"""Other names of kinds."""


def question(row: Row) -> Question:
    """Read a row with what plain metrics need; its gold may be written as `answers` or as `answer`."""
    found = published_question(_with_answer(row))
    several = found.answer_format == "List" and "answers" not in row.fields
    named = row.texts("items") or (tuple(items(found.answer)) if several else ())
    return dataclasses.replace(
        found,
        items=named,
        sufficient_pages=_pages(row, "pages"),
        sufficient_places=row.places("pages"),
        kind=_kind(row, found, named),
    )


def published_question(row: Row) -> Question:
    """Read a row with the gold of published benchmarks; the answer's format is read off it where it is not given."""
    answer = _answer(row)
    given = row.get("answer_format")
    if given is not None and given not in FORMATS:
        raise row.bad(f"needs one of {', '.join(sorted(FORMATS))} in 'answer_format', not {given!r}")
    name, places = row.optional("document"), row.places("evidence_pages")
    needed = row.texts("evidence_documents") or tuple(dict.fromkeys(document for document, _ in places))
    return Question(
        id=row.optional("id") or row.where,
        question=row.text("question"),
        answer=answer,
        documents=row.texts("documents") or ((name,) if name else ()),
        answer_format=given or format_of(answer),
        evidence_pages=_pages(row, "evidence_pages"),
        evidence_places=places,
        evidence_sources=row.texts("evidence_sources"),
        evidence_documents=needed,
        evidence_texts=row.texts("evidence_text", "evidence_texts"),
        evidence_blocks=row.texts("evidence_blocks"),
        question_type=row.optional("task_type", "question_type"),
        document_type=row.optional("document_type", "doc_type"),
    )


def _pages(row: Row, name: str) -> tuple[int, ...]:
    """Return the pages of the one document; those of several are `Row.places`."""
    return () if row.is_object(name) else row.pages(name)


def multihop_question(row: Row) -> Question:
    """Read a question over a whole collection, whatever articles it was published with; its set is its type."""
    found = published_question(row)
    return dataclasses.replace(found, documents=(), question_type=found.question_type or row.optional("benchmark"))


def _answer(row: Row) -> object:
    """Return the gold: a list, or a text; null means that there is no answer."""
    if "answer" not in row.fields:
        raise row.bad("needs 'answers', a list; an empty one for a question without an answer")
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


def _with_answer(row: Row) -> Row:
    """Return the row with `answer` in the place of `answers`; without any of them there is nothing to find."""
    if "answers" not in row.fields and "items" not in row.fields:
        return row
    answers = [text for text in row.texts("answers") if text.strip()]
    given = {"answer": answers, "answer_format": "Str"} if answers or row.items("items") else {"answer": None}
    return dataclasses.replace(row, fields={**row.fields, **given})


def _kind(row: Row, question: Question, named: Sequence[str]) -> str:
    """Return the kind of question that the row says, or that can be told from its gold."""
    given = row.optional("kind").strip().lower()
    kind = KINDS.get(given, given)
    if given and (kind == UNANSWERABLE) is question.answerable:
        raise row.bad(f"says {given!r} in 'kind' and has {'' if question.answerable else 'no '}answers")
    if kind or not question.answerable:
        return kind or UNANSWERABLE
    return "list" if named else YES_OR_NO if is_yes_or_no(question.accepted) else "text"


OWN = Definition(
    name="jsonl",
    title="Own questions",
    source="docs/evaluation.md",
    files=("questions.jsonl", "*.jsonl"),
    question=question,
    metrics=of_plain_questions(),
    keys=KEYS,
)

NATURAL = dataclasses.replace(
    OWN, name="natural", title="Questions as people ask them", files=("natural/questions.jsonl", "questions.jsonl")
)
"""The same layout; the questions stand in the folder or in its folder `natural`, the documents anywhere below it."""

COLLECTION_METRICS = (
    "string_em",
    "string_hit",
    "exact_match",
    "token_f1",
    "passage_em",
    "passage_hit",
    "passage_score",
    "passage_tokens",
    "passage_length",
)
"""What questions over many articles in one file are scored with."""

MULTIHOP = Definition(
    name="multihop",
    title="Questions over a collection",
    source="docs/evaluation.md",
    files=("questions.jsonl",),
    question=multihop_question,
    metrics=COLLECTION_METRICS,
)
"""Questions of several sets over one collection, each of which needs sentences of two articles or more."""

DEFINITIONS = (MULTIHOP, NATURAL, OWN)
