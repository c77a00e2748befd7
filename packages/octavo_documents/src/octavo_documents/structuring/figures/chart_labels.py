"""The labels of a chart: its lines of text as names, values, and names with a value; the numbers of axes apart."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo_documents.parsing.content import Box
from octavo_documents.structuring.clusters import hull_of
from octavo_documents.text.lines import on_one_line
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

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
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
        label = Label(on_one_line(text), box, (at,))
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
    """Return whether a text is a number with its currency and unit."""
    return bool(_VALUE.fullmatch(text))


def _is_garbled(text: str) -> bool:
    """Return whether a number was read with letters in it, or several were read as one."""
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
    """Return whether a text is the name of a category or series, no sentence and no number that was read wrongly."""
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
