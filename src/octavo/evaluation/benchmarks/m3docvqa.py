"""M3DocVQA: open-domain questions over Wikipedia pages as PDFs, some with several answers.

Cho et al., 2024 (arXiv 2411.04952). Read from the published `MMQA_dev.jsonl` of MultimodalQA; the documents are PDFs
named after the ids in `supporting_context`, and all of them are in scope of every question.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; the gold is always a list."""
    row.require()
    answers = row.parts("answers")
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    support = row.parts("supporting_context")
    metadata = row.below("metadata", row.get("metadata") or {})
    yield Question(
        id=row.text("qid"),
        question=row.text("question"),
        answer=[answer.text("answer") for answer in answers],
        answer_format="List",
        evidence_documents=tuple(dict.fromkeys(f"{item.text('doc_id')}.pdf" for item in support)),
        evidence_sources=tuple(dict.fromkeys(item.text("doc_part") for item in support)),
        question_type=metadata.optional("type"),
    )


M3DOCVQA = Definition(
    name="m3docvqa",
    title="M3DocVQA",
    source="https://github.com/bloomberg/m3docrag",
    files=("MMQA_dev.jsonl", "MMQA*.jsonl", "*.jsonl"),
    questions=questions,
    metrics=("m3docvqa", "m3docvqa_em"),
)
