"""What extraction yields, by rule or by model: names as they stand in the text, their mentions, and relations."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

TABLE, FIGURE, FORMULA = "table", "figure", "formula"
PERSON, ORGANISATION, PLACE = "person", "organisation", "place"
NAME, TERM, LABEL = "name", "term", "label"
DATE, QUANTITY = "date", "quantity"
ELEMENTS = frozenset({TABLE, FIGURE, FORMULA})
"""Types of entities that are a thing on a page: each is itself and no other."""
EXACT = ELEMENTS | {DATE, QUANTITY}
"""Types that are never merged for being alike: "$4 million" is not "$5 million"."""
CONTAINED_IN, CO_OCCURS = "contained_in", "co_occurs_with"


class Mention(NamedTuple):
    """A name in a block, at characters `[start, stop)`, (-1, -1) when it is not verbatim.

    `unit` numbers the sentence or table row it stands in through the document; -1 where that is not known.
    """

    name: int
    block: int
    start: int
    stop: int
    unit: int = -1


class Statement(NamedTuple):
    """A relation that a block states between two names. A weight of 0 is to be reckoned from how often they meet."""

    source: int
    target: int
    type: str
    block: int
    weight: float = 0.0
    description: str = ""


@dataclasses.dataclass(slots=True)
class Named:
    """A name as written, what sort of thing it names, and what is said of it.

    `element` is the row of the block that the thing is, -1 for none: names of elements are told apart by it.
    """

    name: str
    type: str
    description: str = ""
    element: int = -1


@dataclasses.dataclass(slots=True)
class Extraction:
    """Names in order of appearance, mentions and statements by name number; `acronyms` pairs (short, long) names."""

    names: list[Named] = dataclasses.field(default_factory=list[Named])
    mentions: list[Mention] = dataclasses.field(default_factory=list[Mention])
    statements: list[Statement] = dataclasses.field(default_factory=list[Statement])
    acronyms: list[tuple[str, str]] = dataclasses.field(default_factory=list[tuple[str, str]])
    _known: dict[tuple[str, int], int] = dataclasses.field(default_factory=dict[tuple[str, int], int])

    def name(self, name: str, type_: str, description: str = "", *, element: int = -1) -> int:
        """Return the number of a name, a new one unless it is known exactly so; what is said of it is added up."""
        at = self._known.setdefault((name, element), len(self.names))
        if at == len(self.names):
            self.names.append(Named(name, type_, description, element))
            return at
        known = self.names[at]
        if RANK[type_] < RANK[known.type]:
            known.type = type_
        known.description = merged_descriptions((known.description, description))
        return at


_MODEL_TYPES = ("product", "method", "event", "law")
"""Types that only a model tells."""
RANK = {
    type_: rank
    for rank, type_ in enumerate(
        (*sorted(ELEMENTS), DATE, QUANTITY, PERSON, ORGANISATION, PLACE, *_MODEL_TYPES, NAME, TERM, LABEL)
    )
}
"""Types, the most telling first: where names are merged the first one stays."""
MOST_DESCRIPTION = 400
"""Characters of a description."""


def merged_descriptions(descriptions: tuple[str, ...] | list[str]) -> str:
    """Return the distinct descriptions one after the other, as many as fit in `MOST_DESCRIPTION` characters."""
    merged = ""
    for text in dict.fromkeys(description.strip() for description in descriptions):
        if not text or text in merged:
            continue
        if merged and len(merged) + len(text) >= MOST_DESCRIPTION:
            break
        merged = f"{merged} {text}" if merged else text[:MOST_DESCRIPTION]
    return merged
