"""Links that the order and nesting of blocks give: part of a section, next in reading order, a part continued.

Owns these three. Knows nothing about the words of a text beyond a heading's or caption's mark of continuation.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import numpy as np

from octavo.document import FURNITURE, BlockTable, Document, Kind, LinkKind
from octavo.layers.links.found import Link

_MARK = re.compile(r"\s*[-–—:,]?\s*[(\[]?\s*\b(?:continued|cont['’]d|cont\.|concluded)(?=\W|$)[\s.)\]]*", re.IGNORECASE)
_SURE_CONTINUED = 0.9


def structural(document: Document) -> Iterator[Link]:
    """Yield the links between blocks that are no page furniture."""
    blocks = document.blocks
    rows: list[int] = np.flatnonzero(~np.isin(blocks.kind, FURNITURE)).tolist()
    for row in rows:
        if blocks.parent[row] >= 0:
            yield Link(row, int(blocks.parent[row]), LinkKind.PART_OF, 1.0)
    for before, after in itertools.pairwise(rows):
        yield Link(before, after, LinkKind.NEXT, 1.0)
    yield from _continued(blocks, _shown_by(document))


def _continued(blocks: BlockTable, shown_by: dict[int, int]) -> Iterator[Link]:
    """Yield what a heading or caption with "(continued)" goes on from: the last of the same words before it."""
    last: dict[tuple[int, str], int] = {}
    for row in np.flatnonzero(np.isin(blocks.kind, (Kind.HEADING, Kind.CAPTION))).tolist():
        text = " ".join(blocks.text[row].split())
        found = _MARK.search(text)
        plain = (text[: found.start()] if found else text).casefold().rstrip(" .:")
        key = (int(blocks.kind[row]), plain)
        if found and key in last:
            before = last[key]
            yield Link(shown_by.get(row, row), shown_by.get(before, before), LinkKind.CONTINUES, _SURE_CONTINUED, text)
        if plain:
            last[key] = row


def _shown_by(document: Document) -> dict[int, int]:
    """Return what each caption belongs to."""
    links = document.links
    is_caption = links.kind == LinkKind.CAPTION_OF
    return dict(zip(links.source[is_caption].tolist(), links.target[is_caption].tolist(), strict=True))
