"""Times that a question in English tells from another one: "last year", "two years ago", "since 2021"."""

from __future__ import annotations

import re
from typing import NamedTuple

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.spoken_years import years_in_digits

_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10}
_COUNT = rf"(?P<count>{'|'.join(_COUNTS)}|[1-9]|10)"
_YEARS = r"(?:fiscal|financial|full)?\s*years?"
_YEAR = r"(?P<year>(?:19[5-9]|20[0-4])\d)"
_LATEST = lazy_regex(
    r"\b(?:(?:most\s+recent|latest|last)\s+(?:reported\s+)?|the\s+past\s+)"
    r"(?:(?:fiscal|financial|full)\s+)?year(?!\w|\s+of\b)",
    re.IGNORECASE,
)
_COMPARED = lazy_regex(
    r"\b(?:compared\s+(?:to|with)|than|over|from|against|versus|vs\.?)\s+(?:the\s+)?$", re.IGNORECASE
)
"""What comes before a year that another one is compared with."""
_AGO = lazy_regex(rf"\b{_COUNT}\s+{_YEARS}\s+(?:ago|earlier)\b(?!\s+than)", re.IGNORECASE)
_BEFORE_LAST = lazy_regex(r"\bthe\s+(?:fiscal\s+)?year\s+before\s+last\b", re.IGNORECASE)
_BEFORE = lazy_regex(
    rf"\b{_COUNT}\s+{_YEARS}\s+before\s+(?:FY\s*|(?:fiscal|financial)\s+(?:year\s+)?)?{_YEAR}", re.IGNORECASE
)
_LAST_FEW = lazy_regex(rf"\b(?:last|past|latest|most\s+recent)\s+{_COUNT}\s+{_YEARS}\b", re.IGNORECASE)
_SINCE = lazy_regex(
    rf"\b(?:since|from)\s+(?:FY\s*|(?:fiscal|financial)\s+(?:year\s+)?)?{_YEAR}(?P<on>\s+(?:on|onwards?|forward)\b)?",
    re.IGNORECASE,
)
_MOST_YEARS = 8


class YearsAsked(NamedTuple):
    """Years from `first` to `last`; where it is `is_relative` they are counted from the newest there is, which is 0."""

    first: int
    last: int
    is_relative: bool = True

    def resolved(self, newest: int) -> list[int]:
        """Return the years, where the newest that documents report on is `newest`; 8 at most, the last ones."""
        first, last = (
            (newest + self.first, newest + self.last) if self.is_relative else (self.first, self.last or newest)
        )
        return [*range(max(first, last - _MOST_YEARS + 1), last + 1)]


def years_asked(question: str) -> YearsAsked | None:
    """Return the years that a question tells from others; None where it does not.

    "Last year" is the newest that anything is reported on, and "two years ago" the one before it.

    >>> years_asked("two years ago"), years_asked("over the last three years"), years_asked("since 2021")
    (YearsAsked(first=-1, last=-1, is_relative=True), YearsAsked(first=-2, last=0, is_relative=True), \
YearsAsked(first=2021, last=0, is_relative=False))
    >>> years_asked("two years before fiscal 2023")
    YearsAsked(first=2021, last=2021, is_relative=False)
    """
    text = years_in_digits(question)
    if found := _BEFORE.search(text):
        year = int(found["year"]) - _count(found)
        return YearsAsked(year, year, is_relative=False)
    if found := _LAST_FEW.search(text):
        return YearsAsked(1 - _count(found), 0)
    if (found := _SINCE.search(text)) and (found["on"] or found[0].lower().startswith("since")):
        return YearsAsked(int(found["year"]), 0, is_relative=False)
    if _BEFORE_LAST.search(text):
        return YearsAsked(-1, -1)
    if found := _AGO.search(text):
        return YearsAsked(1 - _count(found), 1 - _count(found))
    latest = _LATEST.search(text)
    return YearsAsked(0, 0) if latest and not _COMPARED.search(text, 0, latest.start()) else None


def _count(found: re.Match[str]) -> int:
    text = found["count"].lower()
    return _COUNTS.get(text) or int(text)
