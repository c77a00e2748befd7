"""Candidates that work a financial measure out of the statements: their lines, their years, and the formula.

Owns the way from tables to figures by line and year. Knows no formula.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from octavo.decisions.rules.finance import LINES, Statement, label_of, line_of
from octavo.decisions.rules.measures import Asked, line_asked, measure_asked, worked_out
from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.values import Value, ValueKind, plain, values_in, years_in
from octavo.document import View
from octavo.models.analyzer import analyze
from octavo.operators.reader.named import named_in
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.grids import ReadTable, read_table
from octavo.operators.statements import statement_pages

_POSITIVE = (
    "interest expense",
    "capital expenditures",
    "dividends paid",
    "cost of sales",
    "depreciation and amortization",
)
"""Lines that are printed in brackets where they are taken off; formulas count them as amounts."""
_FRAME = frozenset(
    analyze(
        "fiscal fy year years ended ending end annual company corporation inc amount amounts value much usd us dollar "
        "dollars million millions billion billions thousand thousands statement statements income cash flow flows "
        "balance sheet sheets position financial operations earnings consolidated based according using reported "
        "stated report shown answer following question give return round total january february march april may june "
        "july august september october november december"
    )
)
"""Terms of a question for a line of a statement that take nothing away from the line."""
_YEAR_TERM = re.compile(r"(?:fy)?(?:\d\d|(?:19|20)\d\d)")
_USUAL_PLACES = 3
_HEADS = 8
"""Short blocks above a table that may name its years."""
_SHORT = 60

Found = dict[tuple[str, str], tuple[float, Quote]]
"""The figure of a line in a year and the row it was taken from."""


def from_measures(question: Question, view: View) -> Iterator[Candidate]:
    """Yield the value of the measure a question asks for, worked out of one document's statements, each row quoted."""
    if len(view.documents) != 1 or question.expects is Expects.YES_NO:
        return
    asked = measure_asked(question.text) or _whole_line(question, view)
    if asked is None:
        return
    found = statement_figures(view)
    years = sorted({year for _, year in found}, reverse=True)
    wanted = [year for year in asked.years if year in years] if asked.years else years[:1]
    if not wanted or (asked.years and len(wanted) < len(asked.years) and (asked.is_mean or asked.is_change)):
        return
    values = [value_in(asked, year, found) for year in wanted]
    number = _together(asked, [value for value in values if value is not None])
    if number is None or None in values:
        return
    used = wanted if asked.is_mean or asked.is_change else wanted[:1]
    spans = [*used, *(_before(year, years) for year in used if asked.is_averaged)]
    scale = 1.0 if asked.measure.under or asked.is_growth or not asked.unit else _scale(view) / asked.unit
    yield _candidate(asked, scale * number, found, [year for year in spans if year])


def _whole_line(question: Question, view: View) -> Asked | None:
    """Return the line a question asks for, None where it asks for part of one: revenue of a region, of a quarter."""
    asked = line_asked(question.text)
    if asked is None:
        return None
    said = {*analyze(asked.measure.name), *analyze(asked.measure.lines[0]), *_FRAME, *_of_document(question, view)}
    rest = [term for term in question.asked - said if not term.isdigit() and not _YEAR_TERM.fullmatch(term)]
    return asked if not rest else None


def _of_document(question: Question, view: View) -> set[str]:
    """Return the terms by which a question names the document: of its name and title, and names on its first page."""
    own = view.documents[0]
    first = analyze(" ".join(view.blocks.text.take(list(range(len(view)))[view.page_rows(0)])))
    return {*analyze(f"{own.name} {own.metadata.title or ''}"), *(set(named_in(question.text).names) & set(first))}


def statement_figures(view: View) -> Found:
    """Return the figures of all lines and years of the statements of a view of one document, read once."""
    return view.derived("statement figures", lambda: _figures(view))


def value_in(asked: Asked, year: str, found: Found) -> float | None:
    """Return a measure in a year, None where a figure is missing."""

    def figure(line: str, of: str) -> float | None:
        one = _figure(found, line, of)
        return one[0] if one else None

    return worked_out(asked, year, _before(year, {known for _, known in found}), figure)


def quotes_of(asked: Asked, years: Iterable[str], found: Found) -> tuple[Quote, ...]:
    """Return the rows that a measure is worked out of in some years, each once."""
    used = [one for year in years for line in asked.measure.lines if (one := _figure(found, line, year))]
    return tuple(dict.fromkeys(quote for _, quotes in used for quote in quotes))


def _together(asked: Asked, values: Sequence[float]) -> float | None:
    """Return the one number asked for, of the values of the years, latest first."""
    if not values:
        return None
    if asked.is_mean:
        return sum(values) / len(values)
    if asked.is_growth:
        return (values[0] - values[-1]) / abs(values[-1]) if values[-1] else None
    return values[0] - values[-1] if asked.is_change else values[0]


def _before(year: str, years: Collection[str]) -> str | None:
    earlier = str(int(year) - 1)
    return earlier if earlier in years else None


def _candidate(asked: Asked, number: float, found: Found, years: Sequence[str]) -> Candidate:
    is_relative = bool(asked.measure.under) or asked.is_growth
    in_percent = asked.in_percent and is_relative and asked.measure.factor == 1.0
    scaled = 100 * number if in_percent else number
    places = asked.places if asked.places is not None else 1 if in_percent else _USUAL_PLACES
    rounded = plain(round(scaled, places if is_relative or asked.places is not None else 4))
    text = f"{rounded}{'%' if in_percent else ''}"
    quotes = quotes_of(asked, years, found)
    value = Value(ValueKind.PERCENT if in_percent else ValueKind.NUMBER, text, 0, len(text), float(rounded))
    return Candidate(
        text, quotes, asked.measure.name, 1.0, 1.0, 1.0, relevance=1.0, similarity=1.0, value=value, linked=1.0
    )


