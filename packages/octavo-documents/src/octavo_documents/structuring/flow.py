"""Flowing text to a document: levels made consistent, the text cut into parts that stand for pages, or on printed ones.

What blocks lead to is found by the steps that link the blocks of pages.

Where another program prints the file, the blocks stay what the file says of itself. Their words are looked for among
those of the printed pages, near where the block before ended; what is not found so stays without a box, on the page of
what stands around it.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect, bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
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
    is_no_page,
    nest,
    part_label,
)
from octavo_documents.parsing.content import Box, PageContent
from octavo_documents.parsing.flow import FlowBlock, FlowContent
from octavo_documents.parsing.marks import notes_of, shown, without
from octavo_documents.structuring import markers
from octavo_documents.structuring.captions_and_footnotes import link_captions
from octavo_documents.structuring.drafts import Draft, links_of
from octavo_documents.structuring.lines import NO_LOOK, box_around
from octavo_documents.structuring.pieces import pieces
from octavo_documents.structuring.references import link_words
from octavo_documents.text import column_heads, sign_columns
from octavo_documents.text.quotes import letters
from octavo_documents.text.raised import SUPERSCRIPTS, plain_mark

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

    `pages` (n,) are the numbers of the parts they stand in, from 1. A figure may have become a chart by its caption.
    """
    drafts = [
        Draft(
            block.kind, page - 1, block.text, (0.0, at * _STEP, 100.0, at * _STEP + _TALL), NO_LOOK, level=block.level
        )
        for at, (block, page) in enumerate(zip(blocks, pages.tolist(), strict=True))
    ]
    _set_captions(drafts)
    kinds = {item.kind for item in drafts}
    if Kind.CAPTION in kinds:
        for run in _runs(drafts):
            link_captions(run)
    if Kind.FOOTNOTE in kinds:
        _link_notes(drafts)
    link_words([[*part] for _, part in groupby(drafts, lambda item: item.page)], (), has_pages=False)
    return drafts


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


FLOW_VERSION = 4
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
    return Document(f"sha256:{digest}", name, table, _table(blocks, drafts, pages), links_of(drafts), metadata)


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
        dataclasses.replace(block, text=text, grid=part, part="" if at else block.part)
        for at, (part, text) in enumerate(zip(parts, texts, strict=True))
        if text.strip()
    ]


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


PRINTED_BY = "as LibreOffice prints it"


class _Found:
    """When words on a page are those of a block, chosen by hand; lengths are in words."""

    MOST = 400  # words of a block that are looked for
    VOTES = 40  # words of a block that tell where it begins
    PLACES = 60  # places of a word that are looked at
    SLACK = 6  # words that may stand between those of a block
    WIDER = 1.4  # length of the stretch that is compared, by the block's
    LEAST = 0.6  # share of a block's words that are found
    LEAST_OF_TABLE = 0.5
    SHORT = 3  # words of a block that have to be found in full
    NEAR = 400  # how far from the block before a short one may stand
    APART = 40  # words between two parts of a block that are not both of it


@dataclasses.dataclass(frozen=True, slots=True)
class _Words:
    """The words of all printed pages in their order."""

    texts: list[str]
    pages: list[int]
    """From 1."""
    boxes: list[Box]
    """Each that of its line."""
    places: Mapping[str, list[int]]

    @classmethod
    def of(cls, pages: Sequence[PageContent]) -> _Words:
        texts, numbers, boxes = list[str](), list[int](), list[Box]()
        places: dict[str, list[int]] = defaultdict(list)
        for page in pages:
            for line in page.lines:
                for word in _plain_words(line.text):
                    places[word].append(len(texts))
                    texts.append(word)
                    numbers.append(page.number)
                    boxes.append(line.box)
        return cls(texts, numbers, boxes, places)

    def range_of(self, page: int) -> tuple[int, int]:
        """Return the first word of a page and that after its last."""
        return bisect_left(self.pages, page), bisect_right(self.pages, page)


