"""MP-DocVQA: questions over scanned industry documents of up to 20 pages.

Tito et al., Pattern Recognition 2023. Read from the published `val.json` or `train.json`, a list under `data`. A page
id ends in its number from 0 ("ffbf0023_p3"); where it does not, the place among the question's pages is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list
from octavo.evaluation.question import Question

_PAGE = re.compile(r"_p(\d+)$")


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; none for a row without answers (the test split)."""
    row.require()
    answers = row.texts("answers")
    if not answers:
        return
    yield Question(
        id=row.text("questionId"),
        question=row.text("question"),
        answer=list(answers),
        documents=(f"{row.text('doc_id')}.pdf",),
        evidence_pages=(_page(row),),
    )


def _page(row: Row) -> int:
    names, at = row.texts("page_ids"), row.get("answer_page_idx")
    if isinstance(at, bool) or not isinstance(at, int) or at < 0:
        raise row.bad(f"needs a place among the pages in 'answer_page_idx', not {at!r}")
    found = _PAGE.search(names[at]) if at < len(names) else None
    return (int(found.group(1)) if found else at) + 1


MPDOCVQA = Definition(
    name="mpdocvqa",
    title="MP-DocVQA",
    source="https://rrc.cvc.uab.es/?ch=17&com=tasks",
    files=("val.json", "train.json", "*.json"),
    questions=questions,
    rows=json_list("data"),
    metrics=("anls", "exact_match", "token_f1"),
)
