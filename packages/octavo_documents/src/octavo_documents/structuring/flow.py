"""Flowing text to a document: levels made consistent, and the text cut into parts that stand for pages.

What blocks lead to is found by the steps that link the blocks of pages.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from octavo_documents.document import (
    BlockTable,
    Document,
    Kind,
    LinkKind,
    Metadata,
    PageTable,
    TextColumn,
    nest,
    part_label,
)
from octavo_documents.document.styled_words import beside
from octavo_documents.parsing.flow import FlowBlock, FlowContent
from octavo_documents.parsing.inline_marks import notes_of, shown, without
from octavo_documents.structuring import markers
from octavo_documents.structuring.captions_and_footnotes import link_captions
from octavo_documents.structuring.drafts import Draft, links_of
from octavo_documents.structuring.lines import NO_LOOK
from octavo_documents.structuring.pieces import pieces
from octavo_documents.structuring.references import link_words
from octavo_documents.text import column_heads, sign_columns
from octavo_documents.text.raised import SUPERSCRIPTS, plain_mark

_NOWHERE = (0.0, 0.0, 0.0, 0.0)
"""The box of what stands on no page."""
_STEP = 25.0
"""Points between the tops of two blocks, as if on a page: between a caption and its table stands one other at most."""
_TALL = 10.0
_RUN = 200
"""Blocks without a heading in which a caption looks for what it names."""
_SHOWN = (Kind.TABLE, Kind.FIGURE, Kind.CHART)
_LONGEST_CAPTION = 300
_MARK = re.compile(rf"\[([^\s\[\]]{{1,20}})\]|([{SUPERSCRIPTS}]+)")
_OF_NOTE = re.compile(r"\[([^\s\[\]]{1,20})\]|(\d{1,3}|[a-z]|[ivx]{1,5})(?=\s)")


def linked(blocks: Sequence[FlowBlock], pages: npt.NDArray[np.int32]) -> list[Draft]:
    """Return the blocks as drafts with links: captions to what they name, notes to what bears them, words to targets.

    The parts of a table that was too long for one block are linked too, each to the one before.

    `pages` (n,) are the numbers of the parts they stand in, from 1. A figure may have become a chart by its caption.
    """
    drafts = [
        Draft(
            block.kind, page - 1, block.text, (0.0, at * _STEP, 100.0, at * _STEP + _TALL), NO_LOOK, level=block.level
        )
        for at, (block, page) in enumerate(zip(blocks, pages.tolist(), strict=True))
    ]
    _link_parts(blocks, drafts)
    _set_captions(drafts)
    kinds = {item.kind for item in drafts}
    if Kind.CAPTION in kinds:
        for run in _runs(drafts):
            link_captions(run)
    if Kind.FOOTNOTE in kinds:
        _link_notes(drafts)
    link_words([[*part] for _, part in groupby(drafts, lambda item: item.page)], (), has_pages=False)
    return drafts


def _link_parts(blocks: Sequence[FlowBlock], drafts: Sequence[Draft]) -> None:
    before: Draft | None = None
    for block, item in zip(blocks, drafts, strict=True):
        if block.goes_on and before is not None:
            item.targets.append((before, LinkKind.CONTINUES))
        before = item if item.kind == Kind.TABLE else before


def _set_captions(drafts: Sequence[Draft]) -> None:
    """Make captions of paragraphs beside a table or figure that begin as one: "Table 3: Costs"."""
    for at, item in enumerate(drafts):
        if item.kind in _SHOWN:
            for beside in drafts[max(at - 1, 0) : at + 2]:
                is_short = beside.kind == Kind.PARAGRAPH and len(beside.text) < _LONGEST_CAPTION
                if is_short and markers.caption(beside.text):
                    beside.kind = Kind.CAPTION


def _runs(drafts: Sequence[Draft]) -> Iterator[list[Draft]]:
    """Yield the blocks between headings, long runs in pieces."""
    run: list[Draft] = []
    for item in drafts:
        if run and (item.kind == Kind.HEADING or (len(run) >= _RUN and item.kind == Kind.PARAGRAPH)):
            yield run
            run = []
        run.append(item)
    yield run


def _link_notes(drafts: Sequence[Draft]) -> None:
    """Link each note to the last block before it, else the first after it, that has its mark in its words.

    A note whose mark is not in the words stands behind the block that refers to it, or behind other notes of that.
    """
    bearers: dict[str, list[int]] = {}
    for at, item in enumerate(drafts):
        if item.kind != Kind.FOOTNOTE and (not item.text.isascii() or "[" in item.text):
            for bracketed, mark in _MARK.findall(item.text):
                bearers.setdefault(bracketed or plain_mark(mark), []).append(at)
    before: Draft | None = None
    for at, item in enumerate(drafts):
        if item.kind != Kind.FOOTNOTE:
            before = item
            continue
        mark = _OF_NOTE.match(item.text)
        found = bearers.get(mark[1] or mark[2]) if mark else None
        target = drafts[found[max(bisect(found, at) - 1, 0)]] if found else before
        if target is not None and (found or target.kind not in (Kind.HEADING, Kind.TITLE)):
            item.targets.append((target, LinkKind.FOOTNOTE_OF))


_ENOUGH = 2400
"""Characters of a part after which the next heading begins another."""
_FULL = 4000
"""Characters of a part after which the next block of any kind begins another."""


def flowing(content: FlowContent, *, name: str, digest: str) -> Document:
    """Return the document of flowing text, as `flowing_with_files` does."""
    return flowing_with_files(content, name=name, digest=digest)[0]


def flowing_with_files(content: FlowContent, *, name: str, digest: str) -> tuple[Document, list[int]]:
    """Return the document of flowing text, and the rows of the headings of files in it, each alone on its part.

    A file that names its title in its only heading of the highest level has a title block. What reads as one has parts
    of about a printed page: they have numbers as pages do and the label "part 3", but no size, and boxes only where the
    file tells them. Slides, sheets and what else a file parts itself by are the parts, longer ones cut into several of
    the same label.
    """
    notes = notes_of(content.blocks)
    parted = (part for block in content.blocks for part in _as_tables(shown(block, notes)))
    blocks = _titled([piece for part in parted for piece in pieces(part)])
    pages, labels = _parts(blocks)
    drafts = linked(blocks, pages)
    count = len(labels)
    table = PageTable(
        label=TextColumn.of(labels),
        width=np.zeros(count, np.float32),
        height=np.zeros(count, np.float32),
        is_scanned=np.zeros(count, np.bool_),
    )
    title = without(content.title) or next((block.text for block in blocks if block.kind == Kind.TITLE), "")
    metadata = Metadata(title, content.author, content.created, has_outline=True, warnings=content.warnings)
    document = Document(f"sha256:{digest}", name, table, _table(blocks, drafts, pages), links_of(drafts), metadata)
    return document, [at for at, block in enumerate(blocks) if _carries(block)]


def _carries(block: FlowBlock) -> bool:
    return block.kind == Kind.HEADING and block.file is not None


def _as_tables(block: FlowBlock) -> Sequence[FlowBlock]:
    """Return a block as it is; a table with signs joined to their numbers, its heads over the columns they belong to.

    One whose heads come again further down is parted there.
    """
    grid = block.grid
    if block.kind != Kind.TABLE or grid is None or not grid.cells or block.text != grid.text():
        return (block,)
    read = grid
    if not grid.header_rows and not grid.carried and grid.origin is None:
        read = dataclasses.replace(grid, header_rows=column_heads.guessed_header_rows(grid))
    read = sign_columns.joined(read)
    parts = [column_heads.headed(part) for part in column_heads.parts(read)]
    if len(parts) == 1 and parts[0] == grid:
        return (block,)
    texts = [part.text() for part in parts]
    return [
        dataclasses.replace(
            block, text=text, grid=part, part="" if at else block.part, goes_on=block.goes_on and not at
        )
        for at, (part, text) in enumerate(zip(parts, texts, strict=True))
        if text.strip()
    ]


def _titled(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Return the blocks with heading levels that begin at 1 and skip none, the one top heading as the title."""
    levels = [block.level for block in blocks if block.kind == Kind.HEADING and not _carries(block)]
    top = min(levels, default=1)
    first = next((at for at, block in enumerate(blocks) if block.kind == Kind.HEADING and not _carries(block)), None)
    count = sum(block.kind == Kind.HEADING for block in blocks)
    is_title = first is not None and levels.count(top) == 1 and blocks[first].level == top and count > 1
    found: list[FlowBlock] = []
    open_levels: list[int] = []
    for at, block in enumerate(blocks):
        if block.kind != Kind.HEADING:
            found.append(block)
        elif is_title and at == first:
            found.append(FlowBlock(Kind.TITLE, block.text, part=block.part, box=block.box))
        else:
            while open_levels and open_levels[-1] >= block.level:
                open_levels.pop()
            open_levels.append(block.level)
            found.append(dataclasses.replace(block, level=len(open_levels), grid=None, bold=False))
    return found


