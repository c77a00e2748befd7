"""Times that a question tells from another one: "last year", "two years ago", "since 2021", "vor zwei Jahren"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.languages import ENGLISH, language, pattern_of
from octavo_documents.text.spoken_years import years_in_digits

_WORDS = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {"one": 1, **{word: at for at, word in enumerate(_WORDS, start=1)}}
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
    rf"\b(?:{_COUNT}|the)\s+{_YEARS}\s+before\s+(?:the\s+)?(?:FY\s*|(?:fiscal|financial)\s+(?:year\s+)?)?{_YEAR}",
    re.IGNORECASE,
)
_LAST_FEW = lazy_regex(rf"\b(?:last|past|latest|most\s+recent)\s+{_COUNT}\s+{_YEARS}\b", re.IGNORECASE)
_SINCE = lazy_regex(
    rf"\b(?:since|from)\s+(?:FY\s*|(?:fiscal|financial)\s+(?:year\s+)?)?{_YEAR}(?P<on>\s+(?:on|onwards?|forward)\b)?",
    re.IGNORECASE,
)
_MOST_YEARS = 8
_NUMBER = lazy_regex(r"\d+")
_ANY_YEAR = r"(?:19[5-9]|20[0-4])\d"
_YEAR_AFTER = lazy_regex(rf"(?<!\d){_ANY_YEAR}(?!\d)")
_LARGEST_COUNT = 10


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


def years_asked(question: str, code: str = ENGLISH) -> YearsAsked | None:
    """Return the years that a question in a language tells from others; None where it does not.

    "Last year" is the newest that anything is reported on, and "two years ago" the one before it.

    >>> years_asked("two years ago"), years_asked("over the last three years"), years_asked("since 2021")
    (YearsAsked(first=-1, last=-1, is_relative=True), YearsAsked(first=-2, last=0, is_relative=True), \
YearsAsked(first=2021, last=0, is_relative=False))
    >>> years_asked("two years before fiscal 2023")
    YearsAsked(first=2021, last=2021, is_relative=False)
    """
    if code != ENGLISH:
        return _in_language(question, code)
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
    text = (found["count"] or "a").lower()
    return _COUNTS.get(text) or int(text)


@cache
def _of_language(code: str) -> dict[str, re.Pattern[str]]:
    """Return how a language tells years from others, by the way."""
    spoken = language(code)
    counts = "|".join(sorted(map(re.escape, _counts(code)), key=len, reverse=True))
    before = "(?:ال)?" if spoken.script == "arabic" else ""
    found = {way: pattern_of(phrases, spoken) for way, phrases in spoken.years}
    return {
        way: re.compile(
            pattern.replace(r"\#", f"{before}(?:{counts}|10|[1-9])").replace("@", _ANY_YEAR)
            + (r"\s*$" if way == "compared" else ""),
            re.IGNORECASE,
        )
        for way, pattern in found.items()
    }


@cache
def _counts(code: str) -> dict[str, int]:
    """Return the words of a language for 1 to 10; such as German has in other cases count as well."""
    forms = language(code).numbers[: _LARGEST_COUNT + 1]
    found = {form: count for count, names in enumerate(forms) for form in names if count}
    return {**found, "einem": 1} if code == "de" else found


def _in_language(question: str, code: str) -> YearsAsked | None:
    ways = _of_language(code)
    for way in ("before", "last_few", "since", "before_last", "ago", "latest"):
        found = ways[way].search(question) if way in ways else None
        is_compared = way == "latest" and found and ways["compared"].search(question, 0, found.start())
        is_range = way == "since" and found and _YEAR_AFTER.search(question, found.end())
        if found and not is_compared and not is_range:
            return _told(way, found[0].casefold(), code)
    return None


def _told(way: str, said: str, code: str) -> YearsAsked:
    """Return the years of a phrase: those before or since the year that it names, else from the newest on."""
    numbers = [int(number) for number in _NUMBER.findall(said)]
    year = next((number for number in numbers if number > _LARGEST_COUNT), 0)
    counts = _counts(code)
    in_words = [counts[word] for word in sorted(counts, key=len, reverse=True) if _holds(said, word, code)]
    count = next((number for number in (*numbers, *in_words) if number <= _LARGEST_COUNT), 1)
    if way == "before":
        return YearsAsked(year - count, year - count, is_relative=False)
    if way == "since":
        return YearsAsked(year, 0, is_relative=False)
    if way == "last_few":
        return YearsAsked(1 - count, 0)
    back = {"before_last": -1, "latest": 0}.get(way, 1 - count)
    return YearsAsked(back, back)


def _holds(text: str, word: str, code: str) -> bool:
    return word in re.split(r"\W+", text) if language(code).is_spaced else word in text
