"""Figures and framed texts that are told by their captions: panels of one figure, small or thinly drawn ones, scans.

Owns what is taken for the object of a caption where graphics alone do not tell it. Knows nothing about kinds of
figures, reading order or blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo.parsing.content import Box, Graphic
from octavo.structuring.clusters import area, hull_of, overlap, sides
from octavo.structuring.figures.space import CaptionLines, Surroundings, is_in


class _Panel:
    """What is taken for the object of a caption, in points unless it says otherwise; chosen by hand."""

    FARTHEST = 40.0  # gap between a caption and its figure
    NEAR = 26.0  # gap at which a figure surely is the caption's
    LEAST_HEIGHT = 24.0  # height and width of the space for a figure
    LEAST_SCANNED = 36.0  # height of that space on a scan
    LEAST_SHAPE = 12.0  # longer side of a shape
    FEWEST_SHAPES = 4  # shapes of a figure
    MANY = 12  # graphics of any size that are a figure
    AROUND = 20.0  # how far labels stand out of a figure
    MOSTLY = 0.5  # share of width, or of area, that two boxes share
    FEWEST_LINES = 2  # figures of a group, rules of a frame


@dataclass(frozen=True, slots=True)
class Panel:
    """A figure of one or more parts: its box, its lines, its graphics, and which of the figures known it replaces."""

    box: Box
    lines: tuple[int, ...]
    members: tuple[Graphic, ...]
    replaced: tuple[int, ...]


def panels(
    around: Surroundings,
    graphics: Sequence[Graphic],
    figures: Sequence[Box],
    tables: Sequence[Box],
    *,
    is_scan: bool,
) -> Iterator[Panel]:
    """Yield the figures that captions speak for and that are not among `figures` as they are.

    `graphics` are those that are no background, `is_scan` says that a picture lies behind the whole page.
    """
    for caption in around.captions:
        if caption.is_table:
            continue
        over = not _is_only_under(caption.box, figures)
        for side in (over, not over):
            space = around.space(caption, over=side, solid=tables)
            if space[3] - space[1] < _Panel.LEAST_HEIGHT or space[2] - space[0] < _Panel.LEAST_HEIGHT:
                continue
            held = [at for at, box in enumerate(figures) if is_in(box, space)]
            if (
                len(held) == 1
                and _gap(caption.box, figures[held[0]]) < _Panel.NEAR
                and not _has_more(space, figures, graphics)
            ):
                break
            panel = _panel(around, space, caption.box, (held, figures), graphics, is_scan=is_scan)
            if panel:
                yield panel
                break


def _has_more(space: Box, figures: Sequence[Box], graphics: Sequence[Graphic]) -> bool:
    """Tell a space with shapes beside the figures in it that are known."""
    shapes = [item.box for item in graphics if max(sides(item.box)) >= _Panel.LEAST_SHAPE and _fits(item.box, space)]
    return sum(not any(is_in(box, figure) for figure in figures) for box in shapes) >= _Panel.FEWEST_SHAPES


def _is_only_under(caption: Box, figures: Sequence[Box]) -> bool:
    near = [box for box in figures if _gap(caption, box) < _Panel.FARTHEST]
    return bool(near) and all(box[1] > caption[1] for box in near)


def _gap(caption: Sequence[float], box: Sequence[float]) -> float:
    """Return the points between a caption and a box over or under it; infinite where they share no width."""
    shared = min(caption[2], box[2]) - max(caption[0], box[0])
    if shared < _Panel.MOSTLY * min(caption[2] - caption[0], box[2] - box[0]):
        return float("inf")
    return max(caption[1] - box[3], box[1] - caption[3])


def _panel(
    around: Surroundings,
    space: Box,
    caption: Box,
    known: tuple[Sequence[int], Sequence[Box]],
    graphics: Sequence[Graphic],
    *,
    is_scan: bool,
) -> Panel | None:
    held, figures = known
    others = [box for at, box in enumerate(figures) if at not in held]
    members = [item for item in graphics if _fits(item.box, space) and not any(is_in(item.box, box) for box in others)]
    shapes = [item for item in members if max(sides(item.box)) >= _Panel.LEAST_SHAPE]
    boxes = [list(figures[at]) for at in held] + [list(item.box) for item in members]
    lines = around.within(space)
    is_drawn = (
        len(shapes) >= _Panel.FEWEST_SHAPES
        or len(members) >= _Panel.MANY
        or any(item.kind == "image" for item in shapes)
    )
    if len(held) < _Panel.FEWEST_LINES and not is_drawn:
        if not is_scan or space[3] - space[1] < _Panel.LEAST_SCANNED:
            return None
        boxes.append(_inner(space, caption, [around.box(row) for row in lines]))
    hull = hull_of(boxes)
    wide = (hull[0] - _Panel.AROUND, hull[1] - _Panel.AROUND, hull[2] + _Panel.AROUND, hull[3] + _Panel.AROUND)
    labels = [row for row in lines if is_in(around.box(row), wide)]
    x0, y0, x1, y1 = hull_of([hull, *(list(around.box(row)) for row in labels)])
    if y1 - y0 < _Panel.LEAST_HEIGHT or min(abs(caption[1] - y1), abs(y0 - caption[3])) > _Panel.FARTHEST:
        return None
    return Panel((x0, y0, x1, y1), tuple(labels), tuple(members), tuple(held))


def _fits(box: Box, space: Box) -> bool:
    return is_in(box, space) and overlap(box, space) >= _Panel.MOSTLY * area(box)


def _inner(space: Box, caption: Box, lines: Sequence[Box]) -> list[float]:
    """Return the part of a space on a scan that a figure fills: as wide as its labels and its caption."""
    wide = hull_of([list(caption), *(list(box) for box in lines)])
    return [max(wide[0], space[0]), space[1] + 2, min(wide[2], space[2]), space[3] - 2]


def framed_texts(around: Surroundings, stacks: Sequence[Sequence[Box]], tables: Sequence[Box]) -> Iterator[Box]:
    """Yield the texts between rules that table captions stand at and that are no rows of cells."""
    captions = [caption.box for caption in around.captions]
    for caption in around.captions:
        if not caption.is_table or any(_gap(caption.box, table) < _Panel.NEAR for table in tables):
            continue
        found = [box for stack in stacks if (box := _between(caption, stack, captions))]
        if found:
            yield min(found, key=lambda box: _gap(caption.box, box))


def _between(caption: CaptionLines, stack: Sequence[Box], captions: Sequence[Box]) -> Box | None:
    """Return the box between the rules of one stack that reach from a caption to the next caption or the last rule."""
    for rules in (
        [rule for rule in stack if rule[1] >= caption.box[3] - 2],
        [rule for rule in stack[::-1] if rule[3] <= caption.box[1] + 2],
    ):
        if len(rules) < _Panel.FEWEST_LINES or _gap(caption.box, rules[0]) > _Panel.NEAR:
            continue
        kept = [rules[0]]
        for rule in rules[1:]:
            x0, y0, x1, y1 = hull_of([list(kept[0]), list(rule)])
            if any(is_in(other, (x0, y0, x1, y1)) for other in captions):
                break
            kept.append(rule)
        if len(kept) >= _Panel.FEWEST_LINES:
            x0, y0, x1, y1 = hull_of([list(rule) for rule in kept])
            return x0, y0, x1, y1
    return None
