"""Months and quarters as other languages write them, put into English ones.

"3. März 2020", "troisième trimestre 2023", "2023年第3四半期": what months, quarters and their numbers are called
comes from the language's table (`octavo_documents.text.languages`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from octavo_documents.text.forms import MONTHS
from octavo_documents.text.languages import Language, language, pattern_of

_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_BETWEEN = r"(?:\s+[^\W\d]+\.?){0,2}?\s+"
"""What stands between a quarter and its year: "des Jahres"."""

Replaced = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]


def periods_in_english(text: str, code: str) -> str:
    """Return a text in another language with its months and quarters as English writes them.

    >>> periods_in_english("am 3. März 2020 und im dritten Quartal 2023", "de")
    'am 3 march 2020 und im Q3 2023'
    """
    text = unicodedata.normalize("NFKC", text)
    for pattern, replaced in _rules(code):
        text = pattern.sub(replaced, text)
    return text


@cache
def _rules(code: str) -> tuple[Replaced, ...]:
    spoken = language(code)
    if not spoken.months:
        return ()
    return _of_spaced(spoken) if spoken.is_spaced else _of_characters(spoken)


def _of_characters(spoken: Language) -> tuple[Replaced, ...]:
    """Return what is replaced where characters stand for year, month and day."""
    quarters = pattern_of(spoken.quarters, spoken)
    ordinals = "".join(form for forms in spoken.ordinals for form in forms)

    def month(found: re.Match[str]) -> str:
        number = int(found["month"])
        if not 1 <= number <= len(MONTHS):
            return found[0]
        return f" {found['day'] or ''} {MONTHS[number - 1]} {found['year']} "

    def quarter(found: re.Match[str]) -> str:
        number = found["number"]
        return f" Q{number if number.isdecimal() else ordinals.index(number) + 1} {found['year']} "

    return (
        (re.compile(rf"(?P<year>{_YEAR})年\s?(?P<month>\d{{1,2}})月(?:\s?(?P<day>\d{{1,2}})[日号號])?"), month),
        (re.compile(rf"(?P<year>{_YEAR})年?度?の?\s?第?(?P<number>[1-4{ordinals}]){quarters}"), quarter),
        (re.compile(rf"(?P<year>{_YEAR})年度"), lambda found: f" FY{found['year']} "),
    )


def _of_spaced(spoken: Language) -> tuple[Replaced, ...]:
    """Return what is replaced where spaces part words."""
    months = "|".join(
        f"(?P<m{at}>{pattern_of(names, spoken)})" for at, names in enumerate(spoken.months, start=1) if names
    )
    ordinals = "|".join(f"(?P<o{at}>{pattern_of(names, spoken)})" for at, names in enumerate(spoken.ordinals, start=1))
    quarters = pattern_of(spoken.quarters, spoken)
    letter = next((name[0] for name in spoken.quarters if name.isascii()), "Q")

    def month(found: re.Match[str]) -> str:
        name = MONTHS[_numbered(found, "m") - 1]
        return " ".join(filter(None, (found["day"], name, found["year"])))

    def quarter(found: re.Match[str]) -> str:
        digit = (found.groupdict().get("digit") or "").lower()
        number = _ROMAN.get(digit) or int(digit or _numbered(found, "o"))
        return " ".join(filter(None, (f"Q{number}", found.groupdict().get("year"))))

    day = r"(?:(?<![\w.,])(?P<day>\d{1,2})(?:\.|er|º|°)?\s+(?:de\s+|d['’])?)?"
    of_year = rf"(?:\.?\s+(?:de\s+|del\s+)?(?P<year>{_YEAR})(?!\d))"
    number = r"(?<![\w.,])(?P<digit>[1-4]|i{1,3}|iv)(?:\.|er|[eº°ªoa]|-?[^\W\d]{1,3})?"
    nth = ordinals or "(?!)"
    of_its_year = rf"(?:{_BETWEEN}(?P<year>{_YEAR})(?!\d))?"
    return (
        (re.compile(rf"{day}(?:{months}){of_year}?", re.IGNORECASE), month),
        (re.compile(rf"(?:{number}|{nth})\s+{quarters}{of_its_year}", re.IGNORECASE), quarter),
        (re.compile(rf"{quarters}\s+(?:{nth}){of_its_year}", re.IGNORECASE), quarter),
        (re.compile(rf"{pattern_of(spoken.fiscal_years, spoken)}{_BETWEEN}(?={_YEAR})", re.IGNORECASE), lambda _: "FY"),
        (re.compile(rf"(?<!\w){letter}(?P<digit>[1-4])(?=\W)", re.IGNORECASE), quarter),
    )


def _numbered(found: re.Match[str], prefix: str) -> int:
    return next(
        int(name[1:])
        for name, value in found.groupdict().items()
        if name.startswith(prefix) and value and name[1:].isdecimal()
    )
