"""A text as it is read for answers: without what is struck out in it and without raised marks of notes."""

from __future__ import annotations

from octavo_documents.text.raised import without_marks
from octavo_documents.text.struck import without_struck


def readable(text: str) -> str:
    """Return a text as it is read for answers: "320 dollars" of "320¹ ~~pounds~~ dollars"; the power in "m²" stays."""
    return without_marks(without_struck(text))
