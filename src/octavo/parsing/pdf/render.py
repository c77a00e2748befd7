"""PDF pages and boxes on them drawn as pictures, and boxes read by OCR as finely as a scanned page is.

A picture that stands on many pages is read once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from octavo.errors import SourceError
from octavo.models.ports import Raster
from octavo.parsing import DEFAULT_LIMITS, Limits
from octavo.parsing.content import Box, Spot, TextLine
from octavo.parsing.pdf import pdfium
from octavo.parsing.pdf.pdfium import Frame, frame_of
from octavo.parsing.recognition import POINTS_PER_INCH, Progress, Recognize, is_blank, ocr_scale, recognized_lines

_WHITE = 0xFFFFFFFF
_LONGEST_SIDE = 16_000


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
        return render_page(page, frame_of(page), scale=dpi / POINTS_PER_INCH, box=box, pixels=pixels)


def _fitting(width: float, height: float, scale: float, pixels: int) -> float:
    scale = min(scale, math.sqrt(pixels / width / height), _LONGEST_SIDE / max(width, height))
    return max(scale, 1e-6)


def read_spots(
    path: Path,
    spots: Sequence[Spot],
    recognize: Recognize,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> list[tuple[TextLine, ...]]:
    """Return the lines that OCR reads in each box, their boxes in points from its corner; none past `limits.pictures`.

    A box of one colour, or that cannot be drawn, has no lines. Pictures that look the same are read once. `progress`
    receives (boxes done, boxes in all). Raises SourceError when the file cannot be opened.
    """
    known: dict[bytes, tuple[TextLine, ...]] = {}
    found: list[tuple[TextLine, ...]] = [()] * len(spots)
    spots = spots[: limits.pictures]
    for at, (raster, scale) in enumerate(draw_spots(path, spots, password=password, limits=limits)):
        if progress:
            progress(at, len(spots))
        if raster is None or is_blank(raster):
            continue
        look = hashlib.sha256(repr(raster.shape).encode() + raster.tobytes()).digest()
        if look not in known:
            known[look] = recognized_lines(recognize(raster), scale=scale)
        found[at] = known[look]
    return found


def draw_spots(
    path: Path, spots: Sequence[Spot], *, dpi: float = 0.0, password: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[Raster | None, float]]:
    """Yield each box as a picture, and its pixels a point; None where there is none.

    `dpi` 0 draws as finely as OCR is shown a page. Raises SourceError when the file cannot be opened.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        for spot in spots:
            with pdfium.page_opened(document, spot.page - 1) as page:
                if not page:
                    yield None, 1.0
                    continue
                frame = frame_of(page)
                scale = dpi / POINTS_PER_INCH or ocr_scale(frame.width, frame.height)
                try:
                    raster = render_page(page, frame, scale=scale, box=spot.box, pixels=limits.pixels)
                except SourceError:
                    yield None, 1.0
                    continue
                yield raster, raster.shape[1] / max(spot.box[2] - spot.box[0], 1.0)
