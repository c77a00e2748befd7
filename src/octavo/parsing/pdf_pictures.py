"""Boxes on pages of a PDF file read as images: the words that a picture or drawing holds and the text layer does not.

Owns drawing a box as finely as a scanned page is, and reading a picture that stands on many pages once. Knows nothing
about what the boxes are.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from octavo.errors import SourceError
from octavo.models.ports import Raster, RecognizedLine
from octavo.parsing import pdfium
from octavo.parsing.content import Box, TextLine
from octavo.parsing.limits import DEFAULT_LIMITS, Limits
from octavo.parsing.pdf_frame import frame_of
from octavo.parsing.pdf_render import render_page
from octavo.parsing.scans import is_blank, ocr_scale, recognized_lines

Recognize = Callable[[Raster], Sequence[RecognizedLine]]


@dataclasses.dataclass(frozen=True, slots=True)
class Spot:
    """A box on physical page `page` (1-based), in points from its top left, as displayed."""

    page: int
    box: Box


def read_spots(
    path: Path,
    spots: Sequence[Spot],
    recognize: Recognize,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[TextLine, ...]]:
    """Return the lines that OCR reads in each box, their boxes in points from its corner; none past `limits.pictures`.

    A box of one colour, or that cannot be drawn, has no lines. Pictures that look the same are read once. `progress`
    receives (boxes done, boxes in all). Raises SourceError when the file cannot be opened.
    """
    known: dict[bytes, tuple[TextLine, ...]] = {}
    found: list[tuple[TextLine, ...]] = [()] * len(spots)
    spots = spots[: limits.pictures]
    for at, (raster, scale) in enumerate(_drawn(path, spots, password, limits)):
        if progress:
            progress(at, len(spots))
        if raster is None or is_blank(raster):
            continue
        look = hashlib.sha256(repr(raster.shape).encode() + raster.tobytes()).digest()
        if look not in known:
            known[look] = recognized_lines(recognize(raster), scale=scale)
        found[at] = known[look]
    return found


def _drawn(
    path: Path, spots: Sequence[Spot], password: str | None, limits: Limits
) -> Iterator[tuple[Raster | None, float]]:
    """Yield each box as a picture, and its pixels a point; None where there is none."""
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        for spot in spots:
            with pdfium.page_opened(document, spot.page - 1) as page:
                if not page:
                    yield None, 1.0
                    continue
                frame = frame_of(page)
                scale = ocr_scale(frame.width, frame.height)
                try:
                    raster = render_page(page, frame, scale=scale, box=spot.box, pixels=limits.pixels)
                except SourceError:
                    yield None, 1.0
                    continue
                yield raster, raster.shape[1] / max(spot.box[2] - spot.box[0], 1.0)
