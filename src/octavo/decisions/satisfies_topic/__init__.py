"""Whether each item of a global question is one of those that are asked for: yes or no (BookRAG, global filters)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel

from octavo.decisions.engine.base import ItemsDecision
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.satisfies_topic import rule


@dataclasses.dataclass(frozen=True, slots=True)
class TopicQuestion:
    """The whole question, and the topic in it that an item must be about."""

    question: str
    topic: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class TopicItem:
    """An item: its text with caption, what it is ("table"), the titles above it, a score 0..1 if there is one."""

    text: str
    kind: str = ""
    section: str = ""
    score: float | None = None


class TopicVerdict(BaseModel):
    """Whether the item is one of those asked for."""

    satisfies: bool


def _context(context: TopicQuestion) -> dict[str, str]:
    return {"question": inert(context.question), "topic": inert(context.topic) or "(what the question says)"}


def _item(item: TopicItem) -> str:
    head = " in: ".join(part for part in (item.kind, item.section) if part)
    return f"({head})\n{item.text}" if head else item.text


def _rule(context: TopicQuestion, items: Sequence[TopicItem]) -> list[TopicVerdict]:
    texts = [f"{item.section}\n{item.text}" for item in items]
    found = rule.about(context.question, context.topic, texts, [item.score for item in items])
    return [TopicVerdict(satisfies=one) for one in found]


SATISFIES_TOPIC: ItemsDecision[TopicQuestion, TopicItem, TopicVerdict] = ItemsDecision(
    name="satisfies_topic",
    version="1",
    template=Template.beside(__file__),
    verdict=TopicVerdict,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=10,
    item_tokens=300,
    verdict_tokens=20,
)

__all__ = ["SATISFIES_TOPIC", "TopicItem", "TopicQuestion", "TopicVerdict"]
