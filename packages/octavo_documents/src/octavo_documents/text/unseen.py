"""Characters of Unicode that show on no page, left out: they can hide orders to a model, or turn a line round.

What is left out: controls but tab and line end, all format characters (soft hyphen, zero widths, bidi controls, tags),
variation selectors, fillers of Hangul and Braille, and half of a surrogate pair. A joiner stays between letters of the
scripts that are spelled with it.
"""

from __future__ import annotations

import re

_UNSEEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad"  # controls, soft hyphen
    "\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2"
    "\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164"
    "\\ud800-\\udfff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb"
    "\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
_SPELLED = "\u0610-\u06dc\u06de-\u070e\u0710-\u07bf\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1b00-\u1b7f"
_FOUND = re.compile(f"((?<=[{_SPELLED}])[\u200c\u200d](?=[{_SPELLED}]))|[{_UNSEEN}]")
_AS_SPACE = {ord(letter): " " for letter in "\x0b\x0c\x85\u2028\u2029"}


def without_unseen(text: str) -> str:
    """Return text without the characters that nobody sees; what breaks a line in other ways becomes a space."""
    spaced = text.replace("\r\n", "\n").replace("\r", "\n").translate(_AS_SPACE)
    return spaced if spaced.isascii() and spaced.isprintable() else _FOUND.sub(lambda found: found[1] or "", spaced)
