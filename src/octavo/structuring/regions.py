"""Regions of a page told by its graphics: ruled tables, charts and pictures, with the lines inside them.

Owns which graphics belong together and what they make. Knows nothing about reading order or captions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from octavo.document import Kind
from octavo.parsing.content import Box, Graphic, PageContent
from octavo.structuring import markers
from octavo.structuring.lines import Boxes, PageLines
from octavo.structuring.order import row_groups
from octavo.structuring.tables import is_tabular, wrapped_rows

_BACKGROUND = 0.6
_TOUCHING = 4.0
_APART = 9.0
_SMALL = 0.93
_SMALLER = 0.8
_LEAST_PICTURE = 0.008
_LEAST_DRAWING = (50.0, 36.0)
_FEWEST_SHAPES = 4
_LEAST_CURVE = 20.0
_PROSE = 44
_PANEL = 0.03
_WHITE = 0xF8
_LABEL = 34
_MARGIN = 9.0
_STACK = 4.0
_THIN = 2.5
_ROW = 4.0
_MOST_TRIES = 4
_RULED_ROWS = 0.3
_MOST_GRAPHICS = 1500
_DIGITS = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$")


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that stays together. `rules` are the heights of the rules across a table, top to bottom."""

    kind: Kind
    box: Box
    lines: tuple[int, ...]
    rules: tuple[float, ...] = ()


@dataclass(slots=True)
class _Cluster:
    box: list[float]
    members: list[Graphic]


def regions(content: PageContent, page: PageLines, free: Sequence[int], body: float) -> list[Region]:
    """Return the ruled tables, charts and pictures of a page; `free` are the upright lines that may lie in them."""
    if not content.graphics:
        return []
    area = max(content.width * content.height, 1.0)
    finder = _Finder(page, list(free), body, area)
    shown = [item for item in content.graphics[:_MOST_GRAPHICS] if not finder.is_background(item)]
    drawn = [item for item in shown if item.kind != "image"]
    clusters = _clusters(drawn)
    found = [region for cluster in clusters if (region := finder.ruled_table(cluster))]
    found.extend(finder.stacked_tables([item for item in drawn if item.kind == "line" or _height(item.box) < _THIN]))
    loose = [cluster for cluster in clusters if not _is_rule(cluster)]
    if not content.is_scanned:
        loose.extend(_Cluster(list(item.box), [item]) for item in shown if item.kind == "image")
    if loose:
        found.extend(finder.drawings(_merged([*loose, *finder.labels()], _APART), found))
    return found


