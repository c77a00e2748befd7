"""Finding which characters of a PDF page are struck out, underlined or highlighted: drawn, or as an annotation.

A rule counts that is as long as the text it belongs to: no rule of a table, no bar of a fraction, no line of a form. It
strikes text out where it goes through its middle third, and underlines it under its feet. What is painted behind words
highlights them where it is as large as they are, and of a bright colour. `text.struck` says how struck-out text is
written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import DESCENT, Integers, Mask, Numbers
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.heights import Heights, inside
from octavo_documents.parsing.pdf.pdfium import Boxes


class _Strike:
    """Thresholds for a line through or under text, in ems; chosen by hand."""

    THROUGH = (0.14, 0.44)  # over the baseline
    UNDER = (-0.36, 0.05)
    THICK = 0.22  # as PDFium measures: a line with its width on either side
    OVER = 0.6  # how far it reaches beyond the first and last character
    COVERED = 0.55  # of a character's width
    INKED = 0.6  # of its length that characters cover
    OF_WORD = 0.5  # of the characters of an underlined word
    NARROWEST = 2.0  # points
    SEAM = 0.6  # points between rules that are one
    MOST_RULES = 500


NO_BOXES = np.empty((0, 4))
_PALE = 0xC8
_NOT_SHOWN = 1 << 1 | 1 << 5
"""Flags of annotations that are hidden or not viewed."""


class _Ground:
    """Thresholds for what is painted behind words, chosen by hand; lengths in ems."""

    HEIGHTS = (0.7, 2.0)
    LEAST_COLOUR = 60  # between the channels of a colour; less is grey
    DARKEST = 170  # of the brightest channel


@dataclass(frozen=True, slots=True)
class CharacterMarks:
    """How the characters of a page are marked: parallel arrays; `ground` is the colour behind them, 0xRRGGBB, or -1."""

    struck: Mask
    underlined: Mask
    ground: Integers

    @classmethod
    def none(cls, count: int) -> CharacterMarks:
        """Return that nothing is marked."""
        return cls(np.zeros(count, np.bool_), np.zeros(count, np.bool_), np.full(count, -1, np.int64))


@dataclass(frozen=True, slots=True)
class TextMarkup:
    """Boxes as displayed of annotations that strike out, underline and highlight, these with their colours."""

    struck: Boxes
    underlined: Boxes
    highlighted: Boxes
    colours: tuple[int, ...] = ()


NO_MARKUP = TextMarkup(NO_BOXES, NO_BOXES, NO_BOXES)


def marks_of(boxes: Boxes, sizes: Numbers, graphics: Sequence[Graphic], markup: TextMarkup) -> CharacterMarks:
    """Return how characters are marked.

    Args:
        boxes: Of characters written from left to right, as displayed.
        sizes: Their type sizes in points.
        graphics: What is drawn on the page.
        markup: Annotations of the page.
    """
    found = CharacterMarks.none(len(boxes))
    if not len(boxes):
        return found
    rules = _rules(graphics, float(sizes.max()))
    painted = [one for one in graphics if one.kind == "fill" and _is_bright(one.color)][: _Strike.MOST_RULES]
    if len(rules) or painted:
        heights = Heights(boxes[:, 3] - DESCENT * sizes)
        parts = (found.struck, rules, _Strike.THROUGH), (found.underlined, _whole_rules(rules), _Strike.UNDER)
        for mask, lines, band in parts:
            for at, rows in _near(lines, heights, sizes, band):
                mask[rows] |= _through(boxes[rows], sizes[rows], lines[at], band)
        for one in painted:
            found.ground[_before(boxes, sizes, heights, np.array(one.box))] = one.color
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    for mask, quads in ((found.struck, markup.struck), (found.underlined, markup.underlined)):
        for quad in quads:
            mask |= inside(centres, quad)
    for quad, colour in zip(markup.highlighted, markup.colours, strict=True):
        found.ground[inside(centres, quad)] = colour
    return found


def _near(rules: Boxes, heights: Heights, sizes: Numbers, band: tuple[float, float]) -> Iterator[tuple[int, Integers]]:
    """Yield the numbers of rules with the rows of characters at whose height they may be."""
    if len(rules):
        levels, (low, high) = (rules[:, 1] + rules[:, 3]) / 2, band
        least, most = float(sizes.min()), float(sizes.max())
        lowest = levels + low * (least if low > 0 else most)
        for at, start, stop in heights.between(lowest, levels + high * most):
            yield at, heights.rows(start, stop)


def _is_bright(color: int) -> bool:
    """Return whether a colour is one of markers, neither grey nor dark."""
    channels = (color >> 16 & 255, color >> 8 & 255, color & 255)
    return max(channels) >= _Ground.DARKEST and max(channels) - min(channels) >= _Ground.LEAST_COLOUR


def _before(boxes: Boxes, sizes: Numbers, heights: Heights, box: npt.NDArray[np.float64]) -> Integers:
    """Return the rows of the characters that a painted box lies behind; none where it is no larger than one line."""
    bands = heights.between(box[1:2], box[3:4])
    rows = heights.rows(*bands[0][1:]) if bands else np.empty(0, np.int64)
    rows = rows[inside((boxes[rows, :2] + boxes[rows, 2:]) / 2, box)]
    if not len(rows):
        return rows
    size, high = float(sizes[rows].max()), float(box[3] - box[1])
    low, most = _Ground.HEIGHTS
    fits = low * size <= high <= most * size and _fits(boxes[rows], size, float(box[0]), float(box[2]))
    return rows if fits else rows[:0]


def _rules(graphics: Sequence[Graphic], largest: float) -> Boxes:
    """Return the boxes of level rules that may strike text of the page out."""
    level = [
        item.box
        for item in graphics
        if item.kind != "image"
        and item.box[3] - item.box[1] <= _Strike.THICK * largest
        and item.box[2] - item.box[0] >= max(_Strike.NARROWEST, 2 * (item.box[3] - item.box[1]))
        and not _is_pale(item.color)
    ]
    return np.array(level[: _Strike.MOST_RULES], np.float64).reshape(-1, 4)


def _whole_rules(rules: Boxes) -> Boxes:
    """Return rules with those that go on in one another, such as the edges of cells side by side, as one."""
    if len(rules) < 2:
        return rules
    levels = (rules[:, 1] + rules[:, 3]).round()
    rules = rules[np.lexsort((rules[:, 0], levels))]
    levels = (rules[:, 1] + rules[:, 3]).round()
    goes_on = (levels[1:] == levels[:-1]) & (rules[1:, 0] <= rules[:-1, 2] + _Strike.SEAM)
    starts = np.concatenate(([0], np.flatnonzero(~goes_on) + 1))
    edges = ((0, np.minimum), (1, np.minimum), (2, np.maximum), (3, np.maximum))
    return np.stack([reduce.reduceat(rules[:, at], starts) for at, reduce in edges], axis=1)


def _is_pale(color: int) -> bool:
    """Return whether a colour is one that bands and their edges are painted in."""
    return min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _PALE


def _through(boxes: Boxes, sizes: Numbers, rule: npt.NDArray[np.float64], band: tuple[float, float]) -> Mask:
    """Return the characters that a rule marks: none where it goes on beyond them or through a gap."""
    x0, x1, height = float(rule[0]), float(rule[2]), (float(rule[1]) + float(rule[3])) / 2
    crossed = (boxes[:, 2] > x0) & (boxes[:, 0] < x1)
    if not crossed.any():
        return crossed
    baseline = boxes[:, 3] - DESCENT * sizes
    over = (baseline - height) / sizes
    crossed &= (over > band[0]) & (over < band[1]) & (rule[3] - rule[1] <= _Strike.THICK * sizes)
    rows = np.flatnonzero(crossed)
    if not len(rows):
        return crossed
    width = np.minimum(boxes[rows, 2], x1) - np.maximum(boxes[rows, 0], x0)
    rows = rows[width >= _Strike.COVERED * (boxes[rows, 2] - boxes[rows, 0])]
    crossed[:] = False
    if len(rows) and _fits(boxes[rows], float(sizes[rows].max()), x0, x1):
        crossed[rows] = True
    return crossed


def _fits(boxes: Boxes, size: float, x0: float, x1: float) -> bool:
    """Return whether a rule is as long as what it goes through."""
    is_as_long = boxes[:, 0].min() - x0 < _Strike.OVER * size and x1 - boxes[:, 2].max() < _Strike.OVER * size
    return is_as_long and float((boxes[:, 2] - boxes[:, 0]).sum()) >= _Strike.INKED * (x1 - x0)


def text_markup(page: pdfium.Handle, frame: Frame, *, most: int) -> TextMarkup:
    """Return the annotations of an open page that mark text."""
    kinds = (pdfium.STRIKE_OUT, pdfium.UNDERLINE, pdfium.HIGHLIGHT)
    corners: dict[int, list[tuple[float, float, float, float]]] = {kind: [] for kind in kinds}
    colours: list[int] = []
    for at in range(min(int(pdfium.count_annotations(page)), most)):
        annotation = pdfium.get_annotation(page, at)
        if not annotation:
            continue
        try:
            kind = int(pdfium.annotation_type(annotation))
            if kind in corners:
                quads = _quads(annotation, most)
                corners[kind] += quads
                colours += [pdfium.color_of_annotation(annotation)] * len(quads) if kind == pdfium.HIGHLIGHT else []
        finally:
            pdfium.close_annotation(annotation)
    struck, underlined, highlighted = (
        frame.boxes(np.array(corners[kind], np.float64)) if corners[kind] else NO_BOXES for kind in kinds
    )
    return TextMarkup(struck, underlined, highlighted, tuple(colours))


def _quads(annotation: pdfium.Handle, most: int) -> list[tuple[float, float, float, float]]:
    """Return the boxes of the quadrilaterals of an annotation in page coordinates; none where it is hidden."""
    if int(pdfium.annotation_flags(annotation)) & _NOT_SHOWN:
        return []
    points = np.zeros(8, np.float32)
    found: list[tuple[float, float, float, float]] = []
    for at in range(min(int(pdfium.count_quads(annotation)), most)):
        if pdfium.get_quad(annotation, at, points.ctypes.data):
            x, y = points[0::2], points[1::2]
            found.append((float(x.min()), float(y.min()), float(x.max()), float(y.max())))
    return found


def of_words(marked: Mask, begins: Mask) -> Mask:
    """Return which characters are in words of which most are marked; `begins` says where words and lines begin.

    An underline is often left out under letters that go down.
    """
    starts = np.flatnonzero(begins)
    counts = np.diff(np.append(starts, len(marked)))
    share = np.add.reduceat(marked.astype(np.int64), starts) / counts
    return np.repeat(share >= _Strike.OF_WORD, counts)
