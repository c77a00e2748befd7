"""A table as a whole, whatever number of blocks it takes: its cells by columns, and what these amount to."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import nan

import numpy as np
import numpy.typing as npt

from octavo_documents.text.analyzer import fold
from octavo_documents.text.values import MONTH

Floats = npt.NDArray[np.float64]
_NUMBER = re.compile(
    r"[^\w\d(.+−–-]{0,3}(?P<sign>[-−–+(]?)\s?(?:US\$|[A-Z]{1,3}\$|[$€£¥₹]|[A-Z]{3}(?=\s))?\s?"
    r"(?P<digits>\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)\)?"
    r"(?P<rest>(?:st|nd|rd|th)?\s?(?:[%‰°′″'\"*†‡]|[^\W\d_][\w./²³]{0,14}(?:\s[^\W\d_]{1,10}){0,2})?"
    r"\.?\s*(?:[\[(].*)?)"
)
_TIME = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d\d(?:\.\d+)?)(?:\s*[\[(].*)?")
_DATE = re.compile(
    rf"(?:\w+day,?\s+)?(?:(?P<day>\d{{1,2}})\s+(?P<month>{MONTH})|(?P<month2>{MONTH})\s+(?P<day2>\d{{1,2}})"
    rf"|(?P<month3>{MONTH}))(?:st|nd|rd|th)?,?(?:\s+(?P<year>\d{{4}}))?(?:\s*[\[(].*)?"
    r"|(?P<year4>\d{4})-(?P<month4>\d\d)-(?P<day4>\d\d)(?:\D.*)?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BRACKET = re.compile(r"\s*(?:[\[(].*|[,;].*)$")
_PARTS = re.compile(r"[,;/()\[\]•|]")
_WORD = re.compile(r"[^\W_]+")
_TOTAL = re.compile(r"\W*(?:\w+ |sub-?\s?)?(?:totals?|sum|average|mean|overall|subtotals?)\b\W*", re.IGNORECASE)
_NOTHING = re.compile(r"\W*(?:n/?a|none|nil|unknown|tba|tbd)?\W*", re.IGNORECASE)
_MOSTLY = 0.8
"""Share of a column's cells that have to be values of a kind for the column to be of it."""


@lru_cache(maxsize=200_000)
def plain_words(text: str) -> str:
    """Return the words of a text in lower case, a space between them: what cells are compared by."""
    return " ".join(_WORD.findall(text.lower() if text.isascii() else fold(text)))


def main_words(text: str) -> str:
    """Return the words of a cell before what it adds in brackets or after a comma."""
    return plain_words(_BRACKET.sub("", text))


def number_in(text: str) -> float:
    """Return the number that a cell is, a unit or note after it left out; nan where it is none.

    >>> number_in("1,204 km (748 mi)"), number_in("(3.5)"), number_in("2nd"), number_in("28 January")
    (1204.0, -3.5, 2.0, nan)
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None or _DATE.fullmatch(text.strip()):
        return nan
    number = float(re.sub(r"[^\d.]", "", found["digits"]))
    return -number if found["sign"] and found["sign"] in "-−–(" else number


def time_in(text: str) -> float:
    """Return the seconds that a time or duration is, nan for what is none."""
    found = _TIME.fullmatch(text.strip())
    return nan if found is None else 3600 * int(found[1] or 0) + 60 * int(found[2]) + float(found[3])


def day_in(text: str) -> float:
    """Return a day as a number that grows with time, nan for what is none; a day without a year is of the year 0."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return nan
    groups = found.groupdict()
    name = next((groups[key] for key in ("month", "month2", "month3") if groups[key]), None)
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(groups["month4"])
    day = next((int(groups[key]) for key in ("day", "day2", "day4") if groups[key]), 0)
    year = int(groups["year"] or groups["year4"] or 0)
    return float(372 * year + 31 * month + day)


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
    def is_data(self) -> npt.NDArray[np.bool_]:
        """(rows,) whether a row is one of the table's things: it is no total, and has more than a label."""
        flags = np.ones(len(self), np.bool_)
        for at, cells in enumerate(zip(*self.columns, strict=True)):
            filled = [text for text in cells if text.strip()]
            is_total = bool(filled) and any(_TOTAL.fullmatch(text) for text in filled[:2])
            flags[at] = bool(filled) and not is_total and (len(filled) > 1 or len(self.heads) == 1)
        return flags

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
        return tuple(frozenset[str]().union(*map(names_of, cells)) for cells in self.columns)

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """The words of all cells of each column, each cell in a line of its own between spaces."""
        return tuple(f" {f' {chr(10)} '.join(words)} " for words in self.words)


@lru_cache(maxsize=200_000)
def names_of(text: str) -> frozenset[str]:
    """Return what a cell may be called, as plain words: all of it, a part between commas or brackets, a day's year.

    >>> sorted(names_of("Oslo, Norway (NOR)")), sorted(names_of("9 April 2024"))
    (['nor', 'norway', 'oslo', 'oslo norway nor'], ['2024', '9 april 2024'])
    """
    year = {str(int(day_in(text)) // 372)} if day_in(text) >= 372 else set[str]()
    return frozenset({plain_words(text), *map(plain_words, _PARTS.split(text)), *year}) - {""}


def is_blank(text: str) -> bool:
    """Return whether a cell says that there is nothing: "", "—", "n/a"."""
    return _NOTHING.fullmatch(text) is not None


def _values_of(cells: Sequence[str]) -> Floats:
    read = [np.array([one(text) for text in cells], np.float64) for one in (number_in, time_in, day_in)]
    counts = [int(np.isfinite(values).sum()) for values in read]
    return read[int(np.argmax(counts))] if cells else np.zeros(0)


def _apart(heads: Sequence[str]) -> tuple[str, ...]:
    told: list[str] = []
    for at, head in enumerate(heads):
        called = " ".join(head.split()) or f"column {at + 1}"
        told.append(called if called not in told else f"{called} ({at + 1})")
    return tuple(told)
