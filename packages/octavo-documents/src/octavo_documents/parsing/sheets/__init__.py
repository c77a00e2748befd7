"""Spreadsheets to flowing text: each sheet is a part, and the tables on it are told apart and say their cells.

`xlsx`, `ods`, `binary` (XLS, XLSB) and `delimited` (CSV, TSV) read a file into a `Sheet`; here is found what stands
together on a sheet, and tables, captions and paragraphs are made of it.

Cells are told apart by the empty rows and columns between them. A single empty row or column is taken as a gap within a
table where what follows goes on with the same columns, and no header begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace
from octavo_documents.parsing.marks import bare
from octavo_documents.parsing.sheets.unseen import is_read

MOST_CELLS = 3_000_000
"""Cells with words that are read of one file."""


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet. Rows and columns count from 0; cells without words are left out."""

    name: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    """The texts of each row, from top to bottom, by column, from left to right."""
    spans: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict[tuple[int, int], tuple[int, int]])
    """How many rows and columns a merged cell covers, by its top left corner."""
    bold: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Cells that are set bold."""
    notes: list[FlowBlock] = field(default_factory=list[FlowBlock])
    """Comments, text boxes, pictures and charts, which stand in no cell."""
    heads: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What is printed over and under each page, as the file writes it: its name and its words."""
    warnings: list[str] = field(default_factory=list[str])
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    """Rows and columns that are not shown: they part nothing."""
    unseen: list[str] = field(default_factory=list[str])
    """The words of cells that are not shown: in hidden rows and columns, white on white, of a format that shows none.

    A row that a filter or a folded outline hides is read: a person opens it with a click.
    """


@dataclass(slots=True)
class CountedCells:
    """How many cells of a file may still be read."""

    left: int = MOST_CELLS

    def take(self, count: int) -> bool:
        """Whether so many cells more may be read; they are then counted."""
        self.left -= count
        return self.left >= 0


_NUMBER = re.compile(
    r"[-+−–(]{0,2}\s?(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}\s)?\s?[-+−]?\d[\d.,'\u00a0\u202f ]*"
    r"(?:[eE][-+]?\d+)?\s?(?:%|‰|[$€£¥]|[KMB]|bn|m|k)?\)?\Z"
)
_MOMENT = re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?\Z|\d{1,4}:\d\d(?::\d\d)?\Z")
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d[AEF]?\Z")
_DEEPEST = 40
"""Cuts inside each other."""
_WIDE_GAP = 4
"""Empty columns that always part."""
_SAME_ROWS = 0.8
"""Share of the rows of a piece that the piece beside it has too, where both are one table."""
_ENDLESS = 100_000
_FAR = 5000
"""Rows that are looked at between two with words."""


@dataclass(frozen=True, slots=True)
class SheetRegion:
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int


def is_number(text: str) -> bool:
    """Whether a cell says a number, an amount, a date or a time."""
    text = bare(text)
    return len(text) < 40 and bool(_NUMBER.match(text) or _MOMENT.match(text))


def is_year(text: str) -> bool:
    """Whether a cell says a year, as headers of columns do."""
    return bool(_YEAR.match(bare(text)))


def is_month(text: str) -> bool:
    """Whether a cell says a month or a date, which may head a column: "2024-03", "2024-03-05"."""
    return len(text) in (7, 10) and text[4:5] == "-"


def regions(sheet: Sheet, *, is_one: bool = False) -> list[SheetRegion]:
    """Return the regions of a sheet as they are read: from top to bottom, what stands side by side from left to right.

    `is_one`: columns are never parted, as in a file that holds one table.
    """
    return list(_Cutter(sheet, is_one=is_one).cut())


_Piece = tuple[Sequence[int], int, int]
"""The rows that have words, the first and the last column."""


