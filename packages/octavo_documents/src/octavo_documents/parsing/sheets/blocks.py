"""The regions of a sheet to blocks: tables with their headers, captions over them, notes under them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace
from octavo_documents.parsing.sheets.hidden_cells import is_read
from octavo_documents.parsing.sheets.regions import SheetRegion, regions
from octavo_documents.parsing.sheets.sheet import Sheet, is_month, is_number, is_year
from octavo_documents.text.column_heads import is_headed_by_first

MOST_ROWS = 200
"""Rows of a block; longer tables are cut, the later blocks go on with them and carry the headers."""
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
                yield FlowBlock(Kind.TABLE, text, grid=grid, goes_on=start > 0)
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
            if count > 1 and is_headed_by_first(self._filled_out(rows[:2])):
                count = 1
            if count >= len(rows) or not any(column in numeric for row in rows[:count] for column in self._texts(row)):
                return 0
            return self._reaching(rows, count)
        return self._reaching(rows, 1) if self._is_wordy_header(rows) else 0

    def _filled_out(self, rows: Sequence[int]) -> list[list[str]]:
        """Return rows with a text for each column that has any."""
        columns = sorted({column for row in self._filled[: 60 + _MOST_HEADERS] for column in self._texts(row)})
        return [[self._texts(row).get(column, "") for column in columns] for row in rows]

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
