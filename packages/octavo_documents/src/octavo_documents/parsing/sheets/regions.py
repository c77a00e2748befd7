"""What stands together on a sheet: regions of cells, told apart by the empty rows and columns between them.

A single empty row or column is a gap within a table where what follows goes on with the same columns, and no header
begins anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from octavo_documents.parsing.sheets.sheet import Sheet, is_number, is_year

_DEEPEST = 40
"""Cuts inside each other."""
_WIDE_GAP = 4
"""Empty columns that always part."""
_SAME_ROWS = 0.8
"""Share of the rows of a piece that the piece beside it has too, where both are one table."""
_ENDLESS = 100_000
_FAR = 5000
"""Rows that are looked at between two with words."""


@dataclass(frozen=True, slots=True)
class SheetRegion:
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int


def regions(sheet: Sheet, *, is_one: bool = False) -> list[SheetRegion]:
    """Return the regions of a sheet as they are read: from top to bottom, what stands side by side from left to right.

    `is_one`: columns are never parted, as in a file that holds one table.
    """
    return list(_Cutter(sheet, is_one=is_one).cut())


_Piece = tuple[Sequence[int], int, int]
"""The rows that have words, the first and the last column."""


class _Cutter:
    def __init__(self, sheet: Sheet, *, is_one: bool) -> None:
        self._rows: Mapping[int, Mapping[int, str]] = sheet.rows
        self._is_one = is_one
        self._bold = sheet.bold
        self._covered = _covered(sheet)
        self._hidden = (sheet.hidden_rows, sheet.hidden_columns)

    def cut(self) -> Iterator[SheetRegion]:
        rows = sorted({*self._rows, *self._covered})
        if rows:
            right = max(max(self._columns(row)) for row in rows)
            yield from self._cut((rows, 0, right), 0)

    def _columns(self, row: int, left: int = 0, right: int = _ENDLESS) -> list[int]:
        """Return the columns of a row that have words or are covered by a merged cell."""
        own = self._rows.get(row, {})
        more = self._covered.get(row)
        found = own if more is None else {*own, *more}
        return [column for column in found if left <= column <= right]

    def _cut(self, piece: _Piece, depth: int) -> Iterator[SheetRegion]:
        parted = self._parted(piece) if depth < _DEEPEST else [piece]
        if len(parted) > 1:
            for one in parted:
                yield from self._cut(one, depth + 1)
        else:
            for rows, left, right in parted:
                yield SheetRegion(rows[0], left, rows[-1], right)

    def _parted(self, piece: _Piece) -> list[_Piece]:
        """Return the pieces of a piece: by rows, else by columns, else where it goes on diagonally; or the piece."""
        rows, left, right = piece
        columns = {row: self._columns(row, left, right) for row in rows}
        rows = [row for row in rows if columns[row]]
        if not rows:
            return []
        taken = sorted({column for found in columns.values() for column in found})
        left, right = taken[0], taken[-1]
        parts = self._by_rows(rows, columns)
        if len(parts) > 1:
            return [(part, left, right) for part in parts]
        if not self._is_one:
            edges = self._by_columns(rows, columns, taken)
            if len(edges) > 1:
                return [(rows, first, last) for first, last in edges]
            step = _step(rows, columns)
            if step:
                return [(rows[:step], left, right), (rows[step:], left, right)]
        return [(rows, left, right)]

    def _by_rows(self, rows: Sequence[int], columns: Mapping[int, list[int]]) -> list[Sequence[int]]:
        found, start = list[Sequence[int]](), 0
        for at in range(1, len(rows)):
            gap = rows[at] - rows[at - 1] - 1
            if gap and self._hidden[0]:
                gap -= sum(
                    row in self._hidden[0] for row in range(rows[at - 1] + 1, min(rows[at], rows[at - 1] + _FAR))
                )
            if gap and (gap > 1 or not self._goes_on(rows[start:at], rows[at : at + 2], columns)):
                found.append(rows[start:at])
                start = at
        return [*found, rows[start:]]

    def _goes_on(self, above: Sequence[int], below: Sequence[int], columns: Mapping[int, list[int]]) -> bool:
        """Whether rows under an empty one belong to the table above it."""
        near = [*above[:3], *above[-3:]]
        known = {column for row in near for column in columns[row]}
        first = columns[below[0]]
        if len(known) < 2 or not known.issuperset(first):
            return False
        if len(first) == 1:  # a label: it heads more rows of the table, or another table
            after = columns[below[1]] if len(below) > 1 and below[1] == below[0] + 1 else []
            return (
                len(above) > 1
                and first[0] == min(known)
                and len(after) > 1
                and known.issuperset(after)
                and not self._is_header(below[1], near, after)
            )
        return not self._is_header(below[0], near, first)

    def _is_header(self, row: int, above: Sequence[int], columns: Sequence[int]) -> bool:
        """Whether a row of words stands under numbers, or repeats the first one, or is bold under one that is not."""
        texts = self._rows.get(row, {})
        if texts == self._rows.get(above[0]):
            return True
        bold = [(row, column) in self._bold for column in columns if column in texts]
        if (
            bold
            and all(bold)
            and any((above[-1], column) not in self._bold for column in self._rows.get(above[-1], {}))
        ):
            return not any(is_number(text) and not is_year(text) for text in texts.values())
        others = [
            column for column in columns if any(is_number(self._rows.get(one, {}).get(column, "")) for one in above)
        ]
        said = [texts[column] for column in others if column in texts]
        if others:
            return bool(said) and not any(is_number(text) and not is_year(text) for text in said)
        after = self._rows.get(row + 1, {})
        heads = any(is_number(after.get(column, "")) for column in columns)
        return heads and len(above) > 1 and not any(map(is_number, texts.values()))

    def _by_columns(
        self, rows: Sequence[int], columns: Mapping[int, list[int]], taken: Sequence[int]
    ) -> list[tuple[int, int]]:
        hidden = self._hidden[1]
        gaps = [
            (one, other)
            for one, other in pairwise(taken)
            if other - one > 1 and any(column not in hidden for column in range(one + 1, other))
        ]
        edges, left = list[tuple[int, int]](), taken[0]
        for at, (one, other) in enumerate(gaps):
            last = gaps[at + 1][0] if at + 1 < len(gaps) else taken[-1]
            if other - one > _WIDE_GAP or not self._belongs(rows, columns, (left, one), (other, last)):
                edges.append((left, one))
                left = other
        return [*edges, (left, taken[-1])]

    def _belongs(
        self,
        rows: Sequence[int],
        columns: Mapping[int, list[int]],
        before: tuple[int, int],
        after: tuple[int, int],
    ) -> bool:
        """Whether columns after an empty one belong to the table before it: its rows, and no labels of their own."""
        own = [row for row in rows if _count(columns[row], after)]
        others = {row for row in rows if _count(columns[row], before)}
        if not own or sum(row in others for row in own) < _SAME_ROWS * len(own):
            return False
        if len({column for row in rows for column in columns[row] if before[0] <= column <= before[1]}) == 1:
            return True  # the labels or numbers of the rows
        texts = [self._rows.get(row, {}).get(after[0], "") for row in own]
        # A row of one cell is a label over the columns before.
        heads = min((row for row in others if _count(columns[row], before) > 1), default=min(others))
        if own[0] > heads and texts[0] and not is_number(texts[0]) and len(own) > 1:
            return False  # a header that begins further down
        body = [text for text in texts[1:] if text] or [text for text in texts if text]
        is_labelled = sum(not is_number(text) for text in body) > len(body) / 2
        return not is_labelled or (after[0] == after[1] and len(own) <= 2)


def _count(columns: Sequence[int], edges: tuple[int, int]) -> int:
    return sum(edges[0] <= column <= edges[1] for column in columns)


def _step(rows: Sequence[int], columns: Mapping[int, list[int]]) -> int:
    """Return how many rows come before those that touch the ones above at a corner only; 0 where there are none."""
    above = _edges(rows, columns, range(len(rows)))
    below = _edges(rows, columns, range(len(rows) - 1, -1, -1))[::-1]
    for at in range(1, len(rows)):
        (left, right), (first, last) = above[at - 1], below[at]
        if first > right or last < left:
            return at
    return 0


def _edges(rows: Sequence[int], columns: Mapping[int, list[int]], order: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last column of the rows gone through so far."""
    found, left, right = list[tuple[int, int]](), _ENDLESS, -1
    for at in order:
        left, right = min(left, *columns[rows[at]]), max(right, *columns[rows[at]])
        found.append((left, right))
    return found


def _covered(sheet: Sheet) -> dict[int, set[int]]:
    """Return the columns of each row that merged cells with words cover."""
    found: dict[int, set[int]] = {}
    for (row, column), (down, across) in sheet.spans.items():
        if sheet.rows.get(row, {}).get(column) and down * across < _ENDLESS:
            for one in range(row, row + down):
                found.setdefault(one, set()).update(range(column, column + across))
    return found
