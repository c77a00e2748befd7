"""DUDE: questions over documents of many kinds, some of them lists, some without an answer.

Van Landeghem et al., ICCV 2023. Read from the published annotation file, a list under `data`; answer boxes count pages
from 0. Rows of the test split carry no answers and are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list
from octavo.evaluation.question import NOT_ANSWERABLE, Question

_FORMATS = {"not-answerable": "None", "list/extractive": "List", "list/abstractive": "List"}


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question, none for a row of the test split."""
    row.require()
    if row.get("data_split", "split") == "test" and not row.get("answers"):
        return
    answer_format = _FORMATS.get(row.optional("answer_type"), "Str")
    yield Question(
        id=row.text("questionId"),
        question=row.text("question"),
        answer=NOT_ANSWERABLE if answer_format == "None" else _alternatives(row, answer_format),
        documents=(f"{row.text('docId')}.pdf",),
        answer_format=answer_format,
        evidence_pages=_pages(row),
        question_type=row.optional("answer_type"),
    )


def _alternatives(row: Row, answer_format: str) -> list[str]:
    answers = row.texts("answers")
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    return list(answers) if answer_format == "List" else [*answers, *row.texts("answers_variants")]


def _pages(row: Row) -> tuple[int, ...]:
    """Return the pages of the answers' boxes; boxes are lists of objects, or lists of such lists."""
    boxes: list[Any] = row.items("answers_page_bounding_boxes")
    flat = [box for item in boxes for box in (cast("list[Any]", item) if isinstance(item, list) else [item])]
    found = [cast(dict[str, Any], box).get("page") for box in flat if isinstance(box, dict)]
    return tuple(sorted({page + 1 for page in found if isinstance(page, int) and page >= 0}))


DUDE = Definition(
    name="dude",
    title="DUDE",
    source="https://github.com/duchallenge-team/dude",
    files=("*DUDE*.json", "*dude*.json", "*.json"),
    questions=questions,
    rows=json_list("data"),
    metrics=("anls", "exact_match", "token_f1"),
)
