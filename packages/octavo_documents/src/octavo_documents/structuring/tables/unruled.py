"""Tables without rules: rows of short pieces under each other, and stacks of numbers with labels left of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring import markers
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.tables.columns import ColumnValue, values_in


class _Row:
    """Thresholds for rows without rules; lengths are in ems unless they say otherwise. Chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .0003 at most (`benchmarks/ablation.py --constants 0.1`).
    FEWEST_ROWS = 3  # rows of several pieces
    FAR = 3.2  # gap between two rows of a table
    MOST_APART = 2  # rows of one piece between two rows
    MOST_LINES = 14  # lines of a cell between two rows
    SAME_EDGE = 2.0  # points between the left edges of one cell's lines
    PROSE = 45  # characters of a line of running text
    CLOSE = 0.35  # gap to the last line of a label
    CELL_GAP = 0.45  # gap between two cells
    READ_GAP = -0.15  # gap between two cells read by OCR, whose boxes are wider


_LEADER = re.compile(r"(?:\s?[.·…_]){3,}\s*$")
_PAGE_NUMBER = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})")
_ENTRY = re.compile(r"[^\W\d_][^\d]*,\s*\d{1,4}(?:[,–-]\s*\d{1,4})*")
_PLAIN_PAGE = re.compile(r"\d{1,4}")


