"""Periods and dates that a text names: years, fiscal years, quarters, months, days, and ranges of years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.forms import MONTHS
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.periods_by_language import periods_in_english
from octavo_documents.text.spoken_years import years_in_digits
from octavo_documents.text.values import MONTH
from octavo_documents.text.years import with_whole_years, year_of_two_digits

_MONTH_STARTS = [month[:3] for month in MONTHS]
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_NO_NUMBER = r"(?<![.,$€£#/-])(?<!(?a:\w))"
_NO_WORD = r"(?![%]|(?a:\w))"
"""Years stand against letters of other scripts: "从2018年"."""
_UNTIL = r"(?:[–~〜～-]|to|until|through|bis|à|a|al|hasta|até|tot|t/m|do|до|по|إلى|حتى|から|至|到)"
"""What stands between the years of a range, in the languages whose questions are read."""
_QUARTERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": 4}
_ORDINAL = "|".join(_QUARTERS)
_AND = r"(?:\s*(?:,|&|[–-])\s*(?:and\s+|or\s+)?|\s+(?:and|or|to|vs\.?|versus)\s+(?:(?:in|of)\s+)?)"
"""What stands between periods of one year."""
_DAY = r"(?P<{}>[0-3]?\d)(?:st|nd|rd|th)?"
_FISCAL = r"(?:FY|fiscal(?:\s+year)?|financial\s+year)"
_OF = r"[\s,]*(?:of\s+)?(?:the\s+)?"

_PATTERN = lazy_regex(
    "|".join(
        (
            rf"\b(?P<month1>{MONTH})\s+{_DAY.format('day1')},?\s+(?P<year1>{_YEAR})\b",
            rf"\b{_DAY.format('day2')}\.?\s+(?:of\s+)?(?P<month2>{MONTH}),?\s+(?P<year2>{_YEAR})\b",
            rf"(?<!\d)(?P<year3>{_YEAR})[-./](?P<month3>[01]\d)[-./](?P<day3>[0-3]\d)(?!\d)",
            rf"(?<!\d)(?P<day4>[0-3]?\d)\.(?P<month4>[01]?\d)\.(?P<year4>{_YEAR})(?!\d)",
            rf"(?<!\d)(?P<month5>[01]?\d)/(?P<day5>[0-3]?\d)/(?P<year5>{_YEAR})(?!\d)",
            # As registers and sheets write days: "17-May-07", "17-05-2007"
            rf"(?<![\w.-])(?P<day14>[0-3]?\d)-(?P<month14>{MONTH})-(?P<year14>{_YEAR}|\d\d)(?![\w-])",
            # Months as editions and leaflets have them: "06/2024", "06.2024"
            rf"(?<![\w./-])(?P<month19>0[1-9]|1[0-2])[/.](?P<year19>{_YEAR})(?![\w/.-]*\d)",
            rf"(?<![\w.-])(?P<day15>[0-3]?\d)-(?P<month15>[01]?\d)-(?P<year15>{_YEAR})(?![\w-])",
            # Quarters: "Q2 2023", "Q2'23", "Q2 of FY2024", "Q22023", "2Q23", "second quarter of fiscal 2023", "2023Q2"
            rf"\b(?:Q(?P<quarter6>[1-4])|(?P<quarter7>[1-4])Q){_OF}(?P<fiscal6>{_FISCAL})?(?:-(?={_YEAR})|\s*'?)"
            rf"(?P<year6>{_YEAR}|['’]?\d\d(?!\d))",
            rf"\b(?P<quarter8>{_ORDINAL})[\s-]+(?:fiscal\s+)?quarters?{_OF}"
            rf"(?P<fiscal8>{_FISCAL})?\s*(?P<year8>{_YEAR})?\b",
            rf"\b(?P<fiscal9>FY)?(?P<year9>{_YEAR})[\s_-]?Q(?P<quarter9>[1-4])\b",
            # Fiscal years: "FY2018", "FY 18", "fiscal 2018", "fiscal year 2018/19"
            rf"\b(?P<fiscal10>{_FISCAL})\s*['’]?(?P<year10>{_YEAR}|\d\d(?!\d))(?:\s*[/–-]\s*(?:FY\s*)?"
            rf"(?P<until10>{_YEAR}|\d\d(?!\d)))?",
            rf"\b(?P<month11>{MONTH})\s+(?P<year11>{_YEAR})\b",
            # Several of one year: "March and October 2023", "Q1 and Q3 2023", "the first and third quarters of 2023"
            rf"\b(?P<month16>{MONTH})(?={_AND}(?:{MONTH}{_AND}){{0,10}}{MONTH}\s+(?P<year16>{_YEAR})\b)",
            rf"\bQ(?P<quarter17>[1-4])(?=(?:{_AND}Q[1-4]){{1,3}}{_OF}(?P<fiscal17>{_FISCAL})?\s*(?P<year17>{_YEAR})\b)",
            rf"\b(?P<quarter18>{_ORDINAL})(?=(?:{_AND}(?:the\s+)?(?:{_ORDINAL})){{1,3}}[\s-]+(?:fiscal\s+)?quarters?{_OF}"
            rf"(?P<fiscal18>{_FISCAL})?\s*(?P<year18>{_YEAR})\b)",
            rf"{_NO_NUMBER}(?P<year12>{_YEAR})\s*(?:[–/-]|to|until|through)\s*"
            rf"(?P<until12>{_YEAR}|\d\d(?!\d)){_NO_WORD}",
            rf"{_NO_NUMBER}(?P<year13>{_YEAR}){_NO_WORD}(?![.,/-]\d)",
        )
    ),
    re.IGNORECASE,
)
_BETWEEN = lazy_regex(rf"[年년]?\s*{_UNTIL}\s*", re.IGNORECASE)
_MONTHS_OF_QUARTER = lazy_regex(
    rf"\b(?P<first>{MONTH})\s*(?:[–—-]|to|until|through)\s*(?P<last>{MONTH}),?\s+(?P<year>{_YEAR})\b"
    rf"|\b(?:the\s+)?(?P<end>first|last|final)\s+(?:three|3)\s+months\s+of\s+(?:the\s+year\s+)?(?P<year2>{_YEAR})\b"
    rf"|\b(?:(?P<half>first|1st|second|2nd)\s+(?:half|six\s+months)\s+of\s+(?P<year3>{_YEAR})"
    rf"|(?:H(?P<number>[12])|(?P<number2>[12])H)[\s/'’]*(?P<year4>{_YEAR}|\d\d))\b(?![.,]?\d)",
    re.IGNORECASE,
)
"""Times that end with a quarter: "July to September 2020", "the first three months of 2023", "H1 2023"."""
_CHANGE = r"(?:chang|revis|updat|amend|replac|vari|alter|reissu|modifi)\w*"
_BEFORE_CHANGE = lazy_regex(
    rf"\bbefore\s+(?:(?:it|this|that|they|these|the\s+\w+)\s+(?:was|were|got|had\s+been|has\s+been|is)\s+{_CHANGE}\s+in\s+"
    rf"(?P<year>{_YEAR})\b|(?:the\s+)?(?P<year2>{_YEAR})\s+(?:editions?|versions?|revisions?|{_CHANGE}|reforms?)\b)"
    r"|\b(?:tariffs?|lists?|editions?|versions?|revisions?|polic(?:y|ies)|guidelines?|manuals?|budgets?|one)\s+before\s+"
    rf"(?:the\s+)?(?P<year3>{_YEAR})(?:\s?[/–-]\s?(?:\d\d){{1,2}})?\b",
    re.IGNORECASE,
)
"""What asks for what was in force in the year before: "before it was changed in 2023", "before the 2022 edition"."""
_MONTHS_IN_QUARTER = 3
_MOST_YEARS = 15
"""Years of a range: a longer one is no period of a document."""


class Period(NamedTuple):
    """A time that a text names: a year, or a quarter, month or day of it. 0 where it does not say."""

    year: int
    quarter: int = 0
    month: int = 0
    day: int = 0
    is_fiscal: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """What documents of it are looked up by: "2023", and "2023 Q2" or "2023-08-30" where it says so."""
        if not self.year:
            return ()
        quarter = (f"{self.year} Q{self.quarter}",) if self.quarter else ()
        day = (f"{self.year}-{self.month:02}-{self.day:02}",) if self.day else ()
        return (str(self.year), *quarter, *day)


def periods_in(text: str, code: str = ENGLISH) -> list[Period]:
    """Return the periods and dates that a text in a language names, in order; of a range of years each year.

    A quarter without a year has the year 0. Years are 1950 to 2049; in English they may be spoken ("twenty twenty").

    >>> periods_in("from FY2018 to FY2020, and Q2'23")
    [Period(year=2018, quarter=0, month=0, day=0, is_fiscal=True), Period(year=2019, quarter=0, month=0, day=0, \
is_fiscal=True), Period(year=2020, quarter=0, month=0, day=0, is_fiscal=True), Period(year=2023, quarter=2, month=0, \
day=0, is_fiscal=False)]
    """
    text = years_in_digits(text) if code == ENGLISH else periods_in_english(text, code)
    found: list[Period] = []
    stop = -1
    for match in _PATTERN.finditer(text):
        periods = [*_read(match)]
        is_range = found and periods and stop >= 0 and _BETWEEN.fullmatch(text, stop, match.start())
        if is_range and not (found[-1].month or periods[0].month or found[-1].quarter):
            found.extend(_years(found[-1].year + 1, periods[0].year - 1, is_fiscal=found[-1].is_fiscal))
        found.extend(periods)
        stop = match.end()
    return found


def periods_asked(question: str, code: str = ENGLISH) -> list[Period]:
    """Return the periods that a question names, by two digits too, as people write them and documents seldom do.

    From the first to the last month of a quarter is that quarter of the calendar and ends with that month; and what a
    half-year brought is told at the end of its last quarter. What was so before a change was so in the year before.

    >>> periods_asked("winter 20/21")[0].year, periods_asked("approved in march 22")[0].month
    (2020, 3)
    >>> periods_asked("the pipeline, July-September 2020"), periods_asked("the first half of 2023")
    ([Period(year=2020, quarter=3, month=9, day=0, is_fiscal=False)], [Period(year=2023, quarter=2, month=6, day=0, \
is_fiscal=False)])
    """
    text = _BEFORE_CHANGE.sub(_year_before, with_whole_years(question))
    ends = {(int(year), quarter) for found in _MONTHS_OF_QUARTER.finditer(text) for quarter, year in _quarter(found)}
    found = periods_in(_MONTHS_OF_QUARTER.sub(_as_quarter, text) if ends else text, code)
    return [
        one._replace(month=_MONTHS_IN_QUARTER * one.quarter) if (one.year, one.quarter) in ends else one
        for one in found
    ]


def _year_before(found: re.Match[str]) -> str:
    return f" {int(found['year'] or found['year2'] or found['year3']) - 1} "


def _as_quarter(found: re.Match[str]) -> str:
    return next((f"Q{quarter} {year}" for quarter, year in _quarter(found)), found[0])


def _quarter(found: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield the quarter that a time ends with, and its year; nothing where it is of no quarter."""
    if found["first"]:
        first, last = month_number(found["first"]), month_number(found["last"])
        if first % _MONTHS_IN_QUARTER == 1 and last == first + _MONTHS_IN_QUARTER - 1:
            yield last // _MONTHS_IN_QUARTER, found["year"]
    elif found["end"]:
        yield 1 if found["end"].lower() == "first" else 4, found["year2"]
    else:
        is_first = (found["half"] or found["number"] or found["number2"]).lower().startswith(("first", "1"))
        yield 2 if is_first else 4, str(_year(found["year3"] or found["year4"]))


