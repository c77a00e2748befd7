"""A plan for a question: how far it reaches, its parts, what it is about, and what is to be looked through.

Owns the typed output and its reading from what a model may write. Knows nothing about prompts or documents.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.rules.things import KindName, kinds_named

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


def _plain_category(value: Any) -> Any:
    return str(value).strip().lower().replace("_", "-").replace(" ", "-")


def _plain_pages(value: Any) -> Any:
    """Keep what is a page or a range of pages: "Pages 3 to 10" is "3-10"."""
    if isinstance(value, (str, int)):
        value = re.split(r"[,;]", str(value))
    if not isinstance(value, list):
        return value
    ranges = [_page_range(str(one)) for one in value]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return [_written(*one) for one in dict.fromkeys(ranges) if one]


def _page_range(text: str) -> tuple[int, int] | None:
    found = _RANGE.fullmatch(text)
    if not found:
        return None
    first = int(found[1])
    last = int(found[2] or first)
    return (first, last) if 1 <= first <= last else None


def _written(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


class Plan(BaseModel):
    """How a question is to be answered.

    A single-hop question has itself as its one retrieval question; a multi-hop one has two or more, independent of each
    other, and synthesis questions over their answers; a global one goes through all items that pass the filters.
    """

    model_config = ConfigDict(json_schema_extra={"required": [*_ALWAYS]})

    reasoning: str = ""
    category: Annotated[Category, BeforeValidator(_plain_category)]
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
        ranges = (_page_range(one) for one in self.pages)
        return tuple(one for one in ranges if one)
