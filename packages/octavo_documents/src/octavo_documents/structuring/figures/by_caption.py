"""Figures and framed texts told by their captions: panels of one figure, small or thinly drawn ones, figures on scans.

A caption speaks for the space between it and the running text over or under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring import markers
from octavo_documents.structuring.clusters import area, hull_of, overlap, sides
from octavo_documents.structuring.lines import PageLines, box_around


class _Figure:
    """Thresholds for the object of a caption, in points unless it says otherwise; chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
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


class _Text:
    """Thresholds for running text and captions, in type sizes unless it says otherwise; chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    PROSE = 44  # characters of a line of running text
    LEAST_SIZE = 0.8  # type size of running text, by the body's
    LARGE = 1.15  # type size of a title, by the body's
    FEWEST_LETTERS = 6  # letters of a title
    CLOSE = 0.6  # gap to the next line of one text
    ALIGNED = 2.5  # difference between the left edges of one text's lines
    SAME_SIZE = 0.6  # points by which the type sizes of one text's lines differ
    MOST_LINES = 12  # lines of a caption
    FEWEST_OF_COLUMN = 3  # lines that tell a column
    SLACK = 4.0  # points by which boxes may overlap


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
            if space[3] - space[1] < _Figure.LEAST_HEIGHT or space[2] - space[0] < _Figure.LEAST_HEIGHT:
                continue
            held = [at for at, box in enumerate(figures) if is_in(box, space)]
            if (
                len(held) == 1
                and _gap(caption.box, figures[held[0]]) < _Figure.NEAR
                and not _has_more(space, figures, graphics)
            ):
                break
            panel = _panel(around, space, caption.box, (held, figures), graphics, is_scan=is_scan)
            if panel:
                yield panel
                break


def _has_more(space: Box, figures: Sequence[Box], graphics: Sequence[Graphic]) -> bool:
    """Return whether a space has shapes beside the figures in it that are known."""
    shapes = [
        item.box
        for item in graphics
        if max(sides(item.box)) >= _Figure.LEAST_SHAPE and _lies_mostly_in(item.box, space)
    ]
    return sum(not any(is_in(box, figure) for figure in figures) for box in shapes) >= _Figure.FEWEST_SHAPES


def _is_only_under(caption: Box, figures: Sequence[Box]) -> bool:
    near = [box for box in figures if _gap(caption, box) < _Figure.FARTHEST]
    return bool(near) and all(box[1] > caption[1] for box in near)


def _gap(caption: Sequence[float], box: Sequence[float]) -> float:
    """Return the points between a caption and a box over or under it; infinite where they share no width."""
    shared = min(caption[2], box[2]) - max(caption[0], box[0])
    if shared < _Figure.MOSTLY * min(caption[2] - caption[0], box[2] - box[0]):
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
    members = [
        item
        for item in graphics
        if _lies_mostly_in(item.box, space) and not any(is_in(item.box, box) for box in others)
    ]
    shapes = [item for item in members if max(sides(item.box)) >= _Figure.LEAST_SHAPE]
    boxes = [list(figures[at]) for at in held] + [list(item.box) for item in members]
    lines = around.within(space)
    is_drawn = (
        len(shapes) >= _Figure.FEWEST_SHAPES
        or len(members) >= _Figure.MANY
        or any(item.kind == "image" for item in shapes)
    )
    if len(held) < _Figure.FEWEST_LINES and not is_drawn:
        if not is_scan or space[3] - space[1] < _Figure.LEAST_SCANNED:
            return None
        boxes.append(_inner(space, caption, [around.box(row) for row in lines]))
    hull = hull_of(boxes)
    wide = (hull[0] - _Figure.AROUND, hull[1] - _Figure.AROUND, hull[2] + _Figure.AROUND, hull[3] + _Figure.AROUND)
    labels = [row for row in lines if is_in(around.box(row), wide)]
    x0, y0, x1, y1 = hull_of([hull, *(list(around.box(row)) for row in labels)])
    if y1 - y0 < _Figure.LEAST_HEIGHT or min(abs(caption[1] - y1), abs(y0 - caption[3])) > _Figure.FARTHEST:
        return None
    return Panel((x0, y0, x1, y1), tuple(labels), tuple(members), tuple(held))


def _lies_mostly_in(box: Box, space: Box) -> bool:
    return is_in(box, space) and overlap(box, space) >= _Figure.MOSTLY * area(box)


def _inner(space: Box, caption: Box, lines: Sequence[Box]) -> list[float]:
    """Return the part of a space on a scan that a figure fills: as wide as its labels and its caption."""
    wide = hull_of([list(caption), *(list(box) for box in lines)])
    return [max(wide[0], space[0]), space[1] + 2, min(wide[2], space[2]), space[3] - 2]


def framed_texts(around: Surroundings, stacks: Sequence[Sequence[Box]], tables: Sequence[Box]) -> Iterator[Box]:
    """Yield the texts between rules that table captions stand at and that are no rows of cells."""
    captions = [caption.box for caption in around.captions]
    for caption in around.captions:
        if not caption.is_table or any(_gap(caption.box, table) < _Figure.NEAR for table in tables):
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
        if len(rules) < _Figure.FEWEST_LINES or _gap(caption.box, rules[0]) > _Figure.NEAR:
            continue
        kept = [rules[0]]
        for rule in rules[1:]:
            x0, y0, x1, y1 = hull_of([list(kept[0]), list(rule)])
            if any(is_in(other, (x0, y0, x1, y1)) for other in captions):
                break
            kept.append(rule)
        if len(kept) >= _Figure.FEWEST_LINES:
            x0, y0, x1, y1 = hull_of([list(rule) for rule in kept])
            return x0, y0, x1, y1
    return None


@dataclass(frozen=True, slots=True)
class CaptionLines:
    """A caption before there are blocks: the row of its first line, the box around all its lines."""

    row: int
    box: Box
    is_table: bool
    lines: tuple[int, ...]


class Surroundings:
    """The captions and the running text among some upright lines of a page; `body` is the body type size."""

    def __init__(self, page: PageLines, rows: Sequence[int], body: float) -> None:
        self._page, self._body = page, body
        self._boxes: dict[int, Box] = {row: page.box(row) for row in rows}
        self._order = sorted(rows, key=lambda row: (self._boxes[row][1], self._boxes[row][0]))
        self._running = self._running_lines()
        self.captions = list(self._captions())

    def space(self, caption: CaptionLines, *, over: bool, solid: Iterable[Box]) -> Box:
        """Return the space over or under a caption up to running text, another caption or a `solid` box.

        It is as wide as the caption's column, less where running text or another caption's space stands beside it.
        """
        x0, _, x1, _ = box = caption.box
        others = [other.box for other in self.captions if other.row != caption.row]
        stops = [*(self._boxes[row] for row in self._running - set(caption.lines)), *others, *solid]
        ends = [stop for stop in stops if stop[0] < x1 - _Text.SLACK and stop[2] > x0 + _Text.SLACK]
        if over:
            top, bottom = max((stop[3] for stop in ends if stop[3] <= box[1] + _Text.SLACK), default=0.0), box[1]
        else:
            top, bottom = (
                box[3],
                min((stop[1] for stop in ends if stop[1] >= box[3] - _Text.SLACK), default=self._page.height),
            )
        left, right = self._column(box)
        for stop in stops:
            if stop[3] > top + _Text.SLACK and stop[1] < bottom - _Text.SLACK:
                left, right = _narrowed((left, right), (x0, x1), stop[0], stop[2])
        for other in others:
            if other[3] > box[1] - _Text.SLACK and other[1] < box[3] + _Text.SLACK:
                middle = (other[2] + x0) / 2 if other[2] <= x0 + _Text.SLACK else (x1 + other[0]) / 2
                left, right = _narrowed((left, right), (x0, x1), *sorted((middle, middle)))
        return left, top, right, max(bottom, top)

    def within(self, box: Box) -> list[int]:
        """Return the lines, running text and captions aside, whose centres lie in a box."""
        taken = self._running.union(*(caption.lines for caption in self.captions))
        return [row for row in self._order if row not in taken and is_in(self._boxes[row], box)]

    def box(self, row: int) -> Box:
        """Return the box of a line."""
        return self._boxes[row]

    def _column(self, box: Box) -> tuple[float, float]:
        """Return the sides of the column a caption stands in, those of the page where no column holds it."""
        holding = [
            self._boxes[row]
            for row in self._running
            if self._boxes[row][0] <= box[0] + _Text.SLACK and self._boxes[row][2] >= box[2] - _Text.SLACK
        ]
        if len(holding) < _Text.FEWEST_OF_COLUMN:
            return 0.0, self._page.width
        return min(held[0] for held in holding) - _Text.SLACK, max(held[2] for held in holding) + _Text.SLACK

    def _running_lines(self) -> set[int]:
        """Return the lines of running text: long ones, the last lines under them, items of lists, large titles."""
        found: set[int] = set()
        for at, row in enumerate(self._order):
            if self._is_running(row) or any(self._goes_on(before, row) for before in self._just_over(at) & found):
                found.add(row)
        return found

    def _is_running(self, row: int) -> bool:
        text, look = self._page.texts[row], self._page.looks[row]
        if look.monospace or look.size < _Text.LEAST_SIZE * self._body or not text:
            return False
        if len(text) >= _Text.PROSE or markers.starts_numbered(text):
            return True
        return look.size > _Text.LARGE * self._body and sum(map(str.isalpha, text)) >= max(
            _Text.FEWEST_LETTERS, 0.7 * len(text)
        )

    def _just_over(self, at: int) -> set[int]:
        return set(self._order[max(at - _Text.MOST_LINES, 0) : at])

    def _goes_on(self, before: int, row: int) -> bool:
        """Return whether a line stands right under another, in its type and from near its left edge."""
        a, b = self._boxes[before], self._boxes[row]
        size = max(self._page.looks[before].size, 1.0)
        is_under = -0.5 * size < b[1] - a[3] < _Text.CLOSE * size and b[3] > a[3]
        is_alike = abs(self._page.looks[row].size - size) < _Text.SAME_SIZE and not markers.caption(
            self._page.texts[row]
        )
        return is_under and is_alike and abs(a[0] - b[0]) < _Text.ALIGNED * size

    def _captions(self) -> Iterator[CaptionLines]:
        for at, row in enumerate(self._order):
            label = markers.caption(self._page.texts[row])
            if not label or any(self._is_before(other, row) for other in self._just_over(at) & self._running):
                continue
            lines = [row]
            for other in self._order[at + 1 : at + 1 + _Text.MOST_LINES]:
                if self._follows(lines[-1], other):
                    lines.append(other)
            boxes = [self._boxes[line] for line in lines]
            hull = box_around(*boxes)
            yield CaptionLines(row, hull, label.lower().startswith("tab"), tuple(lines))

    def _is_before(self, before: int, row: int) -> bool:
        """Return whether a line is the middle of a paragraph, where a label only happens to come first."""
        a, b = self._boxes[before], self._boxes[row]
        look, other = self._page.looks[before], self._page.looks[row]
        is_alike = abs(look.size - other.size) < _Text.SAME_SIZE and look.bold == other.bold
        ends = self._page.texts[before].endswith((".", ":", "!", "?"))
        return (
            is_alike
            and not ends
            and -0.5 * look.size < b[1] - a[3] < _Text.CLOSE * look.size
            and abs(a[0] - b[0]) < look.size
        )

    def _follows(self, before: int, row: int) -> bool:
        """Return whether it is the next line of a caption."""
        a, b = self._boxes[before], self._boxes[row]
        size = max(self._page.looks[before].size, 1.0)
        is_under = b[3] > a[3] and -0.5 * size < b[1] - a[3] < _Text.CLOSE * size
        is_alike = abs(self._page.looks[row].size - size) < _Text.SAME_SIZE and not markers.caption(
            self._page.texts[row]
        )
        return is_under and is_alike and min(a[2], b[2]) - max(a[0], b[0]) > 0.5 * min(a[2] - a[0], b[2] - b[0])


def is_in(box: Sequence[float], outer: Sequence[float]) -> bool:
    """Return whether the centre of a box lies in another."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _narrowed(sides: tuple[float, float], kept: tuple[float, float], start: float, stop: float) -> tuple[float, float]:
    """Return the sides of a space without what stands at its left or right from `start` to `stop`."""
    left, right = sides
    if stop <= kept[0] + _Text.SLACK:
        left = max(left, stop)
    elif start >= kept[1] - _Text.SLACK:
        right = min(right, start)
    return left, right
