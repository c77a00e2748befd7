"""The words of a message that Outlook keeps as compressed RTF (MS-OXRTFCP)."""

from __future__ import annotations

import struct

from octavo.parsing.limits import MEBIBYTE

_KNOWN = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    + b"\r\n"
    + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What every text is taken to come after."""
_PACKED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_MOST = 32 * MEBIBYTE


def unpacked(data: bytes) -> str:
    """Return the words of compressed RTF, paragraphs parted by empty lines; "" for what is none."""
    from octavo.parsing.flow import NoText
    from octavo.parsing.markup import rtf

    found = _rtf(data)
    if not found:
        return ""
    try:
        return "\n\n".join(block.text for block in rtf.read(found).blocks)
    except NoText:
        return ""


def _rtf(data: bytes) -> bytes:
    if len(data) < 16:
        return b""
    _, size, kind = struct.unpack("<II4s", data[:12])
    if kind == _PLAIN:
        return data[16 : 16 + size]
    return _unpacked(data[16:], min(size, _MOST)) if kind == _PACKED else b""


def _unpacked(data: bytes, size: int) -> bytes:
    """Return bytes packed by LZFu: runs of eight literals or places in the last 4,096 bytes."""
    out = bytearray(_KNOWN)
    at, base = 0, len(_KNOWN)
    while at < len(data) and len(out) - base < size:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at >= len(data):
                break
            if not flags >> bit & 1:
                out.append(data[at])
                at += 1
                continue
            if at + 1 >= len(data):
                return bytes(out[base:])
            place, length = (data[at] << 4) | (data[at + 1] >> 4), (data[at + 1] & 15) + 2
            at += 2
            back = (len(out) - place) % _WINDOW
            if not back:
                return bytes(out[base:])
            for _ in range(length):
                out.append(out[len(out) - back] if back <= len(out) else 32)
    return bytes(out[base : base + size])
