"""Candidates from tables: the cell where a matching row meets a matching column.

Owns what is header, label and cell in a table's grid. Knows nothing about running text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from octavo.models.analyzer import analyze
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.matching import Matcher, precision
from octavo.operators.reading.question import VALUE_KINDS, Expects
from octavo.operators.reading.sentences import value_fit
from octavo.operators.reading.values import Value, ValueKind, values_in

Grid = list[list[str]]

_MOST_HEADER_ROWS = 3
_LONGEST_CELL = 600
_LONGEST_NAME = 80
"""Characters of a cell that may be an answer in words."""


def grid_of(stored: str) -> Grid:
    """Return a table's rows of cells, none when there is no grid; long cells are cut."""
    if not stored:
        return []
    try:
        rows: Any = json.loads(stored)
    except (ValueError, RecursionError):
        return []
    if not isinstance(rows, list):
        return []
    listed = (cast("list[Any]", row) for row in cast("list[Any]", rows) if isinstance(row, list))
    return [[str(cell)[:_LONGEST_CELL] for cell in row] for row in listed]


def from_table(matcher: Matcher, row: int, text: str, grid: Grid, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield a candidate for each cell that has a row label or column header of the question's words."""
    header_rows = _header_rows(grid)
    headers = _headers(grid[:header_rows])
    lines = text.split("\n")
    for at in range(header_rows, len(grid)):
        cells = [cell.strip() for cell in grid[at]]
        label_at = next((column for column, cell in enumerate(cells) if cell), None)
        if label_at is None:
            continue
        quote = Quote(row, lines[at] if at < len(lines) else cells[label_at])
        headed = list(_headed(headers, cells, label_at))
        around = (*context, *(term for cell in cells for term in analyze(cell)))
        for header, cell in headed:
            yield from _cell(matcher, quote, (cells[label_at], header, cell), around)
        first = headers[label_at] if label_at < len(headers) else ""
        yield from _named_by_row(matcher, quote, [(first, cells[label_at]), *headed], context)


def _named_by_row(
    matcher: Matcher, quote: Quote, headed: list[tuple[str, str]], context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield the cell under the header that names what is asked for, when the rest of the row matches the question.

    "Which flag means replaced by hand?" is answered by the first cell of "Q4 | Replaced by hand" under "Flag".
    """
    question = matcher.question
    if question.expects in (Expects.COUNT, Expects.PERCENT, Expects.MONEY, Expects.YES_NO):
        return
    asked = set(analyze(question.text))
    statement = " | ".join(cell for _, cell in headed)
    for at, (header, cell) in enumerate(headed):
        is_asked_for = bool(set(analyze(header)) & set(question.subject))
        if not cell or len(cell) > _LONGEST_NAME or set(analyze(cell)) <= asked or not (is_asked_for or at == 0):
            continue
        rest = [term for other, (_, text) in enumerate(headed) if other != at for term in analyze(text)]
        near = matcher.share(rest)
        if near:
            coverage = matcher.coverage([*rest, *analyze(header)], context)
            yield Candidate(cell, (quote,), statement, coverage, near, 0.95 if is_asked_for else 0.45)


def _headed(headers: Sequence[str], cells: Sequence[str], label_at: int) -> Iterator[tuple[str, str]]:
    """Yield (column header, cell) for the cells after a row's label.

    Where currency signs and gaps stand in columns of their own, headers and cells pair in order when there are as
    many of one as of the other.
    """
    filled = [column for column in range(label_at + 1, len(cells)) if _says_something(cells[column])]
    heads = [header for header in dict.fromkeys(headers[label_at + 1 :]) if header]
    in_order = len(heads) == len(filled)
    for at, column in enumerate(filled):
        own = headers[column] if column < len(headers) else ""
        yield (heads[at] if in_order else own), cells[column]


def _says_something(cell: str) -> bool:
    return any(character.isalnum() for character in cell)


def _cell(matcher: Matcher, quote: Quote, parts: tuple[str, str, str], context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the candidate of one cell, given as (row label, column header, text)."""
    label, header, text = parts
    label_terms, header_terms = analyze(label), analyze(header)
    wanted = matcher.weights
    if not text or not any(term in wanted for term in label_terms):
        return
    coverage = matcher.coverage([*label_terms, *header_terms], context)
    # A label that says more than the question is another row: "Total current assets" for "total assets".
    near = coverage * (0.5 + 0.5 * precision(label_terms, [*wanted, *analyze(matcher.question.text)]))
    statement = f"{label} {header}: {text}"
    value, fit = _fit(matcher, text, header)
    if fit:
        yield Candidate(value.text if value else text, (quote,), statement, coverage, near, fit, value=value)


def _fit(matcher: Matcher, text: str, header: str) -> tuple[Value | None, float]:
    question = matcher.question
    values = values_in(text)
    if question.expects in VALUE_KINDS:
        for value in values[:1]:
            fit = value_fit(question, value, text)
            is_bare = value.kind is ValueKind.NUMBER and question.expects is not Expects.COUNT
            # Units of a table stand in its header or caption, so that a bare number may be money or a per cent.
            return (value, 0.9 if is_bare and fit else max(fit, 0.6) if fit else 0.0)
        return None, 0.0
    if values:
        return None, 0.0
    return None, 0.7 if len(text) <= _LONGEST_NAME else 0.35


def _header_rows(grid: Sequence[Sequence[str]]) -> int:
    """Return how many rows from the top head the columns: those before the first with a number that is no year."""
    for at, cells in enumerate(grid[: _MOST_HEADER_ROWS + 1]):
        numbers = [value for cell in cells[1:] for value in values_in(cell)[:1]]
        if any(value.kind not in (ValueKind.YEAR, ValueKind.DATE) for value in numbers):
            return at
    return 1 if grid else 0


def _headers(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return one header a column; an empty header cell takes the one to its left, which spans it."""
    width = max((len(cells) for cells in rows), default=0)
    headers = [""] * width
    for cells in rows:
        spanning = ""
        for column in range(width):
            cell = cells[column].strip() if column < len(cells) else ""
            spanning = cell or (spanning if column > 1 else "")
            headers[column] = f"{headers[column]} {spanning}".strip()
    return headers
