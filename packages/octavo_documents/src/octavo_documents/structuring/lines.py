"""The lines of a page as columns, in the frame they are read in; drop caps joined to the word they begin."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Box, PageContent, TextLine
from octavo_documents.parsing.turning import Turn

Boxes: TypeAlias = npt.NDArray[np.float64]
"""(n, 4) x0, y0, x1, y1 in points."""
Numbers: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class _Line:
    """How spans are read, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    MOSTLY = 0.85  # share of a line's characters that set its weight and slant
    WIDE_SPACE = 0.35  # ems of a space that may part two cells


_INITIAL = re.compile(r"[\"'“‘«]?[^\W\d_]")


class _Initial:
    """The look of a drop cap, chosen by hand, by the type size; heights of capitals are a typographic convention."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    LARGER = 1.7  # least size, by that of the text beside it
    LARGEST = 8.0  # greatest size, by that of the text beside it
    CAP_HEIGHT = 0.7  # height of a capital over its baseline
    BASELINE = 0.22  # height of the baseline over the foot of a line's box
    GAP = 1.2  # widest gap to the text beside it, by the text's size
    OVERHANG = 0.35  # how far a line may stand over its top


_WORD = re.compile(r"[^\W\d_]+")
_STOPS = (".", ":", "—", "–")


@dataclass(frozen=True, slots=True)
class LineLook:
    """How a line or block is set, by most of its characters. `size` is in points, `color` is 0xRRGGBB."""

    size: float
    bold: bool
    italic: bool
    color: int
    monospace: bool = False


NO_LOOK = LineLook(0.0, bold=False, italic=False, color=0)
"""The look of what has no text."""


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
    looks: list[LineLook]
    angles: list[int]
    confidences: list[float]
    gaps: dict[int, tuple[Gap, ...]] = field(default_factory=dict[int, tuple[Gap, ...]])
    """Of the upright lines that have wide spaces."""
    leads: frozenset[int] = frozenset()
    """Lines that open with a bold heading that ends with a stop, and go on in another type."""
    entries: dict[int, float] = field(default_factory=dict[int, float])
    """Of the lines that begin with a label beside their text (`hanging_labels`), the x at which the text hangs."""

    def __len__(self) -> int:
        return len(self.texts)

    def box(self, row: int) -> Box:
        """Return the box of a line, as displayed."""
        x0, y0, x1, y1 = self.boxes[row].tolist()
        return x0, y0, x1, y1

    def hull(self, rows: Sequence[int]) -> Box:
        """Return the box around some lines, as displayed and inside the page."""
        return inside(hull(self.boxes[list(rows)]), self.width, self.height)


def page_lines(page: PageContent) -> PageLines:
    """Return a page's lines as columns."""
    lines = page.lines
    boxes = np.array([line.box for line in lines], np.float64).reshape(len(lines), 4)
    angles = [line.angle for line in lines]
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
        leads=frozenset(row for row, line in enumerate(lines) if len(line.spans) > 1 and _leads(line)),
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
    for angle in {*angles} - {0}:
        rows = np.flatnonzero(np.array(angles) == angle)
        places[rows] = Turn(angle, width, height).upright(boxes[rows])
    return places


def _look(line: TextLine) -> LineLook:
    spans = line.spans
    if not spans:
        return LineLook(round(line.box[3] - line.box[1], 1), bold=False, italic=False, color=0)
    if len(spans) == 1:
        span = spans[0]
        return LineLook(span.size, span.bold, span.italic, span.color, span.monospace)
    total = sum(span.stop - span.start for span in spans) or 1
    longest = max(spans, key=lambda span: span.stop - span.start)
    # Small capitals are set in two sizes; the larger is the size of the type.
    size = max(span.size for span in spans) if line.text.isupper() else longest.size
    bold = sum(span.stop - span.start for span in spans if span.bold) >= _Line.MOSTLY * total
    italic = sum(span.stop - span.start for span in spans if span.italic) >= _Line.MOSTLY * total
    if (bold and _runs_in(line, [one.bold for one in spans])) or (
        italic and _runs_in(line, [one.italic for one in spans])
    ):
        last = spans[-1]
        return LineLook(last.size, last.bold, last.italic, last.color, last.monospace)
    return LineLook(
        size=size,
        bold=bold,
        italic=italic,
        color=longest.color,
        monospace=sum(span.stop - span.start for span in spans if span.monospace) >= _Line.MOSTLY * total,
    )