class _Finder:
    """What has been taken on one page; lines go to the first region that holds them."""

    def __init__(self, page: PageLines, free: list[int], body: float, area: float) -> None:
        self._page, self._free, self._body, self._area = page, free, body, area
        self._small = {row for row in free if self._is_small(row)}

    def is_background(self, item: Graphic) -> bool:
        """Tell what lies behind the page or its text: white or page-wide paint, panels under running text."""
        area = _area(item.box)
        if area >= _BACKGROUND * self._area or (item.kind == "fill" and _is_white(item.color)):
            return True
        if item.kind not in ("fill", "stroke") or area < _PANEL * self._area:
            return False
        return self._prose_share(self._inside(item.box)) > 0.4

    def _prose_share(self, lines: Sequence[int]) -> float:
        """Return the share (0..1) of characters in lines as long as those of running text."""
        lengths = [0 if self._is_label(row) else len(self._page.texts[row]) for row in lines]
        return sum(length for length in lengths if length >= _PROSE) / max(sum(lengths), 1)

    def _inside(self, box: Sequence[float], margin: float = 0.0) -> list[int]:
        if not self._free:
            return []
        places = self._page.boxes[self._free]
        x, y = (places[:, 0] + places[:, 2]) / 2, (places[:, 1] + places[:, 3]) / 2
        held = (x > box[0] - margin) & (x < box[2] + margin) & (y > box[1] - margin) & (y < box[3] + margin)
        return [self._free[at] for at in np.flatnonzero(held).tolist()]

    def _take(self, kind: Kind, box: Sequence[float], lines: list[int], rules: Sequence[float] = ()) -> Region:
        taken = set(lines)
        self._free = [row for row in self._free if row not in taken]
        boxes = [list(box), *self._page.boxes[lines].tolist()]
        x0, y0, x1, y1 = _hull(boxes)
        return Region(kind, (x0, y0, x1, y1), tuple(lines), tuple(rules))

    def ruled_table(self, cluster: _Cluster) -> Region | None:
        """Take a cluster of touching rules and cells that holds rows of text pieces."""
        box = cluster.box
        if len(cluster.members) < 3 or box[2] - box[0] < 60 or box[3] - box[1] < 2 * self._body:
            return None
        bent = sum(1 for item in cluster.members if item.kind == "stroke" and min(_sides(item.box)) > _THIN)
        if bent > 0.3 * len(cluster.members):
            return None
        lines = self._inside(box)
        is_open = sum(1 for item in cluster.members if _is_upright(item.box)) < 2
        if len(lines) < 4 or (is_open and self._prose_share(lines) > 0.5) or not is_tabular(self._page, lines):
            return None
        rules = _heights(cluster.members, box)
        return self._take(Kind.TABLE, box, lines, rules) if len(rules) > 2 else None

    def stacked_tables(self, rules: Sequence[Graphic]) -> list[Region]:
        """Take the text between the first and last of several rules of one width, if it is a table."""
        found: list[Region] = []
        for stack in _stacks(rules):
            region = self._between(stack)
            if region:
                found.append(region)
        return found

    def _between(self, stack: list[Box]) -> Region | None:
        """Take the longest tabular stretch between rules that starts at the first it can."""
        for first in range(min(len(stack) - 1, _MOST_TRIES)):
            for last in range(len(stack) - 1, max(first, len(stack) - 1 - _MOST_TRIES), -1):
                box = _hull([list(rule) for rule in stack[first : last + 1]])
                lines = self._inside(box)
                if len(lines) >= 4 and self._prose_share(lines) < 0.5 and is_tabular(self._page, lines):
                    return self._take(Kind.TABLE, box, lines, [rule[1] for rule in stack[first : last + 1]])
        return None

    def drawings(self, clusters: Sequence[_Cluster], tables: Sequence[Region]) -> list[Region]:
        """Take pictures and clusters of shapes with the labels in and around them."""
        found: list[Region] = []
        for cluster in clusters:
            if any(_overlap(cluster.box, table.box) > 0.5 * _area(cluster.box) for table in tables):
                continue
            has_picture = any(item.kind == "image" for item in cluster.members)
            if has_picture and _area(cluster.box) < _LEAST_PICTURE * self._area:
                continue
            if not has_picture and not _is_drawing(cluster):
                continue
            if not has_picture and _is_striped(cluster, self._body):
                striped = self._inside(cluster.box)
                if is_tabular(self._page, striped):
                    found.append(self._take(Kind.TABLE, cluster.box, striped))
                continue
            lines = self._labels(cluster.box)
            if lines is None:
                continue
            found.append(self._take(self._kind(lines, has_picture=has_picture), cluster.box, lines))
        return found

    def labels(self) -> list[_Cluster]:
        """Return the short, small lines that may label a drawing; they hold its parts together."""
        page = self._page
        return [_Cluster(page.boxes[row].tolist(), []) for row in self._free if self._is_label(row)]

    def _is_label(self, row: int) -> bool:
        return row in self._small

    def _is_small(self, row: int) -> bool:
        text, size = self._page.texts[row], self._page.looks[row].size
        length = _LABEL if size > _SMALLER * self._body else 2 * _LABEL
        return size < _SMALL * self._body and len(text) <= length and not markers.caption(text)

    def _labels(self, box: Sequence[float]) -> list[int] | None:
        """Return the lines that label a drawing, None when what lies on it is running text."""
        page = self._page
        within = self._inside(box)
        if self._prose_share(within) > 0.4:
            return None
        if any(page.looks[row].size > 1.6 * self._body and len(page.texts[row]) > 12 for row in within):
            return None
        known = set(within)
        around = [row for row in self._inside(box, _MARGIN) if row not in known and self._is_label(row)]
        return within + around

    def _kind(self, lines: list[int], *, has_picture: bool) -> Kind:
        numbers = sum(1 for row in lines if _DIGITS.match(self._page.texts[row]))
        return Kind.CHART if not has_picture and numbers >= 4 else Kind.FIGURE


def _is_drawing(cluster: _Cluster) -> bool:
    box, members = cluster.box, cluster.members
    if box[2] - box[0] < _LEAST_DRAWING[0] or box[3] - box[1] < _LEAST_DRAWING[1]:
        return False
    shapes = [item for item in members if item.kind != "line" and min(_sides(item.box)) > 2.0]
    curves = [item for item in shapes if item.kind == "stroke" and min(_sides(item.box)) > _LEAST_CURVE]
    return len(shapes) >= _FEWEST_SHAPES or bool(curves and len(members) >= 2 * _FEWEST_SHAPES)


def _is_striped(cluster: _Cluster, body: float) -> bool:
    """Tell the painted rows of a table: fills as high as a row, of few different widths and places."""
    fills = [item.box for item in cluster.members if item.kind == "fill" and _height(item.box) > _THIN]
    if len(fills) < _FEWEST_SHAPES or any(item.kind == "stroke" for item in cluster.members):
        return False
    ranges = {(round(box[0] / 3), round(box[2] / 3)) for box in fills}
    rows = [box for box in fills if _height(box) < _ROW * body]
    return len(ranges) <= 0.5 * len(fills) and len(rows) >= 0.8 * len(fills)


