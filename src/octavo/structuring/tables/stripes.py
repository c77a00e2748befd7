"""Painted rows: every other row of a table has a background, all of one width, with a row between them or none."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

from octavo.parsing.content import Box, Graphic
from octavo.structuring.clusters import THIN, hull_of, is_white
from octavo.structuring.lines import PageLines


class _Band:
    """What painted rows are told by, chosen by hand; lengths are in points or, where it says so, in ems."""

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
    """Tell bands most of which have a row that is not painted between them, as lines of code on paint have not."""
    parted = sum(
        below[1] - above[3] > _Band.LEAST_GAP * (above[3] - above[1]) for above, below in itertools.pairwise(bands)
    )
    return 2 * parted > len(bands) - 1


def _hold_text(page: PageLines, bands: Sequence[Box]) -> bool:
    """Tell bands most of which hold lines of text: bars of a chart and empty paint do not."""
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
    """Tell paint that is one of some painted rows or a cell of it."""
    x0, y0, x1, y1 = item.box
    return item.kind == "fill" and any(
        abs(y0 - band[1]) < 1.0 and abs(y1 - band[3]) < 1.0 and band[0] - 1.0 < x0 and x1 < band[2] + 1.0
        for band in bands
    )
