"""The labels of a chart: its lines of text as names, values, and names with a value; the numbers of axes apart.

Colours tell which label belongs to what is drawn: under a label, and in the swatch that a legend puts before
it. They are compared with room for what JPEG and smooth edges do to them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from octavo_documents.models.ports import Raster
from octavo_documents.parsing.content import Box
from octavo_documents.structuring.clusters import hull_of
from octavo_documents.text.raised import MARK

_MONEY = r"(?:US\$|[$€£¥₹]|(?:USD|EUR|GBP)\s)"
_UNIT = r"(?:\s?(?:%|percent|pp|bps|[kKmMbBtT]n?|mn|million|billion|trillion|thousand|[x×]|°[CF]))"
_PLAIN = r"(?:\d{1,3}(?:[,.\u2009\u00a0\u202f ’']\d{3})+|\d+)(?:[.,]\d+)?"
_NUMBER = rf"[<>~≈]?\s?[-–−+(]?\s?{_MONEY}?\s?[-–−]?{_PLAIN}{_UNIT}?\)?\*?"
_VALUE = re.compile(_NUMBER)
_TOLD = rf"(?:{_MONEY}\s?{_PLAIN}{_UNIT}?|{_PLAIN}\s?%)"
"""A number that is surely a value and no part of a name: with its currency, or a share."""
_NAME_FIRST = re.compile(rf"(?P<name>.*[^\W\d_].*?)[\s,:;=–—(\[-]+(?P<value>[-–−+<>~]?{_TOLD})\s?[)\]]?")
_VALUE_FIRST = re.compile(rf"\(?(?P<value>[-–−+<>~]?{_TOLD})\)?[\s,:;=–—-]+(?P<name>.*[^\W\d_].*)")
_SHARE = re.compile(r"\d\s?%|\d\s?[%)]*\s*\(|%")
_YEAR = re.compile(r"(?:FY|CY|Q[1-4])?\s?'?(?:19|20)\d\d(?:[/–-]\d{2,4})?[EFePp*]?(?:" + MARK + r")?")
UNREAD = "?"
"""The text of a line that may be a value and is too hard to read."""
_OPEN = re.compile(r"(?:\b(?:to|and|or|of|than|over|under|aged?|the|in|for|vs\.?)|[&/–-])\Z", re.I)
"""The end of a line of a name that goes on."""
_BULLET = re.compile(r"^[■●•▪◼◆▲▼○□◦⬤★–-]\s*")


class _Line:
    """How lines of labels stand, chosen by hand; shares are of the height of a line unless they say otherwise."""

    CLOSE = 0.6  # gap between the lines of one label
    CENTRED = 0.7  # difference between the middles, or the left edges, of the lines of one label
    ALIGNED = 0.7  # difference between the edges of the numbers at an axis
    FEWEST_TICKS = 3
    EVEN_SPACE = 0.15  # difference between the gaps of an axis, by the gap
    EVEN_STEP = 0.02  # difference between the steps of its values, by the step
    EVEN_NAMES = 0.25  # the same of names
    LONGEST_NAME = 100  # characters
    LONGEST_PAIR = 60  # characters of a name and its value
    MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Label:
    """A piece of text of a figure; boxes in points."""

    text: str
    box: Box
    lines: tuple[int, ...]
    """Which of the figure's lines it is of."""

    @property
    def high(self) -> float:
        """Its height."""
        return self.box[3] - self.box[1]

    @property
    def x(self) -> float:
        """Its middle from left to right."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        """Its middle from top to bottom."""
        return (self.box[1] + self.box[3]) / 2

    def middle(self, way: int) -> float:
        """Return its middle from left to right (0), or from top to bottom (1)."""
        return (self.box[way] + self.box[way + 2]) / 2


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and the value that stands with it in one label."""

    name: str
    value: str
    box: Box
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChartLabels:
    """What is written in a chart."""

    names: list[Label]
    """Line by line."""
    values: list[Label]
    """Numbers, those of axes left out."""
    unclear: list[Label]
    """Numbers that were read with a letter in them."""
    ticks: list[Label]
    years: list[Label]
    """Those among the values that may as well be names."""


