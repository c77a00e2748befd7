"""Numbers as a spreadsheet shows them, by number formats such as "#,##0.00" (ECMA-376, 18.8.31).

What does not tell its value by itself ("4/5/07", "2 1/2") has that behind it in brackets.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass, field
from functools import lru_cache

from octavo_documents.parsing.sheets.date_formats import dated
from octavo_documents.parsing.sheets.number_patterns import apart, fraction

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    **dict.fromkeys((14, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    32: "h:mm",
    33: "h:mm:ss",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0;(#,##0)",
    42: "$#,##0;($#,##0)",
    43: "#,##0.00;(#,##0.00)",
    44: "$#,##0.00;($#,##0.00)",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
    48: "0.0E+0",
}
"""Number formats that files name by number alone; all others are general.

Dates that each country writes in its own way are as in ISO 8601.
"""

_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?)|\\(?P<plain>.)|_.|\*.|\[\$(?P<money>[^\]-]*)[^\]]*\]|(?P<elapsed>\[[hms]+\])|\[[^\]]*\]"""
    r"""|(?P<general>general)|(?P<ampm>am/pm|a/p)|(?P<date>[ymdhs]+)|(?P<digits>[0#?][0#?,]*)|(?P<point>\.)|(?P<power>e[+-])|(?P<rest>.)""",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r"""(?:"[^"]*"?|\\.|\[[^\]]*\]?|[^;"\\\[])*""", re.DOTALL)
_IS_FRACTION = re.compile(r"[?#0]\s*/\s*[?#0-9]")
_LONGEST = 255
_DAYS = 2_958_466
"""The serial number after that of 9999-12-31."""
_EPOCH = datetime.datetime(1899, 12, 30)
_EPOCH_1904 = datetime.datetime(1904, 1, 1)


@dataclass(slots=True)
class _Section:
    """One section of a format: for numbers over, under or at zero."""

    before: str = ""
    after: str = ""
    digits: int = 0
    """Least digits before the point."""
    decimals: int = -1
    """Digits after the point; -1 where there is no point."""
    optional: int = 0
    """How many of the last of them are left out where they are 0."""
    thousands: bool = False
    scale: float = 1.0
    power: bool = False
    general: bool = False
    empty: bool = False
    """Whether nothing is written: such a section of several shows nothing."""
    date: str = ""
    """The letters of a date and time in order: "ymdhms"; "[h]" begins a length of time."""
    code: str = ""
    """The section as it is written."""
    groups: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The places of digits before the point, each group with the signs before it."""


def shown(value: float, code: str, *, since_1904: bool = False) -> str:
    """Return a number as a cell with this number format shows it, and what that does not tell of it in brackets.

    Colours and fills are left out.
    """
    if not math.isfinite(value):
        return str(value)
    sections = _sections(code[:_LONGEST])
    section = sections[0]
    if len(sections) > 1 and section.empty and value > 0:
        return ""
    if section.date:
        return _date(value, section, since_1904=since_1904)
    if value < 0 and len(sections) > 1:
        section, value = sections[1], -value
    elif value == 0 and len(sections) > 2:
        section = sections[2]
    if section.empty and len(sections) > 1:
        return ""  # a format such as "0;;" or ";;;" hides it
    sign = "-" if value < 0 else ""
    digits = _digits(abs(value), section)
    if sign and not digits.strip("0.,"):
        sign = ""
    told = f" ({sign}{plain(round(abs(value), 4))})" if section.general and "/" in digits else ""
    return f"{section.before}{sign}{digits}{section.after}{told}".strip()


@lru_cache(maxsize=512)
def shows_no_words(code: str) -> bool:
    """Whether a number format shows no words that stand in a cell: ";;;"."""
    sections = code.split(";")
    return len(sections) == 4 and not sections[3].strip() and '"' not in code


def plain(value: float) -> str:
    """Return a number as a cell without a format shows it: whole, or with up to ten digits that count."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.10g}"
    if "e" in text and 1e-9 < abs(value) < 1e-4:
        text = f"{value:.15f}".rstrip("0")
    return text.replace("e", "E")


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[_Section, ...]:
    found, at = list[_Section](), 0
    while at <= len(code) and len(found) < 4:
        match = _SECTION.match(code, at)
        if match is None:
            break
        found.append(_section(match[0]))
        at = match.end() + 1
    return tuple(found)


