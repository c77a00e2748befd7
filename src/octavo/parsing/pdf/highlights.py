"""A PDF with highlight annotations added, as every viewer shows them; what was in the file stays as it was."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from octavo.errors import SourceError
from octavo.parsing import DEFAULT_LIMITS, Limits
from octavo.parsing.content import Box
from octavo.parsing.pdf import pdfium
from octavo.parsing.pdf.pdfium import Frame, frame_of

_YELLOW = (255, 226, 89)
_OPACITY = 255
_PRINTED = 4
"""The flag of an annotation that is printed too (PDF 32000-1, table 165)."""
_AUTHOR = "Octavo"


@dataclass(frozen=True, slots=True)
class Highlight:
    """Boxes on a page (1-based), in points from its top left as displayed, and what a viewer says about them."""

    page: int
    boxes: Sequence[Box]
    note: str


def highlighted(
    path: Path, highlights: Sequence[Highlight], *, password: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Return the bytes of a PDF with highlights, added at its end.

    Raises SourceError when it cannot be read or written.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, is_revived):
        for one in highlights:
            with pdfium.page_opened(document, one.page - 1) as page:
                if not page:
                    raise SourceError("no_pages", f"page {one.page} of {path} is not there or damaged")
                _add(page, frame_of(page), one)
        return _saved(document, path, is_whole=is_revived, most=limits.output_bytes)


def _add(page: pdfium.Handle, frame: Frame, one: Highlight) -> None:
    """Add one highlight; its quadrilaterals go top left, top right, bottom left, bottom right as displayed."""
    corners = np.array([[(x0, y0), (x1, y0), (x0, y1), (x1, y1)] for x0, y0, x1, y1 in one.boxes], np.float64)
    if not len(corners):
        return
    quads = np.ascontiguousarray(frame.unshown(corners.reshape(-1, 2)).reshape(-1, 8), np.float32)
    x, y = quads[:, 0::2], quads[:, 1::2]
    bounds = np.array([x.min(), y.max(), x.max(), y.min()], np.float32)
    annotation = pdfium.create_annotation(page, pdfium.HIGHLIGHT)
    try:
        pdfium.set_annotation_box(annotation, bounds.ctypes.data)
        pdfium.set_annotation_color(annotation, pdfium.ANNOTATION_COLOR, *_YELLOW, _OPACITY)
        pdfium.set_annotation_flags(annotation, _PRINTED)
        for quad in quads:
            pdfium.append_quad(annotation, quad.ctypes.data)
        for key, value in ((b"Contents", one.note), (b"T", _AUTHOR)):
            pdfium.set_annotation_text(annotation, key, (value + "\0").encode("utf-16-le", "replace"))
    finally:
        pdfium.close_annotation(annotation)


def _saved(document: pdfium.Handle, path: Path, *, is_whole: bool, most: int) -> bytes:
    """Return the bytes of an open document: the file's own with what was added, or all of it written anew."""
    written = bytearray()

    def take(_: int, data: int, size: int) -> int:
        if len(written) + size > most:
            return 0
        written.extend(ctypes.string_at(data, size))
        return 1

    if not pdfium.save(document, take, is_whole=is_whole):
        raise SourceError("too_large", f"{path} with its highlights cannot be written: it has more than {most:,} bytes")
    return bytes(written)
