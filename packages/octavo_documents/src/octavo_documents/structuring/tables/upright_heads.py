"""Heads of columns that are written upwards or downwards, set level over the cells under them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo_documents.parsing.content import Box, PageContent, TextLine


class _Head:
    """What tells heads of columns from labels of axes, chosen by hand; by their type size unless it says otherwise."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    FEWEST, MOST = 2, 100  # upright lines of a page
    SAME_HEAD = 0.5  # gap between two lines of one head
    OVERLAP = 0.5  # share of the shorter of two heads that is level with the other
    REACH = 1.0  # how far a cell may stand beside its head
    GAP = 5.0  # between heads and the first row under them
    CELL = 24  # characters of a cell
    STUB = 60  # characters of the head of the first column
    ROWS = 2  # cells under a head
    HEADED = 0.7  # share of heads that have them
    NEAR = 1.2  # gap under heads as they are set, at most
    LINE = 1.1  # height of a line


def with_level_heads(page: PageContent) -> PageContent:
    """Return a page whose upright heads of columns are level, one line each, at the foot of where they stand."""
    if not any(line.angle in (90, 270) for line in page.lines):
        return page
    level = [line for line in page.lines if not line.angle]
    placed: dict[int, TextLine] = {}
    dropped: set[int] = set()
    for angle in (90, 270):
        rows = [row for row, line in enumerate(page.lines) if line.angle == angle]
        for group in _groups(page.lines, rows) if _Head.FEWEST <= len(rows) <= _Head.MOST else ():
            heads = _heads(page.lines, group)
            first = _first_row(page.lines, heads, level)
            if first is not None:
                foot, beside = _foot(page.lines, group, first)
                if beside is not None:
                    placed[beside] = _level(page.lines, [beside], foot)
                for head in heads:
                    placed[head[0]] = _level(page.lines, head, foot)
                    dropped.update(head[1:])
    if not placed:
        return page
    lines = (placed.get(row, line) for row, line in enumerate(page.lines) if row not in dropped)
    return dataclasses.replace(page, lines=tuple(lines))


def _groups(lines: Sequence[TextLine], rows: Sequence[int]) -> list[list[int]]:
    """Return upright lines in groups that stand beside each other, each from left to right."""
    groups: list[list[int]] = []
    for row in sorted(rows, key=lambda at: lines[at].box[0]):
        near = next((group for group in groups if _is_beside(lines[group[-1]].box, lines[row].box)), None)
        if near is None:
            groups.append([row])
        else:
            near.append(row)
    return groups


def _is_beside(one: Box, other: Box) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared >= _Head.OVERLAP * min(one[3] - one[1], other[3] - other[1])


def _heads(lines: Sequence[TextLine], group: Sequence[int]) -> list[list[int]]:
    """Return the lines of each head in the order they are read in: those written downwards from the right."""
    heads: list[list[int]] = []
    for row in group:
        box = lines[row].box
        if heads and box[0] - lines[heads[-1][-1]].box[2] < _Head.SAME_HEAD * (box[2] - box[0]):
            heads[-1].append(row)
        else:
            heads.append([row])
    return [head[::-1] for head in heads] if lines[group[0]].angle == 270 else heads


def _first_row(lines: Sequence[TextLine], heads: Sequence[Sequence[int]], level: Sequence[TextLine]) -> float | None:
    """Return where the cells of the columns begin that heads stand over, None where they stand over none."""
    if len(heads) < _Head.FEWEST:
        return None
    bottom = max(lines[row].box[3] for head in heads for row in head)
    size = lines[heads[0][0]].box[2] - lines[heads[0][0]].box[0]
    cells = [line.box for line in level if len(line.text) <= _Head.CELL and line.box[1] > bottom - size / 2]
    firsts: list[float] = []
    for head in heads:
        left = min(lines[row].box[0] for row in head) - _Head.REACH * size
        right = max(lines[row].box[2] for row in head) + _Head.REACH * size
        under = sorted(box[1] for box in cells if left < (box[0] + box[2]) / 2 < right)
        if len(under) >= _Head.ROWS and under[0] - bottom < _Head.GAP * size:
            firsts.append(under[0])
    return min(firsts) if len(firsts) >= _Head.HEADED * len(heads) else None


def _foot(lines: Sequence[TextLine], group: Sequence[int], first: float) -> tuple[tuple[float, float], int | None]:
    """Return the heights at which heads are set, over the `first` row, and the line that heads its first column."""
    top = min(lines[row].box[1] for row in group)
    left, _, right, _ = lines[group[0]].box
    size = right - left
    near = [
        row
        for row, line in enumerate(lines)
        if not line.angle and top - size <= (line.box[1] + line.box[3]) / 2 < first
    ]
    cells = [lines[row].box for row in near if lines[row].box[0] >= left]
    beside = [
        row
        for row in near
        if len(lines[row].text) <= _Head.STUB
        and lines[row].box[2] <= left
        and not any(_is_beside(lines[row].box, cell) for cell in cells)
    ]
    bottom = max(first - _Head.NEAR * size, *(lines[row].box[3] for row in group))
    return (bottom - _Head.LINE * size, bottom), beside[0] if len(beside) == 1 else None


def _level(lines: Sequence[TextLine], head: Sequence[int], foot: tuple[float, float]) -> TextLine:
    """Return the lines of a head as one that is level."""
    first = lines[head[0]]
    text = " ".join(lines[row].text for row in head)
    left, right = min(lines[row].box[0] for row in head), max(lines[row].box[2] for row in head)
    box = (left, round(foot[0], 2), right, round(foot[1], 2))
    longest = max(first.spans, key=lambda span: span.stop - span.start)
    return dataclasses.replace(
        first, text=text, box=box, angle=0, spans=(dataclasses.replace(longest, start=0, stop=len(text), box=box),)
    )
