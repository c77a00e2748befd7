"""Finding which characters of a PDF page are struck out: a line goes through their middle, drawn or as an annotation.

A rule counts as long as the text it goes through and through its middle third: no underline, no rule of a table, no bar
of a fraction, no line of a form. `text.struck` says how struck-out text is written.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.characters import DESCENT, Mask, Numbers
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.heights import Heights, inside
from octavo_documents.parsing.pdf.pdfium import Boxes


class _Strike:
    """Thresholds for a line through text, in ems; chosen by hand."""

    LOW, HIGH = 0.14, 0.44  # over the baseline
    THICK = 0.22  # as PDFium measures: a line with its width on either side
    OVER = 0.6  # how far it reaches beyond the first and last character
    COVERED = 0.55  # of a character's width
    INKED = 0.6  # of its length that characters cover
    NARROWEST = 2.0  # points
    MOST_RULES = 500


NO_BOXES = np.empty((0, 4))
_PALE = 0xC8
_NOT_SHOWN = 1 << 1 | 1 << 5
"""Flags of annotations that are hidden or not viewed."""


def struck_out(boxes: Boxes, sizes: Numbers, graphics: Sequence[Graphic], quads: Boxes) -> Mask:
    """Return which characters are struck out.

    Args:
        boxes: Of characters written from left to right, as displayed.
        sizes: Their type sizes in points.
        graphics: What is drawn on the page.
        quads: (n, 4) boxes of annotations that strike text out, as displayed.
    """
    found = np.zeros(len(boxes), np.bool_)
    if not len(boxes):
        return found
    rules = _rules(graphics, float(sizes.max()))
    if len(rules):
        heights = Heights(boxes[:, 3] - DESCENT * sizes)
        levels = (rules[:, 1] + rules[:, 3]) / 2
        low, high = levels + _Strike.LOW * float(sizes.min()), levels + _Strike.HIGH * float(sizes.max())
        for at, start, stop in heights.between(low, high):
            rows = heights.rows(start, stop)
            found[rows] |= _through(boxes[rows], sizes[rows], rules[at])
    for quad in quads:
        found |= inside((boxes[:, :2] + boxes[:, 2:]) / 2, quad)
    return found


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


def _is_pale(color: int) -> bool:
    """Return whether a colour is one that bands and their edges are painted in."""
    return min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _PALE


def _through(boxes: Boxes, sizes: Numbers, rule: npt.NDArray[np.float64]) -> Mask:
    """Return the characters that a rule strikes out: none where it goes on beyond them or through a gap."""
    x0, x1, height = float(rule[0]), float(rule[2]), (float(rule[1]) + float(rule[3])) / 2
    crossed = (boxes[:, 2] > x0) & (boxes[:, 0] < x1)
    if not crossed.any():
        return crossed
    baseline = boxes[:, 3] - DESCENT * sizes
    over = (baseline - height) / sizes
    crossed &= (over > _Strike.LOW) & (over < _Strike.HIGH) & (rule[3] - rule[1] <= _Strike.THICK * sizes)
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


def strike_outs(page: pdfium.Handle, frame: Frame, *, most: int) -> Boxes:
    """Return (n, 4) boxes as displayed of annotations of an open page that strike text out."""
    corners: list[tuple[float, float, float, float]] = []
    for at in range(min(int(pdfium.count_annotations(page)), most)):
        annotation = pdfium.get_annotation(page, at)
        if not annotation:
            continue
        try:
            if pdfium.annotation_type(annotation) == pdfium.STRIKE_OUT:
                corners.extend(_quads(annotation, most))
        finally:
            pdfium.close_annotation(annotation)
    return frame.boxes(np.array(corners, np.float64)) if corners else NO_BOXES


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
