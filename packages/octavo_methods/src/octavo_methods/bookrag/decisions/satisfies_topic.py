"""Whether each item of a global question is one of those that are asked for: yes or no (BookRAG, global filters)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel

from octavo.decisions.engine import ItemsDecision, Template, inert
from octavo.models.language import Picture
from octavo.question import understand
from octavo_documents.text.analyzer import analyze, coverages

_ENOUGH = 0.5
"""An item is about a topic with this score, or this share of its words by weight."""


@dataclasses.dataclass(frozen=True, slots=True)
class TopicQuestion:
    """The whole question, and the topic in it that an item must be about."""

    question: str
    topic: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class TopicItem:
    """An item: its text with caption, what it is ("table"), the titles above it, a score 0..1 if there is one.

    `picture` is what it looks like, for a model that sees.
    """

    text: str
    kind: str = ""
    section: str = ""
    score: float | None = None
    picture: Picture | None = None


class TopicVerdict(BaseModel):
    """Whether the item is one of those asked for."""

    satisfies: bool


def _context(context: TopicQuestion) -> dict[str, str]:
    return {"question": inert(context.question), "topic": inert(context.topic) or "(what the question says)"}


def _item(item: TopicItem) -> str:
    head = " in: ".join(part for part in (item.kind, item.section) if part)
    return f"({head})\n{item.text}" if head else item.text


def _rule(context: TopicQuestion, items: Sequence[TopicItem]) -> list[TopicVerdict]:
    """Take items by their score, else by the words they share with the topic, or the question where there is none."""
    wanted = tuple(dict.fromkeys(analyze(context.topic))) or understand(context.question).terms
    shares = coverages(wanted, [f"{item.section}\n{item.text}" for item in items])
    return [
        TopicVerdict(satisfies=max(share, item.score or 0.0) >= _ENOUGH)
        for share, item in zip(shares, items, strict=True)
    ]


SATISFIES_TOPIC: ItemsDecision[TopicQuestion, TopicItem, TopicVerdict] = ItemsDecision(
    name="satisfies_topic",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    verdict=TopicVerdict,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=10,
    item_tokens=300,
    verdict_tokens=20,
    picture_of=lambda item: item.picture,
)