def labels_of(lines: Sequence[tuple[str, Box]]) -> ChartLabels:
    """Return the labels that lines of text are."""
    names: list[Label] = []
    values: list[Label] = []
    unclear: list[Label] = []
    for at, (text, box) in enumerate(lines):
        label = Label(" ".join(text.split()), box, (at,))
        if is_value(label.text):
            values.append(label)
        elif label.text == UNREAD or _is_garbled(label.text):
            unclear.append(label)
        elif any(map(str.isalpha, label.text)):
            names.append(label)
    ticks = [label for way in (0, 1) for axis in _axes(values, way) for label in axis]
    kept = [label for label in values if label not in ticks]
    years = [label for label in values if _YEAR.fullmatch(label.text)]
    return ChartLabels(names, kept, unclear, ticks, years)


def is_value(text: str) -> bool:
    """Tell a number with its currency and unit."""
    return bool(_VALUE.fullmatch(text))


def _is_garbled(text: str) -> bool:
    """Tell a number that was read with letters in it, or several read as one."""
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return " " not in text and digits >= 3 and letters <= 3 and any(sign in text for sign in ".,%$€£")


def number(text: str) -> float | None:
    """Return the number in a value, as far as its separators let it be told; None for what is none."""
    digits = re.search(r"\d[\d.,\u2009\u00a0\u202f ’']*", text)
    if not digits:
        return None
    plain = re.sub(r"[\u2009\u00a0\u202f ’']", "", digits[0]).rstrip(".,")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", plain) and plain.count(".") > 1:
        plain = plain.replace(".", "").replace(",", ".")
    try:
        found = float(plain.replace(",", "."))
    except ValueError:
        return None
    return -found if re.match(r"[<>~≈]?\s?[-–−(]", text) else found


def merged(labels: Sequence[Label], *, apart: Sequence[Label] = ()) -> list[Label]:
    """Return labels with those that stand closely under each other as one; one of `apart` begins a label of its own."""
    groups: list[list[Label]] = []
    for label in sorted(labels, key=lambda label: (label.box[1], label.box[0])):
        over = next((group for group in groups if label not in apart and _goes_on(group, label)), None)
        if over is None:
            groups.append([label])
        else:
            over.append(label)
    return [_joined(group) for group in groups]


def with_ends(names: Sequence[Label], values: Sequence[Label]) -> list[Label]:
    """Return names line by line, with the numbers that end one which goes on, as "35 to" and "49" under it."""
    opened = [label for label in names if _OPEN.search(label.text)]
    ends = [value for value in values if any(_goes_on([label], value) for label in opened)]
    return [*names, *ends]


def _joined(group: Sequence[Label]) -> Label:
    x0, y0, x1, y1 = hull_of([label.box for label in group])
    text = " ".join(label.text for label in group)
    return Label(text, (x0, y0, x1, y1), tuple(line for label in group for line in label.lines))


def _goes_on(group: Sequence[Label], label: Label) -> bool:
    last = group[-1]
    high = min(last.high, label.high)
    gap = label.box[1] - last.box[3]
    is_under = -0.6 * high < gap < _Line.CLOSE * high and label.y > last.y + 0.4 * high
    is_alike = max(last.high, label.high) < 1.35 * high
    edges = (label.x - last.x, label.box[0] - last.box[0], label.box[2] - last.box[2])
    return is_under and is_alike and len(group) < _Line.MOST_LINES and min(map(abs, edges)) < _Line.CENTRED * high


