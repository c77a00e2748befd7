"""Years as English speaks them and cuts them short, put into digits: "twenty twenty-one", "fiscal twenty", "'22"."""

from __future__ import annotations

import re

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.years import year_of_two_digits

_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    **{f"oh {unit}": at for at, unit in enumerate(_UNITS, start=1)},
    **{word: at for at, word in enumerate(_TEENS, start=10)},
    **{ten: 10 * at for at, ten in enumerate(_TENS, start=2)},
    **{f"{ten} {unit}": 10 * at + one for at, ten in enumerate(_TENS, start=2) for one, unit in enumerate(_UNITS, 1)},
}
_OF_TWO = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_UNITS)}))?|oh[\s-](?:{'|'.join(_UNITS)})|{'|'.join(_TEENS)})"
_NO_COUNT = r"(?![\w-]|\s+(?:percent|per\s+cent|hundred|thousand|million|billion))"
_CENTURIES = {"nineteen": 1900, "twenty": 2000}
_FIRST, _LAST = 1950, 2049
"""Years that `text.periods` reads."""
_OF = r"in|of|for|since|from|to|by|until|through|and|or|year|fiscal"
_FISCAL = r"FY|fiscal(?:\s+year)?|financial\s+year"
_IN_FULL = lazy_regex(rf"\b(?P<century>nineteen|twenty)[\s-]+(?P<rest>{_OF_TWO}){_NO_COUNT}", re.IGNORECASE)
_THOUSAND = lazy_regex(
    rf"(?:^[ \t]*|\b(?P<before>{_OF})\s+)two\s+thousand\s+(?:and\s+)?(?P<rest>{_OF_TWO}|{'|'.join(_UNITS)}){_NO_COUNT}"
    r"(?(before)|(?=[ \t]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_FISCAL_ALONE = lazy_regex(rf"\b(?P<before>{_FISCAL})\s+(?P<rest>{_OF_TWO}){_NO_COUNT}", re.IGNORECASE)
_CUT = lazy_regex(rf"\b(?P<before>{_OF})\s+['’‘](?P<year>\d\d)(?![\w’'])", re.IGNORECASE)


def years_in_digits(text: str) -> str:
    """Return a text with the years in it that are spoken or cut short in digits.

    Years are 1950 to 2049; what counts something stays as it is.

    >>> years_in_digits("from twenty nineteen to fiscal twenty-two, and in '23")
    'from 2019 to FY22, and in 2023'
    """
    text = _IN_FULL.sub(_in_full, text)
    text = _THOUSAND.sub(lambda found: f"{found['before'] or ''} {2000 + _number(found['rest'])}", text)
    text = _FISCAL_ALONE.sub(lambda found: f"FY{_number(found['rest']):02}", text)
    return _CUT.sub(lambda found: f"{found['before']} {year_of_two_digits(int(found['year']))}", text)


def _in_full(found: re.Match[str]) -> str:
    year = _CENTURIES[found["century"].lower()] + _number(found["rest"])
    return str(year) if _FIRST <= year <= _LAST else found[0]


def _number(words: str) -> int:
    plain = re.sub(r"[\s-]+", " ", words.lower())
    return _NUMBERS[plain] if plain in _NUMBERS else _UNITS.index(plain) + 1
