"""What tells a table from rules: cells between walls, rows between rules of one width, the labels beside them."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence

from octavo.parsing.content import Box
from octavo.structuring.clusters import THIN, Cluster
from octavo.structuring.figures.kinds import is_number
from octavo.structuring.lines import PageLines, box_around
from octavo.structuring.reading_order import row_groups
from octavo.structuring.tables.ruled import rules_of


class _Frame:
    """How rules and the text between them make a table, chosen by hand; lengths are in points or as they say."""

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
    """Tell rules that part an area into cells, most of them with text and none with text across its walls.

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
    """Tell lines most of which stand close under another with the same left edge: text, in columns of any width.

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
    """Tell `rules` rules and one more that are those of a page with columns of text, and of no table."""
    return rules < _Frame.FEWEST_RULES and runs_on(page, lines, _Frame.HALF_LINE)


def is_parted(page: PageLines, lines: Sequence[int], free: Sequence[int], box: Sequence[float]) -> bool:
    """Tell running text that starts left of the rules of a box, between them: they are those of several tables."""
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
    """Tell that one piece at the left edge, as a title is, stands alone between a table's first two rules."""
    above, below = rules
    held = [row for row in lines if (page.boxes[row, 1] + page.boxes[row, 3]) / 2 < below[1]]
    return len(held) == 1 and float(page.boxes[held[0], 0]) < above[0] + em
