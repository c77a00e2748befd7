"""Tables that rules and painted rows tell, and where these part their rows and columns.

Rules are thin lines, the edges of framed cells and of painted rows. A table has cells between walls, rows between rules
of one width, or a background behind every other row.
"""

from __future__ import annotations

import bisect
import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring.clusters import THIN, Cluster, hull_of, is_white
from octavo_documents.structuring.figures.kinds import is_number
from octavo_documents.structuring.lines import PageLines, box_around
from octavo_documents.structuring.reading_order import row_groups


class _Rule:
    """How rules are read, in points or as shares; chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .0005 at most (`benchmarks/ablation.py --constants 0.1`).
    SAME = 2.5  # difference between the places of rules that are one
    INSIDE = 3.0  # how far a rule may lie outside a table's box
    MOST_RULES = 3000  # graphics that are looked at: bounds the time on a hostile page
    DOWN = 0.35  # share of the height of a rule that parts columns


Segment = tuple[float, float, float]
"""A stretch of a rule: its height (or x), and from where to where it runs."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Segments inside a table, in points: `flat` as (y, x0, x1), `upright` as (x, y0, y1), both in order.

    `runs` are the flat ones with those that touch at one height as one.
    """

    box: Box
    flat: tuple[Segment, ...]
    upright: tuple[Segment, ...]
    runs: tuple[Segment, ...]

    def partial_heights(self, least: float) -> list[float]:
        """Return the heights at which rules run over at least a share (0..1) of the width."""
        width = self.box[2] - self.box[0]
        return [place for place, run in _places(self.flat) if run > least * width]

    def walls(self) -> list[float]:
        """Return the x of the rules that part columns, left to right, the frame's left out."""
        height = self.box[3] - self.box[1]
        inner = (self.box[0] + _Rule.INSIDE, self.box[2] - _Rule.INSIDE)
        return [x for x, run in _places(self.upright) if run > _Rule.DOWN * height and inner[0] < x < inner[1]]

    def is_walled(self, x: float, y: float) -> bool:
        """Return whether an upright rule at `x` passes the height `y`."""
        return any(first - 1 <= y <= last + 1 for _, first, last in _about(self.upright, x))

    def is_parted(self, y: float, x: float) -> bool:
        """Return whether a flat rule at the height `y` passes over `x`."""
        return any(first - 1 <= x <= last + 1 for _, first, last in _about(self.flat, y))

    def under(self, box: Sequence[float], reach: float) -> tuple[float, float] | None:
        """Return from where to where the rule next below a piece of text runs, None when there is none in reach."""
        middle = (box[0] + box[2]) / 2
        for y, first, last in self.runs:
            if box[3] - 1.5 <= y <= box[3] + reach and first - 1 <= middle <= last + 1:
                return first, last
        return None


def rules_of(graphics: Sequence[Graphic], box: Box) -> Rules:
    """Return the rules inside a table's box."""
    flat: set[Segment] = set()
    upright: set[Segment] = set()
    for item in graphics[: _Rule.MOST_RULES]:
        if _lies_in(item.box, box):
            for is_flat, segment in _segments(item):
                (flat if is_flat else upright).add(segment)
    ordered = tuple(sorted(flat))
    return Rules(box, ordered, tuple(sorted(upright)), tuple(_merged(ordered)))


def _about(segments: Sequence[Segment], place: float) -> Sequence[Segment]:
    """Return the segments that lie at a place."""
    nowhere = float("-inf")
    first = bisect.bisect(segments, (place - _Rule.SAME, nowhere, nowhere))
    return segments[first : bisect.bisect(segments, (place + _Rule.SAME, nowhere, nowhere), lo=first)]


def _lies_in(item: Box, box: Box) -> bool:
    x, y = (item[0] + item[2]) / 2, (item[1] + item[3]) / 2
    return box[0] - _Rule.INSIDE < x < box[2] + _Rule.INSIDE and box[1] - _Rule.INSIDE < y < box[3] + _Rule.INSIDE


