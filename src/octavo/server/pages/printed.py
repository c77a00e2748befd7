"""A passage's text as it is printed: paragraphs and tables, with the words that matter marked."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence

_NUMBER = re.compile(r"[-+−–~<>≤≥$€£(]*\d[\d.,:\s]*\s?[%)a-zA-Z°²³]{0,4}$")
_CELLS = " | "
_MOST_BETWEEN = 2
"""Lines in a row that name parts of a table."""
_LONGEST_PART = 80
_HEADS = 2
"""Rows that may be heads."""


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text, marked or not."""

    text: str
    is_marked: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class PrintedCell:
    """A table cell; `is_number` says that it stands to the right."""

    spans: tuple[Span, ...]
    is_number: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """A paragraph (`spans`) or a table (`rows`, the first of them its head; a row of one cell names a part)."""

    spans: tuple[Span, ...] = ()
    rows: tuple[tuple[PrintedCell, ...], ...] = ()


def parts(text: str, emphasis: Iterable[Sequence[int]] = ()) -> list[Part]:
    """Return a passage's text as paragraphs and tables; `emphasis` is [start, stop) in characters, apart, in order.

    Two or more lines of cells between bars ("a | b") are a table; a short line or two among them names a part of it.
    """
    marked = [(int(start), int(stop)) for start, stop in emphasis]
    found: list[Part] = []
    for is_table, lines in _grouped(text):
        if is_table:
            found.append(Part(rows=_table(text, lines, marked)))
        else:
            found.extend(Part(spans=_spans(text, start, stop, marked)) for start, stop in lines if start < stop)
    return found


def _grouped(text: str) -> Iterator[tuple[bool, list[tuple[int, int]]]]:
    """Yield stretches of lines, and whether they are a table."""
    group: list[tuple[int, int]] = []
    between: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        place = (at, at + len(line))
        at += len(line) + 1
        if _CELLS in line:
            group, between = [*group, *between, place], []
        elif group and len(between) < _MOST_BETWEEN and len(line) <= _LONGEST_PART and not line.endswith("."):
            between.append(place)
        else:
            yield len(group) > 1, group
            yield False, [*between, place]
            group, between = [], []
    yield len(group) > 1, group
    yield False, between


def _table(
    text: str, lines: Sequence[tuple[int, int]], marked: Sequence[tuple[int, int]]
) -> tuple[tuple[PrintedCell, ...], ...]:
    """Return the rows of a table, all of one width but those that name a part; heads that are short begin later."""
    rows = [tuple(_cells(text, start, stop, marked)) for start, stop in lines]
    width = max(map(len, rows))
    empty = PrintedCell((), is_number=False)
    found: list[tuple[PrintedCell, ...]] = []
    for at, row in enumerate(rows):
        fill = (empty,) * (width - len(row) if len(row) > 1 else 0)
        found.append((*fill, *row) if at < _HEADS else (*row, *fill))
    return tuple(found)


def _cells(text: str, start: int, stop: int, marked: Sequence[tuple[int, int]]) -> Iterator[PrintedCell]:
    at = start
    for cell in text[start:stop].split(_CELLS):
        yield PrintedCell(_spans(text, at, at + len(cell), marked), _NUMBER.match(cell.strip()) is not None)
        at += len(cell) + len(_CELLS)


def _spans(text: str, start: int, stop: int, marked: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    spans: list[Span] = []
    at = start
    for left, right in marked:
        left, right = max(left, at), min(right, stop)
        if left >= right:
            continue
        if at < left:
            spans.append(Span(text[at:left]))
        spans.append(Span(text[left:right], is_marked=True))
        at = right
    if at < stop:
        spans.append(Span(text[at:stop]))
    return tuple(spans)
