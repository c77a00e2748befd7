"""Drafts to a document: the columns of the block table, its links and pages.

Owns the last step. Knows nothing about layout.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document import BlockTable, Document, LinkKind, LinkTable, Metadata, PageTable, TextColumn, nest
from octavo.parsing.content import SourceContent
from octavo.structuring.drafts import Draft


def document_of(content: SourceContent, drafts: Sequence[Draft], *, name: str, digest: str) -> Document:
    """Return the document whose blocks are `drafts`, in this order."""
    return Document(
        id=f"sha256:{digest.removeprefix('sha256:')}",
        name=name,
        pages=_pages(content),
        blocks=_blocks(drafts),
        links=_links(drafts),
        metadata=Metadata(
            title=content.title,
            author=content.author,
            created=content.created,
            has_outline=bool(content.outline),
            warnings=content.warnings,
        ),
    )


def _pages(content: SourceContent) -> PageTable:
    return PageTable(
        label=TextColumn.of(page.label for page in content.pages),
        width=np.array([page.width for page in content.pages]),
        height=np.array([page.height for page in content.pages]),
        is_scanned=np.array([page.is_scanned for page in content.pages], np.bool_),
    )


def _blocks(drafts: Sequence[Draft]) -> BlockTable:
    kind = np.array([item.kind for item in drafts], np.uint8)
    level = np.array([item.level for item in drafts], np.uint8)
    parent, end = nest(kind, level)
    return BlockTable(
        kind=kind,
        text=TextColumn.of(item.text for item in drafts),
        page=np.array([item.page + 1 for item in drafts], np.int32),
        box=np.array([item.box for item in drafts], np.float32).reshape(len(drafts), 4),
        level=level,
        parent=parent,
        end=end,
        size=np.array([item.look.size if item.text else 0.0 for item in drafts]),
        bold=np.array([item.look.bold for item in drafts], np.bool_),
        italic=np.array([item.look.italic for item in drafts], np.bool_),
        color=np.array([item.look.color for item in drafts], np.uint32),
        confidence=np.array([item.confidence for item in drafts]),
        grid=TextColumn.of(item.grid for item in drafts),
        figure=np.array([item.figure for item in drafts], np.uint8),
    )


def _links(drafts: Sequence[Draft]) -> LinkTable:
    row_of = {id(item): row for row, item in enumerate(drafts)}
    named = [(item, target, kind, 1.0, "") for item in drafts for target, kind in item.targets]
    named.extend(
        (item, target, LinkKind.REFERS_TO, weight, text) for item in drafts for target, text, weight in item.references
    )
    links = [link for link in named if id(link[1]) in row_of and link[0] is not link[1]]
    return LinkTable(
        source=np.array([row_of[id(link[0])] for link in links], np.int32),
        target=np.array([row_of[id(link[1])] for link in links], np.int32),
        kind=np.array([link[2] for link in links], np.uint8),
        weight=np.array([link[3] for link in links], np.float32),
        text=TextColumn.of(link[4] for link in links),
    )
