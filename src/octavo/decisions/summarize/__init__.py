"""Short texts that stand for pages, sections, elements and clusters; several parts in one call."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine.base import ItemsDecision
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.summarize import rule

LONGEST_SUMMARY = 800
"""Characters; a longer one is no summary."""


@dataclasses.dataclass(frozen=True, slots=True)
class SummaryContext:
    """The document the parts belong to: its title or name."""

    document: str


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """What is summed up: `where` is its heading path or page, `text` what stands there."""

    kind: str
    where: str
    text: str


class PartSummary(BaseModel):
    """One or two sentences."""

    summary: str = Field(min_length=1, max_length=4 * LONGEST_SUMMARY)

    @field_validator("summary")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return " ".join(value.split())[:LONGEST_SUMMARY]


def _context(context: SummaryContext) -> dict[str, str]:
    return {"document": inert(context.document)}


def _item(item: Part) -> str:
    return f"({item.kind}; {item.where})\n{item.text}" if item.where else f"({item.kind})\n{item.text}"


def _rule(_context: SummaryContext, items: Sequence[Part]) -> list[PartSummary]:
    return [PartSummary(summary=rule.summary(item.where, item.text) or item.kind) for item in items]


SUMMARIZE: ItemsDecision[SummaryContext, Part, PartSummary] = ItemsDecision(
    name="summarize",
    version="1",
    template=Template.beside(__file__),
    verdict=PartSummary,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=6,
    item_tokens=1200,
    verdict_tokens=110,
)

__all__ = ["SUMMARIZE", "Part", "PartSummary", "SummaryContext"]