def pairs_in(labels: Sequence[Label]) -> Iterator[Pair]:
    """Yield the names that stand with their value in one label: "Coal 12%", "12% Coal", "Coal ($3.4m)"."""
    for label in labels:
        text = _BULLET.sub("", label.text)
        if len(re.findall(_TOLD, text)) != 1 or len(text) > _Line.LONGEST_PAIR:
            continue
        found = _NAME_FIRST.fullmatch(text) or _VALUE_FIRST.fullmatch(text)
        if found and is_name(name := plain_name(found["name"])):
            yield Pair(name, found["value"].strip(), label.box, label.lines)


def plain_name(text: str) -> str:
    """Return a name without the sign before it and the punctuation around it."""
    return _BULLET.sub("", text).strip(" ,:;–—-_|([")


def is_name(text: str) -> bool:
    """Tell the name of a category or series from a sentence, and from a number that was read wrongly."""
    return 0 < len(text) <= _Line.LONGEST_NAME and any(map(str.isalpha, _VALUE.sub("", text)))


def _axes(values: Sequence[Label], way: int) -> Iterator[list[Label]]:
    """Yield the numbers of an axis: in a row (0) or a column (1), evenly spaced, with even steps."""
    across = 1 - way
    waiting = [(label, value) for label in values if (value := number(label.text)) is not None]
    while waiting:
        first = waiting[0][0]
        column = sorted(
            (item for item in waiting if _is_level(first, item[0], across)), key=lambda item: item[0].middle(way)
        )
        waiting = [item for item in waiting[1:] if item not in column]
        yield from _even_runs(column, way)


def _is_level(a: Label, b: Label, across: int) -> bool:
    edges = (a.box[across] - b.box[across], a.box[across + 2] - b.box[across + 2], a.middle(across) - b.middle(across))
    return min(map(abs, edges)) < _Line.ALIGNED * min(a.high, b.high) * (0.6 if across else 1.0)


def _even_runs(column: Sequence[tuple[Label, float]], way: int) -> Iterator[list[Label]]:
    run: list[tuple[Label, float]] = []
    for item in column:
        if len(run) >= 2 and not _is_next(run, item, way):
            if len(run) >= _Line.FEWEST_TICKS:
                yield [label for label, _ in run]
            run = run[-1:]
        run.append(item)
    if len(run) >= _Line.FEWEST_TICKS:
        yield [label for label, _ in run]


def _is_next(run: Sequence[tuple[Label, float]], item: tuple[Label, float], way: int) -> bool:
    (a, first), (b, second) = run[0], run[1]
    gap, step = b.middle(way) - a.middle(way), second - first
    last, value = run[-1]
    is_spaced = abs(item[0].middle(way) - last.middle(way) - gap) <= _Line.EVEN_SPACE * abs(gap) + 1.0
    return is_spaced and step != 0 and abs(item[1] - value - step) <= _Line.EVEN_STEP * abs(step) + 1e-9


def even_runs(labels: Sequence[Label], way: int) -> Iterator[list[Label]]:
    """Yield the labels in order that follow each other evenly, at least two."""
    run: list[Label] = []
    for label in labels:
        if len(run) > 1:
            gap, first = label.middle(way) - run[-1].middle(way), run[1].middle(way) - run[0].middle(way)
            if abs(gap - first) > _Line.EVEN_NAMES * first:
                yield run
                run = run[-1:]
        run.append(label)
    if len(run) > 1:
        yield run


