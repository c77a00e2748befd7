"""The columns of a table, and the pieces of text in them.

Lines that hold several cells are parted: at wide spaces, between numbers, before a sign, after leaders.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from octavo_documents.structuring.lines import Gap, PageLines
from octavo_documents.structuring.tables.rows import Place, is_data, is_number
from octavo_documents.structuring.tables.ruled import Rules
from octavo_documents.text.column_heads import is_period
from octavo_documents.text.raised import MARK, SUPERSCRIPTS

_NARROW = frozenset("iljtfrI.,:;|!()[]'\" -")
_WIDE = frozenset("mwMWQO@%&")
_OPENING = ("$", "€", "£", "¥", "₹", "(")
_NUMERIC = re.compile(rf"[-$€£¥₹%.,()–—+*~\d\s]*\d[-$€£¥₹%.,()–—+*~\d\s{SUPERSCRIPTS}]*")
_TOKEN = re.compile(
    rf"(?:~~)?[$€£¥₹]?\s?[(–—+-]{{0,2}}\s?[$€£¥₹]?\s?\d[\d.,]*(?:\s?[)%])*\*{{0,2}}(?:\s?{MARK})?(?:~~)?|[$€£¥₹]?\s?[–—-]+(?:\s?[)%])?|[$€£¥₹]"
)
_NUMBER = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}){0,5}[.):]?")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_LED = re.compile(r"(.*?[^\s.·…_])\s*(?:[.·…_]\s?){4,}\s*([$€£¥₹]?)")
LEADERS = ".·…_ "
"""Characters that lead the eye from a label to its numbers."""
_CLOSING = f")%* {SUPERSCRIPTS}"
_HANGING = re.compile(rf"[)%]|(?:\([\da-z]{{1,2}}\),?\s?)+$|{MARK}$")


class _Split:
    """Where a line holds several cells, chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .0004 at most (`benchmarks/ablation.py --constants 0.1`).
    FAR = 0.6  # type sizes between a number and what follows it in another cell
    BETWEEN_NUMBERS = 1.0  # ems between two numbers of one line that are two cells
    CROSSED = 0.3  # texts across a gap, by the rows it parts
    FEW_SPACES = 3  # spaces in a line of numbers that is one cell
    LONGEST = 120  # characters of a line that is looked at for numbers


Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """Text in a line that is a cell of its own, from `x0` to `x1` in points."""

    text: str
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class ColumnValue:
    """A number in a line: its box in points; `right` is where its figures end, for brackets and % hang over."""

    line: int
    x0: float
    y0: float
    x1: float
    y1: float
    right: float


def parts_of(page: PageLines, rows: Sequence[Sequence[int]]) -> dict[int, list[Part]]:
    """Return the cells in each line; `rows` are the lines of a table in rows, left to right."""
    tried = {line: _at_gaps(page, line, page.gaps.get(line, ())) for row in rows for line in row}
    if any(len(parts) > 1 for parts in tried.values()):
        placed = [[part for line in row for part in tried[line]] for row in rows]
        for line in [line for line, parts in tried.items() if len(parts) > 1]:
            gaps = [gap for gap in page.gaps[line] if _parts_cells(page, line, gap, placed)]
            tried[line] = _at_gaps(page, line, gaps)
    return {line: [piece for part in parts for piece in _pieces(page, line, part)] for line, parts in tried.items()}


def stretches_of(page: PageLines, line: int) -> list[Part]:
    """Return what stands between the wide spaces of a line."""
    return _at_gaps(page, line, page.gaps.get(line, ()))


def values_in(page: PageLines, line: int) -> Iterator[ColumnValue]:
    """Yield the numbers in a line, left to right; where words are in it, only those apart from them."""
    text = page.texts[line]
    is_numeric = _NUMERIC.fullmatch(text)
    if not (is_numeric or line in page.gaps) or len(text) - sum(map(text.count, LEADERS)) > _Split.LONGEST:
        return
    y0, y1 = float(page.places[line, 1]), float(page.places[line, 3])
    parts = stretches_of(page, line)
    # A number before words counts or marks them.
    for part in parts if is_numeric else parts[1:]:
        for piece in _pieces(page, line, part) if _NUMERIC.fullmatch(part.text) else ():
            if is_number(piece.text) and any(map(str.isdigit, piece.text)):
                figures = len(piece.text.rstrip(_CLOSING))
                right = letter_places(piece.text, piece.x0, piece.x1)[figures]
                yield ColumnValue(line, piece.x0, y0, piece.x1, y1, right)


def _at_gaps(page: PageLines, line: int, gaps: Sequence[Gap]) -> list[Part]:
    text = page.texts[line]
    if not gaps:
        return [Part(text, float(page.places[line, 0]), float(page.places[line, 2]))] if text else []
    offsets = [0, *(gap.offset for gap in gaps), len(text)]
    edges = [float(page.places[line, 0]), *(x for gap in gaps for x in (gap.x0, gap.x1)), float(page.places[line, 2])]
    parts: list[Part] = []
    for (start, stop), x0, x1 in zip(itertools.pairwise(offsets), edges[::2], edges[1::2], strict=True):
        piece = text[start:stop].strip()
        if parts and (parts[-1].text in _OPENING or _HANGING.match(piece)):
            parts[-1] = Part(f"{parts[-1].text} {piece}", parts[-1].x0, x1)
        elif piece:
            parts.append(Part(piece, x0, x1))
    return parts


