"""Candidates from tables: the cell where a matching row meets a matching column.

Owns how well a cell answers, by its row's label and its column's header. Knows nothing about running text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from octavo.decisions.rules.question import VALUE_KINDS, Expects, Question
from octavo.decisions.rules.values import Value, ValueKind, values_in
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher, precision
from octavo.operators.reader.names import looks_like_name
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.reading.grids import ReadTable
from octavo.operators.reading.sentences import asked_values, value_fit

_SCATTERED = 0.7
"""Nearness of a label, of what it would be, that has the question's words but not side by side."""
_LONGEST_NAME = 80
"""Characters of a cell that may be an answer in words."""


def from_table(
    matcher: Matcher, row: int, text: str, table: ReadTable, context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield a candidate for each cell that has a row label or column header of the question's words."""
    lines = text.split("\n")
    for read in table.rows:
        quote = Quote(row, lines[read.line] if read.line < len(lines) else read.label)
        around = (
            *context,
            *(term for _, cell in read.cells for term in analyze(cell)),
            *analyze(f"{read.section} {read.label}"),
        )
        for header, cell in read.cells:
            yield from _cell(matcher, quote, (read.label, header, cell), around)
        yield from _named_by_row(matcher, quote, [(table.corner, read.label), *read.cells], context)


def _named_by_row(
    matcher: Matcher, quote: Quote, headed: list[tuple[str, str]], context: tuple[str, ...]
) -> Iterator[Candidate]:
    """Yield the cell under the header that names what is asked for, when the rest of the row matches the question.

    "Which flag means replaced by hand?" is answered by the first cell of "Q4 | Replaced by hand" under "Flag".
    """
    question = matcher.question
    if question.expects in (Expects.COUNT, Expects.PERCENT, Expects.MONEY, Expects.YES_NO):
        return
    statement = " | ".join(cell for _, cell in headed)
    wants_person = question.expects is Expects.PERSON and question.is_for_name
    for at, (header, cell) in enumerate(headed):
        said = set(analyze(header)) & set(question.subject)
        if (wants_person and not looks_like_name(cell)) or not _may_be(question, cell):
            continue
        if not cell or len(cell) > _LONGEST_NAME or set(analyze(cell)) <= question.asked or not (said or at == 0):
            continue
        rest = [term for other, (_, text) in enumerate(headed) if other != at for term in analyze(text)]
        near = matcher.share(rest)
        if near:
            coverage = matcher.coverage([*rest, *analyze(header)], context)
            fit = _header_fit(question, said) if said else _label_fit(matcher, context)
            yield Candidate(cell, (quote,), statement, coverage, near, fit)


def _may_be(question: Question, cell: str) -> bool:
    """Say whether a cell's form allows it to be what is asked: a code is neither a person nor a date."""
    if question.expects in (Expects.DATE, Expects.YEAR):
        return any(value.kind in (ValueKind.DATE, ValueKind.YEAR) for value in values_in(cell))
    return question.expects is not Expects.PERSON or not any(map(str.isdigit, cell))


def _header_fit(question: Question, said: set[str]) -> float:
    """Return how well a column fits by its header: best the one that says all of what is asked for."""
    return 0.85 + 0.1 * len(said) / len(set(question.subject))


def _label_fit(matcher: Matcher, context: tuple[str, ...]) -> float:
    """Return how well the label of a row fits: well where the table's surroundings say that it lists what is asked."""
    return 0.8 if set(matcher.question.subject) & set(context) else 0.45


def _cell(matcher: Matcher, quote: Quote, parts: tuple[str, str, str], context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the candidate of one cell, given as (row label, column header, text)."""
    label, header, text = parts
    label_terms, header_terms = matcher.terms(label), matcher.terms(header)
    wanted = matcher.weights
    if not text or not any(term in wanted for term in (*label_terms, *header_terms)):
        return
    coverage = matcher.coverage([*label_terms, *header_terms], context)
    # A label that says more than the question is another row: "Total current assets" for "total assets".
    near = coverage * (0.5 + 0.5 * precision(label_terms, matcher.question.asked))
    if _is_scattered(label_terms, matcher.question.terms):
        near *= _SCATTERED
    statement = f"{label} {header}: {text}"
    value, fit = _fit(matcher, text, header)
    if fit:
        yield Candidate(value.text if value else text, (quote,), statement, coverage, near, fit, value=value)


def _is_scattered(label: Sequence[str], terms: Sequence[str]) -> bool:
    """Tell a label that has neighbouring words of the question apart: "interest income, net" for "net income"."""
    held = [(left, right) for left, right in pairwise(terms) if left in label and right in label]
    return bool(held) and not any(pair in set(pairwise(label)) for pair in held)


def _fit(matcher: Matcher, text: str, header: str) -> tuple[Value | None, float]:
    question = matcher.question
    values = asked_values(question, text)
    if question.expects in VALUE_KINDS:
        for value in values[:1]:
            fit = value_fit(question, value, text)
            is_bare = value.kind is ValueKind.NUMBER and question.expects is not Expects.COUNT
            # Units of a table stand in its header or caption, so that a bare number may be money or a per cent.
            return (value, 0.9 if is_bare and fit else max(fit, 0.6) if fit else 0.0)
        return None, 0.0
    is_role = question.expects is Expects.PERSON and question.is_for_name and not looks_like_name(text)
    if values or is_role:
        return None, 0.0
    return None, 0.7 if len(text) <= _LONGEST_NAME else 0.35
