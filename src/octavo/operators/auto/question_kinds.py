"""The way a question is taken: what kind of question it is, by its words and by the shape of what it is asked about.

Owns the kinds, the rules that tell them, and when a rule is sure. Knows nothing about operators or how each is carried
out.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence

from octavo.decisions.plan_question import Plan
from octavo.document import Operation
from octavo.operators.score.shape import Shape
from octavo.question import understand
from octavo.text.things import KindName

_VISUAL = ("figure", "chart", "table")


class Way(enum.Enum):
    """Kinds of question by what finds their evidence."""

    PLACE = "place"
    """It names the page."""
    EVERY = "every"
    """It counts or lists all things of a kind."""
    OVERVIEW = "overview"
    """It wants the whole summed up."""
    PARTS = "parts"
    """It needs facts that stand in different places."""
    MEASURE = "measure"
    """It asks for what is worked out of financial statements, which stand on pages apart."""
    COLLECTION = "collection"
    """It is asked of several documents."""
    PASSAGE = "passage"
    """One passage or a few near each other answer it."""


@dataclasses.dataclass(frozen=True)
class Chosen:
    """A way, and why. `is_sure` says that the words leave no doubt, so that no model need be asked.

    `kinds` are those an EVERY question goes through, `parts` the questions a PARTS question is made of.
    """

    way: Way
    because: str
    is_sure: bool = True
    kinds: tuple[KindName, ...] = ()
    parts: tuple[str, ...] = ()


def by_rule(text: str, shape: Shape, *, names_page: bool) -> Chosen:
    """Return the way that a question's words and the document's shape give."""
    question = understand(text)
    if question.operation is Operation.SUMMARIZE:
        return Chosen(Way.OVERVIEW, "it asks for a summary")
    parts = question.parts
    if names_page and len(parts) < 2:
        return Chosen(Way.PLACE, "it names the page")
    if len(parts) > 1:
        return Chosen(Way.PARTS, f"its words come apart into {len(parts)} questions", is_sure=False, parts=parts)
    is_sure = not question.may_need_several
    if shape.is_collection:
        return Chosen(Way.COLLECTION, f"{shape.documents} documents are asked", is_sure)
    if question.statements:
        return Chosen(Way.MEASURE, "it asks for what is worked out of financial statements")
    if question.goes_through_all:
        return _every(question.kinds_gone_through, shape, is_sure=question.operation is not None)
    why = "nothing in it points to several places" if is_sure else "its words leave open how many places it needs"
    return Chosen(Way.PASSAGE, why, is_sure)


def by_plan(plan: Plan, rule: Chosen, shape: Shape) -> Chosen:
    """Return the way that a decided plan gives, or the rule's where the plan finds one place enough."""
    if plan.category == "global" and plan.operation == "SUMMARIZE":
        return Chosen(Way.OVERVIEW, "the plan sums up")
    if plan.category == "global" and not shape.is_collection:
        return dataclasses.replace(_every(plan.kinds, shape), because="the plan goes through all items")
    if plan.category == "multi-hop":
        parts = tuple(plan.retrieval_questions)
        return Chosen(Way.PARTS, f"the plan has {len(parts)} questions", parts=parts)
    if rule.way is not Way.PARTS:
        return rule
    way = Way.COLLECTION if shape.is_collection else Way.PASSAGE
    return Chosen(way, "the plan finds one place enough")


def _every(kinds: Sequence[KindName], shape: Shape, *, is_sure: bool = True) -> Chosen:
    there: tuple[KindName, ...] = tuple(kind for kind in kinds if _has(kind, shape))
    said = f"all {' and '.join(there)} blocks" if there else "all things it asks for"
    return Chosen(Way.EVERY, f"it goes through {said}", is_sure, kinds=there)


def kinds_shown(question: str, shape: Shape) -> tuple[KindName, ...]:
    """Return the kinds of figure and table that a question speaks of and a document has; none over a collection."""
    return (
        ()
        if shape.is_collection
        else tuple(one for one in understand(question).kinds_meant if one in _VISUAL and _has(one, shape))
    )


def _has(kind: KindName, shape: Shape) -> bool:
    """Tell whether a document has blocks of a kind at all, as far as its shape says."""
    counts = {"table": shape.tables, "figure": shape.pictures, "chart": shape.pictures, "heading": shape.sections}
    return counts.get(kind, 1) > 0
