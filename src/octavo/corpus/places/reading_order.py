"""Words of a page in the order they are read in: that of the blocks they stand in, row by row of print in a block."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from octavo.document import Document
from octavo.document.page_words import PageWords

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
    """Tell lines that are written from left to right; those of a block that are not keep the order of the file."""
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
