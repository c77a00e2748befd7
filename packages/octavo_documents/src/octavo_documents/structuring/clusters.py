"""Graphics that belong together, and what their shapes say: drawings, painted rows, stacks of rules."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring.lines import box_around


class _Shape:
    """Sizes that tell drawings from rules and rows, in points unless it says otherwise; chosen by hand."""

    # A tenth lower costs .02 of the mean over 75 generated documents, a tenth higher none (`benchmarks/ablation.py`).
    TOUCHING = 4.0  # gap at which graphics belong together
    LEAST_DRAWING = (50.0, 36.0)  # width and height of a drawing
    FEWEST_SHAPES = 4  # shapes of a drawing without a curve
    LEAST_CURVE = 20.0  # shorter side of a curve
    WHITE = 0xF8  # least value (0..255) of each colour channel of white paint
    STACK = 4.0  # difference between the ends of rules that are one stack
    ROW = 4.0  # ems of the highest painted row of a table
    FEWEST_BARS = 3  # different lengths of the bars of a chart
    BAR_GAP = 2.5  # gap between two bars, by their breadth
    ABUTTING = 2.0  # gap between the pieces of one rule, between the parts of one picture: less than any column gap
    FEWEST_PARTS = 3  # parts of a picture that was cut: two pictures may stand side by side
    WHOLE = 0.95  # share of the area around them that the parts of one picture fill; they are cut without waste


THIN = 2.5
"""Points of height or width up to which what is drawn is a rule and no area."""


@dataclass(slots=True)
class Cluster:
    """Graphics that touch, and the box around them in points."""

    box: list[float]
    members: list[Graphic]


def is_drawing(cluster: Cluster) -> bool:
    """Return whether it is a cluster of enough shapes, or of a curve and its axes, large enough to show something."""
    box, members = cluster.box, cluster.members
    if box[2] - box[0] < _Shape.LEAST_DRAWING[0] or box[3] - box[1] < _Shape.LEAST_DRAWING[1]:
        return False
    shapes = [item for item in members if item.kind != "line" and min(sides(item.box)) > 2.0]
    curves = [item for item in shapes if item.kind == "stroke" and min(sides(item.box)) > _Shape.LEAST_CURVE]
    return len(shapes) >= _Shape.FEWEST_SHAPES or bool(curves and len(members) >= 2 * _Shape.FEWEST_SHAPES)


def is_striped(cluster: Cluster, body: float) -> bool:
    """Return whether fills are painted rows of a table: as high as a row, of few different widths and places."""
    fills = [item.box for item in cluster.members if item.kind == "fill" and height(item.box) > THIN]
    if len(fills) < _Shape.FEWEST_SHAPES or any(item.kind == "stroke" for item in cluster.members):
        return False
    ranges = {(round(box[0] / 3), round(box[2] / 3)) for box in fills}
    rows = [box for box in fills if height(box) < _Shape.ROW * body]
    return len(ranges) <= 0.5 * len(fills) and len(rows) >= 0.8 * len(fills)


def clusters_of(graphics: Sequence[Graphic]) -> list[Cluster]:
    """Group graphics that touch; those drawn one after the other are tried first."""
    clusters: list[Cluster] = []
    for item in graphics:
        if clusters and _near(clusters[-1].box, item.box):
            _grow(clusters[-1], item.box, [item])
        else:
            clusters.append(Cluster(list(item.box), [item]))
    return merged(clusters)


def with_bars(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Merge the bars of a chart, which have gaps: of one width from one line, or of one height from one edge."""
    groups: dict[tuple[str, int, int], list[Cluster]] = {}
    for cluster in clusters:
        x0, y0, x1, y1 = cluster.box
        if cluster.members[0].kind == "fill" and min(x1 - x0, y1 - y0) > THIN:
            groups.setdefault(("standing", round(y1), round(x1 - x0)), []).append(cluster)
            groups.setdefault(("lying", round(x0), round(y1 - y0)), []).append(cluster)
    joined: dict[int, Cluster] = {}
    for (way, _, breadth), group in groups.items():
        at = 0 if way == "standing" else 1
        lengths = {round(cluster.box[3 - at] - cluster.box[1 - at]) for cluster in group}
        if len(lengths) < _Shape.FEWEST_BARS or any(id(cluster) in joined for cluster in group):
            continue
        group.sort(key=lambda cluster: cluster.box[at])
        if all(b.box[at] - a.box[at + 2] < _Shape.BAR_GAP * breadth for a, b in itertools.pairwise(group)):
            whole = Cluster(hull_of([item.box for item in group]), [item for part in group for item in part.members])
            joined.update((id(cluster), whole) for cluster in group)
    return list({id(whole): whole for item in clusters for whole in [joined.get(id(item), item)]}.values())


def is_rule(cluster: Cluster) -> bool:
    """Return whether it is a lone rule, which parts text and draws nothing."""
    return len(cluster.members) < 3 and min(sides(cluster.box)) < THIN


