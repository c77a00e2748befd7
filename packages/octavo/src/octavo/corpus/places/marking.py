"""Which words of a page a text of one of its blocks is, and the boxes that mark them.

Texts and words are compared by their letters and digits alone, so that white space, hyphens at the ends of lines,
ligatures and the bars between cells make no difference. What does not stand together is looked for cell by cell and
line by line, and then as the words that both have in the same order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise, takewhile
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from octavo.corpus.places.cited_cells import cited_places
from octavo.errors import CorpusError, SourceError
from octavo.evidence import Citation, View
from octavo.evidence.citation_ids import CitationId
from octavo.evidence.places import Cited, CitedPlace, Mark
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.document.page_words import Box, PageWords, Spot
from octavo_documents.text.quotes import letters

if TYPE_CHECKING:
    from PIL.Image import Image

    from octavo.models.ports import Raster

_MARGIN = 2.0
"""Points that the middle of a word may lie outside of its block."""
_FEW = 4
"""Letters of a text so short that inside of a word it is another."""
_MOST_CELLS = 0.6
"""Share of a text's letters that are found cell by cell, from which on these are what it is."""
_MOST_WORDS = 0.7
"""Share of a text's letters in words that the page has in the same order, from which on these are what it is."""
_LONGEST = 2000
"""Words of a text, or of a block, that are compared in order, at most: the time grows with their product."""
_PIECES = re.compile(r"\n|\s\|\s|\|")


def marked(words: PageWords, document: Document, row: int, texts: Iterable[str]) -> tuple[Mark, ...]:
    """Return where texts of the block of a row stand among the words of its page."""
    x0, y0, x1, y1 = document.blocks.box[row].tolist()
    inside, whole = MarkedWords(words, (x0, y0, x1, y1)), letters(document.blocks.text[row])
    page, said = int(document.blocks.page[row]), document.blocks.text[row]
    return tuple(
        Mark(
            text,
            page,
            in_chart(document, row, max(said.find(text), 0), text)
            or inside.find(text, max(whole.find(letters(text)), 0) / max(len(whole), 1)),
        )
        for text in texts
    )


def in_chart(document: Document, row: int, start: int, text: str) -> tuple[Box, ...]:
    """Return the boxes of the labels that a text of a chart was read from; none for words that are in no row of it.

    `start` is where the text begins in the block's, in characters.
    """
    blocks = document.blocks
    if blocks.kind_of(row) == Kind.TABLE or not blocks.grid[row]:
        return ()
    grid = Grid.from_json(blocks.grid[row])
    offset = len(blocks.text[row]) - len(grid.text())
    first = blocks.text[row][offset:start].count("\n")
    found: list[Box] = []
    for at, line in enumerate(text.split("\n") if start >= offset else ()):
        pieces = {letters(piece) for piece in _PIECES.split(line)}
        found += [
            cell.box for cell in grid.cells if cell.row == first + at and cell.box and letters(cell.text) in pieces
        ]
    return tuple(found)


