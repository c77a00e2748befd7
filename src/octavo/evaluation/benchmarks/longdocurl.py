"""LongDocURL: 396 documents, 2,325 questions on understanding, reasoning and locating.

Deng et al., ACL 2025 (arXiv 2412.18424). Read from the published `LongDocURL.jsonl`; pages are 1-based.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question."""
    row.require()
    answer = row.items("answer") if isinstance(row.get("answer"), list) else row.text("answer")
    yield Question(
        id=row.text("question_id"),
        question=row.text("question"),
        answer=answer,
        documents=(f"{row.text('doc_no')}.pdf",),
        answer_format=row.text("answer_format"),
        evidence_pages=row.pages("evidence_pages"),
        evidence_sources=row.texts("evidence_sources"),
        question_type=row.optional("task_tag") or row.optional("question_type"),
    )


LONGDOCURL = Definition(
    name="longdocurl",
    title="LongDocURL",
    source="https://github.com/dengc2023/LongDocURL",
    files=("LongDocURL*.jsonl", "*.jsonl"),
    questions=questions,
    metrics=("longdocurl", "exact_match", "token_f1"),
    hub=("dengchao/LongDocURL", "train"),
)
