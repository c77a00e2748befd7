"""A query over one whole table, closed and typed: which rows count, and what is worked out of them. Never code.

A rule or a model writes it, and array arithmetic carries it out.
"""

from __future__ import annotations

import dataclasses
from enum import StrEnum


class CellComparison(StrEnum):
    """How a cell is compared with what a condition names."""

    IS = "is"
    """The cell, or what stands in it before a bracket, is one of the values."""
    HAS = "has"
    """One of the values stands in the cell, as whole words."""
    IS_NOT = "is not"
    MORE = "more than"
    LESS = "less than"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class TableOperation(StrEnum):
    """What is made of the rows that count."""

    COUNT = "count"
    """How many rows there are."""
    DISTINCT = "distinct"
    """How many different values `column` has."""
    SUM = "sum"
    AVERAGE = "average"
    DIFFERENCE = "difference"
    """By how much two rows differ in `column`; with `shown`, a column of times, the later one from the earlier one."""
    LEAST = "least"
    MOST = "most"
    """The row with the largest value of `column`: its cell in `shown`, or the value where `shown` is empty."""
    OFTENEST = "oftenest"
    """The value of `column` that most rows have."""
    FIRST = "first"
    LAST = "last"
    BEFORE = "before"
    AFTER = "after"
    """The row after the one that counts, in the order of the table: its cell in `shown`."""
    VALUE = "value"
    """The cell of the one row that counts in `shown`."""
    VALUES = "values"
    """The cells of all rows that count in `shown`."""


BY_NUMBER = (
    TableOperation.SUM,
    TableOperation.AVERAGE,
    TableOperation.DIFFERENCE,
    TableOperation.LEAST,
    TableOperation.MOST,
)
"""Operations on the numbers of a column."""


@dataclasses.dataclass(frozen=True, slots=True)
class Condition:
    """What a row must have in a column to count."""

    column: str
    comparison: CellComparison
    values: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class TableQuery:
    """An operation over the rows of a table for which all conditions hold; columns are called by their heads."""

    operation: TableOperation
    where: tuple[Condition, ...] = ()
    column: str = ""
    shown: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it names, each once."""
        named = (*(one.column for one in self.where), self.column, self.shown)
        return tuple(dict.fromkeys(filter(None, named)))
