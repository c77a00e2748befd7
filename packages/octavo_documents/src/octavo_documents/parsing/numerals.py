"""Whole numbers as files write them, and in the forms that lists show them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from octavo_documents.text.things import roman_numeral

BULLET, NO_NUMBER = "bullet", "none"


def whole_number(text: str, *, digits: int = 8) -> int | None:
    """Return the whole number that a file writes; None where it writes none, or one of more digits.

    `str.isdigit` takes "²" for a number, and `int` refuses numbers of thousands of digits.
    """
    return int(text) if text.isdecimal() and len(text) <= digits else None


def numeral(value: int, form: str = "decimal") -> str:
    """Return a number in a form of Office ("upperRoman"), in digits for forms that are not known."""
    make = _FORMS.get(form)
    return make(value) if make and value > 0 else "" if form in (BULLET, NO_NUMBER) else str(value)


def _roman(value: int) -> str:
    return str(value) if value >= 5000 else roman_numeral(value)


def _letters(value: int) -> str:
    """Return a number as lists are lettered: a to z, then aa to zz, aaa to zzz."""
    times, at = divmod(value - 1, 26)
    return chr(ord("a") + at) * min(times + 1, 20)


def _ordinal(value: int) -> str:
    ending = "th" if 10 < value % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


_FORMS: Mapping[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "ordinal": _ordinal,
    "decimalZero": lambda value: f"{value:02}",
}
