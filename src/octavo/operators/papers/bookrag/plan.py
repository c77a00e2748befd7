"""Planning a question, taking it apart into questions of one place each, and uniting what was found for the parts.

BookRAG section 5.2: the plan is equation 8, the parts are equation 2. What decides both is in `decisions`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from octavo.decisions.decompose_question import DECOMPOSE_QUESTION, DecomposeInput
from octavo.decisions.plan_question import PLAN_QUESTION, Plan, PlanInput
from octavo.document import KIND_BY_LABEL, Evidence, Operation, Query, Reach, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run


@dataclasses.dataclass(frozen=True)
class PlanQuestion(Step[Query, Query]):
    """Decide how a question is to be answered; the planner is shown at most `titles` titles of main sections.

    Where a model fails the words of the question decide, and they find a question single-hop unless it plainly is not.
    """

    titles: int = 24

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its reach, parts, entities, filters and operation."""
        asked = PlanInput(value.question, main_titles(using.view, self.titles))
        return planned(value, using.judge.decide(PLAN_QUESTION, asked).output)

    def told(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the plan: what of it is not empty."""
        plan = {
            "reach": result.reach.value if result.reach else "",
            "operation": result.operation.value if result.operation else "",
            "kinds": [kind.label for kind in result.kinds],
            "pages": [f"{first}-{last}" for first, last in result.pages],
            "sections": list(result.sections),
            "topic": result.topic,
            "sub_questions": list(result.sub_questions),
            "entities": list(result.entities),
        }
        return {name: value for name, value in plan.items() if value}


def planned(query: Query, plan: Plan) -> Query:
    """Return a query that carries a plan."""
    reach = Reach(plan.category)
    return dataclasses.replace(
        query,
        reach=reach,
        sub_questions=tuple(plan.retrieval_questions) if reach is Reach.MULTI else (),
        synthesis=tuple(plan.synthesis_questions),
        entities=tuple(plan.entities),
        kinds=tuple(KIND_BY_LABEL[kind] for kind in plan.kinds),
        pages=plan.page_ranges,
        sections=tuple(plan.sections),
        topic=plan.topic,
        operation=None if plan.operation == "NONE" else Operation(plan.operation),
    )


def main_titles(view: View, count: int) -> tuple[str, ...]:
    """Return the titles of the first `count` sections that stand in no other."""
    rows = [int(row) for row in view.sections() if view.blocks.parent[row] < 0]
    return tuple(" ".join(text.split()) for text in view.blocks.text.take(rows[:count]))


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
        return tuple(_sub_query(value, question) for question in parts)


def _sub_query(whole: Query, question: str) -> Query:
    asked = question.casefold()
    return Query(
        question,
        whole.limit,
        reach=Reach.SINGLE,
        entities=tuple(entity for entity in whole.entities if entity.casefold() in asked),
        part_of=whole.question if question != whole.question else "",
    )


@dataclasses.dataclass(frozen=True)
class Merge(Step[tuple[Evidence, ...], Evidence]):
    """Unite evidence: all rows, each with the best of its scores. Columns must be on one scale, 0 to about 1."""

    def apply(self, value: tuple[Evidence, ...], using: Run) -> Evidence:
        """Return the rows of all."""
        return merged(using.view, value)


def merged(view: View, found: Sequence[Evidence]) -> Evidence:
    """Return the rows of all evidence, each with the best of its scores."""
    return reduce(lambda one, other: one | other, found, Evidence.of(view, ()))