class _Alike:
    """What is no table, chosen by hand."""

    # A tenth lower sees a table on one of 15 pages without any, a tenth higher on none (`benchmarks/ablation.py`).
    MOST = 0.6  # share of cells that are labels of a form, or entries of an index
    FEWEST_ENTRIES = 5  # rows of contents
    FEWEST_WORDY_ROWS = 4  # rows of a table of words without a header


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of rows of one column. `rows` are lists of lines, left to right."""

    rows: list[list[int]]
    is_table: bool


def stretches(page: PageLines, lines: Sequence[int], em: float) -> list[Stretch]:
    """Part the lines of one column, top to bottom, into tables and the rest; every line once."""
    rows = row_groups(page.places, lines)
    found: list[Stretch] = []
    start = 0
    while start < len(rows):
        stop = _rows_end(page, rows, start, em)
        is_table = stop > start and not _is_other(page, [row for row in rows[start:stop] if len(row) > 1])
        stop = max(stop, start + 1)
        begun = _begun_above(page, found, rows[start:stop], em) if is_table else []
        if is_table or not found or found[-1].is_table:
            found.append(Stretch([*begun, *rows[start:stop]], is_table=is_table))
        else:
            found[-1].rows.extend(rows[start:stop])
        start = stop
    return found


def _rows_end(page: PageLines, rows: list[list[int]], start: int, em: float) -> int:
    """Return the row after the rows that line up from `start` on, or `start` when none do."""
    if not _is_row(page, rows[start], em):
        return start
    last = start
    at = start + 1
    apart = 0
    while at < len(rows) and apart <= _Row.MOST_APART and _gap(page, rows[at - 1], rows[at]) < _Row.FAR * em:
        if _is_row(page, rows[at], em):
            last, apart = at, 0
        elif _is_prose(page, rows[at], em) or markers.caption(page.texts[rows[at][0]]):
            break
        else:
            apart += at - last > _Row.MOST_LINES or not _is_under_cell(page, rows[start : last + 1], rows[at])
        at += 1
    body = [row for row in rows[start : last + 1] if len(row) > 1]
    if (len(body) < _Row.FEWEST_ROWS and sum(len(row) for row in body) < 6) or not _lines_up(page, body):
        return start
    while last + 1 < len(rows) and (
        _ends_label(page, body[-1], rows[last], rows[last + 1], em)
        or _ends_cell(page, rows[start : last + 1], rows[last + 1], em)
    ):
        last += 1
    return last + 1


def _is_under_cell(page: PageLines, above: list[list[int]], row: list[int]) -> bool:
    """Whether it is a short line that begins where a cell does, the first ones left out: a cell of several lines."""
    if len(row) != 1 or len(page.texts[row[0]]) >= _Row.PROSE:
        return False
    x0 = float(page.places[row[0], 0])
    return any(abs(float(page.places[line, 0]) - x0) < _Row.SAME_EDGE for cells in above for line in cells[1:])


def _ends_cell(page: PageLines, above: list[list[int]], row: list[int], em: float) -> bool:
    """Return whether a line ends a cell in the middle of the last row: lower than the others, one alone."""
    is_close = _gap(page, above[-1], row) < 0 or (
        len(above[-1]) == 1 and _gap(page, above[-1], row) < _Row.CLOSE * em and len(above) > 1 and len(above[-2]) > 1
    )
    return is_close and _is_under_cell(page, above, row)


def _begun_above(page: PageLines, found: list[Stretch], table: list[list[int]], em: float) -> list[list[int]]:
    """Return the rows, taken from what was found before, with which a cell of several lines begins over a table."""
    begun: list[list[int]] = []
    if sum(len(row) > 1 for row in table) < _Row.FEWEST_ROWS:
        return begun
    is_bold = all(page.looks[line].bold for row in table for line in row)
    while found and not found[-1].is_table and found[-1].rows:
        row, below = found[-1].rows[-1], (begun or table)[0]
        is_head = page.looks[row[0]].bold and not is_bold
        if _gap(page, row, below) > _Row.CLOSE * em or is_head or not _is_under_cell(page, table, row):
            break
        begun.insert(0, found[-1].rows.pop())
    if begun and found and found[-1].rows and _gap(page, found[-1].rows[-1], begun[0]) < _Row.CLOSE * em:
        found[-1].rows.extend(begun)  # they end a text that stands over the table
        return []
    if found and not found[-1].rows:
        found.pop()
    return begun


def _ends_label(page: PageLines, cells: list[int], above: list[int], row: list[int], em: float) -> bool:
    """Return whether a short line close under the last row goes on one of its cells."""
    if len(row) != 1 or _gap(page, above, row) > _Row.CLOSE * em:
        return False
    x0, x1 = float(page.places[row[0], 0]), float(page.places[row[0], 2])
    alike = any(abs(page.looks[line].size - page.looks[row[0]].size) < 0.1 for line in cells)
    stops = [float(page.places[line, 0]) for line in cells[1:]]
    is_under = any(abs(float(page.places[line, 0]) - x0) < 2.0 for line in cells) or x1 < min(stops)
    return alike and is_under and len(page.texts[row[0]]) < _Row.PROSE and x1 <= float(page.places[cells, 2].max()) + em


def _is_other(page: PageLines, body: list[list[int]]) -> bool:
    return sum(1 for row in body if is_contents_row(page, row)) > 0.6 * len(body) or is_lookalike(page, body)


def _is_row(page: PageLines, row: list[int], em: float) -> bool:
    """Return whether pieces have gaps between them; the wider boxes that OCR draws around words leave less.

    Captions beside each other are none.
    """
    if len(row) < 2 or all(markers.caption(page.texts[line]) for line in row):
        return False
    gaps = [float(page.places[after, 0] - page.places[before, 2]) for before, after in itertools.pairwise(row)]
    is_read = any(page.confidences[line] < 1.0 for line in row)
    least = _Row.READ_GAP if is_read else _Row.CELL_GAP
    return min(gaps) > least * em and max(gaps) > _Row.CELL_GAP * em


def _is_prose(page: PageLines, row: list[int], em: float) -> bool:
    return len(page.texts[row[0]]) > 70 and float(page.places[row[0], 2] - page.places[row[0], 0]) > 30 * em


def _gap(page: PageLines, above: list[int], below: list[int]) -> float:
    return float(page.places[below, 1].min() - page.places[above, 3].max())


def is_tabular(page: PageLines, lines: Sequence[int]) -> bool:
    """Return whether lines inside rules make a table: most rows have several pieces, and these line up."""
    rows = row_groups(page.places, lines)
    several = [row for row in rows if len(row) > 1]
    if len(several) < 2 or sum(map(len, several)) < 6 or len(several) < 0.4 * len(rows) or _has_prose(page, rows):
        return False
    return _lines_up(page, several) and not _is_columns_of_prose(page, several)


def _has_prose(page: PageLines, rows: list[list[int]]) -> bool:
    """Return whether a would-be table has rows of running text: two in all, or one at either end."""
    boxes = page.places[[line for row in rows for line in row]]
    width = float(boxes[:, 2].max() - boxes[:, 0].min())
    long = [
        len(row) == 1
        and len(page.texts[row[0]]) >= _Row.PROSE
        and float(page.places[row[0], 2] - page.places[row[0], 0]) > 0.8 * width
        for row in rows
    ]
    return long[0] or long[-1] or sum(long) > 1


def _is_columns_of_prose(page: PageLines, rows: list[list[int]]) -> bool:
    long = sum(1 for row in rows if all(len(page.texts[item]) > 32 for item in row))
    return long > 0.6 * len(rows) and len(rows) > 6


def _lines_up(page: PageLines, rows: list[list[int]]) -> bool:
    """Return whether most cells share a left or right edge or a centre with a cell of another row."""
    places = page.places[[row for group in rows for row in group]]
    shared = np.zeros(len(places), np.bool_)
    for values, reach in ((places[:, 0], 2.5), (places[:, 2], 2.5), (places[:, 0] + places[:, 2], 5.0)):
        order = np.argsort(values, kind="stable")
        close = np.diff(values[order]) < reach
        shared[order[1:]] |= close
        shared[order[:-1]] |= close
    return float(shared.mean()) >= 0.7


def is_contents_row(page: PageLines, row: list[int]) -> bool:
    """Return whether it is an entry of a table of contents: words, then leaders or a gap, then a page number."""
    last = page.texts[row[-1]]
    if len(row) < 2 or len(row) > 3 or not _PAGE_NUMBER.fullmatch(last):
        return False
    return any(_LEADER.search(page.texts[item]) for item in row[:-1]) or len(page.texts[row[0]]) > 60


def is_lookalike(page: PageLines, rows: Sequence[Sequence[int]]) -> bool:
    """Return whether rows of lines, each of several, are no table."""
    texts = [[page.texts[line] for line in row] for row in rows]
    cells = [text for row in texts for text in row]
    if _share(text.endswith(":") for text in cells) > _Alike.MOST or _share(map(_is_entry, cells)) > _Alike.MOST:
        return True
    if sum("@" in text for text in cells) > 1 and len(rows) <= _Alike.FEWEST_ENTRIES:
        return True
    has_numbers = any(letter.isdigit() for text in cells for letter in text)
    is_headed = all(page.looks[line].bold for line in rows[0]) and not all(page.looks[line].bold for line in rows[-1])
    if len(rows) < _Alike.FEWEST_WORDY_ROWS and not has_numbers and not is_headed:
        return True
    return _is_contents(texts)


def _share(claims: Iterable[bool]) -> float:
    held = list(claims)
    return sum(held) / max(len(held), 1)


def _is_entry(text: str) -> bool:
    return bool(_ENTRY.fullmatch(text))


def _is_contents(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether these are titles with page numbers that never fall, from the first row on."""
    if len(rows) < _Alike.FEWEST_ENTRIES or any(len(row) != 2 or not _PLAIN_PAGE.fullmatch(row[1]) for row in rows):
        return False
    pages = [int(row[1]) for row in rows]
    return pages == sorted(pages) and pages[0] < pages[-1] and all(_has_word(row[0]) for row in rows)


