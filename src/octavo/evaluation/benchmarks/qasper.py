"""Qasper: questions over papers, answered by several annotators.

Dasigi et al., NAACL 2021. Read from the published `qasper-dev-v0.3.json` and its like: an object of papers by arXiv
number, each with its questions under `qas`. Documents are PDFs named after the number.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_object
from octavo.evaluation.metrics.qasper import UNANSWERABLE
from octavo.evaluation.question import Question

_FLOAT = "FLOAT SELECTED"
"""Marks evidence that is a table or figure by its caption."""


def questions(row: Row) -> Iterator[Question]:
    """Yield the questions of a paper."""
    for at, item in enumerate(row.items("qas"), start=1):
        yield _question(row.below(f"question {at}", item), row.text("_key"))


def _question(row: Row, paper: str) -> Question:
    row.require()
    annotations = [row.below(f"answer {at}", item) for at, item in enumerate(row.items("answers"), start=1)]
    answers = [item.below("answer", item.get("answer")) for item in annotations]
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    texts = [_text(answer) for answer in answers]
    evidence = dict.fromkeys(text for answer in answers for text in answer.texts("evidence"))
    unanswerable = all(text == UNANSWERABLE for text in texts)
    return Question(
        id=row.text("question_id"),
        question=row.text("question"),
        answer=UNANSWERABLE if unanswerable else texts,
        documents=(f"{paper}.pdf",),
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
    rows=json_object(),
    metrics=("qasper", "exact_match", "inclusion"),
)
