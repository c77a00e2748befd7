"""A sheet of a workbook as it is read: its cells, and what their texts say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.inline_marks import bare
from octavo_documents.text.values import MONTH

MOST_CELLS = 3_000_000
"""Cells with words that are read of one file."""


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet. Rows and columns count from 0; cells without words are left out."""

    name: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    """The texts of each row, from top to bottom, by column, from left to right."""
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict[tuple[int, int], tuple[int, int]])
    """How many rows and columns a merged cell covers, by its top left corner."""
    bold: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Cells that are set bold."""
    notes: list[FlowBlock] = field(default_factory=list[FlowBlock])
    """Comments, text boxes, pictures and charts, which stand in no cell."""
    heads: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What is printed over and under each page, as the file writes it: its name and its words."""
    warnings: list[str] = field(default_factory=list[str])
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    """Rows and columns that are not shown: they part nothing."""
    unseen: list[str] = field(default_factory=list[str])
    """The words of cells that are not shown: in hidden rows and columns, white on white, of a format that shows none.

    A row that a filter or a folded outline hides is read: a person opens it with a click.
    """


@dataclass(slots=True)
class CellBudget:
    """How many cells of a file may still be read."""

    left: int = MOST_CELLS

    def take(self, count: int) -> bool:
        """Whether so many cells more may be read; they are then counted."""
        self.left -= count
        return self.left >= 0


_NUMBER = re.compile(
    r"[-+−–(]{0,2}\s?(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}\s)?\s?[-+−]?\d[\d.,'\u00a0\u202f ]*"
    r"(?:[eE][-+]?\d+)?\s?(?:%|‰|[$€£¥]|[KMB]|bn|m|k)?\)?\Z"
)
_ISO = r"\d{4}-\d\d(?:-\d\d)?(?: \d\d:\d\d(?::\d\d)?)?"
_TIME = r"\d{1,4}:\d\d(?::\d\d)?(?: ?[AP]M)?"
_DAY = rf"(?:\d{{1,2}}[-. ]{{1,2}}{MONTH}[-, ]{{1,2}}(?:\d{{4}}|\d\d)|{MONTH} \d{{1,2}}, \d{{4}})"
_MOMENT = re.compile(
    rf"(?:\d{{1,4}}[-/.]\d{{1,2}}(?:[-/.]\d{{1,4}})?|{_DAY})(?:[ T]{_TIME})?\Z|{_TIME}\Z"
    rf"|.+ \({_ISO}\)\Z|-?(?:\d{{1,9}} )?\d{{1,5}}/\d{{1,5}}(?: \(-?[\d.]+\))?\Z",
    re.IGNORECASE,
)
_HEADS = re.compile(rf"\d{{4}}-\d\d(?:-\d\d)?\Z|{_DAY}\Z|.+ \({_ISO}\)\Z", re.IGNORECASE)
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d[AEF]?\Z")


def is_number(text: str) -> bool:
    """Whether a cell says a number, an amount, a date or a time."""
    text = bare(text)
    return len(text) < 60 and bool(_NUMBER.match(text) or _MOMENT.match(text))


def is_year(text: str) -> bool:
    """Whether a cell says a year, as headers of columns do."""
    return bool(_YEAR.match(bare(text)))


def is_month(text: str) -> bool:
    """Whether a cell says a month or a date, which may head a column: "2024-03", "5-Mar-24", "Mar-24 (2024-03)"."""
    return len(text) < 60 and _HEADS.match(text) is not None
