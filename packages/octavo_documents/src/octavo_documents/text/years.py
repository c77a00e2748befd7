"""Years in whatever form a text writes them: 2020, in any digits, 二〇二〇, '20, FY20, 2019/20, 3/1/20, and in a span.

`named_years` is sure of what it finds; `may_name_year` is sure where it finds none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from octavo_documents.lazy import lazy_regex

YEAR = r"(?:1[5-9]|20)\d\d"
"""Of a year, 1500 to 2099, as a part of patterns."""
_HAN = str.maketrans("〇零○一二三四五六七八九", "000123456789")
_HAN_YEAR = lazy_regex(r"(?<![〇零○一二三四五六七八九])[一二][〇零○一二三四五六七八九]{3}(?![〇零○一二三四五六七八九])")
_NAMED = lazy_regex(rf"(?<![\d.,]){YEAR}(?![\d.,]*\d)")
_SHORT = lazy_regex(r"(?:(?<![\w’'])['’]|\b(?:FY|CY|AY|GJ|EJ)\s?['’]?)(\d\d)(?!\d|[.,]\d|['’]?s?\w)")
"""A year by its last two digits where a sign says that it is one."""
_SPAN = lazy_regex(
    rf"({YEAR})\s*(?:[-–—~〜/]|to|until|through|and|bis|und|à|au|a|al|y|至|到|から)\s*['’]?(\d{{4}}|\d\d)(?!\d)"
)
_PAIR = lazy_regex(rf"(?<![\d.,])({YEAR})\s?[/–-]\s?(\d{{4}}|\d\d)(?![\d/]|[.,]\d)")
_ERAS = lazy_regex(
    r"令和|平成|昭和|大正|明治|民[國国]|พ\.\s?ศ\.|佛历|仏暦|Reiwa|Heisei|Sh[oō]wa|هـ|ه\.ق|תש|\bMM[CDXLVI]+\b"
)
"""Signs of years that are counted otherwise: what these say is not known."""
_BEFORE_SHORT = (
    r"(?:jan|feb|f[eé]v|m[aä]r|apr|avr|abr|ma[iy]|jun|juin|jul|juil|aug|ago|ao[uû]t|sep|set|o[ck]t|nov|de[cz]|d[eé]c|dic|ene)"
    r"[a-zéû]{0,7}|fy|cy|ay|gj|ej|[qht][1-4]|[1-4][qh]|ws|ss"
)
"""What two digits stand after where they are a year."""
_ENDS = r"(?=\s*(?:[?.!,;:)]|$))"
_WITH_SHORT = lazy_regex(
    rf"(?:\b(?:in|from|since|until|to|ending|ended|im|seit|bis|en|em|nel)\s+(?:{_BEFORE_SHORT})\.?\s+"
    r"|\b(?:spring|summer|autumn|fall|winter|fr[üu]hjahr|sommer|herbst)\s+"
    rf"|(?<!\bon )(?<!\bof )(?<!\bthe )(?<!\bam )\b(?!may\b)(?:{_BEFORE_SHORT})\.?\s+(?=(?:1[3-9]|[2-4]\d){_ENDS})"
    rf"|\bin\s+(?=\d\d{_ENDS})|(?<=[^\W\d])\s+(?=['’]\d\d(?!\d)))['’]?(?P<year>\d\d)"
    r"(?!\d|[\w/.,%-]*\d|st\b|nd\b|rd\b|th\b|\s*%|\s*,?\s*(?:19|20)\d\d)",
    re.IGNORECASE,
)
"""A year that people write by its last two digits: "in March 22", "winter 21", "sales '22", "sept 23?"."""
_SHORT_SPAN = lazy_regex(r"(?<![\w/.,:–-])(?P<year>\d\d)[/–-](?P<next>\d\d)(?![\w/:–-]|[.,]\d|\s*%)")
"""Two years so: "report 21/22", unless a day of a month may be meant, as in 11/12, or places, as on pages 21-22."""
_PLACES = lazy_regex(
    r"\b(?:pp?|nos?|pages?|age[ds]?|days?|weeks?|months?|rows?|lines?|items?|steps?|rooms?|sections?|articles?|clauses?|"
    r"chapters?|figures?|tables?|questions?|notes?|seiten?)\.?\s*$",
    re.IGNORECASE,
)
_LAST_DAY_OR_MONTH = 12
_TURN = 50
"""Two digits below it are of 2000 on."""


def plain_years(text: str) -> str:
    """Return a text with digits of any script, and years in Chinese figures, as ASCII digits."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    others = {ord(sign): str(unicodedata.decimal(sign)) for sign in {*text} if sign.isdecimal() and not sign.isascii()}
    text = text.translate(others) if others else text
    return _HAN_YEAR.sub(lambda found: found[0].translate(_HAN), text)