class _Cutter:
    def __init__(self, sheet: Sheet, *, is_one: bool) -> None:
        self._rows: Mapping[int, Mapping[int, str]] = sheet.rows
        self._is_one = is_one
        self._bold = sheet.bold
        self._covered = _covered(sheet)
        self._hidden = (sheet.hidden_rows, sheet.hidden_columns)

    def cut(self) -> Iterator[SheetRegion]:
        rows = sorted({*self._rows, *self._covered})
        if rows:
            right = max(max(self._columns(row)) for row in rows)
            yield from self._cut((rows, 0, right), 0)

    def _columns(self, row: int, left: int = 0, right: int = _ENDLESS) -> list[int]:
        """Return the columns of a row that have words or are covered by a merged cell."""
        own = self._rows.get(row, {})
        more = self._covered.get(row)
        found = own if more is None else {*own, *more}
        return [column for column in found if left <= column <= right]

    def _cut(self, piece: _Piece, depth: int) -> Iterator[SheetRegion]:
        parted = self._parted(piece) if depth < _DEEPEST else [piece]
        if len(parted) > 1:
            for one in parted:
                yield from self._cut(one, depth + 1)
        else:
            for rows, left, right in parted:
                yield SheetRegion(rows[0], left, rows[-1], right)

    def _parted(self, piece: _Piece) -> list[_Piece]:
        """Return the pieces of a piece: by rows, else by columns, else where it goes on diagonally; or the piece."""
        rows, left, right = piece
        columns = {row: self._columns(row, left, right) for row in rows}
        rows = [row for row in rows if columns[row]]
        if not rows:
            return []
        taken = sorted({column for found in columns.values() for column in found})
        left, right = taken[0], taken[-1]
        parts = self._by_rows(rows, columns)
        if len(parts) > 1:
            return [(part, left, right) for part in parts]
        if not self._is_one:
            edges = self._by_columns(rows, columns, taken)
            if len(edges) > 1:
                return [(rows, first, last) for first, last in edges]
            step = _step(rows, columns)
            if step:
                return [(rows[:step], left, right), (rows[step:], left, right)]
        return [(rows, left, right)]

    def _by_rows(self, rows: Sequence[int], columns: Mapping[int, list[int]]) -> list[Sequence[int]]:
        found, start = list[Sequence[int]](), 0
        for at in range(1, len(rows)):
            gap = rows[at] - rows[at - 1] - 1
            if gap and self._hidden[0]:
                gap -= sum(
                    row in self._hidden[0] for row in range(rows[at - 1] + 1, min(rows[at], rows[at - 1] + _FAR))
                )
            if gap and (gap > 1 or not self._goes_on(rows[start:at], rows[at : at + 2], columns)):
                found.append(rows[start:at])
                start = at
        return [*found, rows[start:]]

    def _goes_on(self, above: Sequence[int], below: Sequence[int], columns: Mapping[int, list[int]]) -> bool:
        """Whether rows under an empty one belong to the table above it."""
        near = [*above[:3], *above[-3:]]
        known = {column for row in near for column in columns[row]}
        first = columns[below[0]]
        if len(known) < 2 or not known.issuperset(first):
            return False
        if len(first) == 1:  # a label: it heads more rows of the table, or another table
            after = columns[below[1]] if len(below) > 1 and below[1] == below[0] + 1 else []
            return (
                len(above) > 1
                and first[0] == min(known)
                and len(after) > 1
                and known.issuperset(after)
                and not self._is_header(below[1], near, after)
            )
        return not self._is_header(below[0], near, first)

    def _is_header(self, row: int, above: Sequence[int], columns: Sequence[int]) -> bool:
        """Whether a row of words stands under numbers, or repeats the first one, or is bold under one that is not."""
        texts = self._rows.get(row, {})
        if texts == self._rows.get(above[0]):
            return True
        bold = [(row, column) in self._bold for column in columns if column in texts]
        if (
            bold
            and all(bold)
            and any((above[-1], column) not in self._bold for column in self._rows.get(above[-1], {}))
        ):
            return not any(is_number(text) and not is_year(text) for text in texts.values())
        others = [
            column for column in columns if any(is_number(self._rows.get(one, {}).get(column, "")) for one in above)
        ]
        said = [texts[column] for column in others if column in texts]
        if others:
            return bool(said) and not any(is_number(text) and not is_year(text) for text in said)
        after = self._rows.get(row + 1, {})
        heads = any(is_number(after.get(column, "")) for column in columns)
        return heads and len(above) > 1 and not any(map(is_number, texts.values()))

    def _by_columns(
        self, rows: Sequence[int], columns: Mapping[int, list[int]], taken: Sequence[int]
    ) -> list[tuple[int, int]]:
        hidden = self._hidden[1]
        gaps = [
            (one, other)
            for one, other in pairwise(taken)
            if other - one > 1 and any(column not in hidden for column in range(one + 1, other))
        ]
        edges, left = list[tuple[int, int]](), taken[0]
        for at, (one, other) in enumerate(gaps):
            last = gaps[at + 1][0] if at + 1 < len(gaps) else taken[-1]
            if other - one > _WIDE_GAP or not self._belongs(rows, columns, (left, one), (other, last)):
                edges.append((left, one))
                left = other
        return [*edges, (left, taken[-1])]

    def _belongs(
        self,
        rows: Sequence[int],
        columns: Mapping[int, list[int]],
        before: tuple[int, int],
        after: tuple[int, int],
    ) -> bool:
        """Whether columns after an empty one belong to the table before it: its rows, and no labels of their own."""
        own = [row for row in rows if _count(columns[row], after)]
        others = {row for row in rows if _count(columns[row], before)}
        if not own or sum(row in others for row in own) < _SAME_ROWS * len(own):
            return False
        if len({column for row in rows for column in columns[row] if before[0] <= column <= before[1]}) == 1:
            return True  # the labels or numbers of the rows
        texts = [self._rows.get(row, {}).get(after[0], "") for row in own]
        # A row of one cell is a label over the columns before.
        heads = min((row for row in others if _count(columns[row], before) > 1), default=min(others))
        if own[0] > heads and texts[0] and not is_number(texts[0]) and len(own) > 1:
            return False  # a header that begins further down
        body = [text for text in texts[1:] if text] or [text for text in texts if text]
        is_labelled = sum(not is_number(text) for text in body) > len(body) / 2
        return not is_labelled or (after[0] == after[1] and len(own) <= 2)


