"""Numbers of lines in the margin of a text, as contracts, bills and manuscripts print them: no part of the text."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from octavo_documents.parsing.content import Box, PageContent, TextLine


class _Margin:
    """What tells numbers of lines from those of items, tables and pages, chosen by hand; lengths are in points."""

    FEWEST = 6  # numbers of a page, one for each line
    FEWEST_STEPS = 3  # numbers of a page, one for some lines each
    STEPS = (1, 2, 3, 5, 10)
    LARGEST = 5  # figures of a number
    ALIGNED = 2.5  # between the edges of numbers
    OUTSIDE = 0.95  # share of the lines beside them that stand on one side of them
    COUNTED = 0.15  # by which the lines between two numbers differ from the difference of these
    RUNS_ON = 0.25  # share of lines that begin within a sentence, as items and cells do not
    SAME_PLACE = 3.0  # between the heights of the same number on several pages
    PAGES = 3  # with the same numbers at the same heights
    MANY = 15  # numbers of such a page


@dataclass(frozen=True, slots=True)
class _Number:
    """A number at an end of a line, or alone: the row of its line, and the span it is."""

    row: int
    value: int
    box: Box
    is_first: bool
    is_alone: bool

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def without_line_numbers(pages: Sequence[PageContent]) -> tuple[PageContent, ...]:
    """Return pages without the numbers of their lines."""
    runs = [_run(page) for page in pages]
    places: Counter[tuple[int, int, int]] = Counter(_place(run) for run in runs if len(run) >= _Margin.MANY)
    return tuple(
        _without(page, run) if run and _counts_lines(page, run, is_paper=places[_place(run)] >= _Margin.PAGES) else page
        for page, run in zip(pages, runs, strict=True)
    )


def _place(run: Sequence[_Number]) -> tuple[int, int, int]:
    """Return what is the same of the numbers of pages on ruled paper: the first, the last, and where it stands."""
    return (run[0].value, run[-1].value, round(run[-1].middle / _Margin.SAME_PLACE)) if run else (0, 0, 0)


def _run(page: PageContent) -> list[_Number]:
    """Return the longest column of numbers that count on in steps of one size; none where that is short."""
    columns: dict[tuple[bool, int, int], list[_Number]] = defaultdict(list)
    for one in _numbers(page):
        for edge in (0, 2):
            columns[one.is_first, edge, round(one.box[edge] / _Margin.ALIGNED)].append(one)
    best: list[_Number] = []
    for (is_first, edge, place), _ in sorted(columns.items(), key=lambda entry: -len(entry[1]))[:4]:
        near = [one for at in (place - 1, place, place + 1) for one in columns.get((is_first, edge, at), ())]
        best = max(best, _counting(sorted(near, key=lambda one: one.middle)), key=len)
    return best


def _numbers(page: PageContent) -> Iterator[_Number]:
    for row, line in enumerate(page.lines):
        text = line.text
        if line.angle or not (text[:1].isdecimal() or text[-1:].isdecimal()):
            continue
        if text.isdecimal() and len(text) <= _Margin.LARGEST:
            for is_first in (True, False):
                yield _Number(row, int(text), line.box, is_first, is_alone=True)
            continue
        for span, is_first in ((line.spans[0], True), (line.spans[-1], False)) if len(line.spans) > 1 else ():
            number = text[span.start : span.stop].strip()
            if number.isdecimal() and len(number) <= _Margin.LARGEST:
                yield _Number(row, int(number), span.box, is_first, is_alone=False)


def _counting(column: Sequence[_Number]) -> list[_Number]:
    """Return the longest stretch of a column in which numbers rise by a step, or by several where some are missing."""
    if len(column) < _Margin.FEWEST_STEPS:
        return []
    rises = [after.value - before.value for before, after in itertools.pairwise(column)]
    step = Counter(rise for rise in rises if rise > 0).most_common(1)
    if not step or step[0][0] not in _Margin.STEPS:
        return []
    start, best = 0, (0, 0)
    for at, rise in enumerate([*rises, 0], start=1):
        if not (0 < rise <= 4 * step[0][0] and rise % step[0][0] == 0):
            best = max(best, (at - start, start))
            start = at
    count, start = best
    is_long = count >= (_Margin.FEWEST if step[0][0] == 1 else _Margin.FEWEST_STEPS)
    return list(column[start : start + count]) if is_long else []


def _counts_lines(page: PageContent, run: Sequence[_Number], *, is_paper: bool) -> bool:
    """Return whether numbers stand outside of a text that runs on, and say how many lines of it there are.

    On ruled paper (`is_paper`) text need not keep to the numbers.
    """
    top, bottom = run[0].middle, run[-1].middle
    own = {one.row for one in run if one.is_alone}
    level = [
        (row, line)
        for row, line in enumerate(page.lines)
        if row not in own and not line.angle and line.box[1] < bottom and line.box[3] > top
    ]
    if not level:
        return False
    beside = [line for _, line in level]
    left, right = statistics.median(one.box[0] for one in run), statistics.median(one.box[2] for one in run)
    joined = {one.row for one in run if not one.is_alone}
    others = [line for row, line in level if row not in joined]
    after, before = sum(line.box[0] > right for line in others), sum(line.box[2] < left for line in others)
    if max(after, before) < _Margin.OUTSIDE * len(others):
        return False
    heights = sorted([*((line.box[1] + line.box[3]) / 2 for line in beside), *(one.middle for one in run)])
    levels = 1 + sum(lower - upper > _Margin.SAME_PLACE for upper, lower in itertools.pairwise(heights))
    counted = run[-1].value - run[0].value + 1
    if abs(levels - counted) > max(_Margin.COUNTED * counted, 1) and not is_paper:
        return False
    runs_on = sum(line.text.lstrip("0123456789 ")[:1].islower() for line in beside)
    return len(beside) <= (1 + _Margin.COUNTED) * levels and runs_on >= _Margin.RUNS_ON * len(beside)


def _without(page: PageContent, run: Sequence[_Number]) -> PageContent:
    numbers = {one.row: one for one in run}
    lines = (
        line if row not in numbers else _cut(line, numbers[row])
        for row, line in enumerate(page.lines)
        if not (row in numbers and numbers[row].is_alone)
    )
    return dataclasses.replace(page, lines=tuple(lines))


def _cut(line: TextLine, number: _Number) -> TextLine:
    """Return a line without the number at its beginning or end."""
    spans = line.spans[1:] if number.is_first else line.spans[:-1]
    start, stop = spans[0].start, spans[-1].stop
    text = line.text[start:stop]
    start += len(text) - len(text.lstrip())
    kept = tuple(
        dataclasses.replace(
            span, start=max(span.start - start, 0), stop=min(span.stop, start + len(text.strip())) - start
        )
        for span in spans
    )
    boxes = [span.box for span in spans]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return dataclasses.replace(line, text=text.strip(), box=box, spans=kept)
