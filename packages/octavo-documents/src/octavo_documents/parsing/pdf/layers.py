"""Whether a PDF may have layers (optional content) that are not shown, told from its bytes without reading its objects.

Objects packed in streams are unpacked as far as a bound; a false yes costs time only.
"""

from __future__ import annotations

import mmap
import re
import zlib
from pathlib import Path

_HIDDEN = re.compile(rb"/OFF\s*\[\s*\d+\s|/OFF\s+\d+\s+\d+\s+R|/BaseState\s*/OFF|/(?:View|Print)State\s*/OFF|/OCMD\b")
_WORDS = (b"/OFF", b"/OCMD")
"""One of them is in whatever is told by; they are found sooner."""
_PACKED = re.compile(rb"/ObjStm\b")
_MOST_UNPACKED, _MOST_OF_ONE = 64 << 20, 4 << 20
_LONGEST_HEAD = 1000
_STEP = 1 << 16
"""Bytes of a stream that are unpacked at a time."""


def may_hide_layers(path: Path) -> bool:
    """Tell a file that may have layers switched off, or shown on conditions; True too where it is encrypted."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if any(data.find(word) >= 0 for word in _WORDS) and _HIDDEN.search(data):
            return True
        room = _MOST_UNPACKED
        for found in _PACKED.finditer(data):
            body = _unpacked(data, found.end())
            if any(word in body for word in _WORDS) and _HIDDEN.search(body):
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
    stream, found = zlib.decompressobj(), bytearray()
    stop = min(at + _MOST_OF_ONE, len(data))
    try:
        while at < stop and not stream.eof and len(found) < _MOST_OF_ONE:
            part = data[at : min(at + _STEP, stop)]
            at += len(part)
            found += stream.decompress(stream.unconsumed_tail + part, _MOST_OF_ONE - len(found))
    except zlib.error:
        return b""
    return bytes(found)
