"""A question's row in report.json, whose shape is a contract others rely on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from octavo.evaluation.intervals import Column, rounded
from octavo.evaluation.metrics.base import ScoredResponse


def row_json(row: ScoredResponse, columns: Mapping[str, Column], at: int, main: str) -> dict[str, Any]:
    """Return the row of question number `at`; `main` is the metric that is the row's score.

    A question that the main metric does not concern, for it has no answer, is scored by whether one was claimed.
    """
    question, response = row.question, row.response
    values = {name: rounded(float(column.values[at])) for name, column in columns.items() if column.weights[at]}
    several = len(question.documents) != 1
    return {
        "id": question.id,
        "document": None if several else question.documents[0],
        "question": question.question,
        "question_type": question.question_type,
        "kind": question.kind,
        "evidence_pages": list(question.evidence_pages),
        "sufficient_pages": list(question.sufficient_pages),
        "evidence_sources": list(question.evidence_sources),
        "evidence_documents": list(question.evidence_documents),
        "answer_format": question.answer_format,
        "pages": [_page(dataclasses.asdict(page), several=several) for page in response.pages],
        "ranking": [list(place) if several else place[1] for place in response.ranking],
        "answer": question.answer,
        "items": list(question.items),
        "outcome": response.outcome.value,
        "response": response.answer,
        "prediction": row.prediction,
        "answerable": response.answerable,
        "passages": [dataclasses.asdict(passage) for passage in response.passages],
        "citations": [dataclasses.asdict(cited) for cited in response.citations],
        "score": values.get(main, _unclaimed(values, failed=response.error is not None)),
        "metrics": values,
        "usage": response.usage,
        "decided_by": response.decided_by,
        "trace": list(response.trace),
        "stopped": response.stopped,
        "error": response.error,
    }


def _unclaimed(values: Mapping[str, float | None], *, failed: bool) -> float | None:
    """Return the score of a question without an answer: whether none was claimed; one that failed is not right."""
    claimed = values.get("false_claims")
    return None if claimed is None else 0.0 if failed else 1.0 - claimed


def _page(page: dict[str, Any], *, several: bool) -> dict[str, Any]:
    if not several:
        del page["document"]
    return page