def _section(text: str) -> _Section:
    found = _Section(general=not text.strip("@ ") or _IS_FRACTION.search(text) is not None, code=text)
    found.empty = not text.strip()
    if found.general:
        return found
    literal = ""
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind in ("quoted", "plain", "money", "rest"):
            literal += _literal(found, kind, match)
            continue
        if kind in ("general", "digits", "point"):
            if not (found.digits or found.decimals >= 0 or found.general):
                found.before, literal = literal, ""
            if kind == "digits" and found.decimals < 0 and not found.power:
                found.groups.append((literal, token.rstrip(",")))
                literal = ""
            _number(found, kind, token)
        elif kind == "power":
            found.power = True
        elif kind in ("date", "elapsed"):
            found.date += token.lower() if kind == "elapsed" else _letters(found.date, token.lower())
    if found.digits or found.decimals >= 0 or found.general:
        found.after = literal
    else:
        found.before = literal
    return found


def _literal(found: _Section, kind: str, match: re.Match[str]) -> str:
    if kind == "quoted":
        return match[0].strip('"')
    if kind == "rest":
        if match[0] == "%":
            found.scale *= 100
        return "" if match[0] == "@" else match[0]
    return match[kind]


def _number(found: _Section, kind: str | None, token: str) -> None:
    if kind == "general":
        found.general = True
    elif kind == "point":
        found.decimals = max(found.decimals, 0)
    elif found.power:
        return
    elif found.decimals >= 0:
        found.decimals += len(token.rstrip(","))
        found.optional = len(token) - len(token.rstrip("#?"))
        found.scale /= 1000 ** (len(token) - len(token.rstrip(",")))
    else:
        found.digits = (found.digits or 0) + max(token.count("0"), 1)
        bare = token.rstrip(",")
        found.thousands = found.thousands or "," in bare
        found.scale /= 1000 ** (len(token) - len(bare))


def _letters(before: str, token: str) -> str:
    """Return the letter of a date's part; an "m" after hours or before seconds is told later by its place."""
    return token[0] if not before.endswith(token[0]) else ""


def _digits(value: float, section: _Section) -> str:
    if not (section.digits or section.decimals >= 0 or section.general):
        return ""  # a section of words alone
    value = round(value * section.scale, 12) if section.scale != 1 else value
    if section.general:
        return fraction(value, section.code) or plain(value)
    decimals = min(max(section.decimals, 0), 30)
    if section.power:
        return f"{value:.{decimals}E}"
    width = section.digits + (decimals + 1 if decimals else 0)
    if section.thousands:
        width = 0
    if len(section.groups) > 1 and not section.thousands:
        whole = f"{_rounded(value, decimals):.{decimals}f}"
        return apart(whole.partition(".")[0], section.groups) + whole[len(whole.partition(".")[0]) :]
    text = f"{_rounded(value, decimals):0{width}{',' if section.thousands else ''}.{decimals}f}"
    for _ in range(section.optional):
        text = text.removesuffix("0")
    return text.removesuffix(".")


def _rounded(value: float, decimals: int) -> float:
    """Return a number rounded half up, as spreadsheets do, where that can be told of a float."""
    if decimals > 12 or value > 1e12:
        return value
    factor = 10.0**decimals
    return math.floor(value * factor + 0.5 + 1e-9) / factor


def _date(value: float, section: _Section, *, since_1904: bool) -> str:
    letters = section.date
    if letters.startswith("["):
        return _length(value, letters)
    if not 0 <= value < _DAYS:
        return plain(value)
    if value < 60 and not since_1904:
        value += 1  # the format counts a 29 February 1900, which never was
    epoch = _EPOCH_1904 if since_1904 else _EPOCH
    try:
        moment = epoch + datetime.timedelta(seconds=round(value * 86400))
    except OverflowError:
        return plain(value)
    is_month = "m" in letters and not any(one in letters for one in "dhs")
    return dated(moment, section.code, _form(f"y{letters}" if is_month else letters))


def _form(letters: str) -> str:
    """Return how a moment with these parts is written, for `strftime`: "%Y-%m-%d", "%Y-%m", "%H:%M:%S"."""
    has_time = "h" in letters or "s" in letters
    months = letters.count("m") - (1 if has_time else 0)
    day = ""
    if "d" in letters or ("y" in letters and months > 0):
        day = "%Y-%m-%d" if "d" in letters else "%Y-%m"
    elif "y" in letters:
        day = "%Y"
    elif months > 0 and not has_time:
        day = "%m"
    time = ("%H:%M:%S" if "s" in letters else "%H:%M") if has_time else ""
    return " ".join(filter(None, (day, time)))


def _length(value: float, letters: str) -> str:
    seconds = round(abs(value) * 86400)
    sign = "-" if value < 0 else ""
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    return f"{sign}{hours}:{minutes:02}" + (f":{seconds % 60:02}" if "s" in letters[2:] else "")
