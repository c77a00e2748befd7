"""Marks in the text of a block that are no part of what it says: struck-out words, raised marks of notes."""

from __future__ import annotations

import re

_STRUCK = re.compile(r"~~(?:(?!~~).)+~~", re.DOTALL)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
_NOTE = re.compile(rf"(?<=[^\W_])[{_RAISED}]+(?:[,⁾]?[{_RAISED}]+)*(?![^\W_])|(?<=[)%.,;:])[{_RAISED}]+(?![^\W_])")
_UNIT_POWER = re.compile(r"(?:(?<![^\W_])(?:[kcdmµ]?m|ft|in|s|km|yd))[²³]$")


def without_struck(text: str) -> str:
    """Return a text without what is struck out in it: nothing is answered from `~~4~~`."""
    return _STRUCK.sub(" ", text) if "~~" in text else text


def without_notes(text: str) -> str:
    """Return a text without the raised marks of notes: "320 dollars" of "320¹ dollars"; the power in "m²" stays."""
    return text if text.isascii() else _NOTE.sub(_kept, text)


def _kept(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - 3) : found.start()]
    return found.group() if _UNIT_POWER.search(before + found.group()) else ""


def readable(text: str) -> str:
    """Return a text as it is read for answers: without struck-out words and marks of notes."""
    return without_notes(without_struck(text))
