"""How a question is to be answered: its reach, its parts, its entities, and what is to be filtered and worked out.

One decision (BookRAG section 5.1). It does not take apart what one place answers: that is the paper's own failure.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.decompose_question import check_parts, tidied
from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import first_that_fit, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.plan_question import rule
from octavo.decisions.plan_question.plan import Category, Operation, Plan

_MOST_ENTITIES = 20


@dataclasses.dataclass(frozen=True, slots=True)
class PlanInput:
    """A question, and the titles of the main sections of what it is asked about, where they are known."""

    question: str
    titles: tuple[str, ...] = ()


def _render(value: PlanInput, room: int) -> Filled:
    question, cut = shorten(value.question, room // 2)
    titles, left_out = first_that_fit([f"- {title}" for title in value.titles], room // 2)
    return Filled(
        {"question": inert(question), "titles": inert("\n".join(titles)) or "(not known)"},
        left_out=left_out + bool(cut),
    )


def _rule(value: PlanInput) -> Plan:
    return rule.plan(value.question)


def _check(value: PlanInput, output: Plan) -> Plan:
    """Bring a model's plan in line with itself and with the question: parts that fit the category, filters it names."""
    own = rule.plan(value.question)
    change = {
        "entities": _said(value.question, output.entities)[:_MOST_ENTITIES] or own.entities,
        "pages": [page for page in output.pages if page.partition("-")[0] in value.question] or own.pages,
        "sections": _named(value, output.sections) or own.sections,
    }
    plan = output.model_copy(update=change)
    if plan.category == "global":
        operation = plan.operation if plan.operation != "NONE" else own.operation
        update = {"operation": operation if operation != "NONE" else "ANALYZE", **_whole(value.question)}
        return plan.model_copy(update=update)
    plan = plan.model_copy(update={"operation": "NONE", "topic": "", "kinds": []})
    return _hops(value.question, plan)


def _hops(question: str, plan: Plan) -> Plan:
    """Return the plan with parts that fit: several for multi-hop, the question itself for single-hop."""
    single = plan.model_copy(update={"category": "single-hop", **_whole(question)})
    if plan.category == "single-hop" or rule.stays_at_one_place(question):
        return single
    check_parts(question, plan.retrieval_questions)
    parts = tidied(question, plan.retrieval_questions, plan.synthesis_questions)
    return plan.model_copy(update=parts.model_dump()) if len(parts.retrieval_questions) > 1 else single


def _whole(question: str) -> dict[str, list[str]]:
    return {"retrieval_questions": [question], "synthesis_questions": []}


def _said(question: str, names: list[str]) -> list[str]:
    """Return the names that the question has, each once."""
    asked = " ".join(question.casefold().split())
    kept = {" ".join(name.casefold().split()): name.strip() for name in names if name.strip()}
    return [name for key, name in kept.items() if key in asked]


def _named(value: PlanInput, sections: list[str]) -> list[str]:
    """Return the sections that the question names: a title counts when most of its words stand in the question."""
    known = {title.casefold() for title in value.titles}
    said = set(_said(value.question, sections))
    asked = set(value.question.casefold().split())
    return [
        title
        for title in dict.fromkeys(sections)
        if title in said or (title.casefold() in known and len(asked.intersection(title.casefold().split())) > 1)
    ]


PLAN_QUESTION: Decision[PlanInput, Plan] = Decision(
    name="plan_question",
    version="1",
    template=Template.beside(__file__),
    output=Plan,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=480,
)

__all__ = ["PLAN_QUESTION", "Category", "Operation", "Plan", "PlanInput"]
