"""What a question points at by name or place: "page 5 of the appendix", "Fig. 2(b)", "the last two slides".

Owns the value and the one form in which numbers are kept. Knows nothing about how questions are read.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

What = Literal[
    "page",
    "figure",
    "table",
    "chart",
    "equation",
    "section",
    "chapter",
    "appendix",
    "part",
    "unit",
    "step",
    "box",
    "note",
    "item",
    "question",
    "example",
    "exhibit",
    "algorithm",
]
Relation = Literal["", "in", "before", "after", "previous page", "next page", "same page"]

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_WIDEST = 50
"""Numbers; a wider range is read as its two ends."""


@dataclasses.dataclass(frozen=True, slots=True)
class Reference:
    """One thing pointed at. A page is named by its number or label, or by its position from the front or the back."""

    words: str
    """The words of the question, verbatim."""
    what: What
    number: str = ""
    """As `canonical` writes it: "3", "iv", "2.1", "a.2", "b"; "" when it is told by position or title."""
    to: str = ""
    """The last number of a range; "" when there is one number."""
    part: str = ""
    """The part of it that is meant: "b" of "Fig. 2(b)"."""
    position: int = 0
    """1 for the first, 2 for the second, -1 for the last of its kind; 0 when it has a number or title."""
    count: int = 1
    """How many, from that position on to the middle: 10 for "the first ten pages"."""
    title: str = ""
    """What it is called: "Results" for "the Results section"."""
    anchor: str = ""
    """Words for what it is told from: "the appendix" for "page 5 of the appendix"."""
    relation: Relation = ""
    """How it stands to the anchor."""

    def numbers(self) -> tuple[str, ...]:
        """Return every number it stands for, ranges spelled out; the two ends of one that is very wide or uneven."""
        if not self.to:
            return (self.number,) if self.number else ()
        first, last = number_value(self.number), number_value(self.to)
        if first is None or last is None or not first <= last <= first + _WIDEST:
            return self._stepped()
        if self.number.isdigit():
            return tuple(str(number) for number in range(first, last + 1))
        return tuple(roman_numeral(number) for number in range(first, last + 1))

    def _stepped(self) -> tuple[str, ...]:
        """Spell out a range of numbers that differ in their last part only: 2.1 to 2.4, a to c."""
        stem, _, low = self.number.rpartition(".")
        other, _, high = self.to.rpartition(".")
        if stem == other and stem and low.isdigit() and high.isdigit() and int(low) <= int(high) <= int(low) + _WIDEST:
            return tuple(f"{stem}.{number}" for number in range(int(low), int(high) + 1))
        if len(self.number) == len(self.to) == 1 and self.number.isalpha() and self.number <= self.to:
            return tuple(chr(letter) for letter in range(ord(self.number), ord(self.to) + 1))
        return (self.number, self.to)


def canonical(number: str) -> str:
    """Return one form for the ways to print a number: "A-3", "A3" and "a.3" give "a.3", "IV" gives "iv"."""
    plain = number.strip().strip(".").lower().replace("–", "-").replace("-", ".")
    if len(plain) > 1 and plain[0].isalpha() and plain[1].isdigit():
        return f"{plain[0]}.{plain[1:]}"
    return plain


def number_value(number: str) -> int | None:
    """Return the value of a plain or Roman number, None for others: 3 for "3", 4 for "iv"."""
    if number.isdigit() and len(number) <= 6:
        return int(number)
    if not number or not _ROMAN.fullmatch(number):
        return None
    values = [_LETTERS[letter] for letter in number.lower()]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))


def roman_numeral(value: int) -> str:
    """Return a number (1 to 3999) in small Roman letters."""
    written = ""
    for size, letters in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    ):
        times, value = divmod(value, size)
        written += letters * times
    return written