class MarkedWords:
    """The words of a page that stand in a box, to be looked for texts. Immutable."""

    def __init__(self, words: PageWords, box: Box) -> None:
        """Take the words of a page in reading order, and the box of a block."""
        middle = (words.boxes[:, :2] + words.boxes[:, 2:]) / 2
        low, high = np.array(box[:2]) - _MARGIN, np.array(box[2:]) + _MARGIN
        self.words = words.take(np.flatnonzero(((middle >= low) & (middle <= high)).all(axis=1)))
        self._letters = [letters(text) for text in self.words.texts]
        self._whole = "".join(self._letters)
        self._starts = [0, *accumulate(map(len, self._letters))]

    def find(self, text: str, share: float = 0.0) -> tuple[Box, ...]:
        """Return the boxes of a text, one for each line of print; none where it is not found.

        `share` (0..1) says how far into the block it stands, roughly: of several places the nearest is taken.
        """
        wanted = letters(text)
        near = int(share * len(self._whole))
        found = self._with_signs(self._together(wanted, near), text) if wanted else self._sign(text.strip())
        return self._boxes(found or self._by_cells(text, near) or self._by_words(text, len(wanted)))

    def _together(self, wanted: str, near: int) -> list[int]:
        """Return the words that have some letters together, whole words before parts of words."""
        best: tuple[bool, int, int] | None = None
        at = self._whole.find(wanted)
        while at >= 0:
            is_part = not (self._is_edge(at) and self._is_edge(at + len(wanted)))
            if not (is_part and len(wanted) < _FEW):
                rank = (is_part, abs(at - near), at)
                best = rank if best is None else min(best, rank)
            at = self._whole.find(wanted, at + 1)
        if best is None:
            return []
        return [*range(self._word_at(best[2]), self._word_at(best[2] + len(wanted) - 1) + 1)]

    def _with_signs(self, found: list[int], text: str) -> list[int]:
        """Return words with the signs without letters that stand before and after them in the text too."""
        if not found:
            return found
        first, stop, parts = found[0], found[-1] + 1, text.split()
        before = [*takewhile(lambda part: not letters(part), parts)]
        after = [*takewhile(lambda part: not letters(part), reversed(parts))]
        while before and first and self.words.texts[first - 1] == before.pop():
            first -= 1
        while after and stop < len(self.words) and self.words.texts[stop] == after.pop():
            stop += 1
        return [*range(first, found[0]), *found, *range(found[-1] + 1, stop)]

    def _is_edge(self, at: int) -> bool:
        return self._starts[bisect_right(self._starts, at) - 1] == at

    def _word_at(self, at: int) -> int:
        """Return the word that a letter of the whole is in; words without letters are passed over."""
        return bisect_right(self._starts, at) - 1

    def _sign(self, text: str) -> list[int]:
        """Return the first word that is a sign without letters."""
        return [at for at, word in enumerate(self.words.texts) if text and word == text][:1]

    def _by_cells(self, text: str, near: int) -> list[int]:
        """Return the words of the cells and lines of a text, each looked for after the one before."""
        found: list[int] = []
        count = total = 0
        for piece in _PIECES.split(text):
            wanted = letters(piece)
            total += len(wanted)
            held = self._together(wanted, near) if wanted else []
            if held:
                count += len(wanted)
                near = self._starts[held[-1] + 1]
                found += held
        return found if total and count >= _MOST_CELLS * total else []

    def _by_words(self, text: str, count: int) -> list[int]:
        """Return the words that a text and the page have in the same order, if they are most of the text."""
        wanted = [letters(word) for word in text.split()]
        if len(wanted) > _LONGEST or len(self._letters) > _LONGEST:
            return []
        matched = SequenceMatcher(None, wanted, self._letters, autojunk=False).get_matching_blocks()
        found = [one.b + step for one in matched for step in range(one.size)]
        held = sum(len(self._letters[at]) for at in found)
        return found if count and held >= _MOST_WORDS * count else []

    def _boxes(self, found: Iterable[int]) -> tuple[Box, ...]:
        return tuple(self._box(run) for run in self._runs(sorted({*found})))

    def _runs(self, found: list[int]) -> Iterator[list[int]]:
        """Yield words that follow each other on one line of print."""
        run = found[:1]
        for before, after in pairwise(found):
            if after != before + 1 or self.words.lines[after] != self.words.lines[before]:
                yield run
                run = []
            run.append(after)
        if run:
            yield run

    def _box(self, run: list[int]) -> Box:
        boxes = self.words.boxes[run]
        x0, y0 = boxes[:, :2].min(axis=0).tolist()
        x1, y1 = boxes[:, 2:].max(axis=0).tolist()
        return round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)


# From the id of a citation back to the words and the place they stand at


def document_of(citation_id: CitationId) -> str:
    """Return what names the document of a citation."""
    return f"sha256:{citation_id.digits}"


def cited(citation_id: CitationId, view: View, words: Callable[[int], PageWords]) -> Cited:
    """Return what a citation of the one document of a view means now: see `Corpus.cited`.

    `words` gives the words of a page in reading order.
    """
    document = view.documents[0]
    found = citation_id.found_in(document)
    if found is None:
        raise CorpusError(
            "unknown",
            f"The words of this citation are not in {document.name} (any longer): it was read anew since",
        )
    row, start, stop = found
    citation = Citation.between(view, row, start, stop)
    is_drawn = document.is_drawn(citation.page)
    boxes = _boxes(citation, start, document, row, words) if citation.quote and is_drawn else ()
    if not boxes and is_drawn and citation.box[2] > citation.box[0]:
        boxes = (citation.box,)
    spots = tuple(Spot(citation.page, box) for box in boxes)
    places = cited_places(document, row, start, stop) or [CitedPlace(spot.page, spot.box) for spot in spots]
    places = places or [CitedPlace(citation.page, citation.box)]
    state = "same" if citation.id == str(citation_id) else "moved"
    return Cited(citation, start, stop, spots, tuple(places), state)


def _boxes(
    citation: Citation, start: int, document: Document, row: int, words: Callable[[int], PageWords]
) -> tuple[Box, ...]:
    """Return the boxes of the words that begin at a character of a block; none where they are not found on the page."""
    if at_labels := in_chart(document, row, start, citation.quote):
        return at_labels
    x0, y0, x1, y1 = document.blocks.box[row].tolist()
    text = document.blocks.text[row]
    try:
        inside = MarkedWords(words(citation.page), (x0, y0, x1, y1))
    except SourceError:
        return ()
    return inside.find(citation.quote, len(letters(text[:start])) / max(len(letters(text)), 1))


