"""Predictions made elsewhere, such as those that authors publish, measured as answers of a system are.

A file is a JSON list, JSON lines, or an object by question id. A row names its question by the benchmark's id, or by
document and words, and has `pred` or `prediction`, the short answer as it is scored, or `response`, of which the short
answer is read. Everything else in it is passed over: gold is the benchmark's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, cast

from octavo.errors import UsageError
from octavo.evidence import Outcome
from octavo_documents.document import number_of
from octavo_documents.text.lines import on_one_line
from octavo_lab.metrics.overlap import is_refusal
from octavo_lab.question import Benchmark, Question, Response, ScoredResponse
from octavo_lab.runner import SystemRun

_IDS = ("id", "question_id", "questionId", "sample_id", "qid", "_id", "q_uid")
_DOCUMENTS = ("doc_id", "doc_no", "docId", "doc_name", "document")
_PREDICTIONS = ("pred", "prediction")
PLAN = "predictions of "
"""Begins the plan of a run that answered nothing here."""
Extract = Callable[[Question, str], str]
"""Reads the short answer out of a response."""
Judge = Callable[[Question, Response], bool]


def predicted(name: str, path: Path, benchmark: Benchmark, extract: Extract, judge: Judge | None = None) -> SystemRun:
    """Return a system's rows from a file of predictions.

    Raises UsageError for a file that cannot be read, and one of another run: without some of the benchmark's questions.
    """
    by_id: dict[str, Mapping[str, Any]] = {}
    by_words: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in _rows(path):
        by_id.update({str(row[key]): row for key in _IDS if key in row})
        by_words[_document(row), _plain(str(row.get("question", "")))] = row
    found = [
        by_id.get(one.id) or by_words.get((_stem(one.documents), _plain(one.question))) for one in benchmark.questions
    ]
    _check(path, benchmark.questions, found)
    rows = tuple(
        _scored(question, row, path, extract, judge)
        for question, row in zip(benchmark.questions, found, strict=True)
        if row is not None
    )
    return SystemRun(name, f"{PLAN}{path.name}", rows, name)


def _check(path: Path, questions: Sequence[Question], found: Sequence[Mapping[str, Any] | None]) -> None:
    missing = [question for question, row in zip(questions, found, strict=True) if row is None]
    if missing:
        count = number_of(len(questions), "question")
        raise UsageError(
            f"{path} is of another run: it has no prediction for {len(missing)} of {count}"
            f" (first {missing[0].question!r}): name the file of this benchmark, or fewer questions with --limit"
        )


def _scored(
    question: Question, row: Mapping[str, Any], path: Path, extract: Extract, judge: Judge | None
) -> ScoredResponse:
    given = next((row[key] for key in _PREDICTIONS if row.get(key) is not None), None)
    said = row.get("response")
    if given is None and said is None:
        raise UsageError(f"{path} has neither 'pred' nor 'response' for {question.question!r}")
    response = str(said if said is not None else given)
    prediction = str(given) if given is not None else extract(question, response)
    outcome = Outcome.NOTHING if is_refusal(prediction) else Outcome.ANSWER
    made = Response(outcome=outcome, answer=response)
    return ScoredResponse(question, made, prediction, is_right=judge(question, made) if judge else None)


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".jsonl":
            values: Any = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            values = json.loads(text)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as predictions: {error}") from error
    if isinstance(values, dict):
        named = cast("dict[str, Any]", values)
        values = [{"id": key, **value} for key, value in named.items() if isinstance(value, dict)]
    if not isinstance(values, list):
        raise UsageError(f"{path} needs a list of predictions, or an object by question id")
    yield from (cast("dict[str, Any]", one) for one in cast("list[Any]", values) if isinstance(one, dict))


def _document(row: Mapping[str, Any]) -> str:
    name = next((str(row[key]) for key in _DOCUMENTS if row.get(key)), "")
    return PurePath(name).stem if name.lower().endswith(".pdf") else name


def _stem(documents: Sequence[str]) -> str:
    return PurePath(documents[0]).stem if len(documents) == 1 else ""


def _plain(text: str) -> str:
    return on_one_line(text.lower())