def _read(match: re.Match[str]) -> Iterator[Period]:
    got = {str(name).rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    year = _year(got.get("year", ""))
    month = month_number(got.get("month", ""))
    day = int(got.get("day", 0))
    if month > 12 or day > 31:
        return
    quarter = got.get("quarter", "")
    number = int(quarter) if quarter.isdigit() else _QUARTERS.get(quarter.lower(), 0)
    if not (year or number):
        return
    is_fiscal = "fiscal" in got
    yield Period(year, number, month, day, is_fiscal)
    until = _until(year, got.get("until", ""))
    yield from _years(year + 1, until, is_fiscal=is_fiscal)


def _years(first: int, last: int, *, is_fiscal: bool) -> Iterator[Period]:
    if last - first < _MOST_YEARS:
        for year in range(first, last + 1):
            yield Period(year, is_fiscal=is_fiscal)


def _year(text: str) -> int:
    digits = text.strip("'’")
    if not digits:
        return 0
    return year_of_two_digits(int(digits)) if len(digits) == 2 else int(digits)


def _until(year: int, text: str) -> int:
    """Return the last year of a range as it is written: "2018/19" ends with 2019."""
    if len(text) == 2:
        return year // 100 * 100 + int(text)
    return int(text) if text else 0


def month_number(text: str) -> int:
    """Return which month digits or a name say ("Sept."), 0 for ""."""
    if text[:1].isdigit():
        return int(text)
    return _MONTH_STARTS.index(text[:3].lower()) + 1 if text else 0
