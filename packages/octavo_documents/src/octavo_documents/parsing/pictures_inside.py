"""The pictures in the archive of an office file, as files whose words OCR may read."""

from __future__ import annotations

import posixpath

from octavo_documents.document import Kind
from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, NoText
from octavo_documents.parsing.package import Package

_DRAWN = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp")
"""Endings of pictures made of pixels; drawings of lines and shapes are not read."""
_MOST_BYTES = 256 * MEBIBYTE


class PicturesInside:
    """Gives the pictures of a package by the names of their parts; each is held once, and not more than fits."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._held: dict[str, CarriedFile | None] = {}
        self._left = _MOST_BYTES

    def block(self, name: str, about: str) -> FlowBlock | None:
        """Return the figure of a picture with what is written about it; None where neither is there."""
        file = self.file(name)
        return FlowBlock(Kind.FIGURE, about, file=file) if about or file else None

    def file(self, name: str) -> CarriedFile | None:
        """Return the picture of a part; None where there is none."""
        if name not in self._held:
            self._held[name] = self._read(name)
        return self._held[name]

    def _read(self, name: str) -> CarriedFile | None:
        if not name.lower().endswith(_DRAWN) or name not in self._package or self._left <= 0:
            return None
        try:
            data = self._package.read(name)
        except NoText:
            return None
        self._left -= len(data)
        return CarriedFile(posixpath.basename(name), data=data)
