"""Tables without rules told by their numbers: stacks of numbers side by side, with labels left and headers over them.

Owns the finding of such tables before the page is cut into columns, which their cells of several lines would mislead.
Knows nothing about cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from octavo.parsing.content import Box
from octavo.structuring import markers
from octavo.structuring.lines import PageLines
from octavo.structuring.tables.rows import is_number

_SAME_EDGE = 4.0
_FARTHEST = 8.0
_FEWEST = 3
_MOST_NUMBERS = 1500
"""Bounds the time on a hostile page."""
_SHORT = 48
_WORDY = 40
_BESIDE = 30.0
_HEADER_GAP = 1.1
_LABELLED = 0.6
_SAME_HEIGHT = 1.5

Table = tuple[Box, list[int]]


def number_tables(page: PageLines, free: Sequence[int], em: float) -> list[Table]:
    """Return the box in points and the lines of each table of numbers among upright lines, top to bottom."""
    numbers = [line for line in free if is_number(page.texts[line]) and any(map(str.isdigit, page.texts[line]))]
    found: list[Table] = []
    if len(numbers) > _MOST_NUMBERS:
        return found
    taken: set[int] = set()
    for core in _cores(page, _stacks(page, numbers, em)):
        lines = _table(page, [line for line in free if line not in taken], core, em)
        if lines:
            found.append((page.hull(lines), lines))
            taken.update(lines)
    return found


def _stacks(page: PageLines, numbers: Sequence[int], em: float) -> list[list[int]]:
    """Group numbers that end at one x and follow each other closely down the page."""
    stacks: list[list[int]] = []
    for line in sorted(numbers, key=lambda line: (float(page.places[line, 1]), line)):
        right, top = float(page.places[line, 2]), float(page.places[line, 1])
        for stack in stacks:
            last = page.places[stack[-1]]
            if abs(float(last[2]) - right) < _SAME_EDGE and 0 < top - float(last[3]) + em < _FARTHEST * em:
                stack.append(line)
                break
        else:
            stacks.append([line])
    return [stack for stack in stacks if len(stack) >= _FEWEST]


def _cores(page: PageLines, stacks: Sequence[list[int]]) -> list[list[int]]:
    """Join stacks whose numbers stand in the same rows; those of two stacks and more."""
    cores: list[list[list[int]]] = []
    for stack in sorted(stacks, key=lambda stack: float(page.places[stack[0], 1])):
        for core in cores:
            if _share_rows(page, core[0], stack):
                core.append(stack)
                break
        else:
            cores.append([stack])
    return [list(itertools.chain.from_iterable(core)) for core in cores if len(core) > 1]


def _share_rows(page: PageLines, one: Sequence[int], other: Sequence[int]) -> bool:
    heights = [float(page.places[line, 3]) for line in one]
    shared = sum(any(abs(float(page.places[line, 3]) - height) < 2.0 for height in heights) for line in other)
    return shared >= 0.6 * min(len(one), len(other))


def _table(page: PageLines, free: Sequence[int], core: Sequence[int], em: float) -> list[int]:
    """Return the lines of the table around a core of numbers, none when what stands beside it is running text."""
    x0, y0, x1, y1 = page.hull(core)
    top, bottom = y0 - 0.3 * em, y1 + 0.3 * em
    level = [line for line in free if top < _middle(page, line) < bottom]
    labels = [line for line in level if float(page.places[line, 2]) < x0]
    if not labels or _is_prose(page, labels, core):
        return []
    left = min(float(page.places[line, 0]) for line in labels)
    nearest = x0 - max(float(page.places[line, 2]) for line in labels)
    inside = [line for line in level if float(page.places[line, 2]) <= x1 + 2]
    heights = [_middle(page, line) for line in labels]
    rows = {round(float(page.places[line, 3])) for line in core}
    labelled = sum(any(abs(at - row + em / 2) < 1.2 * em for at in heights) for row in rows)
    if labelled < _LABELLED * len(rows) or nearest > _BESIDE * em or _is_beside_text(page, level, x1, em):
        return []
    found = set(inside)
    for _ in range(4):
        above = _header(page, free, (left, min(float(page.places[line, 1]) for line in found), x1), em)
        # A line alone over the labels is the end of a caption, one over the numbers heads them.
        is_header = any(float(page.places[line, 2]) > x0 for line in above)
        if not is_header or not above - found:
            break
        found |= above
    found.update(line for line in free if _ends_label(page, line, (left, bottom, x0), em))
    return sorted(found)


def _ends_label(page: PageLines, line: int, place: tuple[float, float, float], em: float) -> bool:
    """Tell the short line close under (left, bottom, right) of the labels that ends the last of them."""
    x_left, y_top, x_right, y_bottom = page.places[line].tolist()
    left, bottom, right = place
    is_close = _middle(page, line) >= bottom and y_top < bottom + 0.3 * em and y_bottom < bottom + 1.6 * em
    return is_close and abs(x_left - left) < 3 * em and x_right < right and len(page.texts[line]) < _WORDY


def _is_prose(page: PageLines, labels: Sequence[int], core: Sequence[int]) -> bool:
    """Tell running text left of numbers from labels: long lines that do not stand at the height of the numbers."""
    lengths = [len(page.texts[line]) for line in labels]
    if sum(length > _WORDY for length in lengths) <= 0.25 * len(lengths) and max(lengths) <= 2 * _SHORT:
        return False
    heights = np.sort(page.places[list(core), 3])
    feet = page.places[list(labels), 3]
    at = np.searchsorted(heights, feet)
    near = np.minimum(
        np.abs(heights[np.minimum(at, len(heights) - 1)] - feet), np.abs(heights[np.maximum(at - 1, 0)] - feet)
    )
    return float((near < _SAME_HEIGHT).mean()) < _LABELLED


def _is_beside_text(page: PageLines, level: Sequence[int], x1: float, em: float) -> bool:
    """Tell more cells right of the core: then its stacks are not all of the table."""
    return any(x1 + 2 < float(page.places[line, 2]) and float(page.places[line, 0]) < x1 + 3 * em for line in level)


def _header(page: PageLines, free: Sequence[int], place: tuple[float, float, float], em: float) -> set[int]:
    """Return the short lines close above a table of (left, top, right), none when one of them is wide or a caption."""
    left, top, right = place
    found = {
        line
        for line in free
        if -0.3 * em < top - float(page.places[line, 3]) < _HEADER_GAP * em
        and float(page.places[line, 0]) < right
        and float(page.places[line, 2]) > left
    }
    fits = all(
        len(page.texts[line]) < _SHORT
        and left - em < float(page.places[line, 0])
        and float(page.places[line, 2]) < right + em
        and not markers.caption(page.texts[line])
        for line in found
    )
    return found if fits else set()


def _middle(page: PageLines, line: int) -> float:
    return float(page.places[line, 1] + page.places[line, 3]) / 2
