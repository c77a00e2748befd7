"""What the cell of a table is as a whole: a number, a time, a day, a name; a unit or note after it is left out.

Where `values` finds values in running text, here all of a cell has to be one, for columns to be compared and added up.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import nan

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import fold
from octavo_documents.text.periods import month_number, periods_in
from octavo_documents.text.values import CURRENCY, MONTH, number_of

_AFTER = r"(?:\s*[\[(].*| / .*)?"
"""A note in brackets, or the same in another unit: "629 ft / 192 m"."""
_NUMBER = lazy_regex(
    rf"[^\w\d(.+−–-]{{0,3}}(?P<sign>[-−–+(]?)\s?(?:{CURRENCY}|[A-Z]{{1,3}}\$|[A-Z]{{3}}(?=\s))?\s?"
    r"(?P<digits>\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)\)?"
    r"(?:st|nd|rd|th)?\s?(?:[%‰°′″'\"*†‡]|[^\W\d_][\w./²³]{0,14}(?:\s[^\W\d_]{1,10}){0,2})?"
    rf"\.?{_AFTER}"
)
_TIME = lazy_regex(rf"(?:(\d{{1,2}}):)?(\d{{1,3}}):(\d\d(?:\.\d+)?){_AFTER}")
_DATE = lazy_regex(
    rf"(?:\w+day,?\s+)?(?:(?P<day>\d{{1,2}})\s+(?P<month>{MONTH})|(?P<month2>{MONTH})\s+(?P<day2>\d{{1,2}})"
    rf"|(?P<month3>{MONTH}))(?:st|nd|rd|th)?,?(?:\s+(?P<year>\d{{4}}))?{_AFTER}"
    r"|(?P<year4>\d{4})(?P<by>[-/.])(?P<month4>0?[1-9]|1[0-2])(?P=by)(?P<day4>0?[1-9]|[12]\d|3[01])(?:\D.*)?",
    re.IGNORECASE,
)
_AS_NUMBERS = lazy_regex(r"\s*\d+[-/.]\d+[-/.]\d")
_BOUND = lazy_regex(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?")
_OF_REGISTER = lazy_regex(rf"\d{{1,2}}[-.]\w{{1,9}}[-.]\d{{2,4}}{_AFTER}")
_BRACKET = lazy_regex(r"\s*(?:[\[(].*|[,;].*)$")
_PARTS = lazy_regex(r"[,;/()\[\]•|]")
_WORD = lazy_regex(r"[^\W_]+")
_NOTHING = lazy_regex(r"\W*(?:n/?a|none|nil|unknown|tba|tbd)?\W*", re.IGNORECASE)
_A_MONTH = 32
"""Numbers that a month takes: 0 stands for the month itself, the others for its days."""
_A_YEAR = 12 * _A_MONTH


@lru_cache(maxsize=200_000)
def plain_words(text: str) -> str:
    """Return the words of a text in lower case, a space between them: what cells are compared by."""
    return " ".join(_WORD.findall(text.lower() if text.isascii() else fold(text)))


def main_words(text: str) -> str:
    """Return the words of a cell before what it adds in brackets or after a comma."""
    return plain_words(_BRACKET.sub("", text))


def number_in(text: str) -> float:
    """Return the number that a cell is, a unit or note after it left out; nan where it is none.

    >>> number_in("1,204 km (748 mi)"), number_in("(3.5)"), number_in("2nd"), number_in("28 January")
    (1204.0, -3.5, 2.0, nan)
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None or _DATE.fullmatch(text.strip()):
        return nan
    number = number_of(re.sub(r"[^\d.]", "", found["digits"])) or 0.0
    return -number if found["sign"] and found["sign"] in "-−–(" else number


def time_in(text: str) -> float:
    """Return the seconds that a time or duration is, nan for what is none."""
    found = _TIME.fullmatch(text.strip())
    return nan if found is None else 3600 * int(found[1] or 0) + 60 * int(found[2]) + float(found[3])


def day_in(text: str) -> float:
    """Return a day as a number that grows with time, nan for what is none; a day without a year is of the year 0."""
    text = text.strip()
    found = _DATE.fullmatch(text)
    if found is None:
        periods = periods_in(text) if _OF_REGISTER.fullmatch(text) else []
        return float(_day(*periods[0][:1], *periods[0][2:4])) if periods and periods[0].day else nan
    groups = found.groupdict()
    name = next((groups[key] for key in ("month", "month2", "month3") if groups[key]), groups["month4"])
    day = next((int(groups[key]) for key in ("day", "day2", "day4") if groups[key]), 0)
    return float(_day(int(groups["year"] or groups["year4"] or 0), month_number(name), day))


def bound_in(text: str, *, is_last: bool) -> float:
    """Return the first or last day of a year, month or day, as `day_in` numbers days; nan for what is none.

    >>> bound_in("2009-03", is_last=False) <= day_in("2009-03-01") < bound_in("2009-03", is_last=True)
    True
    """
    found = _BOUND.fullmatch(text.strip())
    if found is None:
        return day_in(text)
    month, day = int(found["month"] or (12 if is_last else 1)), int(found["day"] or (_A_MONTH - 1 if is_last else 0))
    return float(_day(int(found["year"]), month, day))


def year_in(text: str) -> int:
    """Return the year of a day, 0 for what is none and for a day without a year."""
    day = day_in(text)
    return int(day) // _A_YEAR if day == day else 0


def _day(year: int, month: int, day: int) -> int:
    return _A_YEAR * year + _A_MONTH * max(month - 1, 0) + day


@lru_cache(maxsize=200_000)
def names_of(text: str) -> frozenset[str]:
    """Return what a cell may be called, as plain words: all of it, a part between commas or brackets, a day's month.

    >>> sorted(names_of("Oslo, Norway (NOR)")), sorted(names_of("9 April 2024"))
    (['nor', 'norway', 'oslo', 'oslo norway nor'], ['2024', '2024 04', '9 april 2024'])
    """
    if year_in(text):
        month = int(day_in(text)) % _A_YEAR // _A_MONTH + 1
        parts = () if _AS_NUMBERS.match(text) else _PARTS.split(text)
        dated = {str(year_in(text)), f"{year_in(text)} {month:02}"}
        return frozenset({plain_words(text), *map(plain_words, parts), *dated}) - {""}
    return frozenset({plain_words(text), *map(plain_words, _PARTS.split(text))}) - {""}


def is_blank(text: str) -> bool:
    """Return whether a cell says that there is nothing: "", "—", "n/a"."""
    return _NOTHING.fullmatch(text) is not None
