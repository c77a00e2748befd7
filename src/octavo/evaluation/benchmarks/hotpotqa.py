"""HotpotQA: questions that need two Wikipedia articles.

Yang et al., EMNLP 2018. Read from the published `hotpot_dev_*.json`, a list. Titles of supporting facts are the gold
documents; the corpus holds one document per article, named after its title.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole corpus."""
    row.require()
    yield Question(
        id=row.text("_id", "id"),
        question=row.text("question"),
        answer=row.text("answer"),
        evidence_documents=tuple(dict.fromkeys(_title(row, fact) for fact in row.items("supporting_facts"))),
        question_type=row.optional("type"),
    )


def _title(row: Row, fact: Any) -> str:
    if not isinstance(fact, list) or not fact:
        raise row.bad(f"needs pairs of title and sentence in 'supporting_facts', not {fact!r}")
    return f"{cast('list[Any]', fact)[0]}.pdf"


HOTPOTQA = Definition(
    name="hotpotqa",
    title="HotpotQA",
    source="https://hotpotqa.github.io",
    files=("hotpot_dev*.json", "hotpot*.json", "*.json"),
    questions=questions,
    rows=json_list(),
    metrics=("inclusion", "token_f1", "exact_match", "passage_em", "passage_score"),
)