def _segments(item: Graphic) -> Iterator[tuple[bool, Segment]]:
    """Yield the segments a graphic draws, each with whether it is flat: itself when thin, its edges when a box."""
    x0, y0, x1, y1 = item.box
    if item.kind == "image" or (item.kind == "fill" and is_white(item.color)):
        return
    if y1 - y0 <= THIN:
        yield True, ((y0 + y1) / 2, x0, x1)
    elif x1 - x0 <= THIN:
        yield False, ((x0 + x1) / 2, y0, y1)
    else:
        yield True, (y0, x0, x1)
        yield True, (y1, x0, x1)
        # Every other row is painted: the sides of its cells part no column of the rows between.
        if item.kind != "fill":
            yield False, (x0, y0, y1)
            yield False, (x1, y0, y1)


def _places(segments: Sequence[Segment]) -> list[tuple[float, float]]:
    """Return where segments lie, those close to each other as one place, with the length they cover together."""
    found: list[tuple[float, float]] = []
    group: list[Segment] = []
    for segment in segments:
        if group and segment[0] - group[-1][0] >= _Rule.SAME:
            found.append(_place(group))
            group = []
        group.append(segment)
    if group:
        found.append(_place(group))
    return found


def _place(group: Sequence[Segment]) -> tuple[float, float]:
    covered, reached = 0.0, float("-inf")
    for _, first, last in sorted(group, key=lambda segment: segment[1]):
        covered += max(last - max(first, reached), 0.0)
        reached = max(reached, last)
    return sum(segment[0] for segment in group) / len(group), covered


