"""Pictures and objects of other programs in RTF, which stand there as hexadecimal digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo_documents.parsing.embedded_objects import unwrapped
from octavo_documents.parsing.flow import CarriedFile
from octavo_documents.parsing.package import OLE_MARK, ZIP_MARK

_OTHER = re.compile(r"[^0-9a-fA-F]+")
_PICTURES = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"))
_MARKS = (OLE_MARK, ZIP_MARK, b"%PDF-")
_HEAD = 2000
"""Bytes of the head of an object (OLE 1.0) in which what it holds begins."""


def picture_in(words: Sequence[str]) -> CarriedFile | None:
    """Return a picture of pixels; None for drawings of lines and for nonsense."""
    data = _bytes(words)
    ending = next((ending for mark, ending in _PICTURES if data.startswith(mark)), "")
    return CarriedFile(f"picture{ending}", data=data) if ending else None


def object_in(words: Sequence[str], number: int) -> CarriedFile:
    """Return the file that an object holds, under its number where it has no name."""
    data, name = _bytes(words), f"object{number}.bin"
    found = [at for mark in _MARKS if (at := data.find(mark, 0, _HEAD)) >= 0]
    return unwrapped(name, data[min(found) :]) if found else CarriedFile(name, "application/octet-stream", data)


def _bytes(words: Sequence[str]) -> bytes:
    digits = _OTHER.sub("", "".join(words))
    return bytes.fromhex(digits[: len(digits) // 2 * 2])
