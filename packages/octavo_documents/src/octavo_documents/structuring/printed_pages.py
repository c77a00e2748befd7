"""Flowing text on the pages that another program printed of its file.

The blocks stay what the file says of itself. Their words are looked for among those of the printed pages, near where
the block before ended; what is not found so stays without a box, on the page of what stands around it.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

import numpy as np

from octavo_documents.document import (
    Document,
    Kind,
    PageTable,
    TextColumn,
    is_no_page,
)
from octavo_documents.parsing.content import Box, PageContent
from octavo_documents.structuring.lines import box_around
from octavo_documents.text.quotes import letters

PRINTED_BY = "as LibreOffice prints it"


class _Found:
    """When words on a page are those of a block, chosen by hand; lengths are in words."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
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
    is_table = document.blocks.kind_of(row) == Kind.TABLE
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
