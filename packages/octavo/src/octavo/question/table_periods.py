"""Stretches of time that a question names rows by: a month, a quarter, since a year, between two months.

They hold of tables with a column of days; a year alone ("in 2009") is what a day may be called by, and no stretch.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.periods import month_number
from octavo_documents.text.values import MONTH
from octavo_documents.text.years import YEAR


@dataclasses.dataclass(frozen=True, slots=True)
class PeriodAsked:
    """A stretch of time, by the characters `[start, stop)` of a question that say it.

    `since` and `until` are its first and last year, month or day as "2009", "2009-03" or "2009-03-15"; "" where it is
    open. `is_without` says that it begins after `since` or ends before `until`; `is_range` that both are named.
    """

    start: int
    stop: int
    since: str
    until: str
    is_without: bool = False
    is_range: bool = False
    places: tuple[int, ...] = ()
    """The places of the words that say it."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Moment:
    year: int
    first: int = 0
    last: int = 0
    day: int = 0

    @property
    def ends(self) -> tuple[str, str]:
        """Its first and its last year, month or day."""
        if not self.first:
            return str(self.year), str(self.year)
        if self.day:
            told = f"{self.year}-{self.first:02}-{self.day:02}"
            return told, told
        return f"{self.year}-{self.first:02}", f"{self.year}-{self.last:02}"


_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_QUARTERS = {"1": 1, "2": 2, "3": 3, "4": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_QUARTER = r"(?:q[1-4]|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter)"
_MOMENT = (
    rf"(?:{YEAR}[-/.](?:0[1-9]|1[0-2])(?:[-/.]{_DAY})?(?!\d)|(?:the )?{_QUARTER}(?:,? (?:of |in )?{YEAR}\b)?"
    rf"|(?:the )?(?:{_DAY}(?:st|nd|rd|th)?\.? (?:of )?)?\b{MONTH}(?: {_DAY}(?:st|nd|rd|th)?\b)?"
    rf"(?:,? (?:of )?{YEAR}\b)?|(?:the (?:end|start|beginning) of )?{YEAR}\b(?![-/.]\d))"
)
_STRETCHES = (
    lazy_regex(
        rf"\b(?:between|from)(?: the years)? (?P<since>{_MOMENT})(?: and| to| until| till| through| up to|\s?[-–])\s?"
        rf"(?P<until>{_MOMENT})"
    ),
    lazy_regex(rf"\b(?P<way>since|after|before|until|till|up to) (?P<moment>{_MOMENT})"),
    lazy_regex(rf"\b(?:from|starting in|starting with) (?P<onward>{_MOMENT}) (?:on|onwards?)\b"),
    lazy_regex(rf"(?:\b(?:in|on|of|for|during) )?(?<![\w-])(?P<within>{_MOMENT})"),
)
_READ = lazy_regex(
    rf"(?P<year1>{YEAR})[-/.](?P<month1>\d\d)(?:[-/.](?P<day1>\d+))?"
    rf"|(?:the )?(?P<quarter>{_QUARTER})\D*(?P<year2>{YEAR})?"
    rf"|(?:the )?(?:(?P<day3>{_DAY})(?:st|nd|rd|th)?\.? (?:of )?)?(?P<month3>{MONTH})"
    rf"(?: (?P<day4>{_DAY})(?:st|nd|rd|th)?)?(?:,? (?:of )?(?P<year3>{YEAR}))?"
    rf"|(?:the (?:end|start|beginning) of )?(?P<year4>{YEAR})"
)


def periods_asked(text: str) -> tuple[PeriodAsked, ...]:
    """Return the stretches of time in a folded question, in lower case; a year that nothing bounds is none."""
    found: list[PeriodAsked] = []
    for form in _STRETCHES:
        for match in form.finditer(text):
            if any(match.start() < one.stop and one.start < match.end() for one in found):
                continue
            found.extend(_stretch(match))
    return tuple(found)


def _stretch(match: re.Match[str]) -> Iterator[PeriodAsked]:
    said = match.groupdict()
    span = match.span()
    if said.get("since"):
        first, last = _moment(said["since"]), _moment(said["until"])
        if first and last and (first.year or last.year):
            first = first if first.year else dataclasses.replace(first, year=last.year)
            last = last if last.year else dataclasses.replace(last, year=first.year)
            yield PeriodAsked(*span, first.ends[0], last.ends[1], is_range=True)
        return
    moment = _moment(said.get("moment") or said.get("onward") or said.get("within") or "")
    if moment is None or not moment.year:
        return
    way = said.get("way") or ("since" if said.get("onward") else "")
    if way in ("since", "after"):
        yield PeriodAsked(*span, moment.ends[way == "after"], "", is_without=way == "after")
    elif way:
        yield PeriodAsked(*span, "", moment.ends[way != "before"], is_without=way == "before")
    elif moment.first:
        yield PeriodAsked(*span, *moment.ends)


def _moment(text: str) -> _Moment | None:
    found = _READ.fullmatch(text)
    if found is None:
        return None
    got = {str(name).rstrip("1234567890"): value for name, value in found.groupdict().items() if value}
    year, day = int(got.get("year", 0)), int(got.get("day", 0))
    if quarter := got.get("quarter"):
        number = _QUARTERS[quarter[1]] if quarter[0] == "q" else _QUARTERS.get(quarter.split()[0], 0)
        number = number or int(quarter[0])
        return _Moment(year, 3 * number - 2, 3 * number)
    month = month_number(got.get("month", ""))
    return _Moment(year, month, month, day)
