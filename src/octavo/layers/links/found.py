"""Links in the making: each pair of blocks is linked once by a kind, by what was found first.

Owns the order of the table: the document's own links as they stand, then those added, by source. Knows nothing about
how links are found.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Document, LinkKind, LinkOrigin, LinkTable, TextColumn

_LONGEST_TEXT = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Link:
    """A link from block row to block row; `text` is the evidence."""

    source: int
    target: int
    kind: LinkKind
    weight: float
    text: str = ""
    origin: LinkOrigin = LinkOrigin.RULE


class Found:
    """The links of a document, those of its structure first."""

    def __init__(self, document: Document) -> None:
        self._own = document.links
        kinds = map(LinkKind, self._own.kind.tolist())
        self._known = set(zip(self._own.source.tolist(), self._own.target.tolist(), kinds, strict=True))
        self._added: list[Link] = []

    def add(self, link: Link) -> None:
        """Take a link unless it leads nowhere or its blocks are linked so already."""
        key = (link.source, link.target, link.kind)
        if link.source != link.target and key not in self._known:
            self._known.add(key)
            self._added.append(link)

    def has(self, source: int, target: int, kind: LinkKind) -> bool:
        """Whether the two blocks are linked so."""
        return (source, target, kind) in self._known

    def table(self) -> LinkTable:
        """Return all links, those added ordered by source, kind and target."""
        added = sorted(self._added, key=lambda link: (link.source, link.kind, link.target))
        table = LinkTable(
            source=np.array([link.source for link in added], np.int32),
            target=np.array([link.target for link in added], np.int32),
            kind=np.array([link.kind for link in added], np.uint8),
            weight=np.array([link.weight for link in added], np.float32),
            text=TextColumn.of(" ".join(link.text.split())[:_LONGEST_TEXT] for link in added),
            origin=np.array([link.origin for link in added], np.uint8),
        )
        return LinkTable.join([self._own, table], {})