def step_of(labels: Sequence[Label], way: int) -> float:
    """Return the usual gap between labels in order, at least two."""
    gaps = sorted(b.middle(way) - a.middle(way) for a, b in itertools.pairwise(labels))
    return gaps[len(gaps) // 2]


Color: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0..255."""
_Codes = npt.NDArray[np.int32]


class _Patch:
    """What a colour of a patch is told by, chosen by hand; lengths are in heights of the label unless they say so."""

    STEP = 16  # colours (0..255) that are counted as one
    SAMPLED = 4  # of so many pixels in each direction one is looked at for the background
    SAME = 40  # greatest difference of a channel between two sights of one colour
    LEAST_SHARE = 0.4  # share of a patch that its colour fills
    LEAST_SWATCH = 0.04  # the same of a swatch, which may be a line
    SWATCH_REACH = 2.2  # how far left of a label its swatch lies
    LONGEST_SWATCH = 4.5
    HIGHEST_SWATCH = 1.8
    GAP = 0.15  # gap between a swatch and its label
    SOLID = 0.6  # share of the box around a swatch that it fills
    LEAST_WIDTH = 0.25  # width of a swatch
    INK = 0.45  # half of the height of the strip in which a swatch is looked for


class Colors:
    """The colours of a figure drawn as `raster`, `scale` pixels a point."""

    def __init__(self, raster: Raster, scale: float, labels: Sequence[Box]) -> None:
        """Take the picture, and the boxes of its labels in points: their ink is no swatch."""
        self._raster, self._scale = raster, scale
        self._is_ink = np.zeros(raster.shape[:2], np.bool_)
        for x0, y0, x1, y1 in labels:
            rows, columns = (
                slice(max(round(y0 * scale), 0), round(y1 * scale)),
                slice(max(round(x0 * scale), 0), round(x1 * scale)),
            )
            self._is_ink[rows, columns] = True
        # The shades of a smooth edge go to the colour whose step they fall into
        rough = ((raster.astype(np.int16) + _Patch.STEP // 2) // _Patch.STEP).astype(np.int32)
        self._codes: _Codes = (rough[:, :, 0] << 12) | (rough[:, :, 1] << 6) | rough[:, :, 2]
        sample = slice(None, None, _Patch.SAMPLED)
        values, counts = np.unique(self._codes[sample, sample], return_counts=True)
        self._ground = int(values[counts.argmax()])
        self.ground = self._color(self._codes[sample, sample], self._ground, raster[sample, sample])

    def of(self, box: Box, *, least: float = _Patch.LEAST_SHARE, on_ground: bool = True) -> Color | None:
        """Return the colour that fills most of a box in points; None where none fills `least` of it.

        Without `on_ground` the figure's background does not count, nor what lies under labels.
        """
        x0, y0, x1, y1 = (round(side * self._scale) for side in box)
        height, width = self._codes.shape
        x0, x1, y0, y1 = max(x0, 0), min(max(x1, x0 + 1), width), max(y0, 0), min(max(y1, y0 + 1), height)
        if x1 <= x0 or y1 <= y0:
            return None
        patch = self._codes[y0:y1, x0:x1]
        seen = patch if on_ground else patch[~self._is_ink[y0:y1, x0:x1]]
        values, counts = np.unique(seen, return_counts=True)
        if not on_ground:
            kept = ~self._is_ground(values)
            values, counts = values[kept], counts[kept]
        if not len(values) or counts.max() < least * patch.size:
            return None
        return self._color(patch, int(values[counts.argmax()]), self._raster[y0:y1, x0:x1])

    def is_ground(self, color: Color) -> bool:
        """Tell the background of the figure."""
        return is_same(color, self.ground)

    def swatch(self, box: Box) -> Color | None:
        """Return the colour of the small patch or short line left of a label; None without one."""
        x0, y0, _, y1 = box
        high, middle = y1 - y0, (y0 + y1) / 2
        strip = (
            x0 - _Patch.SWATCH_REACH * high,
            middle - _Patch.INK * high,
            x0 - 0.1 * high,
            middle + _Patch.INK * high,
        )
        color = self.of(strip, least=_Patch.LEAST_SWATCH, on_ground=False)
        if color:
            return color if self._is_small(color, strip, high) else None
        return self._swatch_within(box)

    def _swatch_within(self, box: Box) -> Color | None:
        """Return the colour of the swatch that the box of a label holds at its left, as OCR may draw it."""
        x0, y0, x1, y1 = (max(round(side * self._scale), 0) for side in box)
        patch = self._codes[y0:y1, x0:x1]
        is_drawn = ~self._is_ground(patch.ravel()).reshape(patch.shape)
        columns = np.flatnonzero(is_drawn.any(axis=0))
        gaps = np.flatnonzero(np.diff(columns) > _Patch.GAP * (y1 - y0))
        if not len(gaps):
            return None
        first, stop = int(columns[0]), int(columns[gaps[0]]) + 1
        rows = np.flatnonzero(is_drawn[:, first:stop].any(axis=1))
        block = patch[rows[0] : rows[-1] + 1, first:stop]
        values, counts = np.unique(block, return_counts=True)
        is_solid = counts.max() >= _Patch.SOLID * block.size
        if not is_solid or not _Patch.LEAST_WIDTH * (y1 - y0) <= stop - first <= _Patch.SWATCH_REACH * (y1 - y0):
            return None
        top, left = y0 + int(rows[0]), x0 + first
        raster = self._raster[top : top + block.shape[0], left : left + block.shape[1]]
        return self._color(block, int(values[counts.argmax()]), raster)

    def _is_small(self, color: Color, strip: Box, high: float) -> bool:
        """Tell a patch that ends soon on all sides from the bar or the slice that a label stands at."""
        reach = _Patch.LONGEST_SWATCH * high
        x0, x1 = (round(side * self._scale) for side in (strip[2] - reach - 0.3 * high, strip[2]))
        y0, y1 = (round(side * self._scale) for side in (strip[1] - 0.7 * high, strip[3] + 0.7 * high))
        x0, y0 = max(x0, 0), max(y0, 0)
        around = self._raster[y0:y1, x0:x1].astype(np.int32)
        is_it = (np.abs(around - np.array(color)) <= _Patch.SAME).all(axis=2) & ~self._is_ink[y0:y1, x0:x1]
        columns, rows = np.flatnonzero(is_it.any(axis=0)), np.flatnonzero(is_it.any(axis=1))
        if not len(columns):
            return False
        # The run that ends at the label: what lies beyond a gap is another entry of the legend
        gaps = np.flatnonzero(np.diff(columns) > max(0.25 * high * self._scale, 2))
        first = columns[gaps[-1] + 1] if len(gaps) else columns[0]
        is_short = columns[-1] - first < (reach * self._scale) and first > 0
        tall = is_it[:, first : columns[-1] + 1].sum(axis=0).max()
        return bool(is_short and tall <= _Patch.HIGHEST_SWATCH * high * self._scale and len(rows))

    def _is_ground(self, codes: _Codes) -> npt.NDArray[np.bool_]:
        parts = np.stack((codes >> 12, codes >> 6 & 63, codes & 63))
        ground = np.array((self._ground >> 12, self._ground >> 6 & 63, self._ground & 63))
        return np.all(np.abs(parts - ground[:, None]) <= 2, axis=0).astype(np.bool_)

    @staticmethod
    def _color(codes: _Codes, code: int, raster: Raster) -> Color:
        red, green, blue = np.median(raster[codes == code], axis=0).tolist()
        return int(red), int(green), int(blue)


def is_same(a: Color, b: Color) -> bool:
    """Tell two sights of one colour."""
    return max(abs(one - other) for one, other in zip(a, b, strict=True)) <= _Patch.SAME


def nearest(color: Color, known: list[Color]) -> int | None:
    """Return which of some colours a colour is a sight of; None where none is, or two are as near."""
    ranked = sorted(
        (max(abs(one - other) for one, other in zip(color, item, strict=True)), at) for at, item in enumerate(known)
    )
    if not ranked or ranked[0][0] > _Patch.SAME:
        return None
    is_clear = len(ranked) == 1 or ranked[1][0] >= 2 * ranked[0][0] + 6
    return ranked[0][1] if is_clear else None