def merged(clusters: Sequence[Cluster], apart: float = _Shape.TOUCHING) -> list[Cluster]:
    """Merge clusters whose boxes are at most `apart` points from each other until none are."""
    waiting = sorted(clusters, key=lambda cluster: (cluster.box[1], cluster.box[0]))
    while True:
        kept: list[Cluster] = []
        for cluster in waiting:
            place = _touching(kept, cluster.box, apart)
            if place is None:
                kept.append(cluster)
            else:
                _grow(place, cluster.box, cluster.members)
        if len(kept) == len(waiting):
            return kept
        waiting = kept


def _touching(clusters: Sequence[Cluster], box: Sequence[float], apart: float) -> Cluster | None:
    x0, y0, x1, y1 = box[0] - apart, box[1] - apart, box[2], box[3]
    for cluster in reversed(clusters):
        near = cluster.box
        if near[1] - apart < y1 and y0 < near[3] and near[0] - apart < x1 and x0 < near[2]:
            return cluster
    return None


def _near(a: Sequence[float], b: Sequence[float], apart: float = _Shape.TOUCHING) -> bool:
    return a[0] - apart < b[2] and b[0] - apart < a[2] and a[1] - apart < b[3] and b[1] - apart < a[3]


def _grow(cluster: Cluster, box: Sequence[float], members: list[Graphic]) -> None:
    x0, y0, x1, y1 = cluster.box
    cluster.box = [min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3])]
    cluster.members.extend(members)


def hull_of(boxes: Sequence[Sequence[float]]) -> list[float]:
    """Return the box around some boxes, at least one."""
    return list(box_around(*boxes))


def rule_heights(members: Sequence[Graphic], box: Sequence[float]) -> list[float]:
    """Return the heights at which rules or cell edges run across most of a table."""
    spans: dict[int, float] = {}
    for item in members:
        x0, y0, x1, y1 = item.box
        for y in (y0, y1) if y1 - y0 > THIN else ((y0 + y1) / 2,):
            key = round(y / 2)
            spans[key] = spans.get(key, 0.0) + (x1 - x0)
    wide = sorted(key for key, length in spans.items() if length > 0.7 * (box[2] - box[0]))
    return [2.0 * key for at, key in enumerate(wide) if at == 0 or key - wide[at - 1] > 2]


def whole_rules(rules: Sequence[Graphic]) -> list[Graphic]:
    """Return flat rules with those drawn in pieces, cell by cell, joined where they run on at one height."""
    found: list[Graphic] = []
    for item in sorted(rules, key=lambda rule: (round(rule.box[1]), rule.box[0])):
        x0, y0, x1, y1 = item.box
        last = found[-1].box if found else (0.0, -_Shape.STACK, 0.0, -_Shape.STACK)
        if abs(last[1] - y0) < _Shape.ABUTTING / 2 and x0 - last[2] < _Shape.ABUTTING:
            box = (last[0], min(last[1], y0), max(last[2], x1), max(last[3], y1))
            found[-1] = replace(found[-1], box=box)
        else:
            found.append(item)
    return found


def whole_pictures(graphics: Sequence[Graphic]) -> list[Graphic]:
    """Return graphics with the strips and tiles of one picture as one: they touch and fill the box around them."""
    images = [item for item in graphics if item.kind == "image"]
    if len(images) < _Shape.FEWEST_PARTS:
        return list(graphics)
    joined: dict[int, Graphic] = {}
    for cluster in merged([Cluster(list(item.box), [item]) for item in images], _Shape.ABUTTING):
        filled = sum(area(item.box) for item in cluster.members)
        if len(cluster.members) >= _Shape.FEWEST_PARTS and filled >= _Shape.WHOLE * area(cluster.box):
            whole = replace(max(cluster.members, key=lambda item: area(item.box)), box=box_around(cluster.box))
            joined.update((id(item), whole) for item in cluster.members)
    return list({id(whole): whole for item in graphics for whole in [joined.get(id(item), item)]}.values())


def stacks(rules: Sequence[Graphic]) -> list[list[Box]]:
    """Group horizontal rules that start and end at the same x, each group top to bottom."""
    groups: list[list[Box]] = []
    for item in rules:
        x0, _, x1, _ = box = item.box
        if x1 - x0 < 60 or height(box) > THIN:
            continue
        for group in groups:
            if abs(group[0][0] - x0) < _Shape.STACK and abs(group[0][2] - x1) < _Shape.STACK:
                group.append(box)
                break
        else:
            groups.append([box])
    return [sorted(group, key=lambda box: box[1]) for group in groups if len(group) > 1]


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the area that two boxes share, in square points."""
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)


def sides(box: Sequence[float]) -> tuple[float, float]:
    """Return width and height."""
    return box[2] - box[0], box[3] - box[1]


def is_white(color: int) -> bool:
    """Return whether paint is white or nearly white (0xRRGGBB)."""
    return min(color >> 16 & 255, color >> 8 & 255, color & 255) >= _Shape.WHITE


def is_upright(box: Sequence[float]) -> bool:
    """Return whether it is a thin vertical rule, or a cell: what parts columns."""
    width, height = sides(box)
    return height > 8 and (width < THIN or width < 12 * height)


def height(box: Sequence[float]) -> float:
    """Return the height of a box."""
    return box[3] - box[1]


def area(box: Sequence[float]) -> float:
    """Return the area of a box in square points."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
