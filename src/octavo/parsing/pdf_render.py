"""Pictures of PDF pages and of boxes on them.

Owns resolution, the cap on pixels and the call into the renderer. Knows nothing about what is in the picture.
"""

from __future__ import annotations

import math

import numpy as np

from octavo.errors import SourceError
from octavo.models.ports import Raster
from octavo.parsing import pdfium
from octavo.parsing.content import Box
from octavo.parsing.pdf_frame import Frame, frame_of

_WHITE = 0xFFFFFFFF
_LONGEST_SIDE = 16_000
_POINTS_PER_INCH = 72.0


def render_page(page: pdfium.Handle, frame: Frame, *, scale: float, box: Box | None = None, pixels: int) -> Raster:
    """Draw `box` (default: the whole page) at `scale` pixels per point, coarser where that exceeds `pixels`."""
    x0, y0, x1, y1 = box or (0.0, 0.0, frame.width, frame.height)
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(frame.width, x1), min(frame.height, y1)
    if not (x1 > x0 and y1 > y0):
        raise SourceError("format", "the box to draw lies outside the page")
    scale = _fitting(x1 - x0, y1 - y0, scale, pixels)
    width, height = max(1, math.ceil((x1 - x0) * scale)), max(1, math.ceil((y1 - y0) * scale))
    raster = np.empty((height, width, 3), np.uint8)
    bitmap = pdfium.create_bitmap(width, height, pdfium.BGR, raster.ctypes.data, raster.strides[0])
    if not bitmap:
        raise SourceError(
            "too_large", f"a picture of {width} x {height} pixels cannot be drawn; use fewer dots per inch"
        )
    try:
        pdfium.fill_bitmap(bitmap, 0, 0, width, height, _WHITE)
        matrix = np.array((scale, 0, 0, scale, -x0 * scale, -y0 * scale), np.float32)
        clip = np.array((0, 0, width, height), np.float32)
        flags = pdfium.DRAW_ANNOTATIONS | pdfium.REVERSE_BYTES
        pdfium.render_matrix(bitmap, page, matrix.ctypes.data, clip.ctypes.data, flags)
    finally:
        pdfium.destroy_bitmap(bitmap)
    return raster


def render_index(document: pdfium.Handle, index: int, *, dpi: float, box: Box | None, pixels: int) -> Raster:
    """Draw page `index` (from 0) of an open document."""
    with pdfium.page_opened(document, index) as page:
        if not page:
            raise SourceError("damaged", f"page {index + 1} is damaged and cannot be drawn")
        return render_page(page, frame_of(page), scale=dpi / _POINTS_PER_INCH, box=box, pixels=pixels)


def _fitting(width: float, height: float, scale: float, pixels: int) -> float:
    scale = min(scale, math.sqrt(pixels / width / height), _LONGEST_SIDE / max(width, height))
    return max(scale, 1e-6)
