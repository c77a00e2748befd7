"""Characters that stand for others: ligatures, soft hyphens, symbol-font bullets, combining marks."""

from __future__ import annotations

import re
import unicodedata

SPECIAL = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u0300-\u036f\u200b-\u200f\u2060\ud800-\udfff\ue000-\uf8ff\ufb00-\ufb06\ufeff\ufffe\uffff]"
)
"""Finds text that `normalise` would change."""

_REPLACEMENTS: dict[int, str] = {
    **dict.fromkeys(range(0x20), ""),
    **dict.fromkeys(range(0x7F, 0xA0), ""),
    **dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF), ""),
    **dict.fromkeys(range(0xD800, 0xE000), ""),
    **dict.fromkeys(range(0xE000, 0xF900), ""),
    # Bullets of the Symbol and Wingdings fonts, which have no Unicode mapping of their own.
    **dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF06C, 0xF06E, 0xF071, 0xF0A8, 0xF0E0, 0xF0D7), "•"),
    **dict.fromkeys((0xF0FC, 0xF0FE), "✓"),
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}


def normalise(text: str) -> str:
    """Return `text` with ligatures spelled out, accents composed, and control and unmapped characters removed."""
    return unicodedata.normalize("NFC", text.translate(_REPLACEMENTS))