def _figure(found: Found, line: str, year: str) -> tuple[float, tuple[Quote, ...]] | None:
    """Return the figure of a line in a year and its rows; what a statement leaves out follows from what it has."""
    one = found.get((line, year))
    if one:
        return one[0], (one[1],)
    for whole, part in _FOLLOWS.get(line, ()):
        a, b = found.get((whole, year)), found.get((part, year))
        if a and b:
            return a[0] - b[0], (a[1], b[1])
    return None


_FOLLOWS = {
    "total liabilities": (("total assets", "total shareholders' equity"),),
    "total shareholders' equity": (("total assets", "total liabilities"),),
    "gross profit": (("revenue", "cost of sales"),),
    "cost of sales": (("revenue", "gross profit"),),
}
"""Lines that are one line less another."""


# Reading the statements

_SCALE = re.compile(r"\b(?:in|of) (thousands|millions|billions)\b|\b(thousands|millions|billions) of", re.IGNORECASE)
_SCALES = {"thousands": 1e3, "millions": 1e6, "billions": 1e9}


def _scale(view: View) -> float:
    """Return what the amounts of the statements are printed in, 1 when no statement says."""
    pages = np.flatnonzero(np.max([*statement_pages(view).values()], axis=0) > 0)
    rows = np.flatnonzero(view.on_page_indices(pages))
    said = [one for row in rows.tolist() for one in _SCALE.findall(view.blocks.text[row][:200])]
    return _SCALES[(said[0][0] or said[0][1]).lower()] if said else 1.0


def _figures(view: View) -> Found:
    """Return the figures of all lines and years of the statements; each line from the page that has most of its own."""
    pages = statement_pages(view)
    found: Found = {}
    weight: dict[tuple[str, str], tuple[float, int]] = {}
    for statement in Statement:
        share = pages[statement]
        for page in np.flatnonzero(share > 0).tolist():
            for key, spelled, figure in _on_page(view, page, statement):
                rank = (float(share[page]), spelled)
                if key not in found or rank > weight[key]:
                    found[key], weight[key] = figure, rank
    return found


def _on_page(view: View, page: int, statement: Statement) -> Iterator[tuple[tuple[str, str], int, tuple[float, Quote]]]:
    """Yield ((line, year), preference, figure) of the rows of a statement on a page."""
    rows = view.page_rows(page)
    years: list[str] = []
    for row in range(rows.start, rows.stop):
        text = view.blocks.text[row]
        table = read_table(view.blocks.grid[row], _above(view, rows.start, row)) if view.blocks.grid[row] else None
        if table is None:
            continue
        years = _columns(table) or years or _years_in(view, rows.start, row)
        printed = text.split("\n")
        for read in table.rows:
            known = line_of(f"{read.label} | 0")
            if not known or known[0] is not statement or read.line >= len(printed):
                continue
            label = label_of(read.label)
            preference = int(label.startswith("total")) + int(label in LINES)
            for year, number in _numbers(read.cells, years):
                amount = abs(number) if known[1] in _POSITIVE else number
                yield (known[1], year), preference, (amount, Quote(row, printed[read.line]))


def _above(view: View, first: int, row: int) -> list[str]:
    texts = [view.blocks.text[at] for at in range(max(first, row - _HEADS), row)]
    return [text for text in texts if len(text) <= _SHORT]


def _columns(table: ReadTable) -> list[str]:
    """Return the year of each column that has one in its header, in order, from the row that has most."""
    best: list[str] = []
    for read in table.rows:
        years = [found[0] for header, _ in read.cells if (found := years_in(header))]
        if len(years) > len(best) and len(set(years)) == len(years):
            best = years
    return best


def _years_in(view: View, first: int, row: int) -> list[str]:
    """Return the years that stand above a table on its page, when they run down as columns of statements do."""
    found = [year for at in range(first, row) for year in years_in(view.blocks.text[at])]
    unique = list(dict.fromkeys(found))
    steps = {int(a) - int(b) for a, b in itertools.pairwise(unique)}
    return unique if 2 <= len(unique) <= 5 and steps == {1} else []


def _numbers(cells: Sequence[tuple[str, str]], years: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield (year, number) of a row: by the years in the headers, else in order where there are as many."""
    numbers = [(header, number) for header, cell in cells if (number := _number(cell)) is not None]
    headed = [(years_in(header), number) for header, number in numbers]
    if numbers and all(len(found) == 1 for found, _ in headed):
        seen: dict[str, list[float]] = defaultdict(list)
        for (year,), number in headed:
            seen[year].append(number)
        yield from ((year, values[0]) for year, values in seen.items() if len(values) == 1)
    elif len(numbers) == len(years):
        yield from zip(years, (number for _, number in numbers), strict=True)


def _number(cell: str) -> float | None:
    """Return the number of a cell that holds nothing else; in brackets it is negative."""
    values = values_in(cell)
    if len(values) != 1 or values[0].number is None or len(cell) > len(values[0].text) + 8:
        return None
    number = values[0].number
    return -abs(number) if cell.strip(" $€£").startswith("(") else number
