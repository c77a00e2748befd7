"""Pieces of text to the columns they stand in: one, several where a cell spans, or parted where two cells touch.

Owns the placing of a line of text. Knows nothing about rows or headers.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from octavo.structuring.lines import PageLines
from octavo.structuring.tables.rows import is_number
from octavo.structuring.tables.ruled import Rules

_COVERS = 0.3
_INSIDE = 1.0
_AT_WALL = 1.3
_AT_GUTTER = 0.7
_NARROW = frozenset("iljtfrI.,:;|!()[]'\" -")
_WIDE = frozenset("mwMWQO@%&")
_OPENING = "$€£¥₹("
_NUMBERS = re.compile(r"(?:[$€£¥(–-]*\s?\d[\d.,]*[)%]{0,2}|[–—-])(?:\s+(?:[$€£¥(–-]*\s?\d[\d.,]*[)%]{0,2}|[–—-]))+")
_NUMBER_AND_WORDS = re.compile(r"(\(?\d{1,3}(?:\.\d{1,3}){0,5}[.):]?)\s+([^\W\d_].*)")
_AT_START = 1.3
_FAR = 0.6
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """Text in a line that is a cell of its own, from `x0` to `x1` in points."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one line that stands in the columns `first` to `last`, from `x0` to `x1` in points."""

    line: int
    text: str
    first: int
    last: int
    x0: float
    x1: float


def parts_of(page: PageLines, lines: Sequence[int]) -> dict[int, list[Part]]:
    """Return the cells in each line: several where numbers, or a number and words, stand in one line."""
    starts = sorted(float(page.places[line, 0]) for line in lines)
    scale = _scale(page, lines)
    return {line: _number_and_words(page, line, starts, scale) or _numbers_apart(page, line) for line in lines}


def _scale(page: PageLines, lines: Sequence[int]) -> float:
    """Return how much wider letters are than `_width` has them, by the median of lines."""
    ratios = sorted(
        float(page.places[line, 2] - page.places[line, 0]) / (page.looks[line].size * sum(map(_width, text)))
        for line in lines
        if len(text := page.texts[line]) > 3 and page.looks[line].size and not text[0].isdigit()
    )
    return ratios[len(ratios) // 2] if ratios else 1.0


def _numbers_apart(page: PageLines, line: int) -> list[Part]:
    text = page.texts[line]
    x0, x1 = float(page.places[line, 0]), float(page.places[line, 2])
    if not _NUMBERS.fullmatch(text) or _THOUSANDS.fullmatch(text):
        return [Part(text, x0, x1)]
    places = _places(text, x0, x1)
    spaces = [at for at, letter in enumerate(text) if letter == " " and text[at - 1] not in _OPENING]
    bounds = zip([-1, *spaces], [*spaces, len(text)], strict=True)
    return [Part(text[start + 1 : stop], places[start + 1], places[stop]) for start, stop in bounds]


def _number_and_words(page: PageLines, line: int, starts: Sequence[float], scale: float) -> list[Part]:
    """Return a number and the words far after it apart: in prose they would be a list item, and so are one line.

    The words start where cells of other rows do (`starts`, ascending), or where their letters suggest.
    """
    parts = _NUMBER_AND_WORDS.fullmatch(page.texts[line])
    if not parts:
        return []
    em = page.looks[line].size
    x0, x1 = float(page.places[line, 0]), float(page.places[line, 2])
    number, words = (scale * em * sum(map(_width, part)) for part in parts.groups())
    if x1 - x0 - number - words < _FAR * em:
        return []
    guess = x1 - words
    near = [x for x in starts if abs(x - guess) < _AT_START * em and x > x0 + number + 0.3 * em]
    start = min(near, key=lambda x: abs(x - guess), default=max(guess, x0 + number))
    return [Part(parts[1], x0, x0 + number), Part(parts[2], start, x1)]


def _places(text: str, x0: float, x1: float) -> list[float]:
    """Return about where each letter of a line starts, in points."""
    widths = list(itertools.accumulate((_width(letter) for letter in text), initial=0.0))
    scale = (x1 - x0) / max(widths[-1], 0.1)
    return [x0 + width * scale for width in widths]


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
            if bounds[at] - _INSIDE <= part.x0 and part.x1 <= bounds[at + 1] + _INSIDE:
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
            shared = min(x1, core[1]) - max(x0, core[0])
            if shared > _COVERS * max(min(core[1] - core[0], x1 - x0), 1.0):
                found.append(at)
        if not found:
            at = bisect.bisect(self.edges, (x0 + x1) / 2)
            return at, at
        return found[0], found[-1]

    def first(self, line: int) -> int:
        """Return the column a line starts in."""
        part = self.parts[line][0]
        return self.covered(part.x0, part.x1)[0]

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
        at, x = _space_near(piece, edge)
        if at < 0 or abs(x - edge) > (_AT_WALL if is_wall else _AT_GUTTER) * em:
            return []
        before, after = piece.text[:at].rstrip(), piece.text[at:].lstrip()
        column = bisect.bisect(self.edges, edge) - 1
        if not is_wall and not (self._suits(before, column) and self._suits(after, column + 1)):
            return []
        left = Piece(piece.line, before, min(piece.first, column), column, piece.x0, min(x, edge))
        return [left, Piece(piece.line, after, column + 1, max(piece.last, column + 1), max(x, edge), piece.x1)]

    def _suits(self, text: str, column: int) -> bool:
        return not self.is_numeric[column] or any(letter.isdigit() for letter in text) or is_number(text)


def _space_near(piece: Piece, edge: float) -> tuple[int, float]:
    """Return the offset and x of the space nearest to `edge`, (-1, 0) when there is none; letters are estimated."""
    places = _places(piece.text, piece.x0, piece.x1)
    best, x = -1, 0.0
    for at, letter in enumerate(piece.text):
        middle = (places[at] + places[at + 1]) / 2
        if letter == " " and piece.text[at - 1] not in _OPENING and (best < 0 or abs(middle - edge) < abs(x - edge)):
            best, x = at, middle
    return best, x


def _width(letter: str) -> float:
    """Return about how wide a letter is, in ems."""
    if letter in _NARROW:
        return 0.29
    if letter in _WIDE:
        return 0.83
    return 0.67 if letter.isupper() else 0.53
