"""Reading order: boxes on a page to columns read one after the other.

A region is cut at the gutter whose two sides run longest beside each other. Items that lie across the gutter
(headings over columns, full-width figures) part the region into strips; each strip is read left side first. A side by
side of short, aligned pieces is a table and is not cut. What has no gutter is one column, read row by row.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.structuring.lines import Boxes, Flags, Numbers

Rows = npt.NDArray[np.int64]


class _Cut:
    """Thresholds of the cut at gutters, chosen by hand; lengths are in ems unless they say otherwise."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    ACROSS = 0.12  # share of an item's width that lies on both sides of a gutter where the item lies across it
    GUTTER = 0.6  # narrowest white band between columns
    BESIDE = 1.7  # least height over which two columns run beside each other
    MOST_ACROSS = 0.65  # share of a region's height that may lie across a gutter
    WORDY = 17.0  # mean characters of a line from which lines are running text
    ALIGNED = 0.6  # share of the lines of one side with a counterpart on the other from which both are a table
    CANDIDATES = 4  # gutters, and white bands, that are tried
    MOST = 0.9  # share of the left lines that end before the right ones start
    HEADING_GAP = 2.2  # white space between a heading and a wide line under it
    DEEPEST = 12  # cuts within cuts
    BAND = 1.6  # white band across both columns at which the page may start anew
    FAR_BAND = 4.0  # white band under which little text is no longer in the columns
    LITTLE = 0.35  # what counts as little, by the height of what stands above
    LEVEL = 0.6  # difference of height at which two columns start level
    LARGER = 1.12  # type size of a heading, by that of the text
    TALL = 4.0  # least height of columns that start anew beside each other
    MOST_HEADINGS = 2  # headings at the head of a column
    POKE = 0.8  # how far a line runs into the gutter
    PARTING = 0.8  # white band at which a region may be parted before it is cut
    LONGER = 1.15  # times by which columns run longer where a region is parted
    FEWEST_PARTED = 12  # items of a region that may be parted
    LISTED = 0.3  # share of list items from which a side is a list and no column of cells
    MARKER = 4  # characters of the longest list number
    SAME_LINE = 0.35  # difference of height between a list number and its item


@dataclass(frozen=True, slots=True)
class Items:
    """What is to be put in order: lines, and whole regions that stay together (`is_solid`)."""

    boxes: Boxes
    characters: npt.NDArray[np.int64]
    is_solid: Flags
    is_listed: Flags
    """(n,) lines that start with a bullet or a list number."""
    em: float
    """Type size of most lines in points, the measure of gaps."""

    @property
    def middle(self) -> Numbers:
        """(n,) heights of the items' centres."""
        return (self.boxes[:, 1] + self.boxes[:, 3]) / 2


@dataclass(frozen=True, slots=True)
class _Strip:
    """Part of a region: what is left and right of the gutter, `across` when it is not to be parted."""

    left: Rows
    right: Rows
    gain: float = 0.0


def columns(items: Items) -> list[list[int]]:
    """Return the columns of a page in reading order, each as its items in reading order; every item once."""
    found: list[list[int]] = []
    if len(items.boxes):
        _cut(items, np.arange(len(items.boxes)), found, _Cut.DEEPEST)
    return found


def _cut(items: Items, rows: Rows, found: list[list[int]], depth: int) -> None:
    strips = _best_cut(items, rows) if len(rows) > 1 and depth else None
    parts = _parted(items, rows, _gain(strips)) if depth else None
    if parts:
        for part in parts:
            _cut(items, part, found, depth - 1)
        return
    if strips is None:
        found.append([row for line in row_groups(items.boxes, rows) for row in line])
        return
    waiting: list[Rows] = []
    for strip in strips:
        if strip.gain > 0:
            _flush(items, waiting, found, depth)
            _cut(items, strip.left, found, depth - 1)
            _cut(items, strip.right, found, depth - 1)
        else:
            waiting.append(strip.left)
    _flush(items, waiting, found, depth)


def _gain(strips: Sequence[_Strip] | None) -> float:
    return sum(strip.gain for strip in strips) if strips else 0.0


def _may_have_columns(items: Items, rows: Rows) -> bool:
    """Return whether some lines of running text must stand beside others: a quick look before the costly one."""
    boxes = items.boxes[rows]
    heights = float((boxes[:, 3] - boxes[:, 1]).sum())
    extent = float(boxes[:, 3].max() - boxes[:, 1].min())
    return heights > extent and float(items.characters[rows].mean()) >= 0.5 * _Cut.WORDY


