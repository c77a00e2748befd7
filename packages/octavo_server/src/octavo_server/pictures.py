"""Pictures of pages as files: encoded, with blocks marked where asked, and kept in memory up to a number of bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

import numpy as np

from octavo.errors import CorpusError

if TYPE_CHECKING:
    from octavo.models.ports import Raster
    from octavo_documents.document import Document
    from octavo_server.library import Library

PictureFormat = Literal["png", "webp"]
_INK = np.array((255, 226, 89), np.float32) / 255.0
"""What a marked box is multiplied by, as a highlighter does."""
_WEBP_QUALITY = 82


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """A picture of a page: `boxes` are ids of blocks that are marked on it."""

    document_id: str
    page: int
    width: int = 900
    boxes: tuple[str, ...] = ()
    format: PictureFormat = "png"


@dataclasses.dataclass(frozen=True, slots=True)
class Picture:
    """The bytes of a picture and a tag that changes when they do."""

    data: bytes
    etag: str


class Pictures:
    """Draws pictures and keeps the last ones. Thread-safe."""

    def __init__(self, library: Library, most_bytes: int) -> None:
        self._library, self._most = library, most_bytes
        self._kept: OrderedDict[Wanted, Picture] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def kept(self, wanted: Wanted) -> Picture | None:
        """Return a picture that is at hand."""
        with self._lock:
            found = self._kept.get(wanted)
            if found is not None:
                self._kept.move_to_end(wanted)
            return found

    def draw(self, wanted: Wanted) -> Picture:
        """Return a picture, drawn where it is not at hand. Raises as `Library.picture` does."""
        found = self.kept(wanted)
        if found is not None:
            return found
        raster = self._library.picture(wanted.document_id, wanted.page, width=wanted.width)
        if wanted.boxes:
            raster = _marked(raster, self._library.read(wanted.document_id), wanted)
        data = _encoded(raster, wanted.format)
        picture = Picture(data, f'"{hashlib.sha256(data).hexdigest()[:24]}"')
        with self._lock:
            if wanted not in self._kept:
                self._bytes += len(data)
            self._kept[wanted] = picture
            while self._bytes > self._most and self._kept:
                self._bytes -= len(self._kept.popitem(last=False)[1].data)
        return picture

    def forget(self, document_id: str) -> None:
        """Forget the pictures of a document."""
        with self._lock:
            for wanted in [one for one in self._kept if one.document_id == document_id]:
                self._bytes -= len(self._kept.pop(wanted).data)


def _marked(raster: Raster, document: Document, wanted: Wanted) -> Raster:
    """Return a picture with the boxes of blocks on its page marked."""
    height, width = raster.shape[:2]
    pages, marked = document.pages, raster.copy()
    across, down = float(pages.width[wanted.page - 1]), float(pages.height[wanted.page - 1])
    for block in wanted.boxes:
        row = _row(document, block)
        if int(document.blocks.page[row]) != wanted.page:
            continue
        x0, y0, x1, y1 = (float(value) for value in document.blocks.box[row])
        left, right = max(0, round(x0 / across * width) - 1), min(width, round(x1 / across * width) + 1)
        top, bottom = max(0, round(y0 / down * height) - 1), min(height, round(y1 / down * height) + 1)
        marked[top:bottom, left:right] = (marked[top:bottom, left:right] * _INK).astype(np.uint8)
    return marked


def _row(document: Document, block: str) -> int:
    digits = block.removeprefix("b")
    if not digits.isdecimal() or int(digits) >= len(document.blocks):
        raise CorpusError("unknown", f"{document.name} has no block {block!r}")
    return int(digits)


def _encoded(raster: Raster, form: PictureFormat) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    if form == "webp":
        Image.fromarray(raster).save(out, "WEBP", quality=_WEBP_QUALITY, method=2)
    else:
        Image.fromarray(raster).save(out, "PNG", compress_level=3)
    return out.getvalue()
