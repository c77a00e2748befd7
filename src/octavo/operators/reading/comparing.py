"""Candidates that compare the cells of a table: extremes, sums, differences, and the items of a column.

Owns what such a question compares and how it is worked out. Knows nothing about looking up a single cell.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.values import Value, ValueKind, plain, values_in
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.grids import ReadTable

_MOST = re.compile(
    r"\b(?:highest|greatest|largest|biggest|most|maximum|longest|best|top|tallest|heaviest|deepest|fastest|latest)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:lowest|smallest|least|fewest|minimum|shortest|worst|slowest|cheapest|earliest)\b", re.IGNORECASE
)
_TOTAL = re.compile(r"\b(?:in all|altogether|combined|in total|the sum of|total of)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:differences?|chang(?:e|ed)|grow(?:th|n)?|grew|increased?|decreased?|declined?|rise|rose|fall|fell|dropped|"
    r"how (?:many|much) (?:more|fewer|less|higher|lower|larger|greater|smaller|longer))\b",
    re.IGNORECASE,
)
_AS_RATE = re.compile(r"\b(?:percent(?:age)?|per cent|rate)\b|%", re.IGNORECASE)
_ALSO_VALUE = re.compile(r"\band (?:how|what)\b", re.IGNORECASE)
_NAMES = (Expects.NAME, Expects.PLACE, Expects.PERSON, Expects.YEAR, Expects.DATE, Expects.LIST)
_LEAST_COMPARED = 2
_LONGEST_ITEM = 80


@dataclasses.dataclass(frozen=True)
class _Line:
    """A row or column of a table: its label, and (name, cell, quote) of the cells in it that say something."""

    label: str
    cells: tuple[tuple[str, str, Quote], ...]

    def numbers(self) -> list[tuple[float, str, Value, Quote]]:
        """Return (number, name, value, quote) of the cells that are one value each."""
        found: list[tuple[float, str, Value, Quote]] = []
        for name, cell, quote in self.cells:
            values = values_in(cell)
            if len(values) == 1 and values[0].number is not None and len(cell) <= len(values[0].text) + 8:
                found.append((values[0].number, name, values[0], quote))
        return found


def from_comparing(
    matcher: Matcher, row: int, text: str, table: ReadTable, context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield what a question that compares cells is answered by: for the lines whose label the question has."""
    question = matcher.question
    # What is asked to be compared is accounted for by comparing, not by a word in the table.
    compared = [
        term
        for words in (_MOST, _LEAST, _TOTAL, _CHANGE)
        for found in words.findall(question.text)
        for term in analyze(found)
    ]
    for line in _lines(row, text, table):
        if not any(term in matcher.weights for term in analyze(line.label)):
            continue
        for candidate in (*_extreme(question, line), *_worked_out(question, line), *_items(matcher, line)):
            coverage = matcher.coverage([*analyze(candidate.statement), *compared], context)
            yield dataclasses.replace(candidate, coverage=coverage, nearness=coverage)


def _lines(row: int, text: str, table: ReadTable) -> Iterator[_Line]:
    """Yield the rows and the columns of a table."""
    printed = text.split("\n")
    columns: dict[str, list[tuple[str, str, Quote]]] = {}
    for read in table.rows:
        quote = Quote(row, printed[read.line] if read.line < len(printed) else read.label)
        yield _Line(read.label, tuple((header, cell, quote) for header, cell in read.cells))
        columns.setdefault(table.corner, []).append((read.label, read.label, quote))
        for header, cell in read.cells:
            columns.setdefault(header, []).append((read.label, cell, quote))
    yield from (_Line(header, tuple(cells)) for header, cells in columns.items())


def _extreme(question: Question, line: _Line) -> Iterator[Candidate]:
    """Yield the name of the cell with the highest or lowest number, or the number."""
    is_most, is_least = bool(_MOST.search(question.text)), bool(_LEAST.search(question.text))
    numbers = [one for one in line.numbers() if not _is_total(one[1])]
    if is_most == is_least or len(numbers) < _LEAST_COMPARED:
        return
    _, name, value, quote = (max if is_most else min)(numbers, key=lambda one: one[0])
    statement = f"{line.label} {name}: {value.text}"
    if question.expects not in _NAMES:
        yield Candidate(value.text, (quote,), statement, 0.0, 0.0, 0.9, value=value)
    elif name and _ALSO_VALUE.search(question.text):
        yield Candidate(f"{name}; {value.text}", (quote,), statement, 0.0, 0.0, 1.0, items=(name, value.text))
    elif name and not set(analyze(name)) <= question.asked:
        yield Candidate(name, (quote,), statement, 0.0, 0.0, 1.0)


def _worked_out(question: Question, line: _Line) -> Iterator[Candidate]:
    """Yield the sum of a line, or the change from one to the other of two cells the question names."""
    if question.expects in _NAMES or question.expects is Expects.YES_NO:
        return
    numbers = [one for one in line.numbers() if not _is_total(one[1])]
    if _TOTAL.search(question.text) and len(numbers) >= _LEAST_COMPARED:
        yield _calculated(sum(one[0] for one in numbers), numbers, line)
    named = [one for one in numbers if _is_named(question, one[1])]
    if _CHANGE.search(question.text) and len(named) == _LEAST_COMPARED:
        later, earlier = sorted(named, key=lambda one: one[1], reverse=True)
        change = later[0] - earlier[0]
        # Between per cents the difference is in points.
        is_rate = bool(_AS_RATE.search(question.text)) and earlier[0] != 0 and later[2].kind is not ValueKind.PERCENT
        yield _calculated(100 * change / abs(earlier[0]) if is_rate else abs(change), named, line, is_rate=is_rate)


def _calculated(
    number: float, parts: Sequence[tuple[float, str, Value, Quote]], line: _Line, *, is_rate: bool = False
) -> Candidate:
    rounded = float(plain(round(number, 1 if is_rate else 4)))
    text = f"{plain(rounded)}{'%' if is_rate else ''}"
    value = Value(ValueKind.PERCENT if is_rate else ValueKind.NUMBER, text, 0, len(text), rounded)
    quotes = tuple(dict.fromkeys(quote for *_, quote in parts))
    statement = f"{line.label}: {', '.join(f'{name} {part.text}' for _, name, part, _ in parts)}"
    return Candidate(text, quotes, statement, 0.0, 0.0, 0.95, value=value)


def _items(matcher: Matcher, line: _Line) -> Iterator[Candidate]:
    """Yield the cells of a column under what a question for several things asks for."""
    question = matcher.question
    cells = [(cell, quote) for _, cell, quote in line.cells if len(cell) <= _LONGEST_ITEM]
    is_asked = bool(set(analyze(line.label)) & set(question.subject))
    if question.expects is not Expects.LIST or not is_asked or len(cells) < _LEAST_COMPARED:
        return
    items = tuple(dict.fromkeys(cell for cell, _ in cells))
    fit = 0.6 if not question.items else 1.0 if question.items == len(items) else 0.3
    yield Candidate("; ".join(items), tuple(quote for _, quote in cells), line.label, 0.0, 0.0, fit, items=items)


def _is_named(question: Question, name: str) -> bool:
    """Say whether a cell's name is one the question gives: a year, or only words of the question."""
    terms = set(analyze(name))
    years = {str(plain(value.number)) for value in question.values if value.kind is ValueKind.YEAR and value.number}
    return bool(terms) and (terms <= question.asked or bool(terms & years))


def _is_total(name: str) -> bool:
    return bool({"total", "overal"} & set(analyze(name)))