def _prose_gain(items: Items, strips: Sequence[_Strip] | None) -> float:
    """Return the gain of those strips whose columns are running text."""
    sides = [(strip, (items.characters[strip.left], items.characters[strip.right])) for strip in strips or ()]
    return sum(
        strip.gain for strip, pair in sides if strip.gain and min(float(side.mean()) for side in pair) >= _Cut.WORDY
    )


def _parted(items: Items, rows: Rows, gain: float) -> tuple[Rows, Rows] | None:
    """Part a region at the white band above and under which columns run longer than one gutter for both lets them."""
    if len(rows) < _Cut.FEWEST_PARTED:
        return None
    ordered = rows[np.argsort(items.boxes[rows, 1], kind="stable")]
    boxes = items.boxes[ordered]
    gaps = boxes[1:, 1] - np.maximum.accumulate(boxes[:, 3])[:-1]
    places = [
        at for at in np.argsort(-gaps, kind="stable")[: _Cut.CANDIDATES].tolist() if gaps[at] > _Cut.PARTING * items.em
    ]
    best, best_gain = None, _Cut.LONGER * gain + items.em
    for at in places:
        above, below = ordered[: at + 1], ordered[at + 1 :]
        if not (_may_have_columns(items, above) and _may_have_columns(items, below)):
            continue
        gains = [_prose_gain(items, _best_cut(items, part)) for part in (above, below)]
        if min(gains) > 0 and sum(gains) > best_gain:
            best, best_gain = (above, below), sum(gains)
    return best


def _flush(items: Items, waiting: list[Rows], found: list[list[int]], depth: int) -> None:
    rows = np.concatenate(waiting) if waiting else np.zeros(0, np.int64)
    waiting.clear()
    if len(rows):
        _cut(items, rows, found, depth - 1)


def row_groups(boxes: Boxes, rows: Sequence[int] | Rows) -> list[list[int]]:
    """Group items into rows: top to bottom, each left to right. A row is what shares the height of its first item."""
    if len(rows) == 1:
        return [[int(rows[0])]]
    chosen = boxes[list(rows)].tolist()
    order = sorted([(y0 + y1, x0, at, y1 - y0) for at, (x0, y0, _, y1) in enumerate(chosen)])
    groups: list[list[tuple[float, int, int]]] = []
    bottom = -math.inf
    for place, (twice, x0, at, height) in enumerate(order):
        # Down to `reach`, another item's middle counts as beside this one.
        middle, reach = twice / 2, twice / 2 + 0.35 * height
        if middle < bottom:
            groups[-1].append((x0, place, at))
            bottom = min(bottom, reach)
        else:
            groups.append([(x0, place, at)])
            bottom = reach
    return [[int(rows[at]) for _, _, at in (sorted(group) if len(group) > 1 else group)] for group in groups]


def _best_cut(items: Items, rows: Rows) -> list[_Strip] | None:
    boxes = items.boxes[rows]
    gutters = _candidates(boxes, items.em)
    if not len(gutters):
        return None
    width = np.maximum(boxes[:, 2] - boxes[:, 0], 0.1)
    reach = np.minimum(_Cut.ACROSS * width, 3 * items.em)
    across = (boxes[None, :, 0] + reach < gutters[:, None]) & (boxes[None, :, 2] - reach > gutters[:, None])
    height = boxes[:, 3] - boxes[:, 1]
    share = (across * height).sum(axis=1) / max(float(height.sum()), 0.1)
    is_left = ((boxes[:, 0] + boxes[:, 2]) / 2)[None, :] < gutters[:, None]
    sides = np.minimum((height * (is_left & ~across)).sum(axis=1), (height * (~is_left & ~across)).sum(axis=1))
    promising = np.argsort(-sides, kind="stable")[: _Cut.CANDIDATES]
    best: list[_Strip] | None = None
    best_gain = 0.0
    for at in promising.tolist():
        if share[at] > _Cut.MOST_ACROSS or sides[at] <= 0:
            continue
        walls = _with_short_lines(items, rows, across[at], is_left[at])
        strips = _strips(items, rows, walls, is_left[at], float(gutters[at]))
        gain = sum(strip.gain for strip in strips)
        if gain > best_gain * 1.02:
            best, best_gain = strips, gain
    return best