@dataclasses.dataclass(frozen=True, slots=True)
class _Spot:
    """Where a block was found: its page from 1, the box around its words there, and the word after its last."""

    page: int
    box: Box
    stop: int


def on_printed_pages(document: Document, pages: Sequence[PageContent]) -> Document | None:
    """Return a document of flowing text with the pages that were printed of it; None where they do not fit it.

    Slides are the pages, as many as were printed. Other pages are those printed, and say so unless their part has a
    name of its own, as sheets have. Blocks that were not found have an empty box.
    """
    words = _Words.of(pages)
    if not words.texts or not len(document.blocks):
        return None
    if document.unit == "slide":
        return _on_slides(document, pages, words)
    spots = _in_order(_found(document, words))
    placed = _placed(document, spots)
    if placed is None:
        return None
    labels = _labels(document, placed, len(pages))
    return _set(document, pages, placed, labels, spots)


def _on_slides(document: Document, pages: Sequence[PageContent], words: _Words) -> Document | None:
    """Return a deck with a printed page for each slide; None where there are more or fewer."""
    numbers = [_number(label) for label in document.pages.label]
    if max(numbers) != len(pages) or min(numbers) < 1:
        return None
    placed = [numbers[int(page) - 1] for page in document.blocks.page]
    spots: list[_Spot | None] = []
    cursor = 0
    for row, page in enumerate(placed):
        first, stop = words.range_of(page)
        cursor = min(max(cursor, first), stop)
        spot = _find(document, row, words, cursor, first, stop)
        spots.append(spot)
        cursor = spot.stop if spot else cursor
    first_labels = {number: document.pages.label[at] for at, number in reversed([*enumerate(numbers)])}
    labels = [first_labels.get(number, f"slide {number}") for number in range(1, len(pages) + 1)]
    return _set(document, pages, placed, labels, spots)


def _number(label: str) -> int:
    found = re.fullmatch(r"slide (\d+)", label)
    return int(found[1]) if found else 0


def _found(document: Document, words: _Words) -> list[_Spot | None]:
    spots: list[_Spot | None] = []
    cursor = 0
    for row in range(len(document.blocks)):
        spot = _find(document, row, words, cursor, 0, len(words.texts))
        spots.append(spot)
        cursor = spot.stop if spot else cursor
    return spots


def _find(document: Document, row: int, words: _Words, cursor: int, first: int, stop: int) -> _Spot | None:
    """Return where a block stands among the words [first, stop), next to the word `cursor` if it can."""
    wanted = _plain_words(document.blocks.text[row])[: _Found.MOST]
    start = _start(wanted, words, cursor, first, stop) if wanted else None
    if start is None:
        return None
    low = max(start - _Found.SLACK, first)
    high = min(start + int(_Found.WIDER * len(wanted)) + 2 * _Found.SLACK, stop)
    matched = SequenceMatcher(None, wanted, words.texts[low:high], autojunk=False).get_matching_blocks()
    found = _together([low + one.b + step for one in matched for step in range(one.size)])
    is_table = document.blocks.kind[row] == Kind.TABLE
    least = 1.0 if len(wanted) <= _Found.SHORT else _Found.LEAST_OF_TABLE if is_table else _Found.LEAST
    is_near = len(wanted) > _Found.SHORT or abs(start - cursor) <= _Found.NEAR
    if len(found) < least * len(wanted) or not is_near:
        return None
    page = words.pages[found[0]]
    return _Spot(page, box_around(*{words.boxes[at] for at in found if words.pages[at] == page}), found[-1] + 1)


