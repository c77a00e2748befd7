"""TriviaQA: trivia questions, each with one answer under many names.

Joshi et al., ACL 2017. Read from the published files of the Wikipedia split: a list under `Data`.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, json_list
from octavo.evaluation.question import Question


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question over the whole corpus; the aliases are alternatives."""
    row.require()
    answer = row.below("Answer", row.get("Answer"))
    answer.require()
    pages = row.parts("EntityPages")
    yield Question(
        id=row.text("QuestionId"),
        question=row.text("Question"),
        answer=list(dict.fromkeys([answer.text("Value"), *answer.texts("Aliases")])),
        evidence_documents=tuple(dict.fromkeys(f"{page.text('Title')}.pdf" for page in pages)),
    )


TRIVIAQA = Definition(
    name="triviaqa",
    title="TriviaQA",
    source="https://nlp.cs.washington.edu/triviaqa",
    files=("*wikipedia-dev.json", "*wikipedia*.json", "*.json"),
    questions=questions,
    rows=json_list("Data"),
    metrics=("inclusion", "token_f1", "exact_match", "passage_em", "passage_score"),
)
