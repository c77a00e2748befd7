"""How a question is to be answered: its reach, its parts, its entities, and what is to be filtered and worked out.

One decision (BookRAG section 5.1). It does not take apart what one place answers: that is the paper's own failure.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.evidence import Reach
from octavo.question import understand
from octavo_documents.text.names import caseless
from octavo_documents.text.things import KindName, kinds_named
from octavo_methods.bookrag.decisions.decompose_question import check_parts, tidied

_MOST_ENTITIES = 20
Category = Literal["single-hop", "multi-hop", "global"]
Operation = Literal["COUNT", "LIST", "SUMMARIZE", "ANALYZE", "NONE"]

_ALWAYS = ("reasoning", "category", "retrieval_questions", "synthesis_questions", "entities", "operation")
"""Fields that a model held to the schema has to write; one that is not may leave them out."""
_RANGE = re.compile(r"\s*(?:pages?|slides?|pp?\.)?\s*(\d{1,5})\s*(?:(?:-|–|—|to)\s*(\d{1,5}))?\s*", re.IGNORECASE)


def _known_kinds(value: Any) -> Any:
    """Keep the kinds there are: a model writes "Charts" and "bar graph" for "chart"."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    kinds: list[str] = []
    for one in value:  # pyright: ignore[reportUnknownVariableType]
        name = str(one).strip().lower().replace(" ", "_")  # pyright: ignore[reportUnknownArgumentType]
        kinds += [name] if name in get_args(KindName) else kinds_named(name.replace("_", " "))
    return list(dict.fromkeys(kinds))


def _known_operation(value: Any) -> Any:
    name = str(value or "NONE").strip().upper()
    return name if name in get_args(Operation) else "NONE"


def plain_category(value: Any) -> Any:
    """Return a category as it is spelled: a model writes "Multi_Hop"."""
    return str(value).strip().lower().replace("_", "-").replace(" ", "-")


def _plain_pages(value: Any) -> Any:
    """Keep what is a page or a range of pages: "Pages 3 to 10" is "3-10"."""
    if isinstance(value, (str, int)):
        value = re.split(r"[,;]", str(value))
    if not isinstance(value, list):
        return value
    ranges = [page_range(str(one)) for one in value]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return [_written(*one) for one in dict.fromkeys(ranges) if one]


def page_range(text: str) -> tuple[int, int] | None:
    """Return (first, last) page of "5", "3-10" or "pages 3 to 10"; None for what is no page or range."""
    found = _RANGE.fullmatch(text)
    if not found:
        return None
    first = int(found[1])
    last = int(found[2] or first)
    return (first, last) if 1 <= first <= last else None


def _written(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


class QuestionPlan(BaseModel, title="Plan"):
    """How a question is to be answered.

    A single-hop question has itself as its one retrieval question; a multi-hop one has two or more, independent of each
    other, and synthesis questions over their answers; a global one goes through all items that pass the filters.
    """

    model_config = ConfigDict(json_schema_extra={"required": [*_ALWAYS]})

    reasoning: str = ""
    category: Annotated[Category, BeforeValidator(plain_category)]
    retrieval_questions: list[str] = Field(default_factory=list[str])
    synthesis_questions: list[str] = Field(default_factory=list[str])
    entities: list[str] = Field(default_factory=list[str])
    """Names and terms, in the question's words."""
    kinds: Annotated[list[KindName], BeforeValidator(_known_kinds)] = Field(default_factory=list[KindName])
    """Filter: only blocks of these kinds; none for any."""
    pages: Annotated[list[str], BeforeValidator(_plain_pages)] = Field(default_factory=list[str])
    """Filter: pages "5" and ranges "3-10" as the question numbers them; none for all."""
    sections: list[str] = Field(default_factory=list[str])
    """Filter: titles or numbers of sections as the question names them; none for all."""
    topic: str = ""
    """What an item must be about to count, in a global question; "" when every item does."""
    operation: Annotated[Operation, BeforeValidator(_known_operation)] = "NONE"
    """What is done with the items of a global question."""

    @property
    def page_ranges(self) -> tuple[tuple[int, int], ...]:
        """The pages to look through as (first, last), both included; none for all."""
        ranges = (page_range(one) for one in self.pages)
        return tuple(one for one in ranges if one)


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


def _rule(value: PlanInput) -> QuestionPlan:
    return _by_words(value.question)


def _by_words(text: str) -> QuestionPlan:
    """Return the plan that a question's own words give: it goes through things, or is split, or stays whole."""
    question = understand(text)
    is_global, is_split = question.reach is Reach.GLOBAL, question.reach is Reach.MULTI
    return QuestionPlan.model_validate(
        {
            "category": question.reach.value,
            "retrieval_questions": list(question.parts) if is_split else [text],
            "synthesis_questions": list(question.synthesis) if is_split else [],
            "entities": list(question.entities),
            "kinds": list(question.kinds_gone_through) if is_global else [],
            "pages": list(question.pages),
            "sections": list(question.sections),
            "topic": question.topic if is_global else "",
            "operation": question.operation.value if question.operation else "NONE",
        }
    )


def _check(value: PlanInput, output: QuestionPlan) -> QuestionPlan:
    """Bring a model's plan in line with itself and with the question: parts that fit the category, filters it names."""
    own = _by_words(value.question)
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


def _hops(question: str, plan: QuestionPlan) -> QuestionPlan:
    """Return the plan with parts that fit: several for multi-hop, the question itself for single-hop."""
    single = plan.model_copy(update={"category": "single-hop", **_whole(question)})
    if plan.category == "single-hop":
        return single
    check_parts(question, plan.retrieval_questions)
    parts = tidied(question, plan.retrieval_questions, plan.synthesis_questions)
    return plan.model_copy(update=parts.model_dump()) if len(parts.retrieval_questions) > 1 else single


def _whole(question: str) -> dict[str, list[str]]:
    return {"retrieval_questions": [question], "synthesis_questions": []}


def _said(question: str, names: list[str]) -> list[str]:
    """Return the names that the question has, each once."""
    asked = caseless(question)
    kept = {caseless(name): name.strip() for name in names if name.strip()}
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


PLAN_QUESTION: Decision[PlanInput, QuestionPlan] = Decision(
    name="plan_question",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=QuestionPlan,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=480,
)

__all__ = ["PLAN_QUESTION", "Category", "PlanInput", "QuestionPlan", "page_range", "plain_category"]
