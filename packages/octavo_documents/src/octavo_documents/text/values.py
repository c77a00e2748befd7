"""Values in text: numbers, per cents, money, dates and years, as they are printed, and what they amount to."""

from __future__ import annotations

import dataclasses
import enum
import re

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.raised import HAS_SUPERSCRIPT, MARK, is_power, plain_mark
from octavo_documents.text.struck import STRUCK_OUT
from octavo_documents.text.years import YEAR


class ValueKind(enum.Enum):
    """What a printed value measures; a time of day is a date."""

    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    YEAR = "year"
    DATE = "date"


@dataclasses.dataclass(frozen=True, slots=True)
class Value:
    """A value at characters `[start, stop)` of a text: what is printed, unit included, and the number it amounts to.

    `unit` is the word after the number ("million", "km", "people"), lower case, empty for none. The number is as
    printed: "$3.1 million" is 3.1 with the unit "million". A date has no number. Marks of notes inside it are printed
    too, those at its end are no part of it, and a power is one number.
    """

    kind: ValueKind
    text: str
    start: int
    stop: int
    number: float | None = None
    unit: str = ""

    @property
    def is_scaled(self) -> bool:
        """Whether its unit says how many times the number is meant: "million", "k"."""
        return re.fullmatch(_SCALE, self.unit) is not None


MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DIGITS = r"(?:\d{1,3}(?:,\d{2,3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\ue000*"
_HIDDEN = "\ue000"
"""Stands for what is neither a value nor part of one, while values are looked for: marks of notes, struck-out text."""
_POWER = r"(?:[-–−]?(?:\d+(?:\.\d+)?\s?[x×·⋅*]\s?)?(?<!\d)10(?:\^[-–−+]?\d{1,3}|[⁺⁻]?[⁰¹²³⁴-⁹]{1,3}))"
_SCALE = r"(?:thousand|million|billion|trillion|crore|lakh|lacs?|mn|bn|m|k|b|t)\b(?!\^)"
CURRENCY = r"(?:US\$|A\$|C\$|HK\$|[$€£¥₹]|\b(?:USD|EUR|GBP|INR|CHF|JPY|Rs\.?)(?=\s?\d))"
_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER_WORDS: dict[str, int] = {word: number for number, word in enumerate(_WORDS)}
_TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORD_VALUES = {**NUMBER_WORDS, **{word: 10 * number for number, word in enumerate(_TENS, start=3)}}
_SCALE_VALUES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_WRITTEN_NUMBER = lazy_regex(r"(?<![\w.^])(?<!\^[-+−–])-?\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d^])")

