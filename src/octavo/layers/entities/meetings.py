"""Relations by rule: names that meet in a sentence or table row, and what stands in a table.

Owns who meets whom. How strong a meeting ties is reckoned when names are resolved. Knows nothing about extraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby

from octavo.document import Kind
from octavo.layers.entities.extraction import (
    CO_OCCURS,
    CONTAINED_IN,
    QUANTITY,
    Extraction,
    Mention,
    Statement,
)
from octavo.layers.entities.words import BlockWords

_REACH = 6
"""How many names further in a sentence a name is still related to."""
_IN_CELL = 0.5
"""Weight of what is named inside a table, where its headers have 1."""
_LONGEST_BETWEEN = 60


def add_meetings(blocks: Iterable[BlockWords], elements: Mapping[int, int], extraction: Extraction) -> None:
    """Add relations between names that are mentioned together; `elements` gives the name number of element rows."""
    words = {block.row: block for block in blocks if not block.apart}
    met = [one for one in extraction.mentions if one.unit >= 0 and one.block in words]
    known = {(one.source, one.target, one.block) for one in extraction.statements if one.type == CONTAINED_IN}
    for row, mentions in groupby(met, lambda one: one.block):
        block = words[row]
        if block.kind == Kind.TABLE and row in elements:
            extraction.statements.extend(_contained(elements[row], mentions, known))
            continue
        for _, together in groupby(mentions, lambda one: one.unit):
            ordered = sorted(together, key=lambda one: one.start)
            extraction.statements.extend(_pairs(block, extraction, ordered))


def _contained(table: int, mentions: Iterable[Mention], known: Set[tuple[int, int, int]]) -> Iterator[Statement]:
    """Yield that names stand in a table; `known` are the (name, table, block) that are said already."""
    for name, block in dict.fromkeys((one.name, one.block) for one in mentions):
        if (name, table, block) not in known:
            yield Statement(name, table, CONTAINED_IN, block, _IN_CELL)


def _pairs(block: BlockWords, extraction: Extraction, mentions: list[Mention]) -> Iterator[Statement]:
    """Yield each two names within reach of each other once; two quantities say nothing of each other."""
    seen: set[tuple[int, int]] = set()
    types = [extraction.names[one.name].type for one in mentions]
    for at, left in enumerate(mentions):
        for step, right in enumerate(mentions[at + 1 : at + 1 + _REACH], start=1):
            pair = (left.name, right.name)
            if left.name == right.name or pair in seen or types[at] == types[at + step] == QUANTITY:
                continue
            seen.add(pair)
            between = block.text[left.stop : right.start] if step == 1 else ""
            yield Statement(*pair, CO_OCCURS, block.row, 0.0, _said(between))


def _said(between: str) -> str:
    """Return the words between two names when they are few enough to say how they are related."""
    plain = " ".join(between.split())
    return plain if 2 < len(plain) <= _LONGEST_BETWEEN and any(map(str.isalpha, plain)) else ""
