"""The lines of a page as columns, in the frame they are read in.

Owns the turn from a parser's lines into arrays, and the document's body type size. Knows nothing about blocks.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from octavo.parsing.content import Box, PageContent, TextLine

Boxes: TypeAlias = npt.NDArray[np.float64]
"""(n, 4) x0, y0, x1, y1 in points."""
Numbers: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class _Line:
    """How spans are read, chosen by hand."""

    MOSTLY = 0.85  # share of a line's characters that set its weight and slant
    WIDE_SPACE = 0.35  # ems of a space that may part two cells


@dataclass(frozen=True, slots=True)
class Look:
    """How a line or block is set, by most of its characters. `size` is in points, `color` is 0xRRGGBB."""

    size: float
    bold: bool
    italic: bool
    color: int
    monospace: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """A space in a line wide enough to part two cells: before the character at `offset`, from `x0` to `x1` points."""

    offset: int
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page, in the parser's order; lists and arrays are parallel.

    `boxes` are as displayed, `places` the same turned upright by each line's angle: layout works on `places`.
    """

    index: int
    """0-based page."""
    width: float
    height: float
    texts: list[str]
    boxes: Boxes
    places: Boxes
    looks: list[Look]
    angles: list[int]
    confidences: list[float]
    gaps: dict[int, tuple[Gap, ...]] = field(default_factory=dict[int, tuple[Gap, ...]])
    """Of the upright lines that have wide spaces."""

    def __len__(self) -> int:
        return len(self.texts)

    def hull(self, rows: Sequence[int]) -> Box:
        """Return the box around some lines, as displayed and inside the page."""
        return inside(hull(self.boxes[list(rows)]), self.width, self.height)


def page_lines(page: PageContent) -> PageLines:
    """Return a page's lines as columns."""
    lines = page.lines
    boxes = np.array([line.box for line in lines], np.float64).reshape(len(lines), 4)
    angles = [line.angle % 360 for line in lines]
    return PageLines(
        index=page.number - 1,
        width=page.width,
        height=page.height,
        texts=[line.text.strip() for line in lines],
        boxes=boxes,
        places=_upright(boxes, angles, page.width, page.height) if any(angles) else boxes,
        looks=[_look(line) for line in lines],
        angles=angles,
        confidences=[line.confidence for line in lines],
        gaps={
            row: gaps
            for row, line in enumerate(lines)
            if len(line.spans) > 1 and not angles[row] and (gaps := _gaps(line))
        },
    )


def _gaps(line: TextLine) -> tuple[Gap, ...]:
    return tuple(
        Gap(after.start, before.box[2], after.box[0])
        for before, after in itertools.pairwise(line.spans)
        if after.box[0] - before.box[2] > _Line.WIDE_SPACE * max(before.size, after.size)
    )


def _upright(boxes: Boxes, angles: Sequence[int], width: float, height: float) -> Boxes:
    places = boxes.copy()
    for row, angle in enumerate(angles):
        x0, y0, x1, y1 = boxes[row].tolist()
        if angle == 90:
            places[row] = (height - y1, x0, height - y0, x1)
        elif angle == 180:
            places[row] = (width - x1, height - y1, width - x0, height - y0)
        elif angle == 270:
            places[row] = (y0, width - x1, y1, width - x0)
    return places


def _look(line: TextLine) -> Look:
    spans = line.spans
    if not spans:
        return Look(round(line.box[3] - line.box[1], 1), bold=False, italic=False, color=0)
    if len(spans) == 1:
        span = spans[0]
        return Look(span.size, span.bold, span.italic, span.color, span.monospace)
    total = sum(span.stop - span.start for span in spans) or 1
    longest = max(spans, key=lambda span: span.stop - span.start)
    # Small capitals are set in two sizes; the larger is the size of the type.
    size = max(span.size for span in spans) if line.text.isupper() else longest.size
    return Look(
        size=size,
        bold=sum(span.stop - span.start for span in spans if span.bold) >= _Line.MOSTLY * total,
        italic=sum(span.stop - span.start for span in spans if span.italic) >= _Line.MOSTLY * total,
        color=longest.color,
        monospace=sum(span.stop - span.start for span in spans if span.monospace) >= _Line.MOSTLY * total,
    )


def common_look(looks: Sequence[Look], lengths: Sequence[int]) -> Look:
    """Return the look of most characters of several lines, ties broken by the first."""
    if len(looks) == 1 or all(look == looks[0] for look in looks):
        return looks[0]
    weights: Counter[Look] = Counter()
    for look, length in zip(looks, lengths, strict=True):
        weights[look] += max(length, 1)
    return max(weights, key=lambda look: weights[look])


def hull(boxes: Boxes) -> Box:
    """Return the box around (n, 4) boxes, n at least 1."""
    if len(boxes) == 1:
        x0, y0, x1, y1 = boxes[0].tolist()
        return x0, y0, x1, y1
    x0, y0 = boxes[:, :2].min(axis=0).tolist()
    x1, y1 = boxes[:, 2:].max(axis=0).tolist()
    return x0, y0, x1, y1


def inside(box: Box, width: float, height: float) -> Box:
    """Return a box clipped to its page."""
    x0, y0, x1, y1 = box
    if x0 >= 0.0 and y0 >= 0.0 and x1 <= width and y1 <= height and x0 <= x1 and y0 <= y1:
        return box
    x0, x1 = (min(max(value, 0.0), width) for value in (x0, x1))
    y0, y1 = (min(max(value, 0.0), height) for value in (y0, y1))
    return x0, y0, x1, y1


def body_size(pages: Iterable[PageLines]) -> float:
    """Return the type size in points of most characters of a document; 10 when there are none."""
    weights: Counter[float] = Counter()
    for page in pages:
        for look, text in zip(page.looks, page.texts, strict=True):
            weights[round(look.size * 2) / 2] += len(text)
    usable = {size: weight for size, weight in weights.items() if math.isfinite(size) and size > 0}
    return max(usable, key=lambda size: (usable[size], -size)) if usable else 10.0
