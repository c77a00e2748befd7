"""Sentences and lines of a text: where they end."""

from __future__ import annotations

import re
from itertools import pairwise

Span = tuple[int, int]
"""[start, stop) in characters."""

_SENTENCE_END = re.compile(
    r"(?<!\b[a-z])(?<!\b(?:vs|cf|al|no|eq|dr|mr|ms|st))(?<!\b(?:fig|e\.g|i\.e|inc|ltd|etc|mrs|sec|tab))"
    r"[.!?…][\"'”’)\]]*\s++(?-i:(?![a-z]))",
    re.IGNORECASE,
)
"""The end of a sentence and the white space after it; not after an initial, a title (Dr.) or a common short form."""
_LINE_END = re.compile(r"\n+")


def sentence_spans(text: str) -> list[Span]:
    """Return the sentences of a text in order; together they cover it."""
    return _spans(text, _SENTENCE_END)


def line_spans(text: str) -> list[Span]:
    """Return the lines of a text in order; together they cover it."""
    return _spans(text, _LINE_END)


def _spans(text: str, end: re.Pattern[str]) -> list[Span]:
    cuts = [0, *(found.end() for found in end.finditer(text)), len(text)]
    return [(start, stop) for start, stop in pairwise(cuts) if start < stop]
