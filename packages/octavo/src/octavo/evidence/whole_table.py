"""A table as a whole, whatever number of blocks it takes: its cells by columns, and what these amount to."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from octavo.evidence.total_rows import are_called_totals, are_sums, rests
from octavo_documents.text.cell_values import (
    day_in,
    is_blank,
    main_words,
    names_of,
    number_in,
    plain_words,
    time_in,
    year_in,
)

Floats = npt.NDArray[np.float64]
_MOSTLY = 0.8
"""Share of a column's cells that have to be values of a kind for the column to be of it."""


@dataclasses.dataclass(frozen=True)
class WholeTable:
    """The rows of a table without its heads; `columns` are its cells column by column, as printed.

    `places` are for each row the row of its block in the view of its document, and its row in that block's grid.
    `about` is what stands over it: caption, headings and what the document is called.
    """

    heads: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    places: tuple[tuple[int, int], ...]
    about: str = ""
    is_of_sheet: bool = True
    """Whether it stands in a sheet, which is all there is; in a text other things may be meant than its rows."""

    @classmethod
    def of(
        cls,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        places: Sequence[tuple[int, int]],
        about: str = "",
        *,
        is_of_sheet: bool = True,
    ) -> WholeTable:
        """Return the table of these rows; two columns with one head are told apart by a number."""
        columns = tuple(zip(*rows, strict=True)) if rows else tuple(() for _ in heads)
        return cls(_apart(heads), columns, tuple(places), about, is_of_sheet)

    def __len__(self) -> int:
        return len(self.places)

    def column(self, head: str) -> int:
        """Return the place of the column with this head, -1 for none."""
        return self.heads.index(head) if head in self.heads else -1

    @cached_property
    def _read(self) -> dict[int, Floats]:
        return {}

    def values(self, column: int) -> Floats:
        """Return (rows,) what the cells of a column amount to: numbers, times or days, whichever most are; else nan."""
        if column not in self._read:
            self._read[column] = _values_of(self.columns[column])
        return self._read[column]

    def is_of_values(self, column: int) -> bool:
        """Whether nearly all that stands in a column are values."""
        filled = sum(1 for text in self.columns[column] if not is_blank(text))
        return filled > 0 and int(np.isfinite(self.values(column)).sum()) >= _MOSTLY * filled

    def is_of_numbers(self, column: int) -> bool:
        """Whether nearly all that stands in a column are numbers, and neither days nor times."""
        if not self.is_of_values(column):
            return False
        first = next(
            text for text, value in zip(self.columns[column], self.values(column), strict=True) if value == value
        )
        return number_in(first) == number_in(first)

    @cached_property
    def things(self) -> int:
        """The column that says what each row is: the first one of words, else the first."""
        return next((at for at in range(len(self.heads)) if not self.is_of_values(at)), 0)

    @cached_property
    def own_heads(self) -> tuple[str, ...]:
        """The heads without the first words that the column beside has, too: "District" of "School Info. District"."""
        words = [head.split() for head in self.heads]
        shared = [_shared(one, other) for one, other in pairwise(words)]
        most = [max(before, after) for before, after in zip([0, *shared], [*shared, 0], strict=True)]
        return tuple(" ".join(own[count:]) or " ".join(own) for own, count in zip(words, most, strict=True))

    def is_of_days(self, column: int) -> bool:
        """Whether nearly all that stands in a column are days of a year that is told."""
        years = [year_in(text) > 0 for text in self.columns[column] if not is_blank(text)]
        return bool(years) and self.is_of_values(column) and sum(years) >= _MOSTLY * len(years)

    @cached_property
    def days(self) -> tuple[int, ...]:
        """The columns of days."""
        return tuple(at for at in range(len(self.heads)) if self.is_of_days(at))

    @cached_property
    def is_data(self) -> npt.NDArray[np.bool_]:
        """(rows,) whether a row is one of the table's things: no total or rest of one, and with more than a label."""
        filled = np.array([[bool(text.strip()) for text in cells] for cells in self.columns], np.bool_).sum(axis=0)
        flags = (filled > 1) | (len(self.heads) == 1) & (filled > 0)
        return flags & ~self._called_totals & ~self._sums & ~self._rests

    @cached_property
    def is_nested(self) -> bool:
        """Whether sums stand among its rows, more than one at its end or beginning: what is of one kind is not told."""
        totals = np.flatnonzero(self._sums | self._called_totals)
        rows = np.flatnonzero(~self._called_totals)
        edges = (0, len(self) - 1) if len(rows) else ()
        return bool(self._rests.any()) or sum(1 for row in totals.tolist() if row not in edges) > 1

    @cached_property
    def _called_totals(self) -> npt.NDArray[np.bool_]:
        return are_called_totals(self.columns)

    @cached_property
    def _sums(self) -> npt.NDArray[np.bool_]:
        known = [at for at in range(1, len(self.heads)) if self.is_of_numbers(at)]
        if not known:
            return np.zeros(len(self), np.bool_)
        numbers = np.stack([self.values(at) for at in known], axis=1)
        numbers[self._called_totals] = np.nan
        return are_sums(numbers)

    @cached_property
    def _rests(self) -> npt.NDArray[np.bool_]:
        label = next((at for at in range(len(self.heads)) if not self.is_of_values(at) and not self._is_code(at)), 0)
        return rests(self.words[label], self._sums)

    def _is_code(self, column: int) -> bool:
        """Return whether cells are numbers and letters without a space: they name nothing."""
        return all(" " not in text and any(map(str.isdigit, text)) for text in self.words[column] if text)

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each cell, column by column."""
        return tuple(tuple(map(plain_words, cells)) for cells in self.columns)

    @cached_property
    def mains(self) -> tuple[tuple[str, ...], ...]:
        """The words of each cell before a bracket or a comma, column by column."""
        return tuple(tuple(map(main_words, cells)) for cells in self.columns)

    @cached_property
    def called(self) -> tuple[frozenset[str], ...]:
        """What the cells of each column may be called."""
        return tuple(frozenset[str]().union(*map(names_of, set(cells))) for cells in self.columns)

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """The words of all cells of each column, each cell in a line of its own between spaces."""
        return tuple(f" {f' {chr(10)} '.join(words)} " for words in self.words)


def _values_of(cells: Sequence[str]) -> Floats:
    read = [np.array([one(text) for text in cells], np.float64) for one in (number_in, time_in, day_in)]
    counts = [int(np.isfinite(values).sum()) for values in read]
    return read[int(np.argmax(counts))] if cells else np.zeros(0)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many first words two heads have both."""
    return next(
        (at for at, (own, its) in enumerate(zip(one, other, strict=False)) if own != its), min(len(one), len(other))
    )


def _apart(heads: Sequence[str]) -> tuple[str, ...]:
    told: list[str] = []
    for at, head in enumerate(heads):
        called = " ".join(head.split()) or f"column {at + 1}"
        told.append(called if called not in told else f"{called} ({at + 1})")
    return tuple(told)
