"""Flowing text to a document: levels made consistent, the text cut into parts that stand for pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import BlockTable, Document, Kind, Metadata, PageTable, TextColumn, nest, part_label
from octavo.parsing.flow import FlowBlock, FlowContent
from octavo.structuring.drafts import Draft, links_of
from octavo.structuring.flow_links import linked

FLOW_VERSION = 3
"""Part of a parsed document's fingerprint: raised whenever the blocks made from the same flowing text change."""

_ENOUGH = 2400
"""Characters of a part after which the next heading begins another."""
_FULL = 4000
"""Characters of a part after which the next block of any kind begins another."""


def flowing(content: FlowContent, *, name: str, digest: str) -> Document:
    """Return the document of flowing text.

    A file that names its title in its only heading of the highest level has a title block. What reads as one has parts
    of about a printed page: they have numbers as pages do and the label "part 3", but no size and no boxes. Slides,
    sheets and what else a file parts itself by are the parts, longer ones cut into several of the same label.
    """
    blocks = _titled(content.blocks)
    pages, labels = _parts(blocks)
    drafts = linked(blocks, pages)
    count = len(labels)
    table = PageTable(
        label=TextColumn.of(labels),
        width=np.zeros(count, np.float32),
        height=np.zeros(count, np.float32),
        is_scanned=np.zeros(count, np.bool_),
    )
    title = content.title or next((block.text for block in blocks if block.kind == Kind.TITLE), "")
    metadata = Metadata(title, content.author, content.created, has_outline=True, warnings=content.warnings)
    return Document(f"sha256:{digest}", name, table, _table(blocks, drafts, pages), links_of(drafts), metadata)


def _titled(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Return the blocks with heading levels that begin at 1 and skip none, the one top heading as the title."""
    levels = [block.level for block in blocks if block.kind == Kind.HEADING]
    top = min(levels, default=1)
    first = next((at for at, block in enumerate(blocks) if block.kind == Kind.HEADING), None)
    is_title = first is not None and levels.count(top) == 1 and blocks[first].level == top and len(levels) > 1
    found: list[FlowBlock] = []
    open_levels: list[int] = []
    for at, block in enumerate(blocks):
        if block.kind != Kind.HEADING:
            found.append(block)
        elif is_title and at == first:
            found.append(FlowBlock(Kind.TITLE, block.text, part=block.part))
        else:
            while open_levels and open_levels[-1] >= block.level:
                open_levels.pop()
            open_levels.append(block.level)
            found.append(FlowBlock(Kind.HEADING, block.text, len(open_levels), part=block.part))
    return found


def _parts(blocks: Sequence[FlowBlock]) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Return (n,) the number of the part that each block stands in, from 1, and the label of each part."""
    numbers = np.ones(len(blocks), np.int32)
    labels, name, size = list[str](), "", 0
    for at, block in enumerate(blocks):
        is_full = size >= (_ENOUGH if block.kind == Kind.HEADING and not name else _FULL)
        if not labels or block.part or is_full:
            name, size = block.part or name, 0
            labels.append(name or part_label(len(labels) + 1))
        numbers[at] = len(labels)
        size += len(block.text)
    return numbers, labels or [part_label(1)]


def _table(blocks: Sequence[FlowBlock], drafts: Sequence[Draft], pages: npt.NDArray[np.int32]) -> BlockTable:
    kind = np.array([item.kind for item in drafts], np.uint8)
    level = np.array([min(block.level, 255) for block in blocks], np.uint8)
    parent, end = nest(kind, level)
    return BlockTable(
        kind=kind,
        text=TextColumn.of(block.text for block in blocks),
        page=pages,
        box=np.zeros((len(blocks), 4), np.float32),
        level=level,
        parent=parent,
        end=end,
        size=np.zeros(len(blocks), np.float32),
        bold=np.array([block.bold for block in blocks], np.bool_),
        italic=np.zeros(len(blocks), np.bool_),
        color=np.zeros(len(blocks), np.uint32),
        confidence=np.ones(len(blocks), np.float32),
        grid=TextColumn.of(block.grid.to_json() if block.grid else "" for block in blocks),
        figure=np.array([item.figure for item in drafts], np.uint8),
    )
