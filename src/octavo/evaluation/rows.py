"""A question's row in report.json.

Owns the row's shape, a contract others rely on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from octavo.evaluation.intervals import Column
from octavo.evaluation.metrics.base import Scored


def rounded(value: float | None) -> float | None:
    """Return a figure as reports write it."""
    return None if value is None else round(value, 4)


def pair(found: tuple[float, float] | None) -> list[float | None] | None:
    """Return an interval as reports write it."""
    return None if found is None else [rounded(found[0]), rounded(found[1])]


def row_json(row: Scored, columns: Mapping[str, Column], at: int, main: str) -> dict[str, Any]:
    """Return the row of question number `at`; `main` is the metric that is the row's score."""
    question, outcome = row.question, row.outcome
    values = {name: rounded(float(column.values[at])) for name, column in columns.items() if column.weights[at]}
    several = len(question.documents) != 1
    return {
        "id": question.id,
        "document": None if several else question.documents[0],
        "question": question.question,
        "question_type": question.question_type,
        "evidence_pages": list(question.evidence_pages),
        "evidence_sources": list(question.evidence_sources),
        "evidence_documents": list(question.evidence_documents),
        "answer_format": question.answer_format,
        "pages": [_page(dataclasses.asdict(page), several=several) for page in outcome.pages],
        "ranking": [list(place) if several else place[1] for place in outcome.ranking],
        "answer": question.answer,
        "response": outcome.answer,
        "prediction": row.prediction,
        "answerable": outcome.answerable,
        "citations": [dataclasses.asdict(cited) for cited in outcome.citations],
        "score": values.get(main),
        "metrics": values,
        "usage": outcome.usage,
        "decided_by": outcome.decided_by,
        "trace": list(outcome.trace),
        "stopped": outcome.stopped,
        "error": outcome.error,
    }


def _page(page: dict[str, Any], *, several: bool) -> dict[str, Any]:
    if not several:
        del page["document"]
    return page
