"""Spreadsheets to flowing text: each sheet is a part, and the tables on it are told apart and say their cells.

`xlsx`, `ods`, `binary` (XLS, XLSB) and `delimited` (CSV, TSV) read a file into a `Sheet`; `blocks` finds what stands
together on a sheet and makes tables, captions and paragraphs of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo.parsing.flow import FlowBlock

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


@dataclass(slots=True)
class Counted:
    """How many cells of a file may still be read."""

    left: int = MOST_CELLS

    def take(self, count: int) -> bool:
        """Whether so many cells more may be read; they are then counted."""
        self.left -= count
        return self.left >= 0


def warnings_of(sheets: Sequence[Sheet]) -> list[str]:
    """Return what is to be said of the sheets of a file: which are hidden, and what each tells of itself, once."""
    hidden = [f'sheet "{sheet.name}" is hidden' for sheet in sheets if sheet.hidden]
    return list(dict.fromkeys([*hidden, *(one for sheet in sheets for one in sheet.warnings)]))
