"""Dates and times as number formats show them ("17-May-07"), with their value where what is shown does not tell it."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache

from octavo_documents.text import languages
from octavo_documents.text.periods import periods_in
from octavo_documents.text.values import ValueKind, values_in

_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?)|\\(?P<plain>.)|\[\$(?P<word>[^\]-]*)(?:-(?P<language>[0-9a-f]*))?[^\]]*\]|\[[^\]]*\]|_.|\*."""
    r"""|(?P<noon>am/pm|a/p)|(?P<parts>y+|m+|d+|h+|s+(?:[.,]0+)?)|(?P<other>[^@])""",
    re.IGNORECASE | re.DOTALL,
)
_LANGUAGES = {0x07: "de", 0x0A: "es", 0x0C: "fr", 0x10: "it", 0x13: "nl", 0x15: "pl", 0x16: "pt", 0x19: "ru"}
"""Languages by the lower bits of the number that a format names them by; all others are shown as in English."""
_ENGLISH = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def dated(moment: datetime.datetime, code: str, form: str) -> str:
    """Return a moment as a section of a number format shows it, and its value behind it unless that tells the same.

    `form` is how the value is written, in the signs of `strftime`.
    """
    shown, value = _shown(moment, code), moment.strftime(form)
    if not shown or shown == value:
        return value
    is_told = "%Y" not in form or (moment.year in _YEARS and _tells(code, form))
    return shown if is_told else f"{shown} ({value})"


@lru_cache(maxsize=512)
def _tells(code: str, form: str) -> bool:
    """Whether what a format shows of any moment of our times tells the moment, as far as a form has it."""
    return all(_is_told(_shown(one, code), one, one.strftime(form)) for one in _TRIED)


_YEARS = range(1950, 2050)
"""Years that two digits stand for."""
_TRIED = (datetime.datetime(2004, 5, 3, 14, 6, 7), datetime.datetime(1987, 11, 27, 9, 8, 5))
"""Moments that are told in any order of day, month and year, or in one alone."""


def _is_told(shown: str, moment: datetime.datetime, iso: str) -> bool:
    dates = (one.text for one in values_in(shown) if one.kind in (ValueKind.DATE, ValueKind.YEAR))
    day = (moment.month, moment.day) if iso.count("-") > 1 else (moment.month, 0) if "-" in iso else (0, 0)
    found = (one for date in dates for one in periods_in(date))
    return any(one.year == moment.year and (one.month, one.day) == day for one in found)


def with_value(shown: str, value: str) -> str:
    """Return what a cell shows of a date or a time ("2007-05-17T14:30:00"), with that where it does not tell it."""
    try:
        moment = datetime.datetime.fromisoformat(value)
    except ValueError:
        return shown
    year = f"{moment:%Y}"
    has_day = any(map(str.isdigit, shown.replace(year, "")))
    day = year if shown == year else f"{moment:%Y-%m-%d}" if has_day else f"{moment:%Y-%m}"
    has_time = ":" in shown and has_day
    iso = f"{day} {moment:%H:%M}" if has_time else day
    return shown if shown == iso or _is_told(shown, moment, iso) else f"{shown} ({iso})"


def _shown(moment: datetime.datetime, code: str) -> str:
    tokens = [(match.lastgroup or "", match) for match in _TOKEN.finditer(code)]
    names = _ENGLISH
    parts = [match["parts"][0].lower() if kind == "parts" else "" for kind, match in tokens]
    is_halved = any(kind == "noon" for kind, _ in tokens)
    found: list[str] = []
    for at, (kind, match) in enumerate(tokens):
        if kind in ("word", "language"):
            names = _months(match["language"] or "") or names
            found.append(match["word"])
        elif kind == "noon":
            found.append(("AM", "PM")[moment.hour >= 12][: 2 if len(match[0]) > 3 else 1])
        elif kind == "parts":
            around = (next(filter(None, reversed(parts[:at])), ""), next(filter(None, parts[at + 1 :]), ""))
            is_minutes = parts[at] == "m" and (around[0] == "h" or around[1] == "s") and len(match[0]) < 3
            found.append(_part(moment, match[0].lower(), names, is_minutes=is_minutes, is_halved=is_halved))
        elif kind:
            found.append(match[kind].strip('"') if kind == "quoted" else match[kind])
    return "".join(found).strip()


def _part(moment: datetime.datetime, letters: str, names: tuple[str, ...], *, is_minutes: bool, is_halved: bool) -> str:
    """Return what one run of letters shows: "yyyy", "mmm", "dd", "h", "ss.0"."""
    kind, count = letters[0], len(letters)
    if kind == "y":
        return f"{moment:%Y}" if count > 2 else f"{moment:%y}"
    if kind == "m" and not is_minutes and count > 2:
        return names[moment.month - 1][: 3 if count == 3 else 1 if count == 5 else None]
    if kind == "d" and count > 2:
        return _DAYS[moment.weekday()][: 3 if count == 3 else None]
    hour = (moment.hour + 11) % 12 + 1 if is_halved else moment.hour
    number = {"m": moment.minute if is_minutes else moment.month, "d": moment.day, "h": hour}.get(kind, moment.second)
    return f"{number:0{min(count, 2)}}"


def _months(language: str) -> tuple[str, ...]:
    """Return the names of months in the language of this number; none for English and those that are not known."""
    code = _LANGUAGES.get(int(language or "0", 16) & 0x3FF)
    if code is None:
        return ()
    known = languages.language(code)
    return tuple(forms[0].capitalize() if known.capitals == "nouns" else forms[0] for forms in known.months)
