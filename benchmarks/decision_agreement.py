"""How far what a model decides is what the rule decides: 0..1, by what each decision is about.

Owns the measures of agreement. Agreement says how alike the two are, not which of them is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from octavo_documents.text.analyzer import analyze


def agreement(decision: str, one: Any, other: Any) -> float:
    """Return 0..1; equality where no measure is named."""
    return AGREE[decision](one, other) if decision in AGREE else float(one == other)


def overlap(left: Sequence[object], right: Sequence[object]) -> float:
    """Return the share of either's things that both have (Jaccard); two empty ones agree."""
    mine, theirs = set(map(str, left)), set(map(str, right))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0


def words(texts: Sequence[str]) -> list[str]:
    return [term for text in texts for term in analyze(text)]


def _links(output: Any) -> list[object]:
    return [(link.source, link.target, link.relation) for link in output.links]


def _actions(output: Any) -> list[object]:
    chosen = [*(("answer", one) for one in output.answer), *(("expand", one) for one in output.expand)]
    return chosen or ["refuse"]


def _named(output: Any) -> list[str]:
    return words([*output.names, *output.acronyms, *output.quoted])


AGREE: dict[str, Callable[[Any, Any], float]] = {
    "plan_question": lambda one, other: float(one.category == other.category),
    "decompose_question": lambda one, other: float(len(one.retrieval_questions) == len(other.retrieval_questions)),
    "extract_question_entities": lambda one, other: overlap(_named(one), _named(other)),
    "locate_references": lambda one, other: overlap(one.references, other.references),
    "investigate": lambda one, other: overlap([call.tool for call in one.calls], [call.tool for call in other.calls]),
    "route_document": lambda one, other: overlap(_actions(one), _actions(other)),
    "combine_answers": lambda one, other: float(one.answer.lower() == other.answer.lower()),
    "select_sections": lambda one, other: overlap(one.sections, other.sections),
    "locate_on_map": lambda one, other: overlap(one.location, other.location),
    "judge_page_relevance": lambda one, other: 1.0 - abs(one.relevance - other.relevance),
    "satisfies_topic": lambda one, other: float(one.satisfies == other.satisfies),
    "reflect": lambda one, other: float(one.is_complete == other.is_complete),
    "reflect_on_answer": lambda one, other: float(one.answered == other.answered),
    "extract_answer_value": lambda one, other: float(one.answer.lower() == other.answer.lower()),
    "judge_answer": lambda one, other: float(one.correct == other.correct),
    "extract_graph": lambda one, other: overlap(
        [entity.name.lower() for entity in one.entities], [entity.name.lower() for entity in other.entities]
    ),
    "adjudicate_entities": lambda one, other: float(one.match == other.match),
    "level_headings": lambda one, other: float(one.level == other.level),
    "interpret_links": lambda one, other: overlap(_links(one), _links(other)),
    "summarize": lambda one, other: overlap(words([one.summary]), words([other.summary])),
    "describe_element": lambda one, other: float(one.sort == other.sort),
    "map_page": lambda one, other: overlap(one.outline, other.outline),
}
"""How far two outputs agree: a share of what both hold where they hold several things, else same or not."""