# Words of a page in the order they are read in: that of the blocks they stand in, row by row of print in a block


Boxes = npt.NDArray[np.float32]
_SAME_ROW = 0.5
"""Share of the lower of two lines that they stand side by side on, from which on they are one row of print."""


def in_reading_order(words: PageWords, document: Document, page: int) -> PageWords:
    """Return the words of a page (1-based) in reading order, their lines numbered in it."""
    if not len(words):
        return words
    numbers, line_of = np.unique(words.lines, return_inverse=True)
    hulls = line_boxes(words, line_of, len(numbers))
    block = _blocks_of(hulls, document.blocks.box[document.on_page(page)])
    is_level = _is_level(words, line_of, hulls)
    ranks = np.zeros(len(numbers), np.int64)
    ordered: list[int] = []
    for held in np.unique(block).tolist():
        lines = np.flatnonzero(block == held)
        ordered += by_rows(hulls, lines) if is_level[lines].all() else lines.tolist()
    ranks[ordered] = np.arange(len(ordered))
    order = np.argsort(ranks[line_of], kind="stable")
    found = words.take(order)
    return PageWords(found.texts, found.boxes, ranks[line_of][order].astype(np.int32), words.rotation, words.source)


def _is_level(words: PageWords, line_of: npt.NDArray[np.integer], hulls: Boxes) -> npt.NDArray[np.bool_]:
    """Return (n_lines,) which are written from left to right; those of a block that are not keep the file's order."""
    middle = (words.boxes[:, :2] + words.boxes[:, 2:]) / 2
    last = np.zeros((len(hulls), 2), np.float32)
    last[line_of] = middle
    first = np.zeros_like(last)
    first[line_of[::-1]] = middle[::-1]
    across, down = (last - first).T
    letters = np.bincount(line_of, [len(text) for text in words.texts], len(hulls))
    width, height = (hulls[:, 2:] - hulls[:, :2]).T
    is_one_word = (across == 0) & (down == 0)
    return (across > np.abs(down)) | (is_one_word & ((height < 2 * width) | (letters < 3)))


def line_boxes(words: PageWords, line_of: npt.NDArray[np.integer], count: int) -> Boxes:
    """Return (count, 4) boxes around the words of each line; `line_of` is the row of each word's line."""
    low, high = np.full((count, 2), np.inf, np.float32), np.full((count, 2), -np.inf, np.float32)
    np.minimum.at(low, line_of, words.boxes[:, :2])
    np.maximum.at(high, line_of, words.boxes[:, 2:])
    return np.concatenate([low, high], axis=1)


def _blocks_of(lines: Boxes, blocks: Boxes) -> npt.NDArray[np.int64]:
    """Return the block each line stands in by the middle of the line: the smallest, or else the nearest; 0 for none."""
    if not len(blocks):
        return np.zeros(len(lines), np.int64)
    middle = (lines[:, None, :2] + lines[:, None, 2:]) / 2
    outside = np.maximum(np.maximum(blocks[:, :2] - middle, middle - blocks[:, 2:]), 0).sum(axis=2)
    area = (blocks[:, 2] - blocks[:, 0]) * (blocks[:, 3] - blocks[:, 1])
    return np.lexsort((np.broadcast_to(area, outside.shape), outside), axis=1)[:, 0]


def by_rows(hulls: Boxes, lines: npt.NDArray[np.int64]) -> list[int]:
    """Return lines from top to bottom, those side by side from left to right."""
    rows: list[list[int]] = []
    low = high = 0.0
    for line in lines[np.argsort(hulls[lines, 1], kind="stable")].tolist():
        top, bottom = float(hulls[line, 1]), float(hulls[line, 3])
        if rows and min(high, bottom) - max(low, top) > _SAME_ROW * min(high - low, bottom - top):
            rows[-1].append(line)
        else:
            rows.append([line])
            low, high = top, bottom
    return [line for row in rows for line in sorted(row, key=lambda at: float(hulls[at, 0]))]


_MARK = (255, 221, 51)
"""The colour of marked words, as a highlighter's: what is printed under it stays black."""


def marked_picture(drawn: Raster, boxes: Sequence[Box], width: float) -> Image:
    """Return a page that was drawn as a picture, boxes on it marked; `width` is that of the page in points."""
    from PIL import Image, ImageChops, ImageDraw

    page = Image.fromarray(drawn)
    scale = page.width / width
    marks = Image.new("RGB", page.size, (255, 255, 255))
    pen = ImageDraw.Draw(marks)
    for x0, y0, x1, y1 in boxes:
        pen.rectangle((x0 * scale - 1, y0 * scale - 1, x1 * scale + 1, y1 * scale + 1), fill=_MARK)
    return ImageChops.multiply(page, marks)
