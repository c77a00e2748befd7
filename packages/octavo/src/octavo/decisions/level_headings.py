"""Whether lines that rules are unsure of are headings, and at which level: BookRAG's section filtering in batches.

The rule keeps what the rules of structuring say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, Field

from octavo.decisions.engine import ItemsDecision, Template, inert


@dataclasses.dataclass(frozen=True, slots=True)
class OpenHeadings:
    """The headings above the first candidate, outermost first."""

    path: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class HeadingCandidate:
    """A line that may be a heading; `level` is what the rules say, 0 for none. `size` is in points."""

    text: str
    page: int
    size: float
    is_bold: bool
    level: int


class HeadingLevel(BaseModel):
    """A level from 1 (highest) to 6; 0 for no heading."""

    level: int = Field(ge=0, le=6)


def _context(context: OpenHeadings) -> dict[str, str]:
    return {"path": inert("\n".join(f"{'  ' * depth}{title}" for depth, title in enumerate(context.path))) or "none"}


def _item(item: HeadingCandidate) -> str:
    bold = ", bold" if item.is_bold else ""
    return f"page {item.page}, {item.size:.1f} pt{bold}, by rule {item.level}: {item.text}"


def _rule(_context: OpenHeadings, items: Sequence[HeadingCandidate]) -> list[HeadingLevel]:
    return [HeadingLevel(level=item.level) for item in items]


LEVEL_HEADINGS: ItemsDecision[OpenHeadings, HeadingCandidate, HeadingLevel] = ItemsDecision(
    name="level_headings",
    version="1",
    template=Template.beside(__file__),
    verdict=HeadingLevel,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=40,
    item_tokens=80,
    verdict_tokens=8,
)