def _parts_cells(page: PageLines, line: int, gap: Gap, rows: Sequence[Sequence[Part]]) -> bool:
    """Return whether a gap parts cells: other rows part there too and few run on, or it is far after a number.

    In prose a number before words would be a list item, and so the two are one line.
    """
    before, after = page.texts[line][: gap.offset].strip(), page.texts[line][gap.offset :].strip()
    if before.endswith(_OPENING) or _HANGING.match(after):
        return False
    wide = (gap.x1 - gap.x0) / max(page.looks[line].size, 1.0)
    if _NUMBER.fullmatch(before) and wide > _Split.FAR:
        return True
    if wide > _Split.BETWEEN_NUMBERS and _NUMERIC.fullmatch(page.texts[line]):
        return True
    middle = (gap.x0 + gap.x1) / 2
    crossing = sum(part.x0 < middle < part.x1 for row in rows for part in row)
    apart = sum(any(part.x1 <= middle for part in row) and any(part.x0 >= middle for part in row) for row in rows)
    return apart > 1 and crossing <= _Split.CROSSED * apart


def _pieces(page: PageLines, line: int, part: Part) -> list[Part]:
    """Part numbers from each other, and a label from its leaders and the sign of the next column."""
    text = part.text
    led = _LED.fullmatch(text)
    if led:
        return _without_leaders(led, part)
    if " " not in text or not _NUMERIC.fullmatch(text) or _THOUSANDS.fullmatch(text):
        return [part]
    is_known = page.confidences[line] == 1.0 and text.count(" ") <= _Split.FEW_SPACES and text == page.texts[line]
    tokens = list(_TOKEN.finditer(text))
    if sum(len(token[0].replace(" ", "")) for token in tokens) != len(text.replace(" ", "")):
        return [part]
    if is_known and line not in page.gaps and tokens[-1][0].strip() not in _OPENING:
        return [part]
    places = letter_places(text, part.x0, part.x1)
    return [Part(token[0].strip(), places[token.start()], places[token.end()]) for token in tokens]


def _without_leaders(led: re.Match[str], part: Part) -> list[Part]:
    places = letter_places(part.text, part.x0, part.x1)
    label = Part(led[1], part.x0, places[led.end(1)])
    return [label, Part(led[2], places[led.start(2)], part.x1)] if led[2] else [label]


def space_near(text: str, span: Interval, x: float) -> tuple[int, float]:
    """Return the offset and x of the space nearest to `x`, (-1, 0) when there is none; letters are estimated."""
    places = letter_places(text, *span)
    best, found = -1, 0.0
    for at, letter in enumerate(text):
        middle = (places[at] + places[at + 1]) / 2
        if letter == " " and text[at - 1] not in _OPENING and (best < 0 or abs(middle - x) < abs(found - x)):
            best, found = at, middle
    return best, found


def letter_places(text: str, x0: float, x1: float) -> list[float]:
    """Return about where each letter of a text starts, and where the last ends, in points."""
    widths = list(itertools.accumulate((_width(letter) for letter in text), initial=0.0))
    scale = (x1 - x0) / max(widths[-1], 0.1)
    return [x0 + width * scale for width in widths]


def _width(letter: str) -> float:
    """Return about how wide a letter is, in ems."""
    if letter in _NARROW:
        return 0.29
    if letter in _WIDE:
        return 0.83
    return 0.67 if letter.isupper() else 0.53


class _Gutter:
    """Thresholds for a gutter, chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .003 at most (`benchmarks/ablation.py --constants 0.1`).
    SHRINK = 0.5  # points that a text is taken narrower by on either side
    VALLEY = 0.26  # share of the texts beside a gutter that may lie across it
    FEWEST_ROWS = 3  # rows of several cells


_SIGN = re.compile(r"[$€£¥₹%)(*†‡§]{1,2}|[A-Z]{0,2}\$|[(]?\$|\)%|[a-z](?=$)")


class _Cell:
    """Where a text is parted into cells, chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .003 at most (`benchmarks/ablation.py --constants 0.1`).
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
    with_data = [row for row in chosen if any(is_data(part.text) for part in row)]
    numbers = [part for part in max(with_data, key=len, default=()) if is_data(part.text)]
    between = [(left.x1 + right.x0) / 2 for left, right in itertools.pairwise(numbers)]
    # A period over several cells of a row of numbers tells nothing about the gutters between them.
    over = [part for row in chosen for part in row if not (_is_over_any(part, between) and is_period(part.text))]
    gutters = valleys([(part.x0, part.x1) for part in over])
    gutters = _without_signs([part for row in with_data or chosen for part in row], gutters)
    return _without_headers(with_data, rows, gutters) if len(with_data) > 1 else gutters


def _is_over_any(part: Part, middles: Sequence[float]) -> bool:
    """Return whether a part runs over one of the middles between two numbers of a row."""
    return any(part.x0 < middle < part.x1 for middle in middles)


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
    """Return whether a row has a cell in the column number `at`."""
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
