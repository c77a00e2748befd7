"""Units: the sentences, table rows, list items and figures of a page, which are matched with a question.

All lengths are chosen by hand.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from octavo.evidence import View
from octavo.operators.score.languages import row_language
from octavo.operators.score.page_features import is_contents_line
from octavo_documents.document import PICTURED, Kind, PageTable, is_no_page
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import line_spans, sentence_spans
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.segmentation import word_count

MOST_WORDS = 120
"""Words of a passage: what a person reads at a glance, and what answers are looked for in."""
_FIGURE_WORDS = 60
"""Words of a figure or chart that are one unit."""
LEAD_CHARACTERS = 200
"""Of a short block before a table or list, which says what it shows: "in millions"."""
LONGEST_CELL = 300
"""Characters of a table's cell that are shown of it at a time."""
_MANY_COLUMNS, _LONG_LINE = 8, 120
"""Columns of a table and characters of its heads from which on nobody tells which cell is whose."""
_CUT = ("part ", "page ")
"""What labels begin with where a text is cut for its length alone."""
_LINES = (Kind.PARAGRAPH, Kind.LIST_ITEM)
_MARKER = re.compile(r"\(?\w{1,3}[.)]")
"""The number or letter of an item, alone."""


@dataclasses.dataclass(frozen=True, slots=True)
class Unit:
    """The smallest piece that is matched with a question.

    `text` is what is matched: a sentence, or a table's row with the head of each cell before it; `shown` is how a
    person sees it. `[start, stop)` are characters of the block's text, of a table's row its number.
    """

    row: int
    start: int
    stop: int
    text: str
    shown: str
    section: int
    """Row of the heading it stands under, of a heading its own; -1 for none."""
    heads: tuple[str, ...] = ()
    """Of a table's row: the lines that head its columns."""
    is_table_row: bool = False
    label: str = ""
    """Of a table's row: the row above it that heads several, such as "Assets:"."""
    cells: tuple[str, ...] = ()
    """Of a table's row: its cells, whole, each on one line."""
    columns: tuple[str, ...] = ()
    """Of a row of a wide table: what heads each of its columns."""
    language: str = ENGLISH

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.row == self.section

    @property
    def has_long_cell(self) -> bool:
        """Whether it is a row with a cell that is shown in part."""
        return max(map(len, self.cells), default=0) > LONGEST_CELL

    @property
    def words(self) -> int:
        """How many words it takes when shown; a long cell is shown in part."""
        if self.has_long_cell:
            return sum(word_count(cell[:LONGEST_CELL]) for cell in self.cells)
        return word_count(self.shown)

    def shifted(self, rows: int) -> Unit:
        """Return the same unit in a view where its document stands so many rows further down."""
        section = self.section + rows if self.section >= 0 else -1
        return dataclasses.replace(self, row=self.row + rows, section=section)

    @property
    def key(self) -> tuple[int, int]:
        """What tells it from all others of the view."""
        return self.row, self.start


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring units `[first, last]` of a stream that are read together."""

    first: int
    last: int

    def overlaps(self, other: Span) -> bool:
        """Return whether any unit belongs to both."""
        return self.first <= other.last and other.first <= self.last


@dataclasses.dataclass(frozen=True)
class Stream:
    """The units of a page and of those beside it, in reading order; those of the page itself are `[start, stop)`."""

    units: Sequence[Unit]
    start: int
    stop: int


def stream_of(view: View, page: int) -> Stream:
    """Return the units around a page (by its index in the view), furniture and contents left out.

    Nothing goes on from one slide, sheet, message or chapter to another. A page that is wider than high is a slide, or
    a table of its own.
    """
    document, number = view.locate_page(page)
    pages = view.documents[document].pages
    before = units_of(view, page - 1) if _goes_on(pages, number - 1) else ()
    after = units_of(view, page + 1) if _goes_on(pages, number) else ()
    own = units_of(view, page)
    return Stream((*before, *own, *after), len(before), len(before) + len(own))


def _goes_on(pages: PageTable, number: int) -> bool:
    """Return whether text may go on from a page of a document to the next."""
    beside = slice(number - 1, number + 1)
    if not 1 <= number < len(pages) or (pages.width[beside] > pages.height[beside]).any():
        return False
    here, there = pages.label[number - 1], pages.label[number]
    return here == there or all(not is_no_page(one) or one.startswith(_CUT) for one in (here, there))


def units_of(view: View, page: int) -> tuple[Unit, ...]:
    """Return the units of a page in reading order, found once for each document."""
    document, number = view.locate_page(page)
    part, first = view.parts[document], int(view.row_starts[document])
    found = part.derived(_units_on, number - 1)
    return tuple(unit.shifted(first) for unit in found) if first else found


def _units_on(view: View, page: int) -> tuple[Unit, ...]:
    codes = ((row_language(view, unit.row), unit) for unit in _units(view, page))
    return tuple(unit if code == ENGLISH else dataclasses.replace(unit, language=code) for code, unit in codes)


def _units(view: View, page: int) -> Iterator[Unit]:
    rows = view.page_rows(page)
    for row in range(rows.start, rows.stop):
        if not view.is_content[row] or not says_something(view.blocks.text[row]):
            continue
        kind = view.blocks.kind_of(row)
        section = row if kind is Kind.HEADING else int(view.blocks.parent[row])
        text, grid = view.blocks.text[row], view.blocks.grid[row]
        if kind in PICTURED:
            yield from _picture_words(Grid.from_json(grid).words_beside(text) if grid else text, row, section)
        if grid:
            yield from _table_rows(view, row, section)
        elif kind not in PICTURED and not _value_of(view, row):
            label = _label_of(view, row)
            yield from [_labelled(label, text, row, section)] if label else _sentences(text, row, section)


_LABEL_WORDS, _VALUE_WORDS = 4, 12
"""Words of a label and of the value below it, at most, that are one: "Default value:" over "128"."""


def _value_of(view: View, row: int) -> str:
    """Return the short value that a label in a line of its own has below it; "" for none, and for another block."""
    text = view.blocks.text[row].strip()
    if not text.endswith(":") or view.blocks.kind_of(row) not in _LINES or word_count(text) > _LABEL_WORDS:
        return ""
    after = content_after(view, row)
    if after < 0 or view.blocks.parent[after] != view.blocks.parent[row]:
        return ""
    value = view.blocks.text[after].strip()
    is_value = view.blocks.kind_of(after) == Kind.PARAGRAPH and not value.endswith(":") and "\n" not in value
    is_one = len(list(sentence_spans(value))) == 1 and word_count(value) <= _VALUE_WORDS
    return value if is_value and is_one and says_something(value) else ""


def _label_of(view: View, row: int) -> str:
    """Return the label in the line above whose value a block is; "" for none."""
    before = content_before(view, row)
    return view.blocks.text[before].strip() if before >= 0 and _value_of(view, before) else ""


def _labelled(label: str, text: str, row: int, section: int) -> Unit:
    said = f"{on_one_line(label)} {on_one_line(text)}"
    return Unit(row, 0, len(text), said, said, section)


def _sentences(text: str, row: int, section: int) -> Iterator[Unit]:
    for start, stop in line_spans(text):
        begun = -1
        for first, last in sentence_spans(text[start:stop]):
            begun = first if begun < 0 else begun
            said = text[start + begun : start + last].strip()
            is_sign = not any(map(str.isalnum, said))
            if (is_sign or _MARKER.fullmatch(said)) and last < stop - start:
                continue  # the number of an item, or its sign, goes with the item
            if not is_sign:
                yield Unit(row, start + begun, start + last, said, said, section)
            begun = -1


def _picture_words(text: str, row: int, section: int) -> Iterator[Unit]:
    """Yield the words of a figure, some lines together: alone they are fragments."""
    first = stop = 0
    for start, end in line_spans(text):
        if start > first and word_count(text[first:end]) > _FIGURE_WORDS:
            yield from _joined(text, first, stop, row, section)
            first = start
        stop = end
    yield from _joined(text, first, len(text), row, section)


def _joined(text: str, start: int, stop: int, row: int, section: int) -> Iterator[Unit]:
    said = on_one_line(text[start:stop])
    if any(map(str.isalnum, said)):
        yield Unit(row, start, stop, said, text[start:stop].strip(), section)


def _table_rows(view: View, row: int, section: int) -> Iterator[Unit]:
    grid = Grid.from_json(view.blocks.grid[row])
    rows = grid.rows_apart()
    heads = [
        line for line in map(_line, [*rows[: grid.header_rows], *([grid.carried] if grid.carried else [])]) if line
    ]
    if grid.header_rows >= len(rows):
        heads = []
    columns = _columns(grid, heads)
    label = ""
    for at, (text, cells) in enumerate(zip(grid.linearised(), rows, strict=True)):
        shown = _line(cells)
        if not shown or (heads and at < grid.header_rows):
            continue
        if len(list(filter(None, cells))) == 1 and cells[0]:
            label = shown
        yield Unit(
            row,
            at,
            at + 1,
            text or shown,
            shown,
            section,
            tuple(heads),
            is_table_row=True,
            label=label if label != shown else "",
            cells=tuple(map(on_one_line, cells)),
            columns=columns,
        )
        if cells[0].lower().startswith("total"):
            label = ""


def _line(cells: Sequence[str]) -> str:
    """Return a row as it is shown; blank cells keep their places, but for those at the end."""
    return " | ".join(map(on_one_line, cells)).rstrip(" |")


def _columns(grid: Grid, heads: Sequence[str]) -> tuple[str, ...]:
    """Return what heads each column of a table that is too wide to be read in lines; none of any other table."""
    return tuple(map(on_one_line, grid.headers())) if heads and is_wide(grid.width, max(map(len, heads))) else ()


def is_wide(columns: int, line: int) -> bool:
    """Return whether rows of so many columns are too wide to be read; `line`: characters of all heads on one line."""
    return columns >= _MANY_COLUMNS and line > _LONG_LINE


def content_before(view: View, row: int) -> int:
    """Return the row of the block before another in its document, furniture left out; -1 for none."""
    start = int(view.row_starts[view.document[row]])
    before = row - 1
    while before >= start and not view.is_content[before]:
        before -= 1
    return before if before >= start else -1


def content_after(view: View, row: int) -> int:
    """Return the row of the block after another in its document, furniture left out; -1 for none."""
    document = int(view.document[row])
    stop = int(view.row_starts[document]) + len(view.parts[document])
    after = row + 1
    while after < stop and not view.is_content[after]:
        after += 1
    return after if after < stop else -1


def lead_before(view: View, row: int) -> int:
    """Return the row of a short block right before another in its section, which says what it shows; -1 for none."""
    blocks, before = view.blocks, content_before(view, row)
    if before < 0 or blocks.parent[before] != blocks.parent[row]:
        return -1
    text = blocks.text[before]
    is_lead = blocks.kind_of(before) in (Kind.PARAGRAPH, Kind.CAPTION) and len(text) <= LEAD_CHARACTERS
    return before if is_lead and says_something(text) else -1


def says_something(text: str) -> bool:
    """Return whether a text has words, and is no line of a table of contents."""
    return any(map(str.isalnum, text)) and not is_contents_line(text)


def caption_of(view: View, row: int) -> int:
    """Return the row of a block's caption, -1 for none."""
    document = int(view.document[row])
    part, first = view.parts[document], int(view.row_starts[document])
    found = part.captions.get(row - first)
    return found[-1] + first if found else -1