def _leads(line: TextLine) -> bool:
    plain = next((span for span in line.spans if not span.bold), None)
    return (
        plain is not None and line.spans[0].bold and _runs_in(line, [span.start < plain.start for span in line.spans])
    )


def _runs_in(line: TextLine, is_marked: Sequence[bool]) -> bool:
    """Return whether a line opens with a heading in another type that ends with a stop, and text follows on it."""
    if is_marked[-1] or not is_marked[0]:
        return False
    at = len(is_marked) - is_marked[::-1].index(True)
    start = line.spans[at].start
    return line.text[:start].rstrip()[-1:] in _STOPS and _WORD.search(line.text, start) is not None


def common_look(looks: Sequence[LineLook], lengths: Sequence[int]) -> LineLook:
    """Return the look of most characters of several lines, ties broken by the first."""
    if len(looks) == 1 or all(look == looks[0] for look in looks):
        return looks[0]
    weights: Counter[LineLook] = Counter()
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


def box_around(*boxes: Sequence[float]) -> Box:
    """Return the box around some boxes, at least one."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


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


def with_initials(page: PageLines) -> PageLines:
    """Return the lines of a page with drop caps joined to their first line; the row of the letter stays, empty."""
    rows = [row for row in range(len(page)) if len(page.texts[row]) <= 2 and _INITIAL.fullmatch(page.texts[row])]
    found = {row: beside for row in rows if (beside := _beside(page, row))}
    if not found:
        return page
    texts, boxes = list(page.texts), page.boxes.copy()
    for row, beside in found.items():
        texts[beside[0]] = _with_letter(page, row, beside[0])
        texts[row] = ""
        boxes[beside, 0] = boxes[row, 0]
    gaps = {row: gaps for row, gaps in page.gaps.items() if row not in {beside[0] for beside in found.values()}}
    places = boxes if page.places is page.boxes else _moved(page, boxes)
    return dataclasses.replace(page, texts=texts, boxes=boxes, places=places, gaps=gaps)


def _moved(page: PageLines, boxes: Boxes) -> Boxes:
    upright = np.array(page.angles) == 0
    return np.where(upright[:, None], boxes, page.places)


def _beside(page: PageLines, row: int) -> list[int]:
    """Return the lines beside a drop cap, top to bottom; none when it is no such letter.

    There are two or more, or one on its baseline; the first is level with its top.
    """
    if page.angles[row]:
        return []
    size = page.looks[row].size
    x1, top = (
        float(page.boxes[row, 2]),
        float(page.boxes[row, 3]) - _Initial.BASELINE * size - _Initial.CAP_HEIGHT * size,
    )
    baseline = float(page.boxes[row, 3]) - _Initial.BASELINE * size
    middle = (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    near = (page.boxes[:, 0] > x1 - 0.2 * size) & (page.boxes[:, 0] < x1 + 0.6 * size)
    near &= (middle > top - _Initial.OVERHANG * size) & (middle < baseline)
    lines = [at for at in np.flatnonzero(near).tolist() if at != row and _is_text(page, at, size)]
    lines.sort(key=lambda at: page.boxes[at, 1])
    if not lines:
        return []
    first = page.looks[lines[0]].size
    gap = float(page.boxes[lines[0], 0]) - x1
    last = float(page.boxes[lines[-1], 3]) - _Initial.BASELINE * page.looks[lines[-1]].size
    is_level = abs(float(page.boxes[lines[0], 1]) - top) < first and abs(last - baseline) < 0.6 * first
    is_raised = len(lines) == 1 and abs(last - baseline) < 0.2 * first
    return lines if gap < _Initial.GAP * first and ((len(lines) > 1 and is_level) or is_raised) else []


def _is_text(page: PageLines, row: int, size: float) -> bool:
    """Return whether an initial of this size may stand beside a line of type."""
    own = page.looks[row].size
    return page.angles[row] == 0 and _Initial.LARGER * own < size < _Initial.LARGEST * own and len(page.texts[row]) > 2


def _with_letter(page: PageLines, row: int, first: int) -> str:
    """Return the first line with its letter, apart when the letter is a word ("A", "I") and what follows is one too."""
    letter, text = page.texts[row], page.texts[first]
    word = _WORD.match(text)
    if letter in ("A", "I") and word:
        known = {item.lower() for line in page.texts for item in _WORD.findall(line) if line is not text}
        if word[0].lower() in known and (letter + word[0]).lower() not in known:
            return f"{letter} {text}"
    return letter + text