def _candidates(boxes: Boxes, em: float) -> Numbers:
    """Return x positions just left of where several items start, and those in the middle of empty bands."""
    starts = np.sort(boxes[:, 0])
    edges = starts[np.concatenate(([True], np.diff(starts) > 2.0))]
    counts = np.diff(np.append(np.searchsorted(starts, edges), len(starts)))
    order = np.argsort(boxes[:, 0], kind="stable")
    right = np.maximum.accumulate(boxes[order, 2])
    gap = boxes[order[1:], 0] - right[:-1]
    wide = np.flatnonzero(gap > _Cut.GUTTER * em)
    return np.union1d(edges[(counts >= 2) & (edges > starts[0] + em)] - 1.0, boxes[order[wide + 1], 0] - 1.0)


def _with_short_lines(items: Items, rows: Rows, across: Flags, is_left: Flags) -> Flags:
    """Add to the items across the gutter the short lines that go with them: a paragraph's last, a heading over it.

    Such a line starts where the wide one does, right under or over it, and has nothing beside it.
    """
    boxes = items.boxes[rows]
    added = across.copy()
    free = is_left & ~across
    if not free.any():
        return added
    starts = boxes[:, 0]
    for at in np.flatnonzero(across & ~items.is_solid[rows]).tolist():
        x0, top, _, bottom = boxes[at].tolist()
        aligned = free & (np.abs(starts - x0) < 2.0)
        if not aligned.any():
            continue
        under = aligned & (boxes[:, 1] > bottom - 0.3 * items.em) & (boxes[:, 1] < bottom + 0.5 * items.em)
        over = aligned & (boxes[:, 3] < top + 0.3 * items.em) & (boxes[:, 3] > top - _Cut.HEADING_GAP * items.em)
        for near in (under, over):
            if near.any():
                row = int(np.argmax(near))
                y0, y1 = boxes[row, 1], boxes[row, 3]
                beside = ~is_left & ~across & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
                # What stands closer to the text above it than to the wide line goes on from that text.
                closer = free & (boxes[:, 3] <= y0 + 0.3 * items.em) & (boxes[:, 3] > y0 - (top - y1))
                added[row] |= not (beside | closer).any()
    return added


def _strips(items: Items, rows: Rows, across: Flags, is_left: Flags, gutter: float) -> list[_Strip]:
    """Part the region between the items across the gutter, top to bottom."""
    middle = items.middle[rows]
    walls = rows[across][np.argsort(middle[across], kind="stable")]
    loose = ~across
    slot = np.searchsorted(items.middle[walls], middle[loose], side="right")
    order = np.argsort(slot, kind="stable")
    free, left_side = rows[loose][order], is_left[loose][order]
    bounds = np.searchsorted(slot[order], np.arange(len(walls) + 2)).tolist()
    strips: list[_Strip] = []
    for number, (start, stop) in enumerate(itertools.pairwise(bounds)):
        if start < stop:
            strips.extend(
                _strip(items, part[side], part[~side])
                for part, side in _bands(items, free[start:stop], left_side[start:stop], gutter)
            )
        if number < len(walls):
            strips.append(_Strip(walls[number : number + 1], np.zeros(0, np.int64)))
    return strips


def _bands(items: Items, rows: Rows, is_left: Flags, gutter: float) -> list[tuple[Rows, Flags]]:
    """Part a strip at the white bands across both its columns under which the page starts anew, top to bottom."""
    order = np.argsort(items.boxes[rows, 1], kind="stable")
    rows, is_left = rows[order], is_left[order]
    boxes = items.boxes[rows]
    bottoms = np.maximum.accumulate(boxes[:, 3])
    places = np.flatnonzero(boxes[1:, 1] - bottoms[:-1] > _Cut.BAND * items.em) + 1
    parts: list[tuple[Rows, Flags]] = []
    start = 0
    for at in places.tolist():
        if _starts_anew(items, (rows[start:at], rows[at:]), (is_left[start:at], is_left[at:]), gutter):
            parts.append((rows[start:at], is_left[start:at]))
            start = at
    return [*parts, (rows[start:], is_left[start:])]


def _starts_anew(items: Items, rows: tuple[Rows, Rows], is_left: tuple[Flags, Flags], gutter: float) -> bool:
    """Return whether what stands under a white band is not the same columns going on.

    Between lines of text it starts at one height in both, or with a line that runs into the gutter. Under anything, it
    is little, and far below or under pictures and panels.
    """
    above, below, em = items.boxes[rows[0]], items.boxes[rows[1]], items.em
    top = float(below[0, 1])
    tall_above, tall_below = top - float(above[0, 1]), float(below[:, 3].max()) - top
    if not is_left[1].any() or is_left[1].all():
        is_far = top - float(above[:, 3].max()) > _Cut.FAR_BAND * em or _ends_solid(items, rows[0], is_left[0])
        if is_far and tall_below < _Cut.LITTLE * tall_above:
            return True
    if not _is_prose(items, rows[0], is_left[0]):
        return False
    first = below[below[:, 1] < top + _Cut.BESIDE * em]
    edge = float(above[is_left[0], 2].max()) + _Cut.POKE * em if is_left[0].any() else gutter
    if ((first[:, 0] < gutter) & (first[:, 2] > min(gutter, edge))).any():
        return True
    tops = [_tops(below[side], em) for side in (is_left[1], ~is_left[1])]
    is_level = any(abs(one - other) < _Cut.LEVEL * em for one in tops[0] for other in tops[1])
    return is_level and min(tall_above, tall_below) > _Cut.TALL * em and _is_prose(items, rows[1], is_left[1])


