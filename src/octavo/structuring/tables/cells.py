"""Pieces of text to the columns they stand in: one, several where a cell spans, or parted where a wall runs.

Owns the placing of a line of text. Knows nothing about rows or headers.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from octavo.structuring.lines import PageLines
from octavo.structuring.tables.rows import Place, is_number
from octavo.structuring.tables.ruled import Rules
from octavo.structuring.tables.splits import Interval, Part, space_near


class _Cell:
    """Where a text is parted into cells, chosen by hand."""

    COVERS = 0.3  # share of a column, or of the text, from which a text stands in the column
    INSIDE = 1.0  # points by which a text may stick out of its column
    AT_WALL = 1.3  # ems between a rule through a text and the space it is parted at
    AT_GUTTER = 0.7  # ems between a gutter and that space


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one line that stands in the columns `first` to `last`, from `x0` to `x1` in points."""

    line: int
    text: str
    first: int
    last: int
    x0: float
    x1: float


class Columns:
    """The columns of one table: `edges` between them, and what of each its cells really fill."""

    def __init__(self, page: PageLines, parts: Mapping[int, list[Part]], edges: Sequence[float]) -> None:
        self._page, self.parts, self.edges = page, parts, list(edges)
        bounds = [float("-inf"), *edges, float("inf")]
        self._cores: list[Interval | None] = [None] * (len(edges) + 1)
        self.is_numeric = [False] * (len(edges) + 1)
        held: list[list[Part]] = [[] for _ in self._cores]
        for part in itertools.chain.from_iterable(parts.values()):
            at = bisect.bisect(edges, (part.x0 + part.x1) / 2)
            if bounds[at] - _Cell.INSIDE <= part.x0 and part.x1 <= bounds[at + 1] + _Cell.INSIDE:
                held[at].append(part)
        for at, members in enumerate(held):
            if members:
                self._cores[at] = (min(part.x0 for part in members), max(part.x1 for part in members))
                self.is_numeric[at] = sum(is_number(part.text) for part in members) > 0.5 * len(members)

    def __len__(self) -> int:
        return len(self.edges) + 1

    def middle(self, first: int, last: int) -> float:
        """Return the middle of the text in the columns from `first` to `last`."""
        cores = [core for core in self._cores[first : last + 1] if core]
        return (cores[0][0] + cores[-1][1]) / 2 if cores else float("inf")

    def covered(self, x0: float, x1: float) -> tuple[int, int]:
        """Return the first and last column that a stretch covers a good part of."""
        found: list[int] = []
        for at, core in enumerate(self._cores):
            if core is None:
                continue
            left, right = core
            if right <= x0 or x1 <= left:
                continue
            shared = min(x1, right) - max(x0, left)
            if shared > _Cell.COVERS * max(min(right - left, x1 - x0), 1.0):
                found.append(at)
        if not found:
            at = bisect.bisect(self.edges, (x0 + x1) / 2)
            return at, at
        return found[0], found[-1]

    def place(self, line: int) -> Place:
        """Return where a line stands."""
        found = [(self.covered(part.x0, part.x1)[0], part.text) for part in self.parts[line]]
        return Place(found[0][0], frozenset(column for column, text in found if is_number(text)))

    def placed(self, line: int, rules: Rules, *, may_part: bool) -> list[Piece]:
        """Return the pieces of a line, parted where a rule passes through it, or where two cells nearly touch.

        `may_part` says that no cell here spans several columns, so that gutters part text too.
        """
        middle = float(self._page.places[line, 1] + self._page.places[line, 3]) / 2
        pieces: list[Piece] = []
        for part in self.parts[line]:
            first, last = self.covered(part.x0, part.x1)
            pieces.append(Piece(line, part.text, first, last, part.x0, part.x1))
            for edge in self.edges[first:last]:
                is_wall = rules.is_walled(edge, middle)
                pieces[-1:] = self._parted(pieces[-1], edge, is_wall=is_wall, may_part=may_part) or pieces[-1:]
        return pieces

    def _parted(self, piece: Piece, edge: float, *, is_wall: bool, may_part: bool) -> list[Piece]:
        if not (is_wall or may_part) or not piece.x0 < edge < piece.x1:
            return []
        em = max(self._page.looks[piece.line].size, 1.0)
        at, x = space_near(piece.text, (piece.x0, piece.x1), edge)
        if at < 0 or abs(x - edge) > (_Cell.AT_WALL if is_wall else _Cell.AT_GUTTER) * em:
            return []
        before, after = piece.text[:at].rstrip(), piece.text[at:].lstrip()
        column = bisect.bisect(self.edges, edge) - 1
        if not is_wall and not (self._suits(before, column) and self._suits(after, column + 1)):
            return []
        left = Piece(piece.line, before, min(piece.first, column), column, piece.x0, min(x, edge))
        return [left, Piece(piece.line, after, column + 1, max(piece.last, column + 1), max(x, edge), piece.x1)]

    def _suits(self, text: str, column: int) -> bool:
        return not self.is_numeric[column] or any(letter.isdigit() for letter in text) or is_number(text)
