"""Panels: painted or framed areas under text (sidebars, cards, boxes), which are read as a whole."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring.clusters import area, is_white
from octavo_documents.structuring.lines import hull
from octavo_documents.structuring.reading_order import Items, columns, row_groups

Rows = npt.NDArray[np.int64]


class _Panel:
    """Thresholds for a panel of text, chosen by hand; lengths are in points or, where it says so, in ems."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    LARGEST = 0.7  # share of the page's area
    LEAST_WIDTH = 6.0  # ems
    LEAST_HEIGHT = 2.5  # ems
    SAME = 3.0  # difference between the edges of paint that is one area
    TOUCHING = 2.0  # gap between areas that touch
    INSET = 1.5  # ems by which text may stick out
    MOST = 200  # pieces of paint that are looked at on a page
    LEVEL = 0.5  # share of the lower box's height at which two boxes stand side by side
    LEAST_ROOM = 0.9  # ems between the text in a panel and that over and under it
    WORDY = 17.0  # mean characters of running text in a row of several pieces
    MOSTLY = 0.5  # share of rows of short pieces from which a panel is a table
    MOST_PIECES = 2  # pieces of paint in one panel: a bar and the area under it
    LABEL = 8.0  # mean characters under which text is labels of a drawing


def read_in_order(items: Items, graphics: Sequence[Graphic], page_area: float) -> list[list[int]]:
    """Return the columns of a page in reading order, those of each panel together; every item once."""
    return _ordered(items, np.arange(len(items.boxes)), _panels(items, graphics, page_area))


def _ordered(items: Items, rows: Rows, panels: Sequence[tuple[Box, Rows]]) -> list[list[int]]:
    """Order `rows`, taking the largest panels as one item each and ordering what is in them by itself."""
    inside = [(box, held) for box, held in panels if len(held) < len(rows) and np.isin(held, rows).all()]
    outer = _outermost(inside)
    if _is_checkered([box for box, _ in outer]):
        outer = _as_one(items, rows, outer)
    loose = rows[~np.isin(rows, np.concatenate([held for _, held in outer]))] if outer else rows
    found: list[list[int]] = []
    for column in _arranged(items, loose, [box for box, _ in outer]):
        found.append([])
        for at in column:
            if at < len(loose):
                found[-1].append(int(loose[at]))
            else:
                found.extend([*_ordered(items, outer[at - len(loose)][1], inside), []])
    return [column for column in found if column]


def _arranged(items: Items, loose: Rows, boxes: Sequence[Box]) -> list[list[int]]:
    """Order loose items, numbered from 0, and panels, numbered after them."""
    together = dataclasses.replace(
        items,
        boxes=np.concatenate((items.boxes[loose], np.array(boxes, np.float64).reshape(len(boxes), 4))),
        characters=np.concatenate((items.characters[loose], np.zeros(len(boxes), np.int64))),
        is_solid=np.concatenate((items.is_solid[loose], np.ones(len(boxes), np.bool_))),
        is_listed=np.concatenate((items.is_listed[loose], np.zeros(len(boxes), np.bool_))),
    )
    if len(loose) or not _is_checkered(boxes):
        return columns(together)
    return row_groups(together.boxes, np.arange(len(boxes)))


def _is_checkered(boxes: Sequence[Box]) -> bool:
    """Return whether panels stand in several rows of as many each: they are read row by row."""
    places = np.array(boxes, np.float64).reshape(len(boxes), 4)
    groups = row_groups(places, np.arange(len(boxes)))
    return len(groups) > 1 and len(groups[0]) > 1 and len({len(group) for group in groups}) == 1


def _as_one(items: Items, rows: Rows, panels: list[tuple[Box, Rows]]) -> list[tuple[Box, Rows]]:
    """Return the panels as one around them all, unless other items stand between them."""
    box = hull(np.array([box for box, _ in panels]))
    held = np.sort(np.concatenate([held for _, held in panels]))
    x, y = items.boxes[rows, ::2].mean(axis=1), items.boxes[rows, 1::2].mean(axis=1)
    within = rows[(x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3])]
    return [(box, held)] if len(held) < len(rows) and np.array_equal(np.sort(within), held) else panels


