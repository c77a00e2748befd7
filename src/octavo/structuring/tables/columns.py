"""The columns of a table, and the pieces of text in them.

Columns are told by rules, and where none stand by the gutters between pieces of text. A piece stands in one column, in
several where a cell spans, or is parted where a rule runs through it.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from octavo.structuring.lines import PageLines
from octavo.structuring.tables.rows import Place, is_data, is_number
from octavo.structuring.tables.ruled import Rules
from octavo.structuring.tables.splits import Interval, Part, space_near


class _Gutter:
    """What a gutter is told by, chosen by hand."""

    SHRINK = 0.5  # points that a text is taken narrower by on either side
    VALLEY = 0.26  # share of the texts beside a gutter that may lie across it
    FEWEST_ROWS = 3  # rows of several cells


_SIGN = re.compile(r"[$€£¥₹%)(*†‡§]{1,2}|[A-Z]{0,2}\$|[(]?\$|\)%|[a-z](?=$)")


class _Cell:
    """Where a text is parted into cells, chosen by hand."""

    COVERS = 0.3  # share of a column, or of the text, from which a text stands in the column
    INSIDE = 1.0  # points by which a text may stick out of its column
    AT_WALL = 1.3  # ems between a rule through a text and the space it is parted at
    AT_GUTTER = 0.7  # ems between a gutter and that space


def column_edges(rows: Sequence[Sequence[Part]], walls: Sequence[float]) -> list[float]:
    """Return the x positions between columns, left to right, one fewer than there are columns.

    `rows` are the cells of the table in printed rows, `walls` the upright rules. Between walls, columns are told by
    gutters only where several rows have several cells.
    """
    edges = list(walls)
    bounds = [float("-inf"), *walls, float("inf")]
    for left, right in itertools.pairwise(bounds):
        band = [[part for part in row if left <= _middle(part) < right] for row in rows]
        edges.extend(_gutters(band, is_walled=bool(walls)))
    return sorted(edges)


def _middle(part: Part) -> float:
    return (part.x0 + part.x1) / 2


def _gutters(rows: Sequence[Sequence[Part]], *, is_walled: bool) -> list[float]:
    several = [row for row in rows if len(row) > 1]
    if not several or (is_walled and len(several) < _Gutter.FEWEST_ROWS):
        return []
    chosen = several if len(several) >= min(_Gutter.FEWEST_ROWS, len(rows)) else [row for row in rows if row]
    gutters = valleys([(part.x0, part.x1) for row in chosen for part in row])
    with_data = [row for row in chosen if any(is_data(part.text) for part in row)]
    gutters = _without_signs([part for row in with_data or chosen for part in row], gutters)
    return _without_headers(with_data, rows, gutters) if len(with_data) > 1 else gutters


def valleys(pieces: Sequence[Interval]) -> list[float]:
    """Return the x positions where few pieces of text lie between places where many do."""
    changes = sorted(
        [(left + _Gutter.SHRINK, 1) for left, _ in pieces]
        + [(max(right, left + 2) - _Gutter.SHRINK, -1) for left, right in pieces]
    )
    found: list[float] = []
    peak, lowest, place, widest = 0, 0, 0.0, 0.0
    count = 0
    for (x, step), (following, _) in zip(changes, [*changes[1:], changes[-1]], strict=True):
        count += step
        if following - x <= 0 and following != changes[-1][0]:
            continue
        if peak and lowest < min(peak, count) and lowest <= _Gutter.VALLEY * min(peak, count):
            found.append(place)
            peak, lowest, widest = count, count, 0.0
        elif count > peak:
            peak, lowest, widest = count, count, 0.0
        elif count < lowest or (count == lowest and following - x > widest):
            lowest, place, widest = count, (x + following) / 2, following - x
    return found


def _without_signs(parts: Sequence[Part], gutters: list[float]) -> list[float]:
    """Drop the gutters that part nothing but currency signs, brackets and per cent signs from their numbers."""
    kept = list(gutters)
    while (dropped := _before_number(parts, kept)) is not None:
        del kept[dropped]
    return kept


def _before_number(parts: Sequence[Part], gutters: Sequence[float]) -> int | None:
    """Return which gutter lies between signs and their numbers, None when none does."""
    for at, (left, right) in enumerate(itertools.pairwise([float("-inf"), *gutters, float("inf")])):
        texts = [part.text for part in parts if left <= _middle(part) < right]
        if not texts or not all(_SIGN.fullmatch(text) for text in texts):
            continue
        opens = sum(text[-1] in "$€£¥₹(" for text in texts) > len(texts) / 2
        # An opening sign goes with the column after it, a closing one with the column before.
        dropped = at if opens else at - 1
        if 0 <= dropped < len(gutters):
            return dropped
    return None


def _without_headers(
    with_data: Sequence[Sequence[Part]], rows: Sequence[Sequence[Part]], gutters: list[float]
) -> list[float]:
    """Drop the gutters that part a header set beside its numbers, as over a wide column, from them."""
    kept = list(gutters)
    at = 1
    while at <= len(kept):
        if any(_held(row, kept, at) for row in with_data):
            at += 1
            continue
        sides = [side for side in (at + 1, at - 1) if 0 < side <= len(kept)]
        free = [side for side in sides if not any(_held(row, kept, at) and _held(row, kept, side) for row in rows)]
        if free:
            del kept[min(at, free[0])]
        else:
            at += 1
    return kept


def _held(row: Sequence[Part], gutters: Sequence[float], at: int) -> bool:
    """Tell a row with a cell in the column number `at`."""
    return any(bisect.bisect(gutters, _middle(part)) == at for part in row)


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