def _parts(blocks: Sequence[FlowBlock]) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Return (n,) the number of the part that each block stands in, from 1, and the label of each part."""
    numbers = np.ones(len(blocks), np.int32)
    labels, name, size = list[str](), "", 0
    for at, block in enumerate(blocks):
        if _carries(block) or (at and _carries(blocks[at - 1])):
            name, size = block.part, _FULL
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
    styles = [_styled(block) for block in blocks]
    return BlockTable(
        kind=kind,
        text=TextColumn.of(block.text for block in blocks),
        page=pages,
        box=np.array([block.box or _NOWHERE for block in blocks], np.float32).reshape(-1, 4),
        level=level,
        parent=parent,
        end=end,
        size=np.zeros(len(blocks), np.float32),
        bold=np.array([block.bold for block in blocks], np.bool_),
        italic=np.array([is_italic for _, is_italic in styles], np.bool_),
        color=np.zeros(len(blocks), np.uint32),
        confidence=np.array([block.confidence for block in blocks], np.float32),
        grid=TextColumn.of(block.grid.to_json() if block.grid else "" for block in blocks),
        figure=np.array([item.figure for item in drafts], np.uint8),
        styled=TextColumn.of(styled for styled, _ in styles),
    )


def _styled(block: FlowBlock) -> tuple[str, bool]:
    """Return the styled words of a block as they are kept, and whether it is italic as a whole."""
    if not block.styled:
        return "", False
    return beside(block.styled, block.text, bold=block.bold or block.kind in (Kind.HEADING, Kind.TITLE))
