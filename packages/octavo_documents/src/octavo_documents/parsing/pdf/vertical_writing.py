"""Columns of Chinese, Japanese or Korean characters that are read downwards, and from the right column to the left one.

No file says that a page is so in words that PDFium gives. Characters that follow each other one under the other say it.
They get the boxes and the angle that words have which are written downwards, and so pages of them are laid out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

DOWNWARDS = 270
_FEWEST = 8
"""Steps downwards that tell a page."""
_NEAREST, _FARTHEST = 0.5, 1.6
"""Ems from a character to the next."""
_ASIDE = 0.35
"""Ems that characters of one column, or line, stand aside of each other at most."""
_ABOVE = 0.88
"""Ems of the square of a character over its foot."""
_LONGEST = 4
"""Upright letters and digits that stand beside each other in one place of a column."""


def may_be_vertical(codes: Integers) -> bool:
    """Whether there are enough characters that may stand in columns."""
    return int(_is_square(codes).sum()) > _FEWEST


def _is_square(codes: Integers) -> Mask:
    """Return which characters fill a square: those of the scripts, and their signs."""
    ranges = ((0x2E80, 0xA4CF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFE10, 0xFE4F), (0xFF00, 0xFFEF))
    return np.logical_or.reduce([(codes >= low) & (codes <= high) for low, high in (*ranges, (0x20000, 0x2FFFF))])


def in_columns(codes: Integers, pens: Numbers, sizes: Numbers, is_upright: Mask) -> Mask:
    """Return which characters stand in columns; `pens` are the (n, 2) places where they begin, y up, in file order."""
    is_square = _is_square(codes) & is_upright
    step = np.diff(pens, axis=0) / np.maximum(sizes[1:], 0.1)[:, None]
    are_alike = is_square[1:] & is_square[:-1] & (np.abs(sizes[1:] - sizes[:-1]) < 0.1 * sizes[1:])
    down, right = -step[:, 1], step[:, 0]
    is_down = are_alike & (np.abs(right) < _ASIDE) & (down > _NEAREST) & (down < _FARTHEST)
    is_right = are_alike & (np.abs(down) < _ASIDE) & (right > _NEAREST) & (right < _FARTHEST)
    if is_down.sum() < max(_FEWEST, is_right.sum()):
        return np.zeros(len(codes), np.bool_)
    found = np.zeros(len(codes), np.bool_)
    found[1:] |= is_down
    found[:-1] |= is_down
    beside = np.zeros(len(codes), np.bool_)
    beside[1:] |= is_right
    beside[:-1] |= is_right
    return _with_others(found, pens, sizes, is_upright & ~beside)


def _with_others(found: Mask, pens: Numbers, sizes: Numbers, is_upright: Mask) -> Mask:
    """Add upright characters in a column, between those that are known to stand in it or at its ends."""
    whole = found.copy()
    known = np.flatnonzero(found)
    for at in np.flatnonzero(is_upright & ~found).tolist():
        nearest = np.searchsorted(known, at)
        for row in known[max(nearest - 1, 0) : nearest + 1].tolist():
            aside, down = ((pens[at] - pens[row]) / sizes[row]).tolist()
            is_near = abs(row - at) <= _LONGEST and 0.2 < abs(down) < 2 * _FARTHEST
            whole[at] |= is_near and -_ASIDE < aside < 1.0
    return whole


def column_boxes(pens: Numbers, sizes: Numbers) -> Numbers:
    """Return (n, 4) boxes of characters in columns as they are read: squares one after the other down the page.

    What stands in one place, such as two digits, has a share of it each. Signs that are set to one side of their square
    are put where the others stand.
    """
    size, (x, y) = sizes, pens.T
    boxes = np.stack((-(y + _ABOVE * size), -(x + size), -(y + (_ABOVE - 1) * size), -x), axis=1)
    is_beside = (np.abs(np.diff(y)) < 0.1 * size[1:]) & (np.diff(x) > 0) & (np.diff(x) < size[1:])
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_beside.astype(np.int8), [0])))).reshape(-1, 2)
    for start, stop in edges.tolist():
        places: Numbers = np.linspace(float(boxes[start, 0]), float(boxes[start, 2]), stop - start + 2)
        boxes[start : stop + 1, 0], boxes[start : stop + 1, 2] = places[:-1], places[1:]
        boxes[start : stop + 1, (1, 3)] = boxes[start, (1, 3)]
    for at in range(1, len(boxes)):
        _follow(boxes[at - 1], boxes[at], float(size[at]))
    return boxes


def _follow(before: Numbers, own: Numbers, em: float) -> None:
    """Set a box close after the one before where both are of one column: signs are set to the sides of their square."""
    if abs(own[1] - before[1]) > em or not -em < own[0] - before[0] < _FARTHEST * em + em:
        return
    own[(1, 3),] = before[(1, 3),]
    if own[0] > before[0] + em / 4:
        if abs(own[0] - before[2]) < em:
            before[2] = own[0] = (own[0] + before[2]) / 2
    else:
        own[0], own[2] = before[2], before[2] + em / 2
