"""The passages that units grow into: whole where they are short, cut at boundaries where not, with what is left out.

A passage stays in the section, slide, sheet or message of its unit, whose name stands over it. Lengths are chosen by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from octavo.evidence import View
from octavo.operators.extractive.shown_rows import AskedOfRow, more_of, shown_row
from octavo.operators.extractive.units import (
    LEAD_CHARACTERS,
    MOST_WORDS,
    Span,
    Stream,
    Unit,
    caption_of,
    content_before,
    lead_before,
    says_something,
    units_of,
)
from octavo.operators.extractive.whole_tables import parts_of_table
from octavo_documents.document import PICTURED, Kind
from octavo_documents.document.grid import without_cells
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.segmentation import has_unspaced, word_count
from octavo_documents.wording import translated

_FEW_WORDS = 60
"""Words below which a passage goes on over a heading inside its section, or on its slide: parts say little each."""
_READ = "Read from the chart:"


def expand_passage(view: View, stream: Stream, at: int) -> Span:
    """Return the units that are read together with unit `at`: its table or list, then its section, up to 120 words.

    A table or list that is short is whole; what says how much of a long one is left out comes on top of the 120 words.
    What follows comes before what precedes. A passage that is still short goes on over headings below its own, and over
    those of its slide. A row of a wide table is read alone.
    """
    own = stream.units[at]
    if own.columns:
        return Span(at, at)
    growth = _Growth(view, stream.units, at)
    growth.extend(growth.is_of_thing)
    if not growth.is_cut:
        growth.extend(lambda unit: unit.section == own.section)
        growth.extend(lambda unit: growth.words < _FEW_WORDS and _is_within(view, unit, own))
    last = growth.last
    while last > at and stream.units[last].is_heading:  # what it heads is not there
        last -= 1
    return Span(growth.first, last)


def _is_within(view: View, unit: Unit, own: Unit) -> bool:
    """Return whether a unit stands in the section of another, or on the same slide."""
    if own.section >= 0 and own.section <= unit.row < view.subtree(own.section).stop:
        return True
    page = int(view.page_index[own.row])
    document, number = view.locate_page(page)
    pages = view.documents[document].pages
    return view.page_index[unit.row] == page and bool(pages.width[number - 1] > pages.height[number - 1])


class _Growth:
    """A span being grown around one unit, up to 120 words with what is told above its units."""

    def __init__(self, view: View, units: Sequence[Unit], at: int) -> None:
        self._view, self._units, self._at = view, units, at
        own = units[at]
        self._is_item = view.blocks.kind_of(own.row) == Kind.LIST_ITEM
        self._rows = {own.row, *_captioned(view, units, at)}
        self.first = self.last = at
        self.words = own.words + self._words_above(at, None)
        self.is_cut = False
        """Whether a unit of the table, list or block it grows around had no room."""

    def is_of_thing(self, unit: Unit) -> bool:
        """Return whether a unit is of the same table or list, or of the same block of text."""
        if self._is_item:
            own = self._units[self._at]
            return unit.section == own.section and self._view.blocks.kind_of(unit.row) == Kind.LIST_ITEM
        return unit.row in self._rows

    def extend(self, belongs: Callable[[Unit], bool]) -> None:
        """Take neighbours in turn, the next before the previous one, as long as they belong and there is room."""
        is_growing = True
        while is_growing:
            grew = [self._take(at, belongs) for at in (self.last + 1, self.first - 1)]
            is_growing = any(grew)

    def _take(self, at: int, belongs: Callable[[Unit], bool]) -> bool:
        if not 0 <= at < len(self._units) or not belongs(self._units[at]):
            return False
        unit = self._units[at]
        if at < self.first and unit.is_heading:  # a heading above is told as the section
            return False
        if at > self.last:
            words = unit.words + self._words_above(at, self.last)
        else:
            words = (
                unit.words
                + self._words_above(at, None)
                + self._words_above(self.first, at)
                - self._words_above(self.first, None)
            )
        if self.words + words > MOST_WORDS:
            self.is_cut = self.is_cut or self.is_of_thing(unit)
            return False
        self.words += words
        self.first, self.last = min(self.first, at), max(self.last, at)
        return True

    def _words_above(self, at: int, before: int | None) -> int:
        """Return how many words are told above a unit that comes after another, or first."""
        lines = _lines_above(self._view, self._units[at], None if before is None else self._units[before])
        return sum(map(word_count, lines))


def _captioned(view: View, units: Sequence[Unit], at: int) -> Iterator[int]:
    """Yield the row of what a caption is of, where it stands right beside it."""
    own = units[at].row
    if view.blocks.kind_of(own) != Kind.CAPTION:
        return
    for step in (1, -1):
        other = at
        while 0 <= other < len(units) and units[other].row == own:
            other += step
        if 0 <= other < len(units) and caption_of(view, units[other].row) == own:
            yield units[other].row


def render_passage(
    view: View, stream: Stream, span: Span, best: int, asked: AskedOfRow | None = None
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return a passage as a person reads it, and where unit `best` stands in it, as [start, stop) in characters.

    A table's rows come with its caption and heads, an item of a list with what the list is of, and both with how many
    are left out before and after: "… 10 more rows". Of rows that nobody reads whole, what is `asked` is shown.
    """
    parts: list[str] = []
    emphasis: list[tuple[int, int]] = []
    before: Unit | None = None
    # A heading that comes first is told as the section.
    first = span.first + bool(stream.units[span.first].is_heading and span.first < span.last)
    for at in range(first, span.last + 1):
        unit = stream.units[at]
        left_out = _left_out(view, unit, is_before=True) if before is None else ""
        parts.extend(f"{line}\n" for line in _lines_above(view, unit, before, left_out))
        start = sum(map(len, parts))
        shown = shown_row(unit, asked)
        if at == best:
            emphasis.extend((start + first, start + stop) for first, stop in shown.marks)
        parts.extend((shown.text, _gap(view, unit, stream.units[at + 1] if at < span.last else None)))
        before = unit
    if before is not None:
        parts.append(_left_out(view, before, is_before=False))
    return "".join(parts).rstrip(), tuple(emphasis)


