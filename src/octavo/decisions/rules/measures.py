"""Financial measures as formulas over the lines of the statements, and which one a question asks for.

Owns the formulas, as textbooks of accounting give them, and the reading of years, averages and rounding from a
question. Knows nothing about documents: lines go by the names of `finance.LINES`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from octavo.decisions.rules.finance import LINES, statements_asked

Terms = tuple[tuple[int, str], ...]
"""(sign, line) of the lines that are added up."""


@dataclasses.dataclass(frozen=True, slots=True)
class Measure:
    """A sum of lines, or a sum over a sum; `factor` times that. `is_rate` is given in per cent where that is asked."""

    name: str
    over: Terms
    under: Terms = ()
    factor: float = 1.0

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines it is worked out of, each once."""
        return tuple(dict.fromkeys(line for _, line in (*self.over, *self.under)))


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """A measure as a question asks for it."""

    measure: Measure
    years: tuple[str, ...]
    """Latest first; empty where none is named."""
    is_averaged: bool = False
    """Whether what stands at a date is the mean of the year's begin and end."""
    is_mean: bool = False
    """Whether the mean over the years is asked for."""
    is_change: bool = False
    """Whether the change between two years is asked for."""
    is_growth: bool = False
    """Whether that is in relation to the earlier year."""
    in_percent: bool = False
    places: int | None = None
    """Decimal places asked for."""
    unit: float | None = None
    """What amounts are asked in: 1e6 for millions."""


_EQUITY, _CASH_IN = "total shareholders' equity", "net cash provided by operating activities"
_SPENT = "capital expenditures"
_SHORT = {
    "R": "revenue", "G": "gross profit", "O": "operating income", "N": "net income", "I": "interest expense",
    "X": "income tax expense", "B": "income before income taxes", "S": "cost of sales", "A": "total assets",
    "D": "depreciation and amortization", "CA": "total current assets", "CL": "total current liabilities",
    "L": "total liabilities", "E": _EQUITY, "C": "cash and cash equivalents", "V": "inventories",
    "RC": "accounts receivable", "P": "accounts payable", "F": _CASH_IN, "K": _SPENT, "DV": "dividends paid",
    "PPE": "property and equipment",
}  # fmt: skip
"""Short names of lines in the formulas below."""

_FORMULAS: tuple[tuple[str, str], ...] = (
    (r"returns? on (?:\w+ )?(?:total )?assets|roa", "N / A"),
    (r"returns? on (?:\w+ ){0,2}equity|roe", "N / E"),
    (r"returns? on capital employed|roce", "O / A - CL"),
    (r"gross (?:profit )?margins?", "G / R"),
    (r"(?:operating|ebit) (?:profit |income )?margins?", "O / R"),
    (r"(?:net (?:profit |income )?|net )margins?|profit margins?", "N / R"),
    (r"ebitda margins?", "O + D / R"),
    (r"ebitda", "O + D"),
    (r"current ratios?", "CA / CL"),
    (r"quick ratios?|acid[- ]test(?: ratios?)?", "CA - V / CL"),
    (r"cash ratios?", "C / CL"),
    (r"operating cash ?flow ratios?", "F / CL"),
    (r"(?:net )?working capital", "CA - CL"),
    (r"debt[- ]to[- ]equity(?: ratios?)?", "L / E"),
    (r"debt ratios?", "L / A"),
    (r"equity ratios?", "E / A"),
    (r"invested capital", "A - C"),
    (r"inventory turnover(?: ratios?)?", "S / V"),
    (r"(?:accounts )?receivables? turnover(?: ratios?)?", "R / RC"),
    (r"(?:accounts )?payables? turnover(?: ratios?)?", "S / P"),
    (r"fixed asset turnover(?: ratios?)?", "R / PPE"),
    (r"(?:total )?assets? turnover(?: ratios?)?", "R / A"),
    (r"days sales outstanding|dso", "365 RC / R"),
    (r"days payables? outstanding|dpo", "365 P / S"),
    (r"days inventory outstanding|dio", "365 V / S"),
    (r"effective (?:income )?tax (?:rates?|ratios?)", "X / B"),
    (r"interest coverage(?: ratios?)?|times interest earned", "O / I"),
    (r"free cash ?flow conversion", "F - K / N"),
    (r"free cash ?flows?|fcf", "F - K"),
    (r"(?:dividend )?payout ratios?", "DV / N"),
)


def _terms(text: str) -> Terms:
    signed = re.findall(r"([+-]?) ?\b([A-Z]+)\b", text)
    return tuple((-1 if sign == "-" else 1, _SHORT[short]) for sign, short in signed)


