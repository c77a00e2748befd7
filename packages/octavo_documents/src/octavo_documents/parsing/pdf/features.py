"""What a PDF may have, told from its bytes without reading its objects: layers that are not shown, marked text.

Objects packed in streams are unpacked as far as a bound; a false yes costs time only.
"""

from __future__ import annotations

import mmap
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from octavo_documents.parsing.held_file import mapped

_HIDDEN = re.compile(rb"/OFF\s*\[\s*\d+\s|/OFF\s+\d+\s+\d+\s+R|/BaseState\s*/OFF|/(?:View|Print)State\s*/OFF|/OCMD\b")
_WORDS = (b"/OFF", b"/OCMD")
"""Every sign that is looked for has one of them; they are found sooner."""
_PACKING, _LOCKED = b"/ObjStm", b"/Encrypt"
_MARKUP = (b"/StrikeOut", b"/Underline", b"/Highlight")
_TELLING = re.compile(rb"/(?:O(?:FF|CMD|bjStm)|StrikeOut|Underline|Highlight|Encrypt)")
_PACKED = re.compile(rb"/ObjStm\b")
_MOST_UNPACKED, _MOST_OF_ONE = 64 << 20, 4 << 20
_LONGEST_HEAD = 1000
_STEP = 1 << 16
"""Bytes of a stream that are unpacked at a time."""


@dataclass(frozen=True, slots=True)
class PdfFeatures:
    """Whether a file may have layers switched off or shown on conditions, and annotations that mark text.

    Both are True where it is encrypted.
    """

    may_hide_layers: bool
    may_mark_text: bool


def features_of(path: Path) -> PdfFeatures:
    """Return what a file may have."""
    with mapped(path) as data:
        words = {found[0] for found in _TELLING.finditer(data)}
        if not words.isdisjoint(_WORDS) and _HIDDEN.search(data):
            return PdfFeatures(may_hide_layers=True, may_mark_text=True)
        is_locked, may_mark_text = _LOCKED in words, not words.isdisjoint((_LOCKED, *_MARKUP))
        room = _MOST_UNPACKED
        for found in _PACKED.finditer(data) if _PACKING in words else ():
            body = _unpacked(data, found.end())
            if any(word in body for word in _WORDS) and _HIDDEN.search(body):
                return PdfFeatures(may_hide_layers=True, may_mark_text=True)
            room -= len(body)
            may_mark_text |= not 0 < len(body) < _MOST_OF_ONE or room <= 0 or any(name in body for name in _MARKUP)
            if room <= 0:
                break
        return PdfFeatures(is_locked, may_mark_text)


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
