"""FinanceBench: questions over filings of public companies.

Islam et al., 2023 (arXiv 2311.11944). Read from the published `financebench_open_source.jsonl`, whose evidence pages
start at 0, or from a folder in Octavo's own layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks import house
from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; evidence in other documents than the one asked about has no page gold."""
    row.require()
    if "financebench_id" not in row.fields:
        yield from house.questions(row)
        return
    name = row.text("doc_name")
    evidence = row.parts("evidence")
    here = [item for item in evidence if item.get("doc_name", "evidence_doc_name") in (None, name)]
    yield Question(
        id=row.text("financebench_id"),
        question=row.text("question"),
        answer=row.text("answer"),
        documents=(f"{name}.pdf",),
        evidence_pages=tuple(sorted({_page(item) for item in here})),
        evidence_sources=tuple(filter(None, (row.optional("question_type"), row.optional("question_reasoning")))),
        evidence_texts=tuple(item.text("evidence_text") for item in evidence),
        question_type=row.optional("question_type"),
        document_type=row.optional("doc_type"),
    )


def _page(item: Row) -> int:
    item.require()
    number = item.get("evidence_page_num", "page_number")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise item.bad(f"needs a page number from 0 in 'evidence_page_num', not {number!r}")
    return number + 1


FINANCEBENCH = Definition(
    name="financebench",
    title="FinanceBench",
    source="https://github.com/patronus-ai/financebench",
    files=("questions.jsonl", "financebench_open_source.jsonl", "*.jsonl"),
    questions=questions,
    metrics=("judged", "inclusion", "token_f1"),
    hub=("PatronusAI/financebench", "train"),
)
