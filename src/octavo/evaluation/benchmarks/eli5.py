"""ELI5: open questions with long explanations.

Fan et al., ACL 2019, as in ALCE's `eli5_eval_*.json`: a list with `question`, `answer` and `claims`. Claim recall needs
a model of entailment; without one, string EM over the claims would say little, so ROUGE-L and token F1 are shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole corpus."""
    row.require()
    yield Question(
        id=row.optional("id", "sample_id") or row.where,
        question=row.text("question"),
        answer=row.text("answer"),
        answer_format="Long",
        reference=row.text("answer"),
    )


ELI5 = Definition(
    name="eli5",
    title="ELI5",
    source="https://github.com/princeton-nlp/ALCE",
    files=("eli5_eval*.json", "*.json"),
    questions=questions,
    rows=json_list(),
    metrics=("rouge_l", "token_f1", "passage_length"),
)
