"""Values in a text of any language whose file says how numbers, months and units are written there.

"1.234,56 Euro", "86 445 habitants", "3. März 2020", "1999年3月", "120万人": what a decimal mark is, what scale and unit
words are, comes from the language's table (`octavo_documents.text.languages`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from octavo_documents.text.languages import ENGLISH, Language, language
from octavo_documents.text.values import Value, ValueKind, values_in
from octavo_documents.text.years import YEAR

_TIMES = {"千": 1e3, "万": 1e4, "萬": 1e4, "百万": 1e6, "百萬": 1e6, "亿": 1e8, "億": 1e8, "兆": 1e12}
"""How many times a number is meant that a character for thousands of things follows; with words it is as printed."""
_SIGN = "%٪％"


def values_of(text: str, code: str = ENGLISH) -> list[Value]:
    """Return the values of a text in a language in order, none inside another.

    >>> [(one.text, one.number) for one in values_of("Das kostet 1.234,56 Euro.", "de")]
    [('1.234,56 Euro', 1234.56)]
    """
    if code == ENGLISH:
        return values_in(text)
    spoken = language(code)
    # Each character stays one, so that places in the text are those of the text.
    level = "".join(_level(one) for one in text)
    return [_value(text, found, spoken) for found in _pattern(code).finditer(level)]


def _level(character: str) -> str:
    """Return a character as patterns know it: foreign digits as those of English, in lower case, spaces alike."""
    if character.isascii():
        return character.lower()
    if character.isdigit():
        return str(unicodedata.digit(character))
    if character.isspace():
        return " "
    lower = character.lower()
    return lower if len(lower) == 1 else character


@cache
def _pattern(code: str) -> re.Pattern[str]:
    """Return what values look like in a language. Where no spaces part words, a number ends where its digits do."""
    spoken = language(code)
    letters = r"\w" if spoken.is_spaced else r"A-Za-z\d"
    end = rf"(?![{letters}])"
    between, mark = re.escape(spoken.thousands), re.escape(spoken.decimal)
    digits = rf"(?:\d{{1,3}}(?:[{between}]\d{{3}})+(?!\d)(?:[{mark}]\d+)?|\d+(?:[{mark}.]\d+)?)"
    scale = rf"(?:\s?{_one_of(spoken.scales)}{end})?"
    amount = rf"(?<![{letters}.,])[-–−]?{digits}{scale}"
    money = rf"\s?(?:de |di |d['’])?{_one_of(spoken.currencies)}{end}"
    return re.compile(
        rf"(?P<date>{_dates(spoken)}|(?<!\d){YEAR}-\d\d-\d\d(?!\d)"
        rf"|(?<![\d.,/])\d{{1,2}}[/.]\d{{1,2}}[/.](?:{YEAR}|\d\d)(?!\d)"
        rf"|(?<![\w.-])[0-3]?\d-[0-3]?\d-{YEAR}(?![\w-]))"
        rf"|(?P<money>[$€£¥₹₽]\s?{digits}{scale}|{amount}{money})"
        rf"|(?P<percent>百分之{digits}|{amount}\s?(?:[{_SIGN}]|{_one_of(spoken.percent)}{end}))"
        rf"|(?P<year>(?<![\d.,$-]){YEAR}(?![\d{_SIGN}]|[.,]\d|-\d)(?:年(?![间間後前代]))?{end})"
        rf"|(?P<number>{amount}{end}(?:\s?{_one_of(spoken.units)}{end})?)"
        rf"|(?P<word>(?<![{letters}]){_one_of(name for names in _words(spoken) for name in names)}{end})"
    )


_OF = r"(?:-|\s+(?:(?:de|del|du|des jahres|do ano de|van|roku|عام|سنة)\s+)?)"
"""What may stand between the name of a season and its year: "verano de 1521", "mi-1521"."""


def _dates(spoken: Language) -> str:
    """Return the pattern of dates with the name of a month or a season, or with the characters for year and month."""
    season, century = _one_of(spoken.seasons), _one_of(spoken.centuries)
    if not spoken.is_spaced:
        month, date = r"(?<!\d)\d{1,2}\s?月", r"\s?\d{1,2}\s?[日号號]"
        day = rf"(?<!\d){YEAR}\s?年\s?\d{{1,2}}\s?月(?:{date})?|{month}{date}"
        ages = rf"(?<!\d)\d{{2,4}}年代{season}?|(?<!\d)\d{{1,2}}\s?{century}{season}?"
        return rf"{day}|{ages}|(?<!\d){YEAR}年(?:の|的)?{season}"
    month = _one_of(name for names in spoken.months for name in names)
    year = rf",?\s*(?:de |del )?{YEAR}(?!\d)"
    short = rf"(?<![\w.-])\d{{1,2}}-{month}(?:-(?:{YEAR}|\d\d))?(?![\w-])"
    long = rf"(?<![\w.,])\d{{1,2}}(?:(?:\.|er|º|°)\s*|\s+)(?:de |d['’])?{month}(?:{year}|(?!\w))"
    ages = rf"(?<![\w.,])\d{{1,2}}(?:\.|e|ème|°|º|-?(?:й|го|м))?\s?{century}(?!\w)"
    return rf"{short}|{long}|{ages}|(?<!\w){month}{year}|(?<!\w){season}{_OF}{YEAR}(?![\d/]|[-–]\d)"


def _words(spoken: Language) -> tuple[tuple[str, ...], ...]:
    """Return the words for numbers from two on: that for one is an article, mostly."""
    return spoken.numbers[2:] if spoken.is_spaced else ()


def _one_of(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, longer ones first; one that never fits where there are none."""
    found = sorted({word.lower() for word in words}, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, found))})" if found else "(?!)"