def _ends_solid(items: Items, rows: Rows, is_left: Flags) -> bool:
    """Return whether both columns end with a picture or panel."""
    sides = [side for side in (rows[is_left], rows[~is_left]) if len(side)]
    return len(sides) == 2 and all(items.is_solid[side[np.argmax(items.boxes[side, 3])]] for side in sides)


def _tops(boxes: Boxes, em: float) -> list[float]:
    """Return where a column starts: the top of its first line and, after larger ones (headings), of the next."""
    tops: list[float] = []
    for at in range(min(len(boxes), _Cut.MOST_HEADINGS + 1)):
        tops.append(float(boxes[at, 1]))
        height = float(boxes[at, 3] - boxes[at, 1])
        following = float(boxes[at + 1, 3] - boxes[at + 1, 1]) if at + 1 < len(boxes) else em
        if height <= _Cut.LARGER * min(following, em):
            break
    return tops


def _is_prose(items: Items, rows: Rows, is_left: Flags) -> bool:
    """Return whether the lines on both sides of a gutter are as long as those of running text (or there are none)."""
    sides = (items.characters[rows[is_left]], items.characters[rows[~is_left]])
    return all(not len(side) or float(side.mean()) >= _Cut.WORDY for side in sides)


def _strip(items: Items, left: Rows, right: Rows) -> _Strip:
    together = _Strip(np.concatenate((left, right)), np.zeros(0, np.int64))
    if not (len(left) and len(right)):
        return together
    a, b = items.boxes[left], items.boxes[right]
    beside = min(float(a[:, 3].max()), float(b[:, 3].max())) - max(float(a[:, 1].min()), float(b[:, 1].min()))
    if beside < _Cut.BESIDE * items.em or not (_is_tall(items, a) and _is_tall(items, b)):
        return together
    edge = np.sort(a[:, 2])[int(_Cut.MOST * (len(a) - 1))]
    if float(b[:, 0].min() - edge) < 0.3 * items.em or _is_tabular(items, left, right):
        return together
    return _Strip(left, right, beside)


def _is_tall(items: Items, boxes: Boxes) -> bool:
    return float(boxes[:, 3].max() - boxes[:, 1].min()) >= _Cut.BESIDE * items.em


def _is_tabular(items: Items, left: Rows, right: Rows) -> bool:
    """Return whether short pieces stand in rows (a table), unlike text that runs down two columns."""
    if items.is_solid[left].any() or items.is_solid[right].any():
        return False
    if _are_markers(items, left, right):
        return True
    if min(float(items.is_listed[side].mean()) for side in (left, right)) >= _Cut.LISTED:
        return False
    wordy = [float(items.characters[side].mean()) >= _Cut.WORDY for side in (left, right)]
    if all(wordy):
        return False
    # Each line of a wordy side should have its counterpart; of two sides of short pieces, each of the fewer.
    asked, other = (left, right) if wordy[0] or (len(left) <= len(right) and not wordy[1]) else (right, left)
    return float((_distances(items, asked, other) < 0.3 * items.em).mean()) >= _Cut.ALIGNED


def _are_markers(items: Items, left: Rows, right: Rows) -> bool:
    """Return whether these are list numbers far left of their items: short, level with a line, and apart."""
    if int(items.characters[left].max()) > _Cut.MARKER:
        return False
    return bool((_distances(items, left, right) < _Cut.SAME_LINE * items.em).all())


def _distances(items: Items, asked: Rows, other: Rows) -> Numbers:
    """Return how far the middle of each item is from the nearest of others."""
    a, b = items.middle[asked], np.sort(items.middle[other])
    at = np.searchsorted(b, a)
    before, after = b[np.maximum(at - 1, 0)], b[np.minimum(at, len(b) - 1)]
    return np.minimum(np.abs(a - before), np.abs(a - after))
