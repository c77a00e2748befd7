"""Collections: questions over many articles that stand in one file.

A folder in Octavo's own layout whose documents are a file of articles, such as `articles.jsonl.gz`. Owns what such
questions are scored with, and the benchmark `multihop`: questions of several sets over one collection, each of which
needs sentences of two articles or more. Its rows name the articles they were published with; here the whole
collection is in scope.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.house import questions as house_questions
from octavo.evaluation.benchmarks.rows import Row
from octavo.evaluation.metrics.normal import sequence
from octavo.evaluation.question import Question
from octavo.parsing.articles import is_container

STEMS = ("articles", "collection", "corpus")
"""What a file of articles is called, up to its first dot, where it stands beside the questions."""
METRICS = (
    "string_em",
    "string_hit",
    "exact_match",
    "token_f1",
    "passage_em",
    "passage_hit",
    "passage_score",
    "passage_tokens",
    "passage_length",
)
LIST_METRICS = ("qampari_f1_5", "qampari_recall_5", "qampari_precision")
"""Also shown where some answers are lists."""


def is_collection(path: Path) -> bool:
    """Whether a file beside a benchmark's questions holds its articles."""
    return path.name.partition(".")[0].lower() in STEMS and is_container(path.name)


def metrics_for(questions: Iterable[Question]) -> tuple[str, ...]:
    """Return the names of the metrics for questions over a collection."""
    has_lists = any(question.answer_format == "List" and sequence(question.answer) for question in questions)
    return (*METRICS, *LIST_METRICS) if has_lists else METRICS


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole collection; the set it is from is its type."""
    for question in house_questions(row):
        kind = question.question_type or row.optional("benchmark")
        yield dataclasses.replace(question, documents=(), question_type=kind)


MULTIHOP = Definition(
    name="multihop",
    title="Questions over a collection",
    source="docs/evaluation.md",
    files=("questions.jsonl",),
    questions=questions,
    metrics=METRICS,
)
