"""Pictures of parts of pages for models that see: fine enough to read, small enough to pay for."""

from __future__ import annotations

import io

from octavo.models.language import Picture
from octavo.models.ports import Raster

LONG_SIDE = 1024
"""Pixels of a picture's longer side, about."""
_LOWEST_DPI, _HIGHEST_DPI = 60.0, 200.0
"""Below the first print is not readable, above the second nothing is gained."""
_MARGIN = 4.0
"""Points around an element that its picture shows too."""
_POINTS_PER_INCH = 72.0
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page."""


def around(box: Box, width: float, height: float) -> Box:
    """Return the box of an element with some margin, inside a page of so many points."""
    x0, y0, x1, y1 = box
    return max(0.0, x0 - _MARGIN), max(0.0, y0 - _MARGIN), min(width, x1 + _MARGIN), min(height, y1 + _MARGIN)


def dots_per_inch(box: Box) -> float:
    """Return how finely a box is drawn, 60 to 200 dots per inch."""
    longest = max(box[2] - box[0], box[3] - box[1], 1.0)
    return min(_HIGHEST_DPI, max(_LOWEST_DPI, _POINTS_PER_INCH * LONG_SIDE / longest))


def pixels_of(box: Box) -> float:
    """Return the size of a box's picture in pixels."""
    return (box[2] - box[0]) * (box[3] - box[1]) * (dots_per_inch(box) / _POINTS_PER_INCH) ** 2


def encoded(raster: Raster) -> Picture:
    """Return a raster as it is sent to a model (PNG)."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(raster).save(out, "PNG")
    return Picture(out.getvalue())