def _gap(view: View, unit: Unit, after: Unit | None) -> str:
    """Return what parts a unit from the one after it: a space within a line, else a new line."""
    if after is None or after.row != unit.row or view.blocks.grid[unit.row]:
        return "\n"
    between = view.blocks.text[unit.row][unit.stop - 1 : after.start + 1]
    if "\n" in between:
        return "\n"
    return "" if has_unspaced(between) and not re.search(r"\s", between) else " "


def _left_out(view: View, unit: Unit, *, is_before: bool) -> str:
    """Return how much of a table or list stands before or after a unit of it, in words; "" for nothing."""
    if unit.is_table_row:
        return translated(more_of(_rows_left_out(view, unit, is_before=is_before), "row"))
    if view.blocks.kind_of(unit.row) == Kind.LIST_ITEM:
        return translated(more_of(sum(1 for _ in _items(view, unit.row, -1 if is_before else 1)), "item"))
    return ""


def _rows_left_out(view: View, unit: Unit, *, is_before: bool) -> int:
    """Return how many rows of a table, its parts on other pages among them, stand before or after one."""
    own = [one for one in units_of(view, int(view.page_index[unit.row])) if one.row == unit.row and one.is_table_row]
    labels = [at for at, one in enumerate(own) if one.start < unit.start and one.shown == unit.label]
    before = sum(one.start < unit.start for one in own) - bool(labels)  # its label is told above it
    beside = before if is_before else sum(one.start > unit.start for one in own)
    document = int(view.document[unit.row])
    part, first = view.parts[document], int(view.row_starts[document])
    own_row = unit.row - first
    parts = parts_of_table(part, own_row)
    at = parts.index(own_row)
    for other in parts[:at] if is_before else parts[at + 1 :]:
        grid = without_cells(part.blocks.grid[other])
        beside += max(grid.height - max(grid.header_rows, grid.repeated), 0)
    return beside


def _items(view: View, row: int, step: int) -> Iterator[int]:
    """Yield the rows of the items of a list before (step -1) or after (1) one, the nearest first."""
    blocks, document = view.blocks, int(view.document[row])
    bounds = view.rows_of(document)
    at = row + step
    while bounds.start <= at < bounds.stop:
        if view.is_content[at]:
            if blocks.kind_of(at) != Kind.LIST_ITEM or blocks.parent[at] != blocks.parent[row]:
                return
            yield at
        at += step


def _lines_above(view: View, unit: Unit, before: Unit | None, left_out: str = "") -> Iterator[str]:
    """Yield the lines a unit needs above it when it comes after another, or first; one says what is `left_out`."""
    if before is not None and before.row == unit.row and before.is_table_row == unit.is_table_row:
        if unit.label not in ("", before.label, before.shown):
            yield unit.label
    elif unit.is_table_row:
        yield from _above_table(view, unit, before, left_out)
    elif before is None and view.blocks.kind_of(unit.row) == Kind.LIST_ITEM:
        yield from _above_item(view, unit)
        if left_out:
            yield left_out


def _above_table(view: View, unit: Unit, before: Unit | None, left_out: str) -> Iterator[str]:
    over = _over_table(view, unit.row)
    if before is None or before.row not in (unit.row, *over):
        yield from (on_one_line(view.blocks.text[row])[:LEAD_CHARACTERS] for row in over)
    if view.blocks.kind_of(unit.row) in PICTURED:
        yield _READ
    if (before is None or before.heads != unit.heads) and not unit.columns:
        yield from unit.heads
    if left_out:
        yield left_out
    if unit.label:
        yield unit.label


def _over_table(view: View, table: int) -> list[int]:
    """Return the rows of a table's caption and of a short block right before it, unless that is before the caption."""
    caption, before = caption_of(view, table), lead_before(view, table)
    rows = [caption] if caption >= 0 and says_something(view.blocks.text[caption]) else []
    return [*rows, before] if before > caption else rows


def _above_item(view: View, unit: Unit) -> Iterator[str]:
    first, before = unit.row, content_before(view, unit.row)
    while before >= 0 and view.blocks.kind_of(before) == Kind.LIST_ITEM:
        first, before = before, content_before(view, before)
    lead = lead_before(view, first)
    if lead >= 0:
        yield on_one_line(view.blocks.text[lead])
