"""Candidates that pick cells out of a column: those of the rows that have what the question asks for.

"Which modules are compulsory?" is answered by the cells under "Module" in the rows that say "compulsory". Owns which
column is asked for and which rows count. Knows nothing about single cells or numbers that are compared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.values import Value, ValueKind
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.grids import ReadTable, TableRow

_ASKED_FOR, _FIRST = 0.95, 0.7
"""Fit of a column that is headed by what is asked for, and of the first one, which names what its rows are about."""
_COUNTED = 0.7
"""Fit of how many rows there are, which is less sure than a number that is printed."""
_LONGEST_ITEM = 80
_LEAST_ROWS = 3


def from_columns(
    matcher: Matcher, row: int, text: str, table: ReadTable, context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield the cells, or how many there are, of each column that may be asked for, in the rows that are picked."""
    question = matcher.question
    if question.expects not in (Expects.LIST, Expects.COUNT) or len(table.rows) < _LEAST_ROWS:
        return
    lines = text.split("\n")
    for header in dict.fromkeys([table.corner, *(head for read in table.rows for head, _ in read.cells)]):
        is_asked_for = bool(set(analyze(header)) & set(question.subject))
        if not is_asked_for and (header != table.corner or not set(question.subject) & set(context)):
            continue
        picked, terms = _picked(matcher, table, header)
        found = [(read, cell) for read in picked if (cell := _cell(read, header, table))]
        if len(found) < 1 + (question.expects is Expects.LIST) or max(len(cell) for _, cell in found) > _LONGEST_ITEM:
            continue
        quotes = tuple(Quote(row, lines[read.line] if read.line < len(lines) else read.label) for read, _ in found)
        items = tuple(dict.fromkeys(cell for _, cell in found))
        coverage = matcher.coverage([*analyze(header), *terms], context)
        statement = f"{header}: {'; '.join(items)}"
        fit = _ASKED_FOR if is_asked_for else _FIRST
        yield _candidate(question, Candidate("; ".join(items), quotes, statement, coverage, coverage, fit, items=items))


def _candidate(question: Question, listed: Candidate) -> Candidate:
    """Return the list with its fit, or how many items it has where that is asked."""
    if question.expects is Expects.LIST:
        fits = question.items in (0, len(listed.items))
        return listed if fits else dataclasses.replace(listed, fit=listed.fit / 2)
    number = len(listed.quotes)
    value = Value(ValueKind.NUMBER, str(number), 0, len(str(number)), float(number))
    return dataclasses.replace(listed, text=value.text, fit=_COUNTED, value=value, items=())


def _picked(matcher: Matcher, table: ReadTable, header: str) -> tuple[list[TableRow], set[str]]:
    """Return the rows that have most of the question beside the column, and the terms by which they are told apart.

    Terms that all rows have pick none.
    """
    held = [_held(matcher, read, header, table) for read in table.rows]
    common = held[0].intersection(*held[1:])
    shares = [matcher.share(terms - common) for terms in held]
    best = max(shares)
    if best == 0:
        return [], set()
    at = [number for number, share in enumerate(shares) if share == best]
    return [table.rows[number] for number in at], common.union(*(held[number] for number in at))


def _held(matcher: Matcher, read: TableRow, header: str, table: ReadTable) -> set[str]:
    """Return the question's terms in the cells of a row other than that of a column, and in the section it is in."""
    others = [cell for head, cell in read.cells if head != header]
    texts = [read.section, *others, *([] if header == table.corner else [read.label])]
    return {term for text in texts for term in analyze(text) if term in matcher.weights}


def _cell(read: TableRow, header: str, table: ReadTable) -> str:
    cells: Sequence[tuple[str, str]] = ((table.corner, read.label), *read.cells)
    return next((cell for head, cell in cells if head == header), "")
