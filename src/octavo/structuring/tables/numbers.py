"""Tables without rules told by their numbers: stacks of numbers side by side, with labels left of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from octavo.parsing.content import Box, Graphic
from octavo.structuring.lines import PageLines
from octavo.structuring.tables.splits import Value, values_in


class _Stack:
    """What stacks of numbers and their labels are told by, in points unless it says ems; chosen by hand."""

    SAME_EDGE = 4.0  # difference between the right ends of a stack's numbers
    FARTHEST = 8.0  # ems between two numbers of a stack
    FEWEST = 3  # numbers of a stack
    FEWEST_BESIDE = 3  # stacks of a table of one row
    MOST_NUMBERS = 1500  # numbers on a page: bounds the time on a hostile one
    SHORT = 48  # characters of a header
    WORDY = 40  # characters of a label
    PROSE = 60  # characters of a line of running text
    BESIDE = 50.0  # ems between labels and numbers
    HEADER_GAP = 2.0  # ems between a header and its numbers
    LABELLED = 0.6  # share of rows with a label
    SAME_HEIGHT = 1.5  # difference between the feet of one row


Table = tuple[Box, list[int]]


@dataclass(frozen=True, slots=True)
class _Prose:
    """A long line with no number beside it, over which no column of numbers goes on: from `x0`, at a height."""

    x0: float
    middle: float


def number_tables(page: PageLines, _: Sequence[Graphic], free: Sequence[int], em: float) -> list[Table]:
    """Return the box in points and the lines of each table of numbers among upright lines, top to bottom."""
    numbers = [value for line in free for value in values_in(page, line)]
    found: list[Table] = []
    if not 1 < len(numbers) <= _Stack.MOST_NUMBERS:
        return found
    taken: set[int] = set()
    for core in _cores(_stacks(numbers, _prose(page, free, numbers, em), em)):
        left = [line for line in free if line not in taken]
        lines = _table(page, left, core, em) if _is_enough(page, left, core, em) else []
        if lines:
            found.append((page.hull(lines), lines))
            taken.update(lines)
    return found


def _prose(page: PageLines, free: Sequence[int], numbers: Sequence[Value], em: float) -> list[_Prose]:
    """Return the long lines that stand over or under numbers, and none beside."""
    found: list[_Prose] = []
    for line in free:
        if len(page.texts[line]) > _Stack.PROSE:
            x0, y0, x1, y1 = page.places[line].tolist()
            over = [value for value in numbers if value.x0 < x1 and x0 < value.x1]
            is_near = any(abs(value.y1 - y1) < _Stack.FARTHEST * em for value in over)
            if is_near and not any(abs(value.y1 - y1) < _Stack.SAME_HEIGHT for value in numbers):
                found.append(_Prose(x0, (y0 + y1) / 2))
    return found


def _stacks(numbers: Sequence[Value], prose: Sequence[_Prose], em: float) -> list[list[Value]]:
    """Group numbers whose figures end at one x and follow each other closely down the page."""
    stacks: list[list[Value]] = []
    for value in sorted(numbers, key=lambda value: (value.y0, value.line, value.x0)):
        for stack in stacks:
            last = stack[-1]
            is_close = 0 < value.y0 - last.y1 + em < _Stack.FARTHEST * em
            if is_close and _is_under(last, value) and not _is_parted(last, value, prose):
                stack.append(value)
                break
        else:
            stacks.append([value])
    return stacks


def _is_under(above: Value, below: Value) -> bool:
    """Tell numbers that end at one x, with what hangs over or without, or share a centre."""
    if min(abs(above.right - below.right), abs(above.x1 - below.x1)) < _Stack.SAME_EDGE:
        return True
    return abs(above.x0 + above.x1 - below.x0 - below.x1) < _Stack.SAME_EDGE


def _is_parted(above: Value, below: Value, prose: Sequence[_Prose]) -> bool:
    return any(line.x0 < below.right and above.y1 < line.middle < below.y0 for line in prose)


def _cores(stacks: Sequence[list[Value]]) -> list[list[list[Value]]]:
    """Join stacks whose numbers stand in the same rows; those of two stacks and more."""
    cores: list[list[list[Value]]] = []
    for stack in sorted(stacks, key=lambda stack: (-len(stack), stack[0].y0)):
        for core in cores:
            if _share_rows(core[0], stack):
                core.append(stack)
                break
        else:
            cores.append([stack])
    return sorted((core for core in cores if len(core) > 1), key=lambda core: core[0][0].y0)


def _share_rows(one: Sequence[Value], other: Sequence[Value]) -> bool:
    heights = [value.y1 for value in one]
    shared = sum(any(abs(value.y1 - height) < 2.0 for height in heights) for value in other)
    return shared >= 0.6 * min(len(one), len(other))


def _is_enough(page: PageLines, free: Sequence[int], core: Sequence[list[Value]], em: float) -> bool:
    """Tell stacks of several rows; of one or two rows, where numbers have headers over them and only numbers below."""
    if sum(len(stack) >= _Stack.FEWEST for stack in core) > 1:
        return True
    top = min(stack[0].y0 for stack in core)
    above = [line for line in free if -0.3 * em < top - float(page.places[line, 3]) < _Stack.HEADER_GAP * em]
    headed = [stack for stack in core if sum(_is_over(page, line, stack[0]) for line in above) == 1]
    bottom = max(stack[-1].y1 for stack in core)
    left = min(stack[0].x0 for stack in core)
    below = [
        line for line in free if -0.3 * em < page.places[line, 1] - bottom < em and page.places[line, 0] > left - em
    ]
    if not all(any(values_in(page, line)) for line in below):
        return False
    fewest = 2 if len(core[0]) > 1 else _Stack.FEWEST_BESIDE
    is_short = all(len(page.texts[line]) < _Stack.SHORT for line in above)
    return is_short and len(headed) == len(core) >= fewest and len(above) in (len(core), len(core) + 1)


def _is_over(page: PageLines, line: int, value: Value) -> bool:
    return float(page.places[line, 0]) < value.x1 and float(page.places[line, 2]) > value.x0


def _table(page: PageLines, free: Sequence[int], stacks: Sequence[list[Value]], em: float) -> list[int]:
    """Return the lines of the table around a core of numbers, none when what stands beside it is running text."""
    values = list(itertools.chain.from_iterable(stacks))
    core = sorted({value.line for value in values})
    x0, y0, x1, y1 = page.hull(core)
    top, bottom = y0 - 0.3 * em, y1 + 0.3 * em
    level = [line for line in free if top < _middle(page, line) < bottom]
    labels = [line for line in level if float(page.places[line, 2]) < x0]
    if not labels or _is_prose(page, labels, core):
        return []
    nearest = x0 - max(float(page.places[line, 2]) for line in labels)
    heights = [_middle(page, line) for line in labels]
    rows = {round(float(page.places[line, 3])) for line in core}
    labelled = sum(any(abs(at - row + em / 2) < 1.2 * em for at in heights) for row in rows)
    if labelled < _Stack.LABELLED * len(rows) or nearest > _Stack.BESIDE * em or _is_beside_text(page, level, x1, em):
        return []
    left = min(float(page.places[line, 0]) for line in labels)
    found = {line for line in level if float(page.places[line, 2]) <= x1 + em}
    found.update(line for line in free if _ends_label(page, line, (left, bottom, x0), em))
    return sorted(found)


def _ends_label(page: PageLines, line: int, place: tuple[float, float, float], em: float) -> bool:
    """Tell the short line close under (left, bottom, right) of the labels that ends the last of them."""
    x_left, y_top, x_right, y_bottom = page.places[line].tolist()
    left, bottom, right = place
    is_close = _middle(page, line) >= bottom and y_top < bottom + 0.3 * em and y_bottom < bottom + 1.6 * em
    return is_close and abs(x_left - left) < 3 * em and x_right < right and len(page.texts[line]) < _Stack.WORDY


def _is_prose(page: PageLines, labels: Sequence[int], core: Sequence[int]) -> bool:
    """Tell running text left of numbers from labels: long lines that do not stand at the height of the numbers."""
    lengths = [len(page.texts[line]) for line in labels]
    if sum(length > _Stack.WORDY for length in lengths) <= 0.25 * len(lengths) and max(lengths) <= 2 * _Stack.SHORT:
        return False
    heights = np.sort(page.places[list(core), 3])
    feet = page.places[list(labels), 3]
    at = np.searchsorted(heights, feet)
    near = np.minimum(
        np.abs(heights[np.minimum(at, len(heights) - 1)] - feet), np.abs(heights[np.maximum(at - 1, 0)] - feet)
    )
    return float((near < _Stack.SAME_HEIGHT).mean()) < _Stack.LABELLED


def _is_beside_text(page: PageLines, level: Sequence[int], x1: float, em: float) -> bool:
    """Tell more cells right of the core: then its stacks are not all of the table."""
    return any(x1 + em < float(page.places[line, 2]) and float(page.places[line, 0]) < x1 + 3 * em for line in level)


def _middle(page: PageLines, line: int) -> float:
    return float(page.places[line, 1] + page.places[line, 3]) / 2
