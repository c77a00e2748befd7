"""Where the points of a PDF page lie as it is displayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Box
from octavo_documents.parsing.pdf.pdfium import Boxes, Handle, page_bounds, page_rotation


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible box of a page in its own coordinates (y up), and the clockwise quarter turns it is shown with."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def width(self) -> float:
        """Width of the page as displayed, in points."""
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Height of the page as displayed, in points."""
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    def boxes(self, boxes: Boxes) -> Boxes:
        """Turn (n, 4) boxes of two opposite corners in page coordinates into boxes as displayed."""
        xa, ya = self._points(boxes[:, 0], boxes[:, 1])
        xb, yb = self._points(boxes[:, 2], boxes[:, 3])
        return np.stack((np.minimum(xa, xb), np.minimum(ya, yb), np.maximum(xa, xb), np.maximum(ya, yb)), axis=1)

    def holds(self, box: Sequence[float]) -> bool:
        """Whether the middle of a box as displayed lies on the page."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return 0 <= x <= self.width and 0 <= y <= self.height

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point in page coordinates as displayed."""
        across, down = self._points(np.array([x]), np.array([y]))
        return float(across[0]), float(down[0])

    def unshown(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Turn (n, 2) points as displayed into points in page coordinates."""
        across, down = points.T
        x, y = {
            0: (across + self.left, self.top - down),
            1: (down + self.left, across + self.bottom),
            2: (self.right - across, down + self.bottom),
            3: (self.right - down, self.top - across),
        }[self.turns]
        return np.stack((x, y), axis=1)

    def box(self, corners: tuple[float, float, float, float]) -> Box:
        """Turn one box in page coordinates into a box as displayed, rounded to hundredths of a point."""
        return as_box(self.boxes(np.array([corners], np.float64))[0])

    def _points(self, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> tuple[Boxes, Boxes]:
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        if self.turns == 3:
            return self.top - y, self.right - x
        return x - self.left, self.top - y


def as_box(row: npt.NDArray[np.floating]) -> Box:
    """Return one row of boxes as a tuple, rounded to hundredths of a point."""
    x0, y0, x1, y1 = row.tolist()
    return round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)


def frame_of(page: Handle) -> Frame:
    """Return the frame of an open page."""
    bounds = np.zeros(4, np.float32)
    page_bounds(page, bounds.ctypes.data)
    left, top, right, bottom = (float(value) for value in bounds)
    if not (right > left and top > bottom):
        left, bottom, right, top = 0.0, 0.0, 612.0, 792.0
    return Frame(left, bottom, right, top, int(page_rotation(page)) % 4)
