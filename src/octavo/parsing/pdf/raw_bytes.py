"""What a PDF may have, told from its bytes without reading its objects: layers that are not shown, struck-out text.

Objects packed in streams are unpacked as far as a bound; a false yes costs time only.
"""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HIDDEN = re.compile(rb"/OFF\s*\[\s*\d+\s|/OFF\s+\d+\s+\d+\s+R|/BaseState\s*/OFF|/(?:View|Print)State\s*/OFF|/OCMD\b")
_WORDS = (b"/OFF", b"/OCMD")
"""One of them is in whatever is told by; they are found sooner."""
_PACKED, _STRUCK, _LOCKED = b"/ObjStm", b"/StrikeOut", b"/Encrypt"
_WORD = re.compile(rb"\w")
_MOST_UNPACKED, _MOST_OF_ONE = 64 << 20, 4 << 20
_LONGEST_HEAD = 1000
_STEP = 1 << 16
"""Bytes of a stream that are unpacked at a time."""
_PART = 1 << 20
"""Bytes of a file that are searched at a time."""
_LONGEST = max(map(len, (*_WORDS, _PACKED, _STRUCK, _LOCKED)))


@dataclass(frozen=True, slots=True)
class Told:
    """Whether a file may have layers switched off or shown on conditions, and annotations that strike text out.

    Both are True where it is encrypted.
    """

    may_hide_layers: bool
    may_strike_out: bool


def told_by_bytes(path: Path) -> Told:
    """Return what a file may have."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = _found(data)
        if found.keys() & {*_WORDS} and _HIDDEN.search(data):
            return Told(may_hide_layers=True, may_strike_out=True)
        is_locked, may_strike_out = _LOCKED in found, _LOCKED in found or _STRUCK in found
        room = _MOST_UNPACKED
        for end in found.get(_PACKED, ()):
            if _WORD.match(data[end : end + 1]):
                continue
            body = _unpacked(data, end)
            if any(word in body for word in _WORDS) and _HIDDEN.search(body):
                return Told(may_hide_layers=True, may_strike_out=True)
            room -= len(body)
            may_strike_out |= not 0 < len(body) < _MOST_OF_ONE or room <= 0 or _STRUCK in body
            if room <= 0:
                break
        return Told(is_locked, may_strike_out)


def _found(data: mmap.mmap) -> dict[bytes, list[int]]:
    """Return the words that are in a file: the ends of the heads of its packed objects, one end of any other word."""
    found: dict[bytes, list[int]] = {}
    for start in range(0, len(data), _PART):
        part = data[start : start + _PART + _LONGEST - 1]  # bytes are searched many times faster than a map
        for word in (*_WORDS, _STRUCK, _LOCKED):
            if word not in found and (at := part.find(word)) >= 0:
                found[word] = [start + at + len(word)]
        ends = [start + at + len(_PACKED) for at in _places(part, _PACKED) if at < _PART]
        if ends:
            found.setdefault(_PACKED, []).extend(ends)
    return found


def _places(data: bytes, word: bytes) -> Iterator[int]:
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


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