def _outermost(panels: Sequence[tuple[Box, Rows]]) -> list[tuple[Box, Rows]]:
    chosen: list[tuple[Box, Rows]] = []
    for box, held in sorted(panels, key=lambda panel: -len(panel[1])):
        if not any(np.isin(held, other).any() for _, other in chosen):
            chosen.append((box, held))
    return chosen


def _panels(items: Items, graphics: Sequence[Graphic], page_area: float) -> list[tuple[Box, Rows]]:
    """Return boxes that hold at least two rows of text and that no item sticks out of, with the items in them."""
    boxes = _painted(graphics, items.em, _Panel.LARGEST * page_area)
    found = [(box, held) for box in boxes if (held := _held(items, box)) is not None]
    return [panel for panel in found if not _is_cell(panel[0], [box for box, _ in found])]


def _painted(graphics: Sequence[Graphic], em: float, largest: float) -> list[Box]:
    """Return the boxes of paint and frames; a bar and the area under it are one, a taller stack is a table."""
    boxes = [
        item.box
        for item in graphics
        if item.kind in ("fill", "stroke") and not (item.kind == "fill" and is_white(item.color))
    ]
    joined: list[tuple[Box, int]] = []
    for box in sorted(boxes, key=lambda box: (round(box[0]), round(box[2]), box[1]))[: _Panel.MOST]:
        last, pieces = joined[-1] if joined else (None, 0)
        if (
            last
            and abs(last[0] - box[0]) < _Panel.SAME
            and abs(last[2] - box[2]) < _Panel.SAME
            and box[1] - last[3] < _Panel.TOUCHING
        ):
            joined[-1] = (
                (last[0], last[1], last[2], max(last[3], box[3])),
                pieces + (box[3] > last[3] + _Panel.TOUCHING),
            )
        else:
            joined.append((box, 1))
    return [
        box
        for box, pieces in joined
        if pieces <= _Panel.MOST_PIECES
        and box[2] - box[0] > _Panel.LEAST_WIDTH * em
        and box[3] - box[1] > _Panel.LEAST_HEIGHT * em
        and area(box) < largest
    ]


def _held(items: Items, box: Box) -> Rows | None:
    """Return the items in a box, None when it is no panel.

    A panel holds rows of text, not all there is, none sticks out of it, and it keeps apart from the text over and under
    it, as a painted row of a table does not.
    """
    x0, y0, x1, y1 = items.boxes.T
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    within = (middle_x > box[0]) & (middle_x < box[2]) & (middle_y > box[1]) & (middle_y < box[3])
    reach = _Panel.INSET * items.em
    sticks_out = within & ((x0 < box[0] - reach) | (x1 > box[2] + reach))
    runs_in = ~within & (x1 > box[0] + reach) & (x0 < box[2] - reach) & (middle_y > box[1]) & (middle_y < box[3])
    held = np.flatnonzero(within)
    if len(held) < 2 or within.all() or sticks_out.any() or runs_in.any():
        return None
    stands_over = ~within & (x1 > box[0]) & (x0 < box[2])
    above, below = y1[stands_over & (middle_y < box[1])], y0[stands_over & (middle_y > box[3])]
    room = min(y0[held].min() - above.max(initial=-np.inf), below.min(initial=np.inf) - y1[held].max())
    return held if room > _Panel.LEAST_ROOM * items.em and _is_text(items, held) else None


def _is_text(items: Items, held: Rows) -> bool:
    """Return whether rows are no painted rows of a table: several, most of them of one piece or of long ones."""
    if float(items.characters[held].mean()) < _Panel.LABEL and not items.is_solid[held].any():
        return False
    groups = row_groups(items.boxes, held)
    parted = [group for group in groups if len(group) > 1 and float(items.characters[group].mean()) < _Panel.WORDY]
    return len(groups) > 1 and len(parted) < _Panel.MOSTLY * len(groups)


def _is_cell(box: Box, boxes: Sequence[Box]) -> bool:
    """Return whether it is one of several boxes that stand side by side without a gap, as the cells of a table do."""
    return any(_touch(box, other) for other in boxes)


def _touch(a: Box, b: Box) -> bool:
    is_beside = min(abs(a[2] - b[0]), abs(b[2] - a[0])) < _Panel.TOUCHING
    return is_beside and min(a[3], b[3]) - max(a[1], b[1]) > _Panel.LEVEL * min(a[3] - a[1], b[3] - b[1])
