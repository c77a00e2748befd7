"""Qasper: questions over papers, answered by several annotators.

Dasigi et al., NAACL 2021. Read from the published `qasper-dev-v0.3.json` and its like: an object of papers by arXiv
number, each with its questions under `qas`. Documents are PDFs named after the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_object, parts_of
from octavo.evaluation.metrics.published import UNANSWERABLE
from octavo.evaluation.question import Question

_FLOAT = "FLOAT SELECTED"
"""Marks evidence that is a table or figure by its caption."""


def rows(path: Path) -> Iterator[Row]:
    """Yield a row for each question of each paper."""
    return parts_of(json_object()(path), "qas")


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question with the answers of all annotators."""
    row.require()
    answers = [item.below("answer", item.get("answer")) for item in row.parts("answers")]
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    texts = [_text(answer) for answer in answers]
    evidence = dict.fromkeys(text for answer in answers for text in answer.texts("evidence"))
    unanswerable = all(text == UNANSWERABLE for text in texts)
    yield Question(
        id=row.text("question_id"),
        question=row.text("question"),
        answer=UNANSWERABLE if unanswerable else texts,
        documents=(f"{row.text('_key')}.pdf",),
        answer_format="None" if unanswerable else "Str",
        evidence_texts=tuple(text.removeprefix(f"{_FLOAT}: ") for text in evidence),
        evidence_sources=tuple(dict.fromkeys("Table or figure" if _FLOAT in text else "Text" for text in evidence)),
        question_type=_kind(answers[0]),
    )


def _text(answer: Row) -> str:
    """Return an annotator's answer as the published evaluation writes it."""
    answer.require()
    kind = _kind(answer)
    if kind == "extractive":
        return ", ".join(answer.texts("extractive_spans"))
    if kind == "boolean":
        return "Yes" if answer.get("yes_no") else "No"
    return UNANSWERABLE if kind == "none" else answer.text("free_form_answer")


def _kind(answer: Row) -> str:
    if answer.get("unanswerable"):
        return "none"
    if answer.get("extractive_spans"):
        return "extractive"
    return "boolean" if answer.get("yes_no") is not None and not answer.get("free_form_answer") else "abstractive"


QASPER = Definition(
    name="qasper",
    title="Qasper",
    source="https://allenai.org/data/qasper",
    files=("qasper-test*.json", "qasper-dev*.json", "qasper*.json", "*.json"),
    questions=questions,
    rows=rows,
    metrics=("qasper", "exact_match", "inclusion"),
)