def years_in(text: str) -> frozenset[str]:
    """Return the years that a text names, 1500 to 2099, as it writes them; a part of a number is none."""
    return frozenset(_NAMED.findall(text))


def is_of_two_years(text: str, question: str) -> bool:
    """Return whether a text tells a time by two years of which a question names one alone.

    "2023/24" may end in the 2024 that is asked about, or begin with the 2023: which of them is meant it does not say.

    >>> [is_of_two_years("2023/24", one) for one in ("costs in 2023", "costs in 2024", "costs in 2023/24", "in 2022")]
    [True, True, False, False]
    """
    if not (told := _pairs(text)) or _pairs(question):
        return False
    return any(year in pair for _, year, _, _ in named_years(question) for pair in told)


def _pairs(text: str) -> list[tuple[int, int]]:
    """Return the years that are written as one with the next: "2023/24", "2023-2024"."""
    found = ((int(one[1]), int(one[2][-2:])) for one in _PAIR.finditer(text))
    return [(first, first + 1) for first, last in found if (first + 1) % 100 == last]


def named_years(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield (as written in plain digits, year, start, stop) of each year that a text of `plain_years` names."""
    for found in _NAMED.finditer(text):
        yield found[0], int(found[0]), found.start(), found.end()
    for found in _SHORT.finditer(text):
        yield found[0], year_of_two_digits(int(found[1])), found.start(), found.end()


def year_of_two_digits(last: int) -> int:
    """Return the year (1950 to 2049) that the last two digits of one (0 to 99) mean."""
    return last + (2000 if last < _TURN else 1900)


def with_whole_years(text: str) -> str:
    """Return a question with the years that it writes by their last two digits alone written out.

    >>> with_whole_years("payments in march 22"), with_whole_years("the report 21/22"), with_whole_years("on March 22")
    ('payments in march 2022', 'the report 2021/22', 'on March 22')
    """

    def whole(found: re.Match[str]) -> str:
        start = found.start("year") - found.start()
        before = found[0][:start].rstrip("'’")
        return f"{before}{year_of_two_digits(int(found['year']))}{found[0][start + 2 :]}"

    def both(found: re.Match[str]) -> str:
        first, following = int(found["year"]), int(found["next"])
        is_span = first > _LAST_DAY_OR_MONTH and following == (first + 1) % 100
        return whole(found) if is_span and not _PLACES.search(text[: found.start()]) else found[0]

    return _WITH_SHORT.sub(whole, _SHORT_SPAN.sub(both, text))


def may_name_year(text: str, year: int) -> bool:
    """Return whether a text of `plain_years` may name a year (1500 to 2099), by a span or by two digits too."""
    if (str(year) in text and _in_digits(year).search(text)) or _ERAS.search(text):
        return True
    if any(int(first) <= year <= _end(int(first), last) for first, last in _SPAN.findall(text)):
        return True
    return f"{year % 100:02}" in text and _short(year % 100).search(text) is not None


def _in_digits(year: int) -> re.Pattern[str]:
    """Return a year by itself, or at either end of a date without signs between its numbers: 20200301."""
    day, month = r"(?:0[1-9]|[12]\d|3[01])", r"(?:0[1-9]|1[0-2])"
    before, after = rf"(?<!\d)(?:{day}?{month})?{year}(?!\d)", rf"(?<!\d){year}{month}(?:{day}(?:\d{{6}})?)?(?!\d)"
    return re.compile(rf"{before}|{after}")


def _end(first: int, last: str) -> int:
    return int(last) if len(last) > 2 else first // 100 * 100 + int(last)


def _short(last: int) -> re.Pattern[str]:
    """Return what two digits look like where they may be a year: after a sign, in a date, beside the year before."""
    this, before, after = f"{last:02}", f"{(last - 1) % 100:02}", f"{(last + 1) % 100:02}"
    return re.compile(
        rf"['’`]{this}(?!\d)|\b(?:{_BEFORE_SHORT})\W{{0,2}}{this}(?!\d|[.,]\d)|(?<!\d){this}\s?[年EF](?!\w)"
        rf"|(?<!\d)\d\d?[-./]\d\d?[-./]{this}(?!\d)|(?<![\d/])\d\d?/{this}(?![\d/])|(?<!\d){this}([-./])\d\d?\1\d\d?(?!\d)"
        rf"|(?<!\d){before}\s?[-–/]\s?{this}(?!\d)|(?<!\d){this}\s?[-–/]\s?{after}(?!\d)",
        re.IGNORECASE,
    )