def _has_word(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


class _Stack:
    """Thresholds for stacks of numbers and their labels, in points unless it says ems; chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    SAME_EDGE = 4.0  # difference between the right ends of a stack's numbers
    SAME_START = 1.0  # points between the left ends of numbers in one column
    FARTHEST = 8.0  # ems between two numbers of a stack
    FEWEST = 3  # numbers of a stack
    FEWEST_BESIDE = 3  # stacks of a table of one row
    MOST_NUMBERS = 1500  # numbers on a page: bounds the time on a hostile one
    LONGEST = 120  # characters of a line with a table's numbers, leaders included: in longer ones a label is too
    SHORT = 48  # characters of a header
    WORDY = 40  # characters of a label
    PROSE = 60  # characters of a line of running text
    BESIDE = 50.0  # ems between labels and numbers
    HEADER_GAP = 2.0  # ems between a header and its numbers
    LABELLED = 0.6  # share of rows with a label
    SAME_HEIGHT = 1.5  # difference between the feet of one row


Table = tuple[Box, list[int]]


@dataclass(frozen=True, slots=True)
class _Prose:
    """A long line with no number beside it, over which no column of numbers goes on: from `x0`, at a height."""

    x0: float
    middle: float


def number_tables(page: PageLines, _: Sequence[Graphic], free: Sequence[int], em: float) -> list[Table]:
    """Return the box in points and the lines of each table of numbers among upright lines, top to bottom."""
    numbers = [value for line in free if len(page.texts[line]) <= _Stack.LONGEST for value in values_in(page, line)]
    found: list[Table] = []
    if not 1 < len(numbers) <= _Stack.MOST_NUMBERS:
        return found
    taken: set[int] = set()
    for core in _cores(_stacks(numbers, _prose(page, free, numbers, em), em)):
        left = [line for line in free if line not in taken]
        lines = _table(page, left, core, em) if _is_enough(page, left, core, em) else []
        if lines:
            found.append((page.hull(lines), lines))
            taken.update(lines)
    return found


def _prose(page: PageLines, free: Sequence[int], numbers: Sequence[ColumnValue], em: float) -> list[_Prose]:
    """Return the long lines that stand over or under numbers, and none beside."""
    found: list[_Prose] = []
    for line in free:
        if len(page.texts[line]) > _Stack.PROSE:
            x0, y0, x1, y1 = page.places[line].tolist()
            over = [value for value in numbers if value.x0 < x1 and x0 < value.x1]
            is_near = any(abs(value.y1 - y1) < _Stack.FARTHEST * em for value in over)
            if is_near and not any(abs(value.y1 - y1) < _Stack.SAME_HEIGHT for value in numbers):
                found.append(_Prose(x0, (y0 + y1) / 2))
    return found


def _stacks(numbers: Sequence[ColumnValue], prose: Sequence[_Prose], em: float) -> list[list[ColumnValue]]:
    """Group numbers whose figures end at one x and follow each other closely down the page."""
    stacks: list[list[ColumnValue]] = []
    for value in sorted(numbers, key=lambda value: (value.y0, value.line, value.x0)):
        for stack in stacks:
            last = stack[-1]
            is_close = 0 < value.y0 - last.y1 + em < _Stack.FARTHEST * em
            if is_close and _is_under(last, value) and not _is_parted(last, value, prose):
                stack.append(value)
                break
        else:
            stacks.append([value])
    return stacks


def _is_under(above: ColumnValue, below: ColumnValue) -> bool:
    """Return whether numbers end at one x, with what hangs over or without, begin at one, or share a centre."""
    if min(abs(above.right - below.right), abs(above.x1 - below.x1)) < _Stack.SAME_EDGE:
        return True
    is_begun = abs(above.x0 - below.x0) < _Stack.SAME_START
    return is_begun or abs(above.x0 + above.x1 - below.x0 - below.x1) < _Stack.SAME_EDGE


def _is_parted(above: ColumnValue, below: ColumnValue, prose: Sequence[_Prose]) -> bool:
    return any(line.x0 < below.right and above.y1 < line.middle < below.y0 for line in prose)


def _cores(stacks: Sequence[list[ColumnValue]]) -> list[list[list[ColumnValue]]]:
    """Join stacks whose numbers stand in the same rows; those of two stacks and more."""
    cores: list[list[list[ColumnValue]]] = []
    for stack in sorted(stacks, key=lambda stack: (-len(stack), stack[0].y0)):
        for core in cores:
            if _share_rows(core[0], stack):
                core.append(stack)
                break
        else:
            cores.append([stack])
    return sorted((core for core in cores if len(core) > 1), key=lambda core: core[0][0].y0)


def _share_rows(one: Sequence[ColumnValue], other: Sequence[ColumnValue]) -> bool:
    heights = [value.y1 for value in one]
    shared = sum(any(abs(value.y1 - height) < 2.0 for height in heights) for value in other)
    return shared >= 0.6 * min(len(one), len(other))


def _is_enough(page: PageLines, free: Sequence[int], core: Sequence[list[ColumnValue]], em: float) -> bool:
    """Return whether stacks have several rows; or one or two, under headers and with only numbers below."""
    if sum(len(stack) >= _Stack.FEWEST for stack in core) > 1:
        return True
    top = min(stack[0].y0 for stack in core)
    above = [line for line in free if -0.3 * em < top - float(page.places[line, 3]) < _Stack.HEADER_GAP * em]
    headed = [stack for stack in core if sum(_is_over(page, line, stack[0]) for line in above) == 1]
    bottom = max(stack[-1].y1 for stack in core)
    left = min(stack[0].x0 for stack in core)
    below = [
        line for line in free if -0.3 * em < page.places[line, 1] - bottom < em and page.places[line, 0] > left - em
    ]
    if not all(any(values_in(page, line)) for line in below):
        return False
    fewest = 2 if len(core[0]) > 1 else _Stack.FEWEST_BESIDE
    is_short = all(len(page.texts[line]) < _Stack.SHORT for line in above)
    return is_short and len(headed) == len(core) >= fewest and len(above) in (len(core), len(core) + 1)


def _is_over(page: PageLines, line: int, value: ColumnValue) -> bool:
    return float(page.places[line, 0]) < value.x1 and float(page.places[line, 2]) > value.x0


def _table(page: PageLines, free: Sequence[int], stacks: Sequence[list[ColumnValue]], em: float) -> list[int]:
    """Return the lines of the table around a core of numbers, none when what stands beside it is running text."""
    values = list(itertools.chain.from_iterable(stacks))
    core = sorted({value.line for value in values})
    x0, y0, x1, y1 = page.hull(core)
    top, bottom = y0 - 0.3 * em, y1 + 0.3 * em
    level = [line for line in free if top < _middle(page, line) < bottom]
    labels = [line for line in level if float(page.places[line, 2]) < x0]
    if not labels or _is_prose_beside(page, labels, core):
        return []
    nearest = x0 - max(float(page.places[line, 2]) for line in labels)
    heights = [_middle(page, line) for line in labels]
    rows = {round(float(page.places[line, 3])) for line in core}
    labelled = sum(any(abs(at - row + em / 2) < 1.2 * em for at in heights) for row in rows)
    if labelled < _Stack.LABELLED * len(rows) or nearest > _Stack.BESIDE * em or _is_beside_text(page, level, x1, em):
        return []
    left = min(float(page.places[line, 0]) for line in labels)
    found = {line for line in level if float(page.places[line, 2]) <= x1 + em}
    found.update(line for line in free if _ends_label_beside(page, line, (left, bottom, x0), em))
    return sorted(found)


def _ends_label_beside(page: PageLines, line: int, place: tuple[float, float, float], em: float) -> bool:
    """Return whether a short line close under (left, bottom, right) of the labels ends the last of them."""
    x_left, y_top, x_right, y_bottom = page.places[line].tolist()
    left, bottom, right = place
    is_close = _middle(page, line) >= bottom and y_top < bottom + 0.3 * em and y_bottom < bottom + 1.6 * em
    return is_close and abs(x_left - left) < 3 * em and x_right < right and len(page.texts[line]) < _Stack.WORDY


def _is_prose_beside(page: PageLines, labels: Sequence[int], core: Sequence[int]) -> bool:
    """Return whether what is left of numbers is running text: long lines not at the height of the numbers."""
    lengths = [len(page.texts[line]) for line in labels]
    if sum(length > _Stack.WORDY for length in lengths) <= 0.25 * len(lengths) and max(lengths) <= 2 * _Stack.SHORT:
        return False
    heights = np.sort(page.places[list(core), 3])
    feet = page.places[list(labels), 3]
    at = np.searchsorted(heights, feet)
    near = np.minimum(
        np.abs(heights[np.minimum(at, len(heights) - 1)] - feet), np.abs(heights[np.maximum(at - 1, 0)] - feet)
    )
    return float((near < _Stack.SAME_HEIGHT).mean()) < _Stack.LABELLED


def _is_beside_text(page: PageLines, level: Sequence[int], x1: float, em: float) -> bool:
    """Return whether more cells stand right of the core: then its stacks are not all of the table."""
    return any(x1 + em < float(page.places[line, 2]) and float(page.places[line, 0]) < x1 + 3 * em for line in level)


def _middle(page: PageLines, line: int) -> float:
    return float(page.places[line, 1] + page.places[line, 3]) / 2