def _start(wanted: Sequence[str], words: _Words, cursor: int, first: int, stop: int) -> int | None:
    """Return where a block most likely begins: where rare words of it stand as far from each other as in it."""
    votes: dict[int, float] = defaultdict(float)
    for at, word in enumerate(wanted[: _Found.VOTES]):
        places = words.places.get(word, [])
        near = bisect_left(places, cursor + at)
        close = places[max(near - _Found.PLACES // 2, 0) : near + _Found.PLACES // 2]
        for place in close:
            if first <= place < stop:
                votes[place - at] += 1.0 / len(places) ** 0.5
    if not votes:
        return None
    around = {start: sum(votes.get(start + step, 0.0) for step in range(-2, 3)) for start in votes}
    best = max(around.values())
    return min((start for start, vote in around.items() if vote > 0.8 * best), key=lambda start: abs(start - cursor))


def _together(found: Sequence[int]) -> list[int]:
    """Return the longest run of words without a wide gap."""
    runs: list[list[int]] = []
    for at in found:
        if not runs or at - runs[-1][-1] > _Found.APART:
            runs.append([])
        runs[-1].append(at)
    return max(runs, key=len) if runs else []


def _in_order(spots: Sequence[_Spot | None]) -> list[_Spot | None]:
    """Return the spots of the most blocks whose pages never go back; the others are none."""
    tails: list[int] = []
    rows: list[int] = []
    before: dict[int, int] = {}
    for row, spot in enumerate(spots):
        if spot is None:
            continue
        at = bisect_right(tails, spot.page)
        if at:
            before[row] = rows[at - 1]
        tails[at : at + 1] = [spot.page]
        rows[at : at + 1] = [row]
    kept: set[int] = set()
    last = rows[-1] if rows else None
    while last is not None:
        kept.add(last)
        last = before.get(last)
    return [spot if row in kept else None for row, spot in enumerate(spots)]


def _placed(document: Document, spots: Sequence[_Spot | None]) -> list[int] | None:
    """Return the page of each block, from 1: its own, or that of the block found before it in its part, else after it.

    None where nothing is found of a part with a name of its own: its label would be that of another.
    """
    parts = document.blocks.page.tolist()
    found: dict[int, list[int]] = defaultdict(list)
    for part, spot in zip(parts, spots, strict=True):
        if spot is not None:
            found[part].append(spot.page)
    if any(part not in found and _is_named(document.pages.label[part - 1]) for part in parts):
        return None
    placed: list[int] = []
    for part, spot in zip(parts, spots, strict=True):
        last = placed[-1] if placed else 1
        first = min(found[part], default=last)
        placed.append(spot.page if spot is not None else max(last, first))
    return placed


def _is_named(label: str) -> bool:
    return is_no_page(label) and not label.startswith("part ")


def _labels(document: Document, placed: Sequence[int], count: int) -> list[str]:
    """Return the label of each page: that of the part on it where it has a name, else what prints it."""
    parts = {page: document.pages.label[int(part) - 1] for page, part in zip(placed, document.blocks.page, strict=True)}
    name = ""
    labels: list[str] = []
    for page in range(1, count + 1):
        name = parts.get(page, name)
        labels.append(name if _is_named(name) else f"page {page} {PRINTED_BY}")
    return labels


def _set(
    document: Document,
    pages: Sequence[PageContent],
    placed: Sequence[int],
    labels: Sequence[str],
    spots: Sequence[_Spot | None],
) -> Document:
    boxes = [spot.box if spot is not None else (0.0, 0.0, 0.0, 0.0) for spot in spots]
    table = PageTable(
        label=TextColumn.of(labels),
        width=np.array([page.width for page in pages], np.float32),
        height=np.array([page.height for page in pages], np.float32),
        is_scanned=np.zeros(len(pages), np.bool_),
    )
    blocks = dataclasses.replace(
        document.blocks, page=np.array(placed, np.int32), box=np.array(boxes, np.float32).reshape(len(boxes), 4)
    )
    return dataclasses.replace(document, pages=table, blocks=blocks)


def _plain_words(text: str) -> list[str]:
    return [word for part in text.split() if (word := letters(part))]
