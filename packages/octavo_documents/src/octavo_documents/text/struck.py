"""Struck-out text (strikethrough) as it is written in plain text, so that nothing is answered from it: ~~pounds~~."""

from __future__ import annotations

import re

STRUCK = "~~"
"""Stands before and after struck-out text."""
STRUCK_OUT = re.compile(r"~~(?=[^~\s])(?:(?!~~).){1,400}~~", re.DOTALL)
"""Struck-out text with its marks."""


_TILDES = re.compile("~{2,}")
TILDE = "∼"
"""Stands for each tilde of a file's own words where these would read as the signs of struck-out text."""


def without_signs(text: str) -> str:
    """Return a file's own words, in which nothing reads as the signs of struck-out text."""
    return _TILDES.sub(lambda tildes: TILDE * len(tildes[0]), text) if STRUCK in text else text


def struck(text: str) -> str:
    """Return text as it is written where it is struck out: white space at its ends stays outside."""
    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    return f"{text[:start]}{STRUCK}{inner}{STRUCK}{text[start + len(inner) :]}"


def without_struck(text: str) -> str:
    """Return a text without what is struck out in it."""
    return STRUCK_OUT.sub("", text) if STRUCK in text else text