def _clusters(graphics: Sequence[Graphic]) -> list[_Cluster]:
    """Group graphics that touch; those drawn one after the other are tried first."""
    clusters: list[_Cluster] = []
    for item in graphics:
        if clusters and _near(clusters[-1].box, item.box):
            _grow(clusters[-1], item.box, [item])
        else:
            clusters.append(_Cluster(list(item.box), [item]))
    return _merged(clusters)


def _is_rule(cluster: _Cluster) -> bool:
    """Tell a lone rule, which parts text and draws nothing."""
    return len(cluster.members) < 3 and min(_sides(cluster.box)) < _THIN


def _merged(clusters: Sequence[_Cluster], apart: float = _TOUCHING) -> list[_Cluster]:
    """Merge clusters whose boxes are at most `apart` points from each other until none are."""
    waiting = sorted(clusters, key=lambda cluster: (cluster.box[1], cluster.box[0]))
    while True:
        kept: list[_Cluster] = []
        for cluster in waiting:
            place = _touching(kept, cluster.box, apart)
            if place is None:
                kept.append(cluster)
            else:
                _grow(place, cluster.box, cluster.members)
        if len(kept) == len(waiting):
            return kept
        waiting = kept


def _touching(clusters: Sequence[_Cluster], box: Sequence[float], apart: float) -> _Cluster | None:
    for cluster in reversed(clusters):
        if _near(cluster.box, box, apart):
            return cluster
    return None


def _near(a: Sequence[float], b: Sequence[float], apart: float = _TOUCHING) -> bool:
    return a[0] - apart < b[2] and b[0] - apart < a[2] and a[1] - apart < b[3] and b[1] - apart < a[3]


def _grow(cluster: _Cluster, box: Sequence[float], members: list[Graphic]) -> None:
    cluster.box = _hull([cluster.box, list(box)])
    cluster.members.extend(members)


def _hull(boxes: Sequence[Sequence[float]]) -> list[float]:
    return [
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    ]


def _heights(members: Sequence[Graphic], box: Sequence[float]) -> list[float]:
    """Return the heights at which rules or cell edges run across most of a table."""
    spans: dict[int, float] = {}
    for item in members:
        x0, y0, x1, y1 = item.box
        for y in (y0, y1) if y1 - y0 > _THIN else ((y0 + y1) / 2,):
            key = round(y / 2)
            spans[key] = spans.get(key, 0.0) + (x1 - x0)
    wide = sorted(key for key, length in spans.items() if length > 0.7 * (box[2] - box[0]))
    return [2.0 * key for at, key in enumerate(wide) if at == 0 or key - wide[at - 1] > 2]


def _stacks(rules: Sequence[Graphic]) -> list[list[Box]]:
    """Group horizontal rules that start and end at the same x, each group top to bottom."""
    groups: list[list[Box]] = []
    for item in rules:
        x0, _, x1, _ = box = item.box
        if x1 - x0 < 60 or _height(box) > _THIN:
            continue
        for group in groups:
            if abs(group[0][0] - x0) < _STACK and abs(group[0][2] - x1) < _STACK:
                group.append(box)
                break
        else:
            groups.append([box])
    return [sorted(group, key=lambda box: box[1]) for group in groups if len(group) > 1]


def _overlap(a: Sequence[float], b: Sequence[float]) -> float:
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)


def _sides(box: Sequence[float]) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _is_white(color: int) -> bool:
    return min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _WHITE


def _is_upright(box: Sequence[float]) -> bool:
    """Tell a thin vertical rule, or a cell: what parts columns."""
    width, height = _sides(box)
    return height > 8 and (width < _THIN or width < 12 * height)


def _height(box: Sequence[float]) -> float:
    return box[3] - box[1]


def _area(box: Sequence[float]) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def rows_between(page: PageLines, lines: Sequence[int], rules: Sequence[float]) -> list[list[list[int]]]:
    """Group the rows of a ruled table by the rules between them, by their spacing where rules do not part rows."""
    groups = row_groups(page.places, lines)
    if len(rules) < 4:
        return wrapped_rows(page, groups)
    heights = np.array(rules)
    merged: dict[int, list[list[int]]] = {}
    for group in groups:
        boxes: Boxes = page.boxes[group]
        at = int(np.searchsorted(heights, float((boxes[:, 1] + boxes[:, 3]).mean() / 2)))
        merged.setdefault(at, []).append(group)
    if len(merged) < _RULED_ROWS * len(groups):
        return wrapped_rows(page, groups)
    return [merged[at] for at in sorted(merged)]
