"""ASQA: ambiguous questions with long answers.

Stelmakh et al., EMNLP 2022. Read from ALCE's `asqa_eval_*.json`, a list, or from the published `ASQA.json`, an object
of splits by question number. The gold is a list of short answers, each a list of its aliases.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.errors import UsageError
from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list, json_object, read_json
from octavo.evaluation.question import Question


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of either layout; of the published one the development split."""
    value = read_json(path)
    if isinstance(value, list):
        return json_list()(path)
    if isinstance(value, dict) and "dev" in value:
        return json_object("dev")(path)
    raise UsageError(f"{path} needs a list of questions, or an object with the split 'dev'")


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole corpus."""
    row.require()
    pairs = row.parts("qa_pairs")
    if not pairs:
        raise row.bad("needs a list of questions and short answers in 'qa_pairs'")
    notes = row.parts("annotations")
    yield Question(
        id=row.optional("sample_id", "_key") or row.where,
        question=row.text("question", "ambiguous_question"),
        answer=[list(pair.texts("short_answers")) for pair in pairs],
        answer_format="Long",
        reference=[note.text("long_answer") for note in notes] or row.optional("answer") or None,
    )


ASQA = Definition(
    name="asqa",
    title="ASQA",
    source="https://github.com/princeton-nlp/ALCE",
    files=("asqa_eval*.json", "ASQA.json", "*.json"),
    questions=questions,
    rows=rows,
    metrics=("string_em", "string_hit", "rouge_l", "passage_em", "passage_hit", "passage_score", "passage_length"),
)
