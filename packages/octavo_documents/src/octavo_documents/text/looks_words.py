"""Words for looks, in the languages whose tables have such: underlined, italic, a colour, the first and last page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from octavo_documents.text.languages import LANGUAGES, language

WORD_LOOKS = ("underlined", "italic", "bold", "highlighted")
"""How words within a text may look otherwise than those around them.

What the tables have under "marked" says "highlighted" only beside a colour.
"""
COLOURS = ("yellow", "green", "red", "blue", "orange", "pink")
_HUES = (("red", 15), ("orange", 45), ("yellow", 70), ("green", 165), ("blue", 260), ("pink", 345), ("red", 360))
"""Colours by where they end on the circle of hues, in degrees."""
_GREY = 40
_ENDS = {"first_page": 1, "last_page": -1}
_PREFIXES = "وفبكل"
"""Letters of Arabic that are written with the word after them."""


class SaidLook(NamedTuple):
    """A word or words for a look at characters `[start, stop)` of a text; `look` is its name in the tables."""

    look: str
    start: int
    stop: int


class _Phrase(NamedTuple):
    look: str
    words: str
    is_open: bool
    """Whether other ends may follow."""
    is_spaced: bool


def looks_said(text: str) -> Iterator[SaidLook]:
    """Yield the words for looks in a text in whatever language, by language.

    "colour" is any word for a colour as such, "text" one for words as such ("sentence", "written").

    >>> [one.look for one in looks_said("Was ist auf der letzten Seite unterstrichen?")]
    ['underlined', 'last_page']
    """
    folded = text.casefold()
    if len(folded) != len(text):
        folded = text.lower() if len(text.lower()) == len(text) else text
    for phrase in _phrases():
        start = folded.find(phrase.words)
        while start >= 0:
            stop = start + len(phrase.words)
            if not phrase.is_spaced or _is_whole(folded, start, stop, phrase):
                while phrase.is_open and stop < len(folded) and folded[stop].isalnum():
                    stop += 1
                yield SaidLook(phrase.look, start, stop)
                break
            start = folded.find(phrase.words, stop)


def without_looks(text: str) -> str:
    """Return a text without its words for looks, and for words as such.

    >>> without_looks("Which sentences on dogs are underlined?").split()
    ['Which', 'on', 'dogs', 'are', '?']
    """
    for one in looks_said(text):
        text = f"{text[: one.start]}{' ' * (one.stop - one.start)}{text[one.stop :]}"
    return text


def pages_at_ends(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, stop, position) of words for the first page of a document (position 1) or the last (-1)."""
    for one in looks_said(text):
        if one.look in _ENDS:
            yield one.start, one.stop, _ENDS[one.look]


def colour_name(colour: int) -> str:
    """Return which of `COLOURS` a colour is nearest to, 0xRRGGBB; "" for grey, black and white.

    >>> colour_name(0xFFFF00), colour_name(0xFFEB3B), colour_name(0x00FF00), colour_name(0xC0C0C0)
    ('yellow', 'yellow', 'green', '')
    """
    red, green, blue = (colour >> shift & 255 for shift in (16, 8, 0))
    most, spread = max(red, green, blue), max(red, green, blue) - min(red, green, blue)
    if spread < _GREY:
        return ""
    if most == red:
        hue = 60 * (green - blue) / spread % 360
    elif most == green:
        hue = 60 * (blue - red) / spread + 120
    else:
        hue = 60 * (red - green) / spread + 240
    return next(name for name, end in _HUES if hue <= end)


def _is_whole(text: str, start: int, stop: int, phrase: _Phrase) -> bool:
    before = text[:start]
    if before[-1:] in _PREFIXES and before[-1:]:
        before = before[:-1]
    return not before[-1:].isalnum() and (phrase.is_open or not text[stop : stop + 1].isalnum())


@cache
def _phrases() -> tuple[_Phrase, ...]:
    return tuple(
        _Phrase(look, phrase.casefold().removesuffix("*"), phrase.endswith("*"), language(code).is_spaced)
        for code in LANGUAGES
        for look, phrases in language(code).looks
        for phrase in phrases
    )
