"""Whether a PDF may have layers (optional content) that are not shown, told from its bytes without reading its objects.

Objects packed in streams are unpacked as far as a bound; a false yes costs time only.
"""

from __future__ import annotations

import mmap
import re
import zlib
from pathlib import Path

_HIDDEN = re.compile(rb"/OFF\s*\[\s*\d+\s|/OFF\s+\d+\s+\d+\s+R|/BaseState\s*/OFF|/(?:View|Print)State\s*/OFF|/OCMD\b")
_PACKED = re.compile(rb"/ObjStm\b")
_MOST_UNPACKED, _MOST_OF_ONE = 64 << 20, 4 << 20
_LONGEST_HEAD = 1000


def may_hide_layers(path: Path) -> bool:
    """Tell a file that may have layers switched off, or shown on conditions; True too where it is encrypted."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if _HIDDEN.search(data):
            return True
        room = _MOST_UNPACKED
        for found in _PACKED.finditer(data):
            body = _unpacked(data, found.end())
            if _HIDDEN.search(body):
                return True
            room -= len(body)
            if room <= 0:
                break
        return data.rfind(b"/Encrypt") >= 0


def _unpacked(data: mmap.mmap, start: int) -> bytes:
    """Return what the stream whose dictionary goes on at `start` holds, as far as it can be read."""
    at = data.find(b"stream", start, start + _LONGEST_HEAD)
    if at < 0:
        return b""
    at += len(b"stream")
    while data[at : at + 1] in (b"\r", b"\n"):
        at += 1
    try:
        return zlib.decompressobj().decompress(data[at : at + _MOST_OF_ONE], _MOST_OF_ONE)
    except zlib.error:
        return b""
