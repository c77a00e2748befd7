"""Carrying out a query over a whole table, by array arithmetic: what comes of it, of which rows, by which formula."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.evidence.table_query import BY_NUMBER, CellComparison, Condition, TableOperation, TableQuery
from octavo.evidence.total_rows import is_as_much_as_all
from octavo.evidence.whole_table import WholeTable
from octavo_documents.text.cell_values import bound_in, is_blank, names_of, number_in, plain_words
from octavo_documents.wording import t

Flags = npt.NDArray[np.bool_]
_COMPARED = {
    CellComparison.MORE: np.greater,
    CellComparison.LESS: np.less,
    CellComparison.AT_LEAST: np.greater_equal,
    CellComparison.AT_MOST: np.less_equal,
}
_IN_WORDS = {
    CellComparison.MORE: "is more than",
    CellComparison.LESS: "is less than",
    CellComparison.AT_LEAST: "is at least",
    CellComparison.AT_MOST: "is at most",
}
_OF_ALL_ROWS = (
    TableOperation.COUNT,
    TableOperation.DISTINCT,
    TableOperation.AVERAGE,
    TableOperation.OFTENEST,
    TableOperation.LEAST,
)
_MADE_OF_ALL = (TableOperation.SUM, TableOperation.AVERAGE, TableOperation.MOST)
"""Operations that go wrong where one of the rows is the total of the others."""
_FEW = 6
"""Numbers that are written out in a formula."""
_PLACES = re.compile(r"\d\.(\d+)")
_SIGN = re.compile(r"^\W*?((?:US)?[$€£¥₹])")


@dataclasses.dataclass(frozen=True, slots=True)
class Worked:
    """What comes of a query: its `text`, the rows of the table that it stands on, and how it was worked out.

    `text` is empty where rows tie or several fit: these are `rows`.
    """

    text: str
    number: float | None
    rows: tuple[int, ...]
    formula: str = ""
    """What was worked out of these rows; "" where a cell is told as it is printed."""
    of: int = 0
    """How many rows were compared for the most or the least, or stood in order for the first or the last."""


def work(query: TableQuery, table: WholeTable) -> Worked | None:
    """Return what comes of a query; None where it names a column that is not there, or nothing fits."""
    if any(table.column(head) < 0 for head in query.columns):
        return None
    kept = np.ones(len(table), np.bool_) if query.where else np.array(table.is_data)
    for condition in query.where:
        kept &= _holds(condition, table)
    if query.operation is not TableOperation.VALUE:
        kept &= table.is_data
    rows = np.flatnonzero(kept)
    if not len(rows):
        return None
    if table.is_nested and query.operation in _OF_ALL_ROWS:
        return None  # which rows are things of the kind that is counted cannot be told
    if query.operation in BY_NUMBER:
        return _of_numbers(query, table, rows)
    if query.operation in (TableOperation.COUNT, TableOperation.DISTINCT, TableOperation.OFTENEST):
        return _counted(query, table, rows)
    return _cells(query, table, rows)


def _holds(condition: Condition, table: WholeTable) -> Flags:
    """Return (rows,) whether a condition holds."""
    at = table.column(condition.column)
    if condition.comparison in _COMPARED:
        number = number_in(condition.values[0])
        if table.is_of_days(at):
            is_last = condition.comparison in (CellComparison.MORE, CellComparison.AT_MOST)
            number = bound_in(condition.values[0], is_last=is_last)
        with np.errstate(invalid="ignore"):
            return np.asarray(_COMPARED[condition.comparison](table.values(at), number), np.bool_)
    wanted = {plain_words(value) for value in condition.values}
    if condition.comparison is CellComparison.HAS:
        held = [f" {words} " for words in table.words[at]]
        return np.array([any(f" {value} " in words for value in wanted) for words in held], np.bool_)
    flags = np.array([not wanted.isdisjoint(names_of(text)) for text in table.columns[at]], np.bool_)
    return ~flags if condition.comparison is CellComparison.IS_NOT else flags


def _of_numbers(query: TableQuery, table: WholeTable, rows: npt.NDArray[np.int64]) -> Worked | None:
    at = table.column(query.column)
    values = table.values(at)[rows]
    known = np.isfinite(values)
    rows, values = rows[known], values[known]
    if not len(rows) or (query.operation in _MADE_OF_ALL and is_as_much_as_all(values)):
        return None
    if query.operation in (TableOperation.LEAST, TableOperation.MOST):
        best = values.max() if query.operation is TableOperation.MOST else values.min()
        first = rows[values == best]
        return _told_by(query, table, first, len(rows))
    chosen: list[int] = rows.tolist()
    printed = [table.columns[at][row] for row in chosen]
    if query.operation is TableOperation.DIFFERENCE:
        if len(rows) != 2:
            return None
        if query.shown:
            return _changed(query, table, chosen, printed)
        number = float(values.max() - values.min())
        larger, smaller = (printed[int(np.argmax(values))], printed[int(np.argmin(values))])
        return Worked(_printed(number, printed), number, tuple(chosen), f"{larger} − {smaller}")
    if len(rows) < 2:
        return None  # of one number there is neither a sum nor an average
    is_sum = query.operation is TableOperation.SUM
    number = float(values.sum() if is_sum else values.mean())
    places = None if is_sum else 2
    few = len(printed) <= _FEW
    added = " + ".join(printed) if few else f"{query.column} of {len(printed):,} rows, added up"
    formula = added if is_sum else f"({added}) / {len(printed):,}"
    return Worked(_printed(number, printed, places), number, tuple(chosen), formula)


def _changed(query: TableQuery, table: WholeTable, rows: Sequence[int], printed: Sequence[str]) -> Worked | None:
    """Return by how much the later of two rows differs from the earlier one; None where none is later."""
    times = table.values(table.column(query.shown))[[*rows]]
    values = table.values(table.column(query.column))[[*rows]]
    if not times[0] < times[1] and not times[1] < times[0]:
        return None
    later = int(times[1] > times[0])
    number = float(values[later] - values[1 - later])
    text = _printed(abs(number), printed)
    formula = f"{printed[later]} − {printed[1 - later]}"
    return Worked(f"−{text}" if number < 0 else text, number, tuple(rows), formula)


def _told_by(query: TableQuery, table: WholeTable, first: npt.NDArray[np.int64], of: int) -> Worked:
    """Return the cell of the row with the most or the least; nothing stated where several have as much."""
    rows: tuple[int, ...] = tuple(first.tolist())
    value = table.columns[table.column(query.column)][rows[0]]
    formula = f"{query.operation.value} {query.column} of {of:,} rows: {value}"
    if not query.shown:
        return Worked(value, number_in(value), rows, formula, of)
    shown = {table.columns[table.column(query.shown)][row] for row in rows}
    text = shown.pop() if len(shown) == 1 else ""
    return Worked(text, None, rows, formula, of)


def _counted(query: TableQuery, table: WholeTable, rows: npt.NDArray[np.int64]) -> Worked | None:
    kept: tuple[int, ...] = tuple(rows.tolist())
    if query.operation is TableOperation.COUNT:
        return Worked(f"{len(kept):,}", float(len(kept)), kept, f"{len(kept):,} rows{in_words(query, table)}")
    at = table.column(query.column)
    told = {row: table.mains[at][row] for row in kept if not is_blank(table.columns[at][row])}
    counts = Counter(told.values())
    if not counts:
        return None
    if query.operation is TableOperation.DISTINCT:
        return Worked(f"{len(counts):,}", float(len(counts)), tuple(told), f"different values of {query.column}")
    most = max(counts.values())
    first = [words for words, count in counts.items() if count == most]
    own = tuple(row for row, words in told.items() if words in first)
    text = table.columns[at][own[0]] if len(first) == 1 else ""
    return Worked(text, None, own, f"{most:,} of {len(told):,} rows{in_words(query, table)}", len(told))


def in_words(query: TableQuery, table: WholeTable) -> str:
    """Return the conditions of a query in words, the values as cells print them; "" for none."""
    told: list[str] = []
    for one in query.where:
        values = (_as_printed(table, one.column, value) for value in one.values)
        compared = t(_IN_WORDS.get(one.comparison, one.comparison.value))
        told.append(f"{one.column} {compared} {t(' or ').join(values)}")
    return t(" where {conditions}", conditions=t(" and ").join(told)) if told else ""


def _as_printed(table: WholeTable, column: str, value: str) -> str:
    at = table.column(column)
    words = table.words[at]
    return table.columns[at][words.index(value)] if value in words else value


def _cells(query: TableQuery, table: WholeTable, rows: npt.NDArray[np.int64]) -> Worked | None:
    """Return cells as they are printed."""
    at = table.column(query.shown)
    chosen: Sequence[int] = rows.tolist()
    of = len(chosen)
    if query.operation in (TableOperation.BEFORE, TableOperation.AFTER):
        things = np.flatnonzero(table.is_data).tolist()
        place = things.index(chosen[-1 if query.operation is TableOperation.AFTER else 0])
        place += 1 if query.operation is TableOperation.AFTER else -1
        if len(chosen) > 1 or not 0 <= place < len(things):
            return Worked("", None, tuple(chosen)) if len(chosen) > 1 else None
        chosen = [things[place]]
    elif query.operation in (TableOperation.FIRST, TableOperation.LAST):
        chosen = [chosen[0 if query.operation is TableOperation.FIRST else -1]]
    texts = list(dict.fromkeys(table.columns[at][row] for row in chosen if not is_blank(table.columns[at][row])))
    if not texts:
        return None
    if query.operation is TableOperation.VALUES:
        return Worked("; ".join(texts), None, tuple(chosen))
    if len(chosen) > 1:
        return Worked("", None, tuple(chosen))
    return Worked(texts[0], number_in(texts[0]), tuple(chosen), of=of)


def _printed(number: float, cells: Sequence[str], places: int | None = None) -> str:
    """Return a number as the cells that it comes of are printed: with their sign of money or per cent."""
    found = [len(match[1]) for match in map(_PLACES.search, cells) if match]
    own = max(found, default=0)
    whole, _, rest = f"{number:,.{max(own, places or 0)}f}".partition(".")
    rest = rest[:own] + rest[own:].rstrip("0")
    text = f"{whole}.{rest}" if rest else whole
    signs = {match[1] if match else "" for match in map(_SIGN.match, cells)}
    sign = signs.pop() if len(signs) == 1 else ""
    return f"{sign}{text}{'%' if all(cell.strip().endswith('%') for cell in cells) else ''}"
