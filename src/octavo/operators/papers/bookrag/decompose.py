"""Decomposition: a question that needs several places becomes questions that one place each answers.

Owns where the parts come from and what each keeps of the whole (BookRAG equation 2). Knows nothing about how questions
are taken apart.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.decompose_question import DECOMPOSE_QUESTION, DecomposeInput
from octavo.document import Query, Reach
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run


@dataclasses.dataclass(frozen=True)
class Decompose(Step[Query, tuple[Query, ...]]):
    """Return the questions to look up: those of the plan, else by a decision; the question itself if it stays whole.

    Each keeps the page limit and, of the entities of the whole, those it names.
    """

    def apply(self, value: Query, using: Run) -> tuple[Query, ...]:
        """Return one query or more."""
        parts = value.sub_questions
        if not parts:
            decided = using.judge.decide(DECOMPOSE_QUESTION, DecomposeInput(value.question)).output
            parts = tuple(decided.retrieval_questions)
            using.query = dataclasses.replace(value, synthesis=tuple(decided.synthesis_questions))
        return tuple(_part(value, question) for question in parts)


def _part(whole: Query, question: str) -> Query:
    asked = question.casefold()
    return Query(
        question,
        whole.limit,
        reach=Reach.SINGLE,
        entities=tuple(entity for entity in whole.entities if entity.casefold() in asked),
    )
