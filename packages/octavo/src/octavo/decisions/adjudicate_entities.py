"""Which of a few entities already known a new name is another name of, if any: strict, none when in doubt.

Asked in entity resolution (BookRAG section 4.3.2) where scores do not tell; many names in a call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, Field

from octavo.decisions.engine import ItemsDecision, Template, inert
from octavo_documents.text.names import likeness

_LONGEST = 200
_LIKE = 0.5
"""Candidates less alike than this are no rivals of the best."""
_KIN = 0.75
"""Names this alike, each to the others, are one family: any of them stands for all."""


@dataclasses.dataclass(frozen=True, slots=True)
class EntityCard:
    """An entity as it is shown: its name, what sort of thing it is, what is said of it."""

    name: str
    type: str = ""
    description: str = ""

    def __str__(self) -> str:
        sort = f" ({self.type})" if self.type else ""
        said = f": {self.description[:_LONGEST]}" if self.description else ""
        return f"{self.name}{sort}{said}"


@dataclasses.dataclass(frozen=True, slots=True)
class NewName:
    """A name and the entities that it may be another name of, most likely first."""

    entity: EntityCard
    candidates: tuple[EntityCard, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Adjudication:
    """The document that the names are from."""

    title: str = ""


class Match(BaseModel):
    """The number of the candidate that is the same thing, from 1; 0 for none."""

    reason: str = ""
    match: int = Field(default=0, ge=0)


def _context(context: Adjudication) -> dict[str, str]:
    return {"title": inert(context.title) or "(not known)"}


def _item(item: NewName) -> str:
    lines = [f"candidate {number}: {card}" for number, card in enumerate(item.candidates, start=1)]
    return "\n".join([f"name: {item.entity}", *lines])


def _rule(_context: Adjudication, items: Sequence[NewName]) -> list[Match]:
    return [Match(match=_match(item.entity.name, [candidate.name for candidate in item.candidates])) for item in items]


def _match(name: str, candidates: Sequence[str]) -> int:
    """Return the number, from 1, of the candidate that is the same name; 0 when none is or different ones may be."""
    scores = [likeness(name, candidate) for candidate in candidates]
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    if not ranked or scores[ranked[0]] < _KIN:
        return 0
    best = ranked[0]
    rivals = [at for at in ranked[1:] if scores[at] >= _LIKE]
    is_family = all(scores[at] >= _KIN and likeness(candidates[best], candidates[at]) >= _KIN for at in rivals)
    return best + 1 if is_family else 0


ADJUDICATE_ENTITIES: ItemsDecision[Adjudication, NewName, Match] = ItemsDecision(
    name="adjudicate_entities",
    version="1",
    template=Template.beside(__file__),
    verdict=Match,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=12,
    item_tokens=500,
    verdict_tokens=40,
)
