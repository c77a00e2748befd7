"""Write the query over one whole table that answers a question: closed and typed, carried out by array arithmetic.

A model sees heads and a few rows, never all of them. Its rule writes those of plain forms.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.evidence.table_query import BY_NUMBER, CellComparison, Condition, TableOperation, TableQuery
from octavo.evidence.whole_table import WholeTable
from octavo.question.table_readings import table_readings
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.cell_values import bound_in, number_in

_MOST_ROWS = 12
"""Rows that a model is shown: the first ones, and those with words of the question."""
_FIRST_ROWS = 4
_LONGEST_CELL = 60
_MOST_ABOUT_TOKENS = 120


@dataclasses.dataclass(frozen=True, slots=True)
class TableAsked:
    """A question and the table that it may be about."""

    question: str
    table: WholeTable


class ConditionReply(BaseModel):
    """What a row must have in a column to count."""

    column: str
    comparison: CellComparison
    values: list[str] = Field(min_length=1, max_length=20)


class TableQueryReply(BaseModel):
    """The query, or that none fits."""

    model_config = ConfigDict(json_schema_extra={"required": ["fits", "operation", "column", "shown", "where"]})

    fits: bool
    operation: TableOperation | None = None
    column: str = ""
    shown: str = ""
    where: list[ConditionReply] = Field(default_factory=list[ConditionReply], max_length=8)

    @property
    def query(self) -> TableQuery | None:
        """The query as it is carried out; None where none fits."""
        if not self.fits or self.operation is None:
            return None
        where = tuple(Condition(one.column, one.comparison, tuple(one.values)) for one in self.where)
        return TableQuery(self.operation, where, self.column, self.shown)

    @classmethod
    def of(cls, query: TableQuery) -> TableQueryReply:
        """Return the reply that a query is."""
        where = [
            ConditionReply(column=one.column, comparison=one.comparison, values=[*one.values]) for one in query.where
        ]
        return cls(fits=True, operation=query.operation, column=query.column, shown=query.shown, where=where)


def _render(value: TableAsked, room: int) -> Filled:
    table = value.table
    question, cut = shorten(value.question, room // 4)
    about, _ = shorten(" / ".join(filter(None, table.about.split("\n"))), _MOST_ABOUT_TOKENS)
    columns, unnamed = first_that_fit([f'"{head}"' for head in table.heads], room // 4)
    rows, left_out = first_that_fit(list(_shown(value)), room // 3)
    return Filled(
        {
            "question": inert(question),
            "about": inert(about),
            "columns": inert(", ".join(columns)),
            "count": f"{len(table):,}",
            "rows": inert("\n".join(rows)),
        },
        left_out=bool(cut) + unnamed + left_out,
    )


def _shown(value: TableAsked) -> Iterator[str]:
    """Yield the first rows and those that have most words of the question, cells cut short."""
    table = value.table
    wanted = set(analyze(value.question))
    likely = sorted(range(len(table)), key=lambda row: -_shared(table, row, wanted))[: _MOST_ROWS - _FIRST_ROWS]
    chosen = sorted({*range(min(_FIRST_ROWS, len(table))), *(row for row in likely if _shared(table, row, wanted))})
    for row in chosen:
        yield " | ".join(column[row][:_LONGEST_CELL] for column in table.columns)


def _shared(table: WholeTable, row: int, wanted: set[str]) -> int:
    """Return how many of the wanted words stand in a row, as they are written."""
    words = {word for column in table.words for word in column[row].split()}
    return len(wanted & words)


def _rule(value: TableAsked) -> TableQueryReply:
    """Return the one thing that a plain question may mean; none where it may mean several."""
    readings = table_readings(value.question, value.table)
    return TableQueryReply.of(readings[0]) if len(readings) == 1 else TableQueryReply(fits=False)


def _check(value: TableAsked, output: TableQueryReply) -> TableQueryReply:
    """Return the query with the heads as the table has them.

    Raises ValueError, in words for a model, for a column that is not there or a part that its operation lacks.
    """
    if not output.fits or output.operation is None:
        return TableQueryReply(fits=False)
    where = [one.model_copy(update={"column": _head(value.table, one.column)}) for one in output.where]
    column = _head(value.table, output.column) if output.column else ""
    shown = _head(value.table, output.shown) if output.shown else ""
    operation = output.operation
    if operation in BY_NUMBER and not column:
        raise ValueError(f'"column" is missing: {operation.value} works on one')
    if operation in _OF_A_COLUMN and not column:
        raise ValueError(f'"column" is missing: {operation.value} is of one')
    if operation in _SHOWING and not shown:
        raise ValueError(f'"shown" is missing: the column whose cell answers "{operation.value}"')
    for one in where:
        if one.comparison in _OF_ONE_NUMBER and (len(one.values) != 1 or not _is_bound(one.values[0])):
            raise ValueError(f'"{one.comparison.value}" takes one number or day, not {one.values}')
    return output.model_copy(update={"where": where, "column": column, "shown": shown})


def _is_bound(value: str) -> bool:
    """Return whether cells can be more or less than a value: it is a number, or a year, month or day."""
    return number_in(value) == number_in(value) or bound_in(value, is_last=False) == bound_in(value, is_last=False)


_OF_A_COLUMN = (TableOperation.DISTINCT, TableOperation.OFTENEST)
_SHOWING = (
    TableOperation.FIRST,
    TableOperation.LAST,
    TableOperation.BEFORE,
    TableOperation.AFTER,
    TableOperation.VALUE,
    TableOperation.VALUES,
)
_OF_ONE_NUMBER = (CellComparison.MORE, CellComparison.LESS, CellComparison.AT_LEAST, CellComparison.AT_MOST)


def _head(table: WholeTable, named: str) -> str:
    """Return the head of a column as the table has it. Raises ValueError for a column that is not there."""
    heads: Sequence[str] = table.heads
    found = [head for head in heads if " ".join(head.split()).casefold() == " ".join(named.split()).casefold()]
    if len(found) != 1:
        raise ValueError(f"there is no column {named!r}; the columns are {', '.join(map(repr, heads))}")
    return found[0]


QUERY_TABLE: Decision[TableAsked, TableQueryReply] = Decision(
    name="query_table",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=TableQueryReply,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=400,
)
