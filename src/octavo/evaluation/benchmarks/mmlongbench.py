"""MMLongBench-Doc: 135 long documents, 1,091 questions, with both releases of its gold.

Ma et al., NeurIPS 2024 (arXiv 2407.01523). The corrected gold of the second release is `mmlongbench`, the first
release's is `mmlongbench-first`. Read from the published `samples.json` (lists written as texts) or from a folder in
Octavo's own layout, where a row may carry what the first release said under `first_release`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from octavo.evaluation.benchmarks import house
from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list, read_json_lines
from octavo.evaluation.question import Question


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of either layout."""
    return read_json_lines(path) if path.suffix == ".jsonl" else json_list()(path)


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question; the published file calls the document `doc_id`."""
    return house.questions(_named(row))


def first_questions(row: Row) -> Iterator[Question]:
    """Yield the row's question with the first release's gold."""
    return house.first_release(_named(row))


def _named(row: Row) -> Row:
    return dataclasses.replace(row, fields={**row.fields, "document": row.get("document", "doc_id")})


MMLONGBENCH = Definition(
    name="mmlongbench",
    title="MMLongBench-Doc",
    source="https://github.com/mayubo2333/MMLongBench-Doc",
    files=("questions.jsonl", "samples.json", "*.jsonl"),
    questions=questions,
    rows=rows,
    metrics=("mmlongbench", "mmlongbench_f1", "exact_match", "token_f1"),
)

MMLONGBENCH_FIRST = dataclasses.replace(
    MMLONGBENCH,
    name="mmlongbench-first",
    title="MMLongBench-Doc, first release",
    questions=first_questions,
    hub=("yubo2333/MMLongBench-Doc", "train"),
)