_PATTERN = lazy_regex(
    rf"""
    (?P<date>\b(?:{MONTH}\s*\d{{1,2}}(?:st|nd|rd|th)?(?:,\s*|\s+){YEAR}\b
        |{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b
        |\d{{1,2}}(?:st|nd|rd|th)?\.?\s*(?:of\s+)?{MONTH},?\s*{YEAR}\b
        |\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?\b
        |{MONTH}\s*{YEAR}\b
        |{YEAR}-\d\d-\d\d\b
        |(?<![\w.]-)\d{{1,2}}-{MONTH}(?:-(?:{YEAR}|\d\d))?(?![\w-])
        |(?<![\w.]-){MONTH}-(?:{YEAR}|\d\d)(?![\w-])
        |(?<![\w.]-)[0-3]?\d-[0-3]?\d-{YEAR}(?![\w-])
        |\d{{1,2}}[/.]\d{{1,2}}[/.](?:{YEAR}|\d\d)\b
        |\d{{1,2}}:\d\d(?:\s?[ap]\.?m\b)?))
    |(?P<money>[-–−(]?\s?{CURRENCY}\s?\(?{_DIGITS}\)?(?:\s?{_SCALE})?
        |(?<![\w.,])(?:[-–−]?{_DIGITS}|\({_DIGITS}\))(?:\s?{_SCALE})?\s?(?:dollars|euros?|pounds|rupees|cents|francs|yen
            |crowns|kron(?:or|er)|pence|USD|EUR|GBP|CHF|€|£)(?!\w))
    |(?P<percent>(?<![\w.,])\(?[-–−+]?{_DIGITS}\)?\s?(?:%|percent\b|per\s+cent\b|percentage\s+points?\b))
    |(?P<year>(?<![\w.,$-]){YEAR}(?![\w%]|[.,]\d|-\d))
    |(?P<power>(?<![\w.,^]){_POWER}(?!\w))
    |(?P<number>(?<![\w.,^])(?<!\^[-–−+])\(?[-–−+]?{_DIGITS}\)?(?:\s?{_SCALE})?(?!\w|\.\d|\(\w\)))
    |(?P<word>\b(?:{"|".join(_WORDS)})\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_KIND = {
    "date": ValueKind.DATE,
    "money": ValueKind.MONEY,
    "percent": ValueKind.PERCENT,
    "year": ValueKind.YEAR,
    "power": ValueKind.NUMBER,
    "number": ValueKind.NUMBER,
    "word": ValueKind.NUMBER,
}
_NUMERAL = lazy_regex(_DIGITS)
_MEASURE_AFTER = lazy_regex(
    r"[\s-]?(?:°\s?[CF]\b|°|(?:[kcm]?m|miles?|[kmM]?[gWJ]|[mh]?[lL])/(?:s|h|min|kg|m²|m\^2|km)\b|[kcm]?m(?:²|³|\^[23]|\b)"
    r"|(?:square|cubic)\s(?:kilo|centi|milli)?(?:met(?:re|er)|feet|foot|mile)s?\b|(?:kilo|centi|milli)?(?:met(?:re|er)|gram|lit(?:re|er)|watt|hertz)s?\b"
    r"|(?:milli)?(?:second|minute|hour|day|week|month|year|decade)s?\b|(?:mile|knot|foot|feet|inch|inche|tonne|degree|volt)s?\b"
    r"|(?:kg|mg|g|km/h|mph|kW|MW|GW|kWh|MWh|W|V|A|Hz|kHz|MHz|GHz|GB|MB|TB|dB|px|dpi|[mcdh]?[lL]|ha|[kMh]?Pa|m?bar)\b)(?:\^-?\d|[²³])?"
)
_LONGEST_EXPONENT = 4
_MARKED = lazy_regex(rf"{MARK}?")
_TO_HIDE = lazy_regex(rf"{MARK}|{STRUCK_OUT.pattern}")
_OF_TEN = lazy_regex(
    r"(?:(?P<factor>\d+(?:\.\d+)?)\s?[x×·⋅*]\s?)?10(?:\^(?P<caret>[-–−+]?\d+)|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]+))"
)
_UNIT_AFTER = lazy_regex(r"[\s-]?([^\W\d_][^\W\d_%°²³]*|[%°]\s?[CF]?)")


def values_in(text: str) -> list[Value]:
    """Return the values of a text in order, none inside another: "12 %" is one per cent, not also a number."""
    return [_value(text, found) for found in _PATTERN.finditer(_readable(text))]


def _readable(text: str) -> str:
    """Return a text of the same length in which marks of notes and struck-out text are hidden."""
    if not HAS_SUPERSCRIPT.search(text) and not STRUCK_OUT.search(text):
        return text
    return _TO_HIDE.sub(
        lambda found: found[0] if is_power(text[: found.start()], found[0]) else _HIDDEN * len(found[0]), text
    )


def with_unit(text: str, value: Value) -> str:
    """Return a value as printed in its text with the unit of measure after it, when there is one: "94 days"."""
    unit = _measure_after(text, value)
    return text[value.start : unit.end()] if unit else value.text


def unit_of_measure(text: str, value: Value) -> str:
    """Return the unit of measure after a value of a text: "days" of "94 days"; "" for none."""
    unit = _measure_after(text, value)
    return unit[0].strip(" -") if unit else ""


def _measure_after(text: str, value: Value) -> re.Match[str] | None:
    if value.kind is not ValueKind.NUMBER:
        return None
    return _MEASURE_AFTER.match(text, _after_mark(text, value.stop))


def _after_mark(text: str, at: int) -> int:
    """Return where a text goes on after a mark of a note."""
    found = _MARKED.match(text, at)
    return found.end() if found else at


_FLAT_POWER = lazy_regex(
    r"(?<![\w.,])(?:\d+(?:\.\d+)?\s?[x×·⋅*]\s?10\s?[-–−]?\s?\d{1,2}|10[1-9]\d?)(?!\w|[.,]\d)"  # 6 × 107, 108
)
_FIGURES = lazy_regex(r"\d+(?:\.\d+)?")


def may_be_flat_power(text: str, value: Value) -> bool:
    """Return whether a value may be (a factor of) a power of ten whose exponent looks like other digits.

    OCR reads 10 to the power of 8 as "108".
    """
    return any(value.text.strip() in _FIGURES.findall(found[0]) for found in _FLAT_POWER.finditer(text))


def is_raised_to(text: str, value: Value) -> bool:
    """Return whether a number of a text has an exponent or the mark of a note there, which it does not hold."""
    printed = value.text.strip()
    return "^" not in printed and bool(re.search(rf"(?<![\w.,]){re.escape(printed)}\^\d", text))


def number_of(printed: str) -> float | None:
    """Return the number a printed value amounts to: "(1,577.5)" is -1577.5, "three" is 3; None for none."""
    word = printed.strip().lower()
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS[word])
    if power := _OF_TEN.search(printed):
        return _power_of_ten(power)
    found = _NUMERAL.search(printed)
    if not found:
        return None
    before = printed[: found.start()].strip()
    negative = before.endswith(("-", "–", "−")) or ("(" in before and ")" in printed[found.end() :])
    number = float(found.group().rstrip(_HIDDEN).replace(",", ""))
    return -number if negative else number


def _power_of_ten(found: re.Match[str]) -> float | None:
    exponent = found["caret"] or plain_mark(found["raised"])
    exponent = exponent.replace("–", "-").replace("−", "-")
    return float(f"{found['factor'] or 1}e{exponent}") if len(exponent) < _LONGEST_EXPONENT else None


def plain(number: float) -> int | float:
    """Return a number as an int when it is whole."""
    return int(number) if number == int(number) and abs(number) < 2**53 else number


def numerals(text: str) -> list[str]:
    """Return the numerals of a text in order, without currency signs and thousands separators."""
    return [found.replace(",", "").replace("$", "") for found in _WRITTEN_NUMBER.findall(text)]


def numbers_in(text: str) -> list[float]:
    """Return the numbers written with digits in a text, in order."""
    return [float(found) for found in numerals(text)]


def number_words(text: str) -> list[float]:
    """Return the numbers written as single words in a text, in order; "one" is left out, it is mostly a pronoun."""
    found = (_WORD_VALUES.get(word) for word in re.findall(r"[a-z]+", text.lower()) if word != "one")
    return [float(value) for value in found if value is not None]


def word_value(word: str) -> float | None:
    """Return the number that a single English word names, None for any other word."""
    value = _WORD_VALUES.get(word, _SCALE_VALUES.get(word))
    return None if value is None else float(value)


def _value(text: str, found: re.Match[str]) -> Value:
    kind = _KIND[str(found.lastgroup)]
    start, stop = found.span()
    stop -= len(found.group()) - len(found.group().rstrip(f"{_HIDDEN} \t\r\n"))
    printed = text[start:stop]
    stripped = printed.lstrip()
    start += len(printed) - len(stripped)
    if stripped.startswith("(") and ")" not in stripped:
        start, stripped = start + 1, stripped[1:]
    elif stripped.endswith(")") and "(" not in stripped:
        stop, stripped = stop - 1, stripped[:-1]
    number = None if kind is ValueKind.DATE else number_of(stripped)
    return Value(kind, stripped, start, stop, number, _unit(text, stop, stripped, kind))


def _unit(text: str, stop: int, printed: str, kind: ValueKind) -> str:
    scale = re.search(rf"(?<=[\d\s]){_SCALE}", printed, re.IGNORECASE)
    if scale and kind is not ValueKind.PERCENT:
        return scale.group().lower()
    after = _UNIT_AFTER.match(text, _after_mark(text, stop))
    return after.group(1).lower() if after and kind is ValueKind.NUMBER else ""
