"""What is extracted from a window: typed entities and relations, read leniently from what a model may write.

Owns the typed output. Knows nothing about prompts or documents.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

ENTITY_TYPES = (
    *("person", "organisation", "place", "date", "quantity", "product", "method", "event", "law", "term", "name"),
)
_OTHER_WORDS = {
    "organization": "organisation",
    "company": "organisation",
    "institution": "organisation",
    "location": "place",
    "country": "place",
    "city": "place",
    "region": "place",
    "time": "date",
    "year": "date",
    "number": "quantity",
    "amount": "quantity",
    "money": "quantity",
    "percentage": "quantity",
    "metric": "term",
    "concept": "term",
    "technology": "method",
    "algorithm": "method",
    "model": "method",
    "people": "person",
    "regulation": "law",
    "policy": "law",
    "dataset": "name",
}


def _known_type(value: Any) -> str:
    name = str(value or "").strip().lower()
    name = _OTHER_WORDS.get(name, name)
    return name if name in ENTITY_TYPES else "term"


def _weight(value: Any) -> float:
    """Read a strength from 0 to 1; one on a scale to 10 is brought there."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.5
    if not number > 0:
        return 0.1
    return min(1.0, number if number <= 1 else number / 10)


class ExtractedEntity(BaseModel):
    """Something named in a block."""

    block: int = 0
    name: str
    type: Annotated[str, BeforeValidator(_known_type)] = "term"
    description: str = ""


class ExtractedRelation(BaseModel):
    """What a block says of two entities: source and target by name, a short verb phrase, how strong it is (0 to 1)."""

    source: str
    target: str
    type: str = "related_to"
    weight: Annotated[float, BeforeValidator(_weight)] = 0.5


class ExtractedGraph(BaseModel):
    """The entities and relations of a window."""

    entities: list[ExtractedEntity] = Field(default_factory=list[ExtractedEntity])
    relations: list[ExtractedRelation] = Field(default_factory=list[ExtractedRelation])
