"""What is said of a name: the sentence that defines it, else the first that mentions it.

Owns the choice of the sentence. Knows nothing about entities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from octavo.document import Kind
from octavo.layers.entities.extraction import DATE, ELEMENTS, Extraction, Mention
from octavo.layers.entities.words import BlockWords

_LONGEST = 220
_DEFINES = re.compile(
    r"\s*(?:\([^)]{1,40}\)\s*)?,?\s*(?:(?:is|are|was|were)\s+(?:an?|the|one|defined)\b|means\b|refers? to\b|denotes?\b)"
)
_PROSE = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})


def add_descriptions(words: Mapping[int, BlockWords], extraction: Extraction) -> None:
    """Give every name of running text without a description a sentence of the document."""
    chosen: dict[int, tuple[int, Mention]] = {}
    for mention in extraction.mentions:
        block = words.get(mention.block)
        named = extraction.names[mention.name]
        if block is None or mention.start < 0 or named.description or named.type in ELEMENTS or named.type == DATE:
            continue
        if block.kind not in _PROSE or block.apart:
            continue
        rank = 0 if _DEFINES.match(block.text, mention.stop) else 1
        if mention.name not in chosen or rank < chosen[mention.name][0]:
            chosen[mention.name] = (rank, mention)
    for number, (_, mention) in chosen.items():
        extraction.names[number].description = _sentence(words[mention.block], mention)


def _sentence(block: BlockWords, mention: Mention) -> str:
    """Return the sentence of a mention; of one too long, the part around the mention."""
    inside = [at for at, unit in enumerate(block.units) if unit == mention.unit]
    if not inside:
        return ""
    start, stop = block.starts[inside[0]], block.stops[inside[-1]]
    if stop - start > _LONGEST:
        start = max(start, mention.start - _LONGEST // 3)
        stop = min(stop, start + _LONGEST)
        start = block.text.find(" ", start, mention.start) + 1 if start > block.starts[inside[0]] else start
        stop = max(mention.stop, block.text.rfind(" ", start, stop))
    return " ".join(block.text[start:stop].split())
