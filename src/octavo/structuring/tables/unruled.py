"""Tables without rules: rows of short pieces that stand under each other.

Rows that line up are no table where their texts are those of contents, an index, a form, authors or captions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from octavo.structuring.lines import PageLines
from octavo.structuring.reading_order import row_groups


class _Row:
    """What rows without rules are told by; lengths are in ems unless they say otherwise. Chosen by hand."""

    FEWEST_ROWS = 3  # rows of several pieces
    FAR = 3.2  # gap between two rows of a table
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
        if is_table or not found or found[-1].is_table:
            found.append(Stretch(rows[start:stop], is_table=is_table))
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
    while at < len(rows) and at - last <= 3 and _gap(page, rows[at - 1], rows[at]) < _Row.FAR * em:
        if _is_row(page, rows[at], em):
            last = at
        elif _is_prose(page, rows[at], em):
            break
        at += 1
    body = [row for row in rows[start : last + 1] if len(row) > 1]
    if (len(body) < _Row.FEWEST_ROWS and sum(len(row) for row in body) < 6) or not _lines_up(page, body):
        return start
    while last + 1 < len(rows) and _ends_label(page, body[-1], rows[last], rows[last + 1], em):
        last += 1
    return last + 1


def _ends_label(page: PageLines, cells: list[int], above: list[int], row: list[int], em: float) -> bool:
    """Tell a short line close under the last row that goes on one of its cells."""
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
    """Tell pieces with gaps between them; the boxes that OCR draws around words are wider, and leave less."""
    if len(row) < 2:
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
    """Tell lines inside rules that make a table: most rows have several pieces, and these line up."""
    rows = row_groups(page.places, lines)
    several = [row for row in rows if len(row) > 1]
    if len(several) < 2 or sum(map(len, several)) < 6 or len(several) < 0.4 * len(rows) or _has_prose(page, rows):
        return False
    return _lines_up(page, several) and not _is_columns_of_prose(page, several)


def _has_prose(page: PageLines, rows: list[list[int]]) -> bool:
    """Tell rows of running text among those of a would-be table: two in all, or one at either end."""
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
    """Tell that most cells share a left or right edge or a centre with a cell of another row."""
    places = page.places[[row for group in rows for row in group]]
    shared = np.zeros(len(places), np.bool_)
    for values, reach in ((places[:, 0], 2.5), (places[:, 2], 2.5), (places[:, 0] + places[:, 2], 5.0)):
        order = np.argsort(values, kind="stable")
        close = np.diff(values[order]) < reach
        shared[order[1:]] |= close
        shared[order[:-1]] |= close
    return float(shared.mean()) >= 0.7


def is_contents_row(page: PageLines, row: list[int]) -> bool:
    """Tell an entry of a table of contents: words, then leaders or a gap, then a page number."""
    last = page.texts[row[-1]]
    if len(row) < 2 or len(row) > 3 or not _PAGE_NUMBER.fullmatch(last):
        return False
    return any(_LEADER.search(page.texts[item]) for item in row[:-1]) or len(page.texts[row[0]]) > 60


def is_lookalike(page: PageLines, rows: Sequence[Sequence[int]]) -> bool:
    """Tell rows of lines, each of several, that are no table."""
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
    """Tell titles with page numbers that never fall, from the first row on."""
    if len(rows) < _Alike.FEWEST_ENTRIES or any(len(row) != 2 or not _PLAIN_PAGE.fullmatch(row[1]) for row in rows):
        return False
    pages = [int(row[1]) for row in rows]
    return pages == sorted(pages) and pages[0] < pages[-1] and all(_has_word(row[0]) for row in rows)


def _has_word(text: str) -> bool:
    return any(letter.isalpha() for letter in text)
