"""Pictures of pages small enough for a message, with frames around what is cited where they are asked for."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from octavo.models.ports import Raster

_INK = (200, 60, 20)
_MOST_BYTES = 700_000
"""Of a picture; base64 makes a third more of it."""
_QUALITIES = (85, 70, 50)


def with_boxes(raster: Raster, boxes: Iterable[Sequence[float]], width: float, height: float) -> Picture:
    """Return a page's picture with frames around boxes, given in points on a page of that size."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(raster)
    pen = ImageDraw.Draw(picture)
    across, down = picture.width / max(width, 1.0), picture.height / max(height, 1.0)
    for x0, y0, x1, y1 in boxes:
        frame = (x0 * across - 3, y0 * down - 3, x1 * across + 3, y1 * down + 3)
        pen.rectangle(frame, outline=_INK, width=3)
    return picture


def encoded(picture: Picture) -> tuple[bytes, str]:
    """Return a picture as a file and its media type: PNG, or JPEG where that would be too large for a message."""
    data = _saved(picture, "PNG", optimize=False)
    if len(data) <= _MOST_BYTES:
        return data, "image/png"
    return _small(picture, "JPEG"), "image/jpeg"


def for_browser(raster: Raster) -> tuple[bytes, str]:
    """Return a picture as a file and its media type for a browser, which reads what takes the least room."""
    from PIL import Image

    return _small(Image.fromarray(raster), "WEBP"), "image/webp"


def _small(picture: Picture, form: str) -> bytes:
    data = b""
    for quality in _QUALITIES:
        data = _saved(picture, form, quality=quality)
        if len(data) <= _MOST_BYTES:
            break
    return data


def _saved(picture: Picture, form: str, **how: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **how)
    return file.getvalue()