def _measure(name: str, formula: str) -> Measure:
    factor = re.match(r"(\d+) ", formula)
    over, _, under = formula.partition("/")
    return Measure(name, _terms(over), _terms(under), float(factor[1]) if factor else 1.0)


@cache
def _measures() -> tuple[tuple[re.Pattern[str], Measure], ...]:
    """Return the measures with what names them: compiled when a question first speaks of one, and not before."""
    return tuple(
        (re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE), _measure(words.split("|")[0], formula))
        for words, formula in _FORMULAS
    )


# "gross profit to total assets": any line over any other, by the names the statements print and some more.
_ALSO = {
    "sales": "revenue", "profit": "net income", "earnings": "net income", "equity": _EQUITY, "capex": _SPENT,
    "shareholders equity": _EQUITY, "stockholders equity": _EQUITY, "operating cash flow": _CASH_IN,
    "cash flow from operations": _CASH_IN, "cash from operations": _CASH_IN, "current assets": "total current assets",
    "current liabilities": "total current liabilities", "inventory": "inventories", "payables": "accounts payable",
    "receivables": "accounts receivable", "long term debt": "long-term debt", "cash": "cash and cash equivalents",
}  # fmt: skip


def _late(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """Return what compiles a long pattern when it is first used."""
    return cache(lambda: re.compile(pattern, flags))


_NAMED: dict[str, str] = {label: line for label, (_, line) in LINES.items() if len(label) > 4} | _ALSO
_NAMES = "|".join(sorted(map(re.escape, _NAMED), key=len, reverse=True))
_RATIO = _late(rf"\b({_NAMES})(?: ratio)?[ -](?:to|over|divided by)[ -](?:average )?({_NAMES})(?![\w-])", re.IGNORECASE)
_GROWTH = _late(
    rf"\b({_NAMES}) (?:growth|increase|decrease|change)\b"
    rf"|\b(?:growth|increase|decrease) (?:rate )?(?:of|in) ({_NAMES})\b"
    rf"|\b(?:did|has|have) [\w' ]{{0,40}}?\b({_NAMES}) (?:grow|grown|increase|decrease|change)\b",
    re.IGNORECASE,
)
_DEFINED = _late(
    rf"\b(?:defined|calculated|computed|measured) as ({_NAMES})((?: (?:less|minus|plus) (?:{_NAMES}))*)"
    r"(?=\s*(?:[.,;?)]|$))",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"\b(?:defined|calculated|computed|measured) as\b|\b(?:taking|treating|considering)\b.{0,80}\bas\b"
    r"|\bassuming\b.{0,80}\b(?:is|are|equals?)\b",
    re.IGNORECASE,
)
_LINE = _late(rf"\b({_NAMES})(?![\w-])", re.IGNORECASE)
_PART = _late(rf" (less|minus|plus) ({_NAMES})", re.IGNORECASE)


def measure_asked(question: str) -> Asked | None:
    """Return the measure that a question asks to be worked out, None when it asks for none or for several.

    A definition that the question gives goes before the usual formula; one that cannot be read leaves the measure
    unknown.
    """
    if not statements_asked(question):
        return None
    text = " ".join(question.replace("’", "'").split())
    found = list(_found(text))
    growth = _GROWTH().search(text)
    if not found and growth:
        line = _NAMED[next(name for name in growth.groups() if name).lower()]
        found = [(growth.start(), Measure(growth[0].lower(), ((1, line),)))]
    if len({replace(measure, name="") for _, measure in found}) != 1:
        return None
    start, measure = found[0]
    measure = _as_defined(text, measure)
    return _asked(text, start, measure, is_growth=bool(growth) and not measure.under) if measure else None


def line_asked(question: str) -> Asked | None:
    """Return the one line of the statements that a question speaks of, as a measure; None for none or several."""
    text = " ".join(question.replace("’", "'").split())
    named = list(_LINE().finditer(text)) if statements_asked(question) else []
    if len({_NAMED[found[1].lower()] for found in named}) != 1 or _DEFINES.search(text):
        return None
    first = named[0]
    return _asked(text, first.start(), Measure(first[1].lower(), ((1, _NAMED[first[1].lower()]),)), is_growth=False)


def _asked(text: str, start: int, measure: Measure, *, is_growth: bool) -> Asked:
    years = _years(text)
    if is_growth and len(years) == 1:
        years = (years[0], str(int(years[0]) - 1))
    is_mean = len(years) > 2 and bool(re.search(r"\baverage|\bmean\b", text, re.IGNORECASE))
    near = text[max(0, start - 20) :]
    return Asked(
        measure,
        years,
        is_averaged=not is_mean and bool(measure.under) and bool(re.search(r"\baverage\b", near, re.IGNORECASE)),
        is_mean=is_mean,
        is_change=len(years) == 2 and (is_growth or bool(_CHANGES.search(text))),
        is_growth=is_growth and len(years) == 2,
        in_percent=is_growth or bool(re.search(r"percent|per cent|%|\brates?\b", text, re.IGNORECASE)),
        places=_places(text),
        unit=next((_UNITS[one[1].lower()] for one in _IN_UNIT.finditer(text)), None),
    )


def _as_defined(text: str, measure: Measure) -> Measure | None:
    defined = _DEFINED().search(text)
    if defined:
        parts = [
            (1 if sign.lower() == "plus" else -1, _NAMED[name.lower()]) for sign, name in _PART().findall(defined[2])
        ]
        return Measure(measure.name, ((1, _NAMED[defined[1].lower()]), *parts))
    return None if _DEFINES.search(text) else measure


def _found(text: str) -> Iterator[tuple[int, Measure]]:
    """Yield the measures named, with where they begin; of names inside each other the longest.

    What is set in relation to something else, as in "debt to EBITDA", is not asked for itself.
    """
    ratio = _RATIO().search(text)
    spans: list[tuple[int, int, Measure]] = []
    for pattern, measure in _measures():
        spans.extend((*one.span(), replace(measure, name=one[0].lower())) for one in pattern.finditer(text))
    if ratio:
        over, under = (_NAMED[name.lower()] for name in ratio.groups())
        spans.append((*ratio.span(), Measure(ratio[0].lower(), ((1, over),), ((1, under),))))
    for start, stop, measure in spans:
        is_inside = any((s, e) != (start, stop) and s <= start and stop <= e for s, e, _ in spans)
        is_related = re.search(r"\b(?:to|over)[ -](?:[A-Za-z]+[ -]){0,2}$", text[:start]) or re.match(
            r"[ -](?:to|over)\b", text[stop:]
        )
        if not is_inside and not is_related:
            yield start, measure


_YEAR = re.compile(r"\b(?:FY|fiscal(?: year)? ?)?'?(20\d\d|19\d\d)\b|\bFY ?'?(\d\d)\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:FY ?)?((?:19|20)\d\d) ?(?:-|–|to|through) ?(?:FY ?)?((?:19|20)\d\d)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:chang|grow|grew|increas|decreas|improv|declin|differen|rise|rose|fell|drop)", re.IGNORECASE
)
_PLACES = re.compile(
    r"\b(one|two|three|four|five|\d) decimals?\b|\b(?:nearest|whole) (?:integer|number|percent)", re.IGNORECASE
)
_UNITS = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_IN_UNIT = re.compile(r"\bin (?:\w+ )?(thousand|million|billion)s?\b", re.IGNORECASE)
_COUNTED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def _years(text: str) -> tuple[str, ...]:
    """Return the years a question names, latest first; a span of years is every one of them."""
    found = {one[1] or f"20{one[2]}" for one in _YEAR.finditer(text)}
    for span in _RANGE.finditer(text):
        first, last = int(span[1]), int(span[2])
        if 0 < last - first <= 20:
            found |= {str(year) for year in range(first, last + 1)}
    return tuple(sorted(found, reverse=True))


def _places(text: str) -> int | None:
    found = _PLACES.search(text)
    if not found:
        return None
    named = (found[1] or "0").lower()
    return _COUNTED.get(named) or int(named)


# Working out

Figures = Callable[[str, str], float | None]
"""The figure of a line in a year; None where it is not known."""


def worked_out(asked: Asked, year: str, before: str | None, figure: Figures) -> float | None:
    """Return the measure in a year, None when a line is missing or what is divided by is zero.

    Args:
        asked: What is asked for.
        year: The year.
        before: The year before it, for averages; None where it is not known.
        figure: Gives the figures of lines.
    """
    measure = asked.measure
    over = _sum(measure.over, year, figure)
    if over is None or not measure.under:
        return over
    under = _sum(measure.under, year, figure)
    if asked.is_averaged:
        earlier = _sum(measure.under, before, figure) if before else None
        under = None if under is None or earlier is None else (under + earlier) / 2
    return measure.factor * over / under if under else None


def _sum(terms: Terms, year: str, figure: Figures) -> float | None:
    figures = [(sign, figure(line, year)) for sign, line in terms]
    return None if any(value is None for _, value in figures) else sum(sign * (value or 0.0) for sign, value in figures)