def _count(columns: Sequence[int], edges: tuple[int, int]) -> int:
    return sum(edges[0] <= column <= edges[1] for column in columns)


def _step(rows: Sequence[int], columns: Mapping[int, list[int]]) -> int:
    """Return how many rows come before those that touch the ones above at a corner only; 0 where there are none."""
    above = _edges(rows, columns, range(len(rows)))
    below = _edges(rows, columns, range(len(rows) - 1, -1, -1))[::-1]
    for at in range(1, len(rows)):
        (left, right), (first, last) = above[at - 1], below[at]
        if first > right or last < left:
            return at
    return 0


def _edges(rows: Sequence[int], columns: Mapping[int, list[int]], order: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last column of the rows gone through so far."""
    found, left, right = list[tuple[int, int]](), _ENDLESS, -1
    for at in order:
        left, right = min(left, *columns[rows[at]]), max(right, *columns[rows[at]])
        found.append((left, right))
    return found


def _covered(sheet: Sheet) -> dict[int, set[int]]:
    """Return the columns of each row that merged cells with words cover."""
    found: dict[int, set[int]] = {}
    for (row, column), (down, across) in sheet.spans.items():
        if sheet.rows.get(row, {}).get(column) and down * across < _ENDLESS:
            for one in range(row, row + down):
                found.setdefault(one, set()).update(range(column, column + across))
    return found


MOST_ROWS = 200
"""Rows of a block; longer tables are cut, the later blocks carry the headers."""
_MOST_HEADERS = 4
_LONG = 80
"""Characters from which on a cell is taken for a sentence."""
_NOTE = re.compile(r"(?:notes?|sources?|quelle|anmerkung(?:en)?|fuente|nota)\b|[*†‡]|\(?[1-9a-c]\)\s", re.IGNORECASE)
_MARK = re.compile(r"[*†‡§]{1,3}|\(?\d{1,2}[.)]?|\(?[a-z][.)]|[¹²³⁴-⁹]{1,2}|[ᵃ-ᵿ]", re.IGNORECASE)
_NEAR = 3
"""Rows between a label and the table it is over."""


def sheet_blocks(sheets: Sequence[Sheet]) -> Iterator[FlowBlock]:
    """Yield the blocks of the sheets of a file, each a part with its name as heading; hidden ones are left out."""
    for sheet in sheets:
        if not is_read(sheet, sheets):
            continue
        name = collapse_whitespace(sheet.name) or "Sheet"
        yield FlowBlock(Kind.HEADING, name, 1, part=f"sheet {name}")
        yield from region_blocks(sheet)
        yield from sheet.notes


def region_blocks(sheet: Sheet, *, is_one: bool = False) -> Iterator[FlowBlock]:
    """Yield the tables, captions and paragraphs of a sheet; `is_one`: all its columns belong to one table."""
    found = [_Area(sheet, region, is_one=is_one) for region in regions(sheet, is_one=is_one)]
    for at, area in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        yield from area.blocks(is_over=after is not None and after.is_table and area.is_near(after))


class _Area:
    """A region with its rows; the labels over a table and the notes under it are told from the table."""

    def __init__(self, sheet: Sheet, region: SheetRegion, *, is_one: bool) -> None:
        self._sheet, self._region, self._is_one = sheet, region, is_one
        self._numbers = [row for row in range(region.top, region.bottom + 1) if row in sheet.rows]
        filled = [row for row in self._numbers if self._texts(row)]
        self._is_list = region.left == region.right and not self._is_column(filled)
        head = tail = 0
        if not self._is_list and region.left != region.right:
            while head < len(filled) - 1 and self._is_label(filled[head]):
                head += 1
            if head == len(filled) - 1 and self._is_label(filled[head]):
                head += 1
            while tail < len(filled) - head - 1 and self._is_note(filled[-1 - tail]):
                tail += 1
        self._labels, self._notes = filled[:head], filled[len(filled) - tail :] if tail else []
        self._filled = filled[head : len(filled) - tail]

    @property
    def is_table(self) -> bool:
        return bool(self._filled) and not self._is_list

    def is_near(self, other: _Area) -> bool:
        """Whether another area begins close under this one, and this one says no more than a label does."""
        own, next_ = self._region, other._region
        is_short = own.bottom - own.top < _NEAR and all(len(text) < 2 * _LONG for text in self._all())
        is_under = 0 < next_.top - own.bottom <= _NEAR and next_.left <= own.right and own.left <= next_.right
        return (self._is_list or not self._filled) and is_short and is_under

    def blocks(self, *, is_over: bool) -> Iterator[FlowBlock]:
        """Yield the blocks; `is_over`: what is no table here is the caption of one beneath."""
        if not self.is_table:
            yield from self._words([*self._labels, *self._filled], is_caption=is_over)
        else:
            yield from self._words(self._labels, is_caption=True)
            yield from self._tables()
        yield from self._words(self._notes, is_caption=False)

    def _words(self, rows: Sequence[int], *, is_caption: bool) -> Iterator[FlowBlock]:
        texts = [" ".join(map(collapse_whitespace, self._texts(row).values())) for row in rows]
        if is_caption and texts:
            yield FlowBlock(Kind.CAPTION, "\n".join(texts))
        elif not is_caption:
            yield from (FlowBlock(Kind.PARAGRAPH, text) for text in texts)

    def _tables(self) -> Iterator[FlowBlock]:
        rows = self._numbers[self._numbers.index(self._filled[0]) : self._numbers.index(self._filled[-1]) + 1]
        headers = self._header_rows()
        carried: tuple[str, ...] = ()
        for start in range(0, len(rows), MOST_ROWS):
            grid = self._grid(rows[start : start + MOST_ROWS], headers if start == 0 else 0, carried)
            text = grid.text()
            if text.strip():
                yield FlowBlock(Kind.TABLE, text, grid=grid)
            if start == 0:
                carried = tuple(grid.headers()) if headers else ()

    def _grid(self, rows: Sequence[int], headers: int, carried: tuple[str, ...]) -> Grid:
        top, left, height = rows[0], self._region.left, rows[-1] - rows[0] + 1
        width, spans = self._region.right - left + 1, self._sheet.spans
        cells: list[Cell] = []
        for row in rows:
            for column, text in self._texts(row).items():
                down, across = spans.get((row, column), (1, 1)) if spans else (1, 1)
                down, across = min(down, top + height - row), min(across, left + width - column)
                cells.append(Cell(row - top, column - left, collapse_whitespace(text), down, across))
        names = int(width > 1 and not carried and self._names_rows(headers))
        return Grid(height, width, tuple(cells), headers, names, carried=carried, origin=(top, left))

    def _texts(self, row: int) -> dict[int, str]:
        region = self._region
        found: Mapping[int, str] = self._sheet.rows.get(row, {})
        return {column: text for column, text in found.items() if region.left <= column <= region.right}

    def _all(self) -> Iterator[str]:
        for row in self._numbers:
            yield from self._texts(row).values()

    def _is_column(self, filled: Sequence[int]) -> bool:
        """Whether the only column of a region is a table's: short entries, three at least."""
        texts = [text for row in filled for text in self._texts(row).values()]
        return len(texts) > _NEAR and sum(len(text) < _LONG for text in texts) > 0.9 * len(texts)

    def _is_label(self, row: int) -> bool:
        """Whether a row over a table has but one cell, at the left or over all columns."""
        texts = self._texts(row)
        if len(texts) != 1:
            return False
        ((column, text),) = texts.items()
        across = self._sheet.spans.get((row, column), (1, 1))[1]
        region = self._region
        return column == region.left and (not is_number(text) or column + across > region.right)

    def _is_note(self, row: int) -> bool:
        texts = self._texts(row)
        columns = list(texts)
        if not columns or columns[0] != self._region.left:
            return False
        first = texts[columns[0]]
        if len(columns) == 2 and _MARK.fullmatch(first.strip()):  # its mark in a cell of its own
            return texts[columns[1]].count(" ") > 1 and not is_number(texts[columns[1]])
        return len(columns) == 1 and (len(first) > _LONG or bool(_NOTE.match(first)))

    def _header_rows(self) -> int:
        """Return how many rows at the top name the columns, by what they and the rows under them say."""
        rows = self._filled[: 60 + _MOST_HEADERS]
        if len(rows) < 2:
            return 0
        numeric = self._numeric_columns(rows)
        if numeric:
            count = 0
            for row in rows[:_MOST_HEADERS]:
                said = [text for column, text in self._texts(row).items() if column in numeric]
                if any(is_number(text) and not is_year(text) and not is_month(text) for text in said):
                    break
                if not said and count and len(self._texts(row)) == 1:
                    break  # a label over the rows that follow
                count += 1
            if count >= len(rows) or not any(column in numeric for row in rows[:count] for column in self._texts(row)):
                return 0
            return self._reaching(rows, count)
        return self._reaching(rows, 1) if self._is_wordy_header(rows) else 0

    def _reaching(self, rows: Sequence[int], count: int) -> int:
        """Return header rows as rows of the grid, in which empty rows count."""
        return rows[count - 1] - rows[0] + 1 if count else 0

    def _numeric_columns(self, rows: Sequence[int]) -> set[int]:
        """Return the columns whose cells are mostly numbers, the first ones left out, as far as there are others."""
        texts: dict[int, list[str]] = {}
        for row in rows[1:]:
            for column, text in self._texts(row).items():
                texts.setdefault(column, []).append(text)
        return {
            column
            for column, found in texts.items()
            if sum(map(is_number, found)) >= 0.6 * len(found[_MOST_HEADERS - 1 :] or found)
        }

    def _is_wordy_header(self, rows: Sequence[int]) -> bool:
        """Whether the first of rows of words names their columns: short, different, and no label with its value."""
        first = self._texts(rows[0])
        texts = list(first.values())
        width = len({column for row in rows for column in self._texts(row)})
        if texts == [str(number) for number in range(1, len(texts) + 1)] and len(texts) > 1:
            return True
        if len(texts) < max(1 if self._is_one else 2, 0.6 * width) or any(is_number(text) for text in texts):
            return False
        bold = self._sheet.bold
        if all((rows[0], column) in bold for column in first):
            return True
        is_named = len({*texts}) == len(texts) and all(len(text) < _LONG for text in texts)
        if self._is_one:
            return is_named and len(texts) == width
        return is_named and width > 2 and not any(text.endswith(":") for text in texts)

    def _names_rows(self, headers: int) -> bool:
        """Whether the first column says what its rows are about: words, mostly different, beside numbers."""
        rows = self._filled[headers : headers + 60]
        firsts = [self._texts(row).get(self._region.left, "") for row in rows]
        others = [text for row in rows for column, text in self._texts(row).items() if column != self._region.left]
        named = [text for text in firsts if text]
        return (
            len(named) > 0.8 * len(rows)
            and not any(map(is_number, named))
            and len({*named}) > 0.9 * len(named)
            and sum(map(is_number, others)) > len(others) / 2
        )
