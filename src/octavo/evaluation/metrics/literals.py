"""Literals in answers, read with limits.

Owns the length and depth a literal may have; nothing is ever executed. Knows nothing about what the literals mean.
"""

from __future__ import annotations

import ast
from typing import cast

LONGEST = 20_000
"""Characters."""
DEEPEST = 12
"""Brackets inside brackets."""


def parse_literal(text: str) -> object | None:
    """Return the Python literal that a text is, None when it is none, or longer or deeper than allowed."""
    if len(text) > LONGEST or _depth(text) > DEEPEST:
        return None
    try:
        return cast(object, ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def parse_list(text: str) -> list[object] | None:
    """Return the literal list that a text starting with "[" is, None for any other text."""
    if not text.startswith("["):
        return None
    found = parse_literal(text)
    return cast("list[object]", found) if isinstance(found, list) else None


def _depth(text: str) -> int:
    """Return the deepest nesting of brackets; brackets inside quotes count too, which only makes it stricter."""
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest
