"""Struck-out text: how it is marked, so that it is found and nothing is answered from it."""

from __future__ import annotations

import re

STRUCK = "~~"
"""Stands before and after struck-out text."""
STRUCK_OUT = re.compile(r"~~(?=[^~\s])(?:(?!~~).){1,400}~~", re.DOTALL)
"""Struck-out text with its marks."""


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