_KINDS = {
    "date": ValueKind.DATE,
    "money": ValueKind.MONEY,
    "percent": ValueKind.PERCENT,
    "year": ValueKind.YEAR,
    "number": ValueKind.NUMBER,
    "word": ValueKind.NUMBER,
}


def _value(text: str, found: re.Match[str], spoken: Language) -> Value:
    kind = _KINDS[str(found.lastgroup)]
    start, stop = found.span()
    printed = text[start:stop]
    stop -= len(printed) - len(printed.rstrip())
    printed = printed.rstrip()
    if kind is ValueKind.DATE:
        return Value(kind, printed, start, stop)
    if found.lastgroup == "word":
        number = next(at for at, names in enumerate(spoken.numbers) if found[0] in {name.lower() for name in names})
        return Value(kind, printed, start, stop, float(number))
    unit = re.sub(r"^[\W\d_]+", "", found[0]).strip() if kind is ValueKind.NUMBER else ""
    return Value(kind, printed, start, stop, _number(found[0], spoken), unit)


def _number(printed: str, spoken: Language) -> float | None:
    """Return the number that digits amount to as a language writes them: "1.234,56" is 1234.56."""
    found = re.search(r"\d[\d.,\s'’٬٫]*", printed)
    if not found:
        return None
    digits = re.sub(r"[\s'’٬]", "", found[0]).rstrip(".,٫")
    if "," in spoken.decimal:
        whole, _, fraction = digits.partition(",")
        if fraction or re.fullmatch(r"\d{1,3}(?:\.\d{3})+", whole):
            whole = whole.replace(".", "")
        digits = f"{whole}.{fraction}" if fraction else whole
    else:
        digits = digits.replace(",", "").replace("٫", ".")
    try:
        number = float(digits)
    except ValueError:
        return None
    after = printed[found.end() :].strip()
    scale = next((_TIMES[after[:size]] for size in (2, 1) if after[:size] in _TIMES), 1.0)
    before = printed[: found.start()]
    return -number * scale if before.rstrip().endswith(("-", "–", "−")) else number * scale
