"""A table as its cells are called: each by its row, the rows over that, and the heads of its column, periods apart.

Printed tables seldom say which of their rows are heads and which columns a head spans. Rows at the top without an
amount are heads; so is such a row further down, from where on it holds. A head over blank places goes on to the right.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from octavo_documents.document.grid import Grid
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.marks import readable
from octavo_documents.text.values import ValueKind, values_in
from octavo_documents.text.years import year_of_two_digits, years_in

_AMOUNT = lazy_regex(r"[^\w(]*\(?[^\w(]{0,3}\d[\d,. ]*\)?\s?(?:%|[\w€$£.]{0,4}%?)\)?\W*")
_YEAR = lazy_regex(r"(?:19|20)\d\d")
_SPACED_YEAR = lazy_regex(r"(?<!\d)([12]) ([09]) (\d) (\d)(?!\d)")
_SHORT_YEAR = lazy_regex(r"(?:\b(?:F|FY|Q[1-4]\s?['’]?|CY)|(?<!\w)['’])\s?(\d\d)\b")
_NOTE = lazy_regex(r"\s*(?:\(\d{1,2}\)|\[\d{1,2}\]|\((?:see |refer to )?notes?\b[^)]*\)|\([a-z]\))", re.IGNORECASE)
"""Marks of notes in a label or a head."""


def years_named(text: str) -> frozenset[str]:
    """Return the years that a label, a head or a question names: of "FY19" and "'98" too."""
    return years_in(text) | {str(year_of_two_digits(int(found[1]))) for found in _SHORT_YEAR.finditer(text)}


def is_amount(text: str) -> bool:
    """Return whether a cell is a number with its sign and unit, and no year."""
    return bool(_AMOUNT.fullmatch(text)) and not _YEAR.fullmatch(text.strip())


@dataclasses.dataclass(frozen=True)
class CalledCell:
    """A cell: the row and column of its grid, its text, the label of its row, rows over it, its column's heads."""

    row: int
    column: int
    text: str
    label: str
    over: tuple[str, ...]
    head: str

    @cached_property
    def years(self) -> frozenset[str]:
        """The years that its column is of, or else its row, or the rows over it."""
        for told in (self.head, self.label, " ".join(self.over)):
            if years := years_named(told):
                return years
        return frozenset()


@dataclasses.dataclass(frozen=True)
class TableAxes:
    """The cells of a table's block that are called by a row and a column, and the corner over the labels."""

    cells: tuple[CalledCell, ...]
    corner: str


def axes_of(grid: Grid) -> TableAxes:
    """Return the cells of a grid with what they are called by; none where it has no heads."""
    rows = [[_read(cell) for cell in cells] for cells in grid.rows_apart()]
    rows[: grid.header_rows] = [[_read(cell) for cell in cells] for cells in grid.filled()[: grid.header_rows]]
    corner: list[str] = []
    heads = [on_one_line(text) for text in grid.carried]
    if heads:
        heads = [*heads, *[""] * (grid.width - len(heads))][: grid.width]
    cells = tuple(_cells(rows, grid.header_rows, heads, corner))
    return TableAxes(cells, " ".join(filter(None, corner)))


def _read(cell: str) -> str:
    return _SPACED_YEAR.sub(r"\1\2\3\4", on_one_line(readable(cell)))


def _cells(
    rows: Sequence[Sequence[str]], header_rows: int, heads: Sequence[str], corner: list[str]
) -> Iterator[CalledCell]:
    lines: list[Sequence[str]] = []
    over: list[str] = []
    before = ""
    for at, cells in enumerate(rows):
        filled = [place for place, text in enumerate(cells) if text]
        kind = _kind(cells, filled, is_above=at < header_rows, before=before if lines else "")
        if kind == "head":
            lines = [*lines, cells] if before == "head" else [cells]
            heads = _stacked(lines)
            corner.append(cells[0])
        elif kind == "section":
            over = [*over, cells[filled[0]]] if before == "section" else [cells[filled[0]]]
        elif kind == "row":
            label = cells[filled[0]]
            yield from _row(at, cells, filled, tuple(over), heads)
            over = [] if label.lower().startswith("total") else over
        before = kind or before


def _kind(cells: Sequence[str], filled: Sequence[int], *, is_above: bool, before: str) -> str:
    """Return what a row is: a "head" of columns, a "section" that heads rows, a "row"; "" for none of them."""
    if not filled:
        return ""
    label = cells[filled[0]]
    if len(filled) == 1 and not is_above and (filled[0] == 0 or before not in ("", "head")):
        return "section" if any(map(str.isalpha, label)) and not is_amount(label) else ""
    if is_above or _is_head(cells, filled):
        return "head"
    return "row" if len(filled) > 1 else ""


def _row(
    at: int, cells: Sequence[str], filled: Sequence[int], over: tuple[str, ...], heads: Sequence[str]
) -> Iterator[CalledCell]:
    """Yield the cells of a row that has a label, under the heads of their columns; none where there are no heads."""
    label = cells[filled[0]]
    if any(heads) and (any(map(str.isalpha, label)) or years_named(label)):
        called = _NOTE.sub("", label) or label
        for place in filled[1:]:
            yield CalledCell(at, place, cells[place], called, over, _NOTE.sub("", heads[place]))


def _is_head(cells: Sequence[str], filled: Sequence[int]) -> bool:
    """Return whether a row has texts or periods over columns, and no amount."""
    told = [cells[place] for place in filled if place]
    if not told or any(map(is_amount, told)):
        return False
    is_of_periods = any(years_named(text) for text in told) and all(
        years_named(text) or not any(map(str.isdigit, text)) for text in told
    )
    return is_of_periods or not cells[0]


def _stacked(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return the head of each column, from top to bottom; a head over blank places goes on to the right."""
    filled = [_spread(line, lines[at + 1 :]) for at, line in enumerate(lines)]
    return [" ".join(dict.fromkeys(text for text in texts if text)) for texts in zip(*filled, strict=True)]


def _spread(line: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Return a line of heads over all columns that each spans, as far as a line below has heads of its own."""
    own = [place for place, text in enumerate(line) if place and text]
    if not below or not own:
        return list(line)
    under = [place for place in range(1, len(line)) if any(other[place] for other in below)]
    told = ["" if place else line[0] for place in range(len(line))]
    if len(own) > 1 and under and own[0] > under[0] and len(under) % len(own) == 0:
        size = len(under) // len(own)  # heads stand in the middle of what they span
        parts = [under[at * size : (at + 1) * size] for at in range(len(own))]
        if all(part[0] <= place <= part[-1] for place, part in zip(own, parts, strict=True)):
            for place, part in zip(own, parts, strict=True):
                for at in part:
                    told[at] = line[place]
            return told
    if len(own) == 1 and under:
        for at in under:
            told[at] = line[own[0]]
        told[own[0]] = line[own[0]]
        return told
    last = ""
    for place in range(1, len(line)):
        last = line[place] or (last if place in under else "")
        told[place] = last
    return told


def amounts(cells: Sequence[CalledCell]) -> list[tuple[CalledCell, float]]:
    """Return the cells that are one number each, with it; less than nothing in brackets."""
    found: list[tuple[CalledCell, float]] = []
    for cell in cells:
        values = [one for one in values_in(cell.text) if one.kind is not ValueKind.DATE and one.number is not None]
        if len(values) == 1 and is_amount(cell.text) and values[0].number is not None:
            found.append((cell, float(values[0].number)))
    return found
