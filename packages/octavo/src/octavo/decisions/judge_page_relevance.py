"""How much each page or passage helps to answer a question, 0 to 1 (MMRAG-DocQA, page re-ranking)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import ItemsDecision, Template, inert
from octavo.question import understand
from octavo_documents.text.analyzer import coverages


@dataclasses.dataclass(frozen=True, slots=True)
class PagesQuestion:
    """What the pages are judged for."""

    question: str


@dataclasses.dataclass(frozen=True, slots=True)
class PageItem:
    """A page or passage. `label` tells it to a reader ("page 7"); `score` is a reranker's or retrieval's, 0..1."""

    text: str
    label: str = ""
    score: float | None = None


class PageRelevance(BaseModel):
    """How much a page helps: 0 not at all, 1 it holds the whole answer; in steps of 0.1."""

    relevance: float = Field(ge=0.0, le=1.0)

    @field_validator("relevance")
    @classmethod
    def _stepped(cls, value: float) -> float:
        return _step(value)


def _context(context: PagesQuestion) -> dict[str, str]:
    return {"question": inert(context.question)}


def _item(item: PageItem) -> str:
    return f"({item.label})\n{item.text}" if item.label else item.text


def _rule(context: PagesQuestion, items: Sequence[PageItem]) -> list[PageRelevance]:
    """Judge by the score that a page comes with, else by the share of the question's words it has."""
    shares = coverages(understand(context.question).terms, [item.text for item in items])
    return [
        PageRelevance(relevance=_step(share if item.score is None else item.score))
        for share, item in zip(shares, items, strict=True)
    ]


def _step(value: float) -> float:
    """Return a value held to 0..1, in steps of 0.1."""
    return round(min(max(value, 0.0), 1.0), 1)


JUDGE_PAGE_RELEVANCE: ItemsDecision[PagesQuestion, PageItem, PageRelevance] = ItemsDecision(
    name="judge_page_relevance",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    verdict=PageRelevance,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=8,
    item_tokens=880,  # eight of them fit a context of 8,192 tokens
    verdict_tokens=24,
)