def _merged(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield segments at one place that touch as one."""
    open_: list[Segment] = []
    for segment in segments:
        y, first, last = segment
        if open_ and abs(open_[-1][0] - y) < 1.0 and first - open_[-1][2] < 1.0 and open_[-1][1] - last < 1.0:
            open_[-1] = (open_[-1][0], min(open_[-1][1], first), max(open_[-1][2], last))
        else:
            open_.append(segment)
    yield from open_


class _Frame:
    """How rules and the text between them make a table, chosen by hand; lengths are in points or as they say."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .0004 at most (`benchmarks/ablation.py --constants 0.1`).
    ACROSS = 0.8  # share of a table's width of a rule between its rows
    FEWEST_INNER = 3  # rules inside a table that tell it by themselves: two rows of three cells, or three of two
    FEWEST_CELLS = 4  # lines in it
    FILLED = 0.7  # share of its rows, and of its columns, with text: forms have blanks, plots few words
    LONG_CELL = 3  # lines of a cell, in the mean: running text in longer ones is text in a frame, and read as text
    STRAY = 0.15  # share of lines across its walls, as addresses are that find no room
    CELL = 70  # characters of a row's label
    FEWEST_RULES = 3  # rules after the first of a table whose cells may be running text; fewer are those of a page
    HALF_LINE = 28  # characters of a line of running text in two columns, where cells are shorter
    LINE = 16  # characters of a line of text that stands in a column, however narrow
    SAME_EDGE = 4.0  # difference between the left edges of one column's lines
    LEADING = 1.6  # gap between two lines of text, by their type size: double spacing
    FEWEST_RUNNING = 4  # lines of text over a picture from which it lies behind them


_LEADERS = " .·…_"


def is_lattice(page: PageLines, cluster: Cluster, lines: Sequence[int], *, is_text: bool) -> bool:
    """Return whether rules part an area into cells, most of them with text and none with text across its walls.

    Where the `lines` in it are running text (`is_text`), long cells are text in a frame.
    """
    x0, y0, x1, y1 = box_around(cluster.box)
    rules = rules_of(cluster.members, (x0, y0, x1, y1))
    walls = rules.walls()
    floors = [y for y in rules.partial_heights(_Frame.ACROSS) if y0 + THIN < y < y1 - THIN]
    is_large = len(walls) + len(floors) >= _Frame.FEWEST_INNER and len(lines) >= _Frame.FEWEST_CELLS
    if not (walls and floors and is_large):
        return False
    middles = {
        row: ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for row in lines for box in [page.boxes[row].tolist()]
    }
    across = sum(
        rules.is_walled(wall, middles[row][1])
        for row in lines
        for wall in walls
        if page.boxes[row, 0] < wall - THIN and page.boxes[row, 2] > wall + THIN
    )
    cells = {(bisect.bisect(walls, x), bisect.bisect(floors, y)) for x, y in middles.values()}
    if is_text and len(lines) > _Frame.LONG_CELL * len(cells):
        return False
    columns, rows = ({cell[side] for cell in cells} for side in (0, 1))
    is_filled = len(columns) > _Frame.FILLED * (len(walls) + 1) and len(rows) > _Frame.FILLED * (len(floors) + 1)
    return is_filled and across < _Frame.STRAY * len(lines)


def runs_on(page: PageLines, lines: Sequence[int], shortest: int = _Frame.LINE) -> bool:
    """Return whether most lines stand close under another with the same left edge: text, in columns of any width.

    Lines of fewer than `shortest` characters do not count.
    """
    columns: dict[int, list[int]] = {}
    for row in lines:
        if len(page.texts[row]) >= shortest:
            columns.setdefault(round(float(page.boxes[row, 0]) / _Frame.SAME_EDGE), []).append(row)
    running: set[int] = set()
    for column in columns.values():
        column.sort(key=lambda row: float(page.boxes[row, 1]))
        for above, below in itertools.pairwise(column):
            if float(page.boxes[below, 1] - page.boxes[above, 3]) < _Frame.LEADING * page.looks[below].size:
                running.update((above, below))
    characters = sum(len(page.texts[row]) for row in running)
    return len(running) >= _Frame.FEWEST_RUNNING and 2 * characters > sum(len(page.texts[row]) for row in lines)


def are_of_a_page(page: PageLines, lines: Sequence[int], rules: int) -> bool:
    """Return whether `rules` rules and one more are those of a page with columns of text, and of no table."""
    return rules < _Frame.FEWEST_RULES and runs_on(page, lines, _Frame.HALF_LINE)


def is_parted(page: PageLines, lines: Sequence[int], free: Sequence[int], box: Sequence[float]) -> bool:
    """Return whether text starts left of the rules of a box, between them: they are those of several tables."""
    held, boxes = set(lines), page.boxes
    return any(
        row not in held
        and boxes[row, 0] < box[0]
        and box[1] < (boxes[row, 1] + boxes[row, 3]) / 2 < box[3]
        and len(page.texts[row].rstrip(_LEADERS)) >= _Frame.CELL
        for row in free
    )


def labels_beside(page: PageLines, lines: Sequence[int], free: Sequence[int], box: Sequence[float]) -> list[int] | None:
    """Return the labels left of rules that run over the numbers alone, none where they run over whole rows.

    Rules under one column of several belong to no table of their own: None.
    """
    places, texts = page.boxes, page.texts
    rows = [row for row in row_groups(places, lines) if any(is_number(texts[line]) for line in row)]
    if 2 * sum(not is_number(texts[row[0]]) and texts[row[0]][:1].isalpha() for row in rows) > len(rows):
        return []
    feet = [float(places[row[0], 3]) for row in rows]
    beside = [
        row
        for row in free
        if (places[row, 2] < box[0] or places[row, 0] > box[2])
        and box[1] < (places[row, 1] + places[row, 3]) / 2 < box[3]
        and len(texts[row].rstrip(_LEADERS)) < _Frame.CELL
    ]
    level = [row for row in beside if any(abs(foot - float(places[row, 3])) < THIN for foot in feet)]
    if 2 * sum(is_number(texts[row]) for row in level) > len(rows):
        return None
    labels = [row for row in beside if places[row, 2] < box[0]]
    return labels if 2 * sum(row in labels for row in level) > len(rows) else []


def is_titled(page: PageLines, lines: Sequence[int], rules: tuple[Box, Box], em: float) -> bool:
    """Return whether one piece at the left edge, as a title is, stands alone between a table's first two rules."""
    above, below = rules
    held = [row for row in lines if (page.boxes[row, 1] + page.boxes[row, 3]) / 2 < below[1]]
    return len(held) == 1 and float(page.boxes[held[0], 0]) < above[0] + em


class _Band:
    """Thresholds for painted rows, chosen by hand; lengths are in points or, where it says so, in ems."""

    # A tenth higher costs .009 of the cells of generated tables, a tenth lower none (`benchmarks/ablation.py`).
    FEWEST = 2  # rows
    HIGHEST = 6.0  # ems
    FARTHEST = 3.5  # ems between two painted rows
    ASIDE = 3.0  # ems between two painted cells of one row
    LEAST_GAP = 0.3  # gap between two painted rows, by their height: lines of code are painted without
    BETWEEN = 2.6  # gap between two painted rows, by their usual height: a row of two lines
    NARROWEST = 60.0  # width
    SAME = 3.0  # difference between the edges of one table's rows
    FEWEST_JOINED = 3  # painted rows that make one table of what they hold
    MOST = 1500  # graphics of a page that are looked at: bounds the time on a hostile one


def painted_rows(graphics: Sequence[Graphic], em: float) -> list[list[Box]]:
    """Return the painted rows of each table, top to bottom: two or more of one width below each other."""
    stacks: list[list[Box]] = []
    for band in _bands(graphics[: _Band.MOST], em):
        for stack in stacks:
            last = stack[-1]
            is_same = abs(last[0] - band[0]) < _Band.SAME and abs(last[2] - band[2]) < _Band.SAME
            if is_same and -1.0 < band[1] - last[3] < _Band.FARTHEST * em:
                stack.append(band)
                break
        else:
            stacks.append([band])
    return [stack for stack in stacks if len(stack) >= _Band.FEWEST]


def _bands(graphics: Sequence[Graphic], em: float) -> list[Box]:
    """Return the painted rows: fills side by side at one height as one, top to bottom."""
    fills = [
        item.box
        for item in graphics
        if item.kind == "fill" and THIN < item.box[3] - item.box[1] < _Band.HIGHEST * em and not is_white(item.color)
    ]
    bands: list[Box] = []
    for x0, y0, x1, y1 in sorted(fills, key=lambda box: (box[1], box[0])):
        last = bands[-1] if bands else (0.0, 0.0, 0.0, 0.0)
        if abs(last[1] - y0) < 1.0 and abs(last[3] - y1) < 1.0 and x0 - last[2] < _Band.ASIDE * em:
            bands[-1] = (last[0], last[1], max(last[2], x1), last[3])
        else:
            bands.append((x0, y0, x1, y1))
    return [band for band in bands if band[2] - band[0] > _Band.NARROWEST]


def stripes(page: PageLines, graphics: Sequence[Graphic], em: float) -> list[list[Box]]:
    """Return runs of painted rows that are one table's: at least three, no further apart than a row, most with text."""
    found: list[list[Box]] = []
    for stack in painted_rows(graphics, em):
        limit = _Band.BETWEEN * statistics.median(band[3] - band[1] for band in stack)
        runs = [[stack[0]]]
        for band in stack[1:]:
            if band[1] - runs[-1][-1][3] > limit:
                runs.append([])
            runs[-1].append(band)
        found.extend(
            run for run in runs if len(run) >= _Band.FEWEST_JOINED and _alternate(run) and _hold_text(page, run)
        )
    return found


def _alternate(bands: Sequence[Box]) -> bool:
    """Return whether most bands have an unpainted row between them, as lines of code on paint have not."""
    parted = sum(
        below[1] - above[3] > _Band.LEAST_GAP * (above[3] - above[1]) for above, below in itertools.pairwise(bands)
    )
    return 2 * parted > len(bands) - 1


def _hold_text(page: PageLines, bands: Sequence[Box]) -> bool:
    """Return whether most bands hold lines of text: bars of a chart and empty paint do not."""
    x, y = (page.boxes[:, 0] + page.boxes[:, 2]) / 2, (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    held = sum(bool(((x > x0) & (x < x1) & (y > y0) & (y < y1)).any()) for x0, y0, x1, y1 in bands)
    return 2 * held > len(bands)


def lines_between(page: PageLines, bands: Sequence[Box], free: Sequence[int]) -> list[int]:
    """Return the lines in painted rows and between the first and the last of them."""
    x0, y0, x1, y1 = hull_of(bands)
    places = page.boxes
    return [
        line
        for line in free
        if y0 < (places[line, 1] + places[line, 3]) / 2 < y1
        and x0 - _Band.SAME < places[line, 0]
        and places[line, 2] < x1 + _Band.SAME
    ]


def is_painted_row(item: Graphic, bands: Sequence[Box]) -> bool:
    """Return whether paint is one of some painted rows or a cell of it."""
    x0, y0, x1, y1 = item.box
    return item.kind == "fill" and any(
        abs(y0 - band[1]) < 1.0 and abs(y1 - band[3]) < 1.0 and band[0] - 1.0 < x0 and x1 < band[2] + 1.0
        for band in bands
    )
