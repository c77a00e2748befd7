"""A text as it is read for answers: without what is struck out in it and without raised marks of notes."""

from __future__ import annotations

from octavo.text.raised import without_marks
from octavo.text.struck import without_struck


def without_notes(text: str) -> str:
    """Return a text without the raised marks of notes: "320 dollars" of "320¹ dollars"; the power in "m²" stays."""
    return text if text.isascii() else without_marks(text)


def readable(text: str) -> str:
    """Return a text as it is read for answers: without struck-out words and marks of notes."""
    return without_notes(without_struck(text))
