"""Numbers as lists and notes print them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

BULLET, NO_NUMBER = "bullet", "none"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(value: int, form: str = "decimal") -> str:
    """Return a number in a form of Office ("upperRoman"), in digits for forms that are not known."""
    make = _FORMS.get(form)
    return make(value) if make and value > 0 else "" if form in (BULLET, NO_NUMBER) else str(value)


def _roman(value: int) -> str:
    if value >= 5000:
        return str(value)
    found = ""
    for worth, letters in _ROMAN:
        count, value = divmod(value, worth)
        found += letters * count
    return found


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
