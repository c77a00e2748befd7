"""QAMPARI: questions whose answers are lists of entities.

Amouyal et al., 2022. Read from ALCE's `qampari_eval_*.json`, a list whose `answers` are lists of aliases, or from the
published JSON lines with `question_text` and `answer_list`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list, read_json_lines
from octavo.evaluation.question import Question


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of either layout."""
    return read_json_lines(path) if path.suffix == ".jsonl" else json_list()(path)


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole corpus."""
    row.require()
    answer = _aliases(row)
    if not answer:
        raise row.bad("needs a list with an answer in 'answers' or 'answer_list'")
    yield Question(
        id=row.optional("id", "qid") or row.where,
        question=row.text("question", "question_text"),
        answer=answer,
        answer_format="Long",
    )


def _aliases(row: Row) -> list[list[str]]:
    if row.get("answers") is not None:
        return [_names(item) for item in row.items("answers")]
    listed = row.parts("answer_list")
    return [list(dict.fromkeys([item.text("answer_text"), *item.texts("aliases")])) for item in listed]


def _names(item: Any) -> list[str]:
    return [str(name) for name in cast("list[Any]", item)] if isinstance(item, list) else [str(item)]


QAMPARI = Definition(
    name="qampari",
    title="QAMPARI",
    source="https://github.com/princeton-nlp/ALCE",
    files=("qampari_eval*.json", "*qampari*.jsonl", "dev_data.jsonl", "*.json", "*.jsonl"),
    questions=questions,
    rows=rows,
    metrics=(
        "qampari_f1_5",
        "qampari_recall_5",
        "qampari_precision",
        "qampari_f1",
        "qampari_recall",
        "passage_em",
        "passage_score",
    ),
)
