"""The straight lines and thin boxes that one path of a PDF page draws, where it draws several.

Programs strike words of several lines out with a single path; as one box they look like a frame around the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Graphic
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.pdfium import Boxes

Points = npt.NDArray[np.float64]
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_LEAST = 3
"""Points of a path of more than one line."""
_BOX = 5
"""Points of one box."""
_MOST, _MOST_OF_PAGE = 600, 6_000
"""Points of a path, and of all paths of a page, that are looked at: a drawing has more."""
_THINNEST = 0.2
"""Share of its width that a box which stands for a line may be high."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path of a page: its handle, what it is painted with, and how its coordinates are mapped to the page."""

    handle: pdfium.Handle
    kind: str
    color: int
    matrix: Matrix


def pieces_of(paths: Sequence[Path], frame: Frame) -> tuple[Graphic, ...]:
    """Return the lines and thin boxes as displayed of paths that draw several of them."""
    found: list[Graphic] = []
    left = _MOST_OF_PAGE
    for path in paths:
        count = int(pdfium.count_segments(path.handle))
        if count < _LEAST or count > min(_MOST, left) or (path.kind == "fill" and count <= _BOX):
            continue
        left -= count
        boxes = _boxes(path, count)
        if len(boxes):
            found += [Graphic("line", tuple(row), path.color) for row in _displayed(boxes, path, frame).tolist()]
    return tuple(found)


def _boxes(path: Path, count: int) -> Boxes:
    """Return the boxes in the path's own coordinates of its lines where it is stroked, of thin shapes where filled."""
    found: list[tuple[float, float, float, float]] = []
    for points, is_straight in _shapes(path.handle, count):
        if not is_straight or len(points) < 2:
            continue
        (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        is_thin = min(x1 - x0, y1 - y0) <= _THINNEST * max(x1 - x0, y1 - y0)
        if path.kind == "fill" or is_thin:
            found += [(x0, y0, x1, y1)] if is_thin else []
        elif not _is_frame(points):
            low, high = np.minimum(points[1:], points[:-1]), np.maximum(points[1:], points[:-1])
            found += [(row[0], row[1], row[2], row[3]) for row in np.hstack((low, high)).tolist()]
    return np.array(found, np.float64).reshape(-1, 4)


def _is_frame(points: Points) -> bool:
    """Whether a shape ends where it begins, as the frame of a box does."""
    return len(points) > _LEAST and bool(np.allclose(points[0], points[-1]))


def _shapes(path: pdfium.Handle, count: int) -> Iterator[tuple[Points, bool]]:
    """Yield the points of each shape of a path, and whether it has no curve."""
    place = np.zeros(2, np.float32)
    x, y = place.ctypes.data, place.ctypes.data + place.itemsize
    points: list[tuple[float, float]] = []
    is_straight = True
    for at in range(count):
        segment = pdfium.path_segment(path, at)
        kind = int(pdfium.segment_type(segment))
        if kind == pdfium.MOVE_TO and points:
            yield np.array(points, np.float64), is_straight
            points, is_straight = [], True
        is_straight &= kind != pdfium.CURVE_TO
        if pdfium.segment_point(segment, x, y):
            points.append((float(place[0]), float(place[1])))
        if pdfium.segment_closes(segment) and points:
            points.append(points[0])
    if points:
        yield np.array(points, np.float64), is_straight


def _displayed(boxes: Boxes, path: Path, frame: Frame) -> Boxes:
    values, width = np.zeros(6, np.float32), np.zeros(1, np.float32)
    pdfium.object_matrix(path.handle, values.ctypes.data)
    a, b, c, d, e, f = (float(value) for value in values)
    if path.kind != "fill" and pdfium.stroke_width(path.handle, width.ctypes.data):
        wide = float(width[0])
        boxes = boxes + np.array((-wide, -wide, wide, wide))
    return frame.boxes(mapped(mapped(boxes, (a, b, c, d, e, f)), path.matrix)).round(2)


def mapped(boxes: Boxes, matrix: Matrix) -> Boxes:
    """Map (n, 4) boxes through a matrix and return their bounding boxes."""
    if matrix == IDENTITY:
        return boxes
    a, b, c, d, e, f = matrix
    x, y = boxes[:, (0, 2, 0, 2)], boxes[:, (1, 1, 3, 3)]
    u, v = a * x + c * y + e, b * x + d * y + f
    return np.stack((u.min(axis=1), v.min(axis=1), u.max(axis=1), v.max(axis=1)), axis=1)
