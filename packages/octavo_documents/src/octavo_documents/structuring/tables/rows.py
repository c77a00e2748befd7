"""The rows of a table: told by rules between them, by white space, and by cells that go on from the row above."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.tables.centred import centred_rows
from octavo_documents.text.raised import MARK


class _Spacing:
    """What parts rows, chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .012 at most (`benchmarks/ablation.py --constants 0.1`).
    OVERLAP = 0.22  # share of a line's height by which lines of one row overlap
    RULED_ROWS = 0.3  # share of rows between rules of their own from which the rules part all rows
    FEWEST_BANDS = 4  # rules that part rows
    TWO_GAPS = 0.22  # ems between line spacing and row spacing
    APART = 0.45  # ems of white space between two rows that a label beside them holds together
    STACKED = 0.3  # share of close lines of print that are rows of their own, by the numbers in them
    CLOSER = 0.05  # ems by which lines of one row stand closer than rows of numbers
    WIDE = 0.55  # ems of white space between two rows


_NUMBER = re.compile(
    r"[(\-–+±<>~≈]?\s*[$€£¥]?\s*[(\-–]?\d[\d,.\s]*[)%]?\*?(?:" + MARK + r")?|[–—-]|n/?a", re.IGNORECASE
)
_YEAR = re.compile(
    rf"(?:\(?(?:19|20)\d\d[)*]?(?: ?\(\w\))?|(?:FY|CY|Q[1-4])\s?'?\d{{2,4}})(?: ?{MARK})?", re.IGNORECASE
)
_SIGNS = re.compile(r"[$€£¥₹(]+")
_OPEN_ENDS = (",", "-", "–", "/", "(", " and", " of", " or", " the", " to", " for", " in", " from", " by", " with")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands: the first of its columns, and those in which it has numbers."""

    first: int
    numbers: frozenset[int]


Columns = Mapping[int, Place]


@dataclass(frozen=True, slots=True)
class Band:
    """Pieces of text whose heights overlap: one line of print over all columns. `columns` is parallel to `lines`."""

    lines: tuple[int, ...]
    columns: tuple[int, ...]
    top: float
    bottom: float
    numbers: frozenset[int]
    """Columns with a number."""


def _bands(page: PageLines, lines: Sequence[int], columns: Columns) -> list[Band]:
    groups: list[list[int]] = []
    reached = float("-inf")
    places: list[list[float]] = page.places[lines, 1:4:2].tolist()
    for (top, bottom), line in sorted(zip(places, lines, strict=True), key=_top):
        inset = _Spacing.OVERLAP * (bottom - top)
        if groups and top + inset < reached:
            groups[-1].append(line)
            reached = max(reached, bottom - inset)
        else:
            groups.append([line])
            reached = bottom - inset
    return [_band(page, columns, part) for group in groups for part in _apart(page, columns, group)]


def _top(item: tuple[Sequence[float], int]) -> float:
    return item[0][0]


def _apart(page: PageLines, columns: Columns, group: list[int]) -> list[list[int]]:
    """Part rows of numbers that only a label over several rows, set between them, holds together."""
    rows = row_groups(page.places, group)
    if len(rows) < 2:
        return [group]
    held = [frozenset[int]().union(*(columns[line].numbers for line in row)) for row in rows]
    numbered = [at for at, numbers in enumerate(held) if numbers]
    if not any(held[one] & held[other] for one, other in itertools.pairwise(numbered)):
        numbered = _far_apart(page, columns, rows)
    if not numbered:
        return [group]
    parts = [rows[at] for at in numbered]
    for at in set(range(len(rows))) - set(numbered):
        parts[max(bisect.bisect(numbered, at) - 1, 0)].extend(rows[at])
    return parts


def _far_apart(page: PageLines, columns: Columns, rows: Sequence[list[int]]) -> list[int]:
    """Return which rows hold two columns or more that the next such row has too, further down than the next line."""
    held = [{columns[line].first: line for line in row} for row in rows]
    wide = [at for at, row in enumerate(held) if len(row) > 1]
    if len(wide) < 2 or any(row.keys() != {0} for row in held if len(row) < 2):
        return []
    for one, other in itertools.pairwise(wide):
        shared = held[one].keys() & held[other].keys()
        if len(shared) < 2:
            return []
        for column in shared:
            above, below = held[one][column], held[other][column]
            gap = float(page.places[below, 1] - page.places[above, 3])
            if gap < _Spacing.APART * max(page.looks[above].size, 1.0):
                return []
    return wide


def _band(page: PageLines, columns: Columns, group: list[int]) -> Band:
    places: list[list[float]] = page.places[group].tolist()
    rows = [line for _, line in sorted(zip([place[0] for place in places], group, strict=True), key=itemgetter(0))]
    return Band(
        lines=tuple(rows),
        columns=tuple([columns[line].first for line in rows]),
        top=min([place[1] for place in places]),
        bottom=max([place[3] for place in places]),
        numbers=frozenset[int]().union(*(columns[line].numbers for line in rows)),
    )


def is_number(text: str) -> bool:
    """Return whether a cell holds a number, or the dash that stands for none."""
    return bool(_NUMBER.fullmatch(text.strip(" ~")))


def is_data(text: str) -> bool:
    """Return whether it is a number that is no year, as header cells hold them."""
    return is_number(_SIGNS.sub("", text) or text) and not _YEAR.fullmatch(text)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table. `rule` is the height of the rule that parts it from the row above, None when none does."""

    bands: tuple[Band, ...]
    rule: float | None

    @property
    def lines(self) -> list[int]:
        """The lines of text in it, top to bottom."""
        return [line for band in self.bands for line in band.lines]


def table_rows(page: PageLines, columns: Columns, heights: Sequence[float]) -> list[Row]:
    """Group lines into rows of the table.

    `columns` gives the place of each line, `heights` are those of the rules across the table, top to bottom.
    """
    between: dict[int, list[int]] = {}
    for line in columns:
        middle = float(page.places[line, 1] + page.places[line, 3]) / 2
        between.setdefault(bisect.bisect(heights, middle), []).append(line)
    bands = {at: _bands(page, between[at], columns) for at in sorted(between)}
    is_ruled = len(bands) >= _Spacing.FEWEST_BANDS and len(bands) >= _Spacing.RULED_ROWS * sum(map(len, bands.values()))
    em = float(np.median([page.looks[line].size for line in columns])) or 10.0
    gaps = [gap for held in bands.values() for gap in _gaps(held)]
    limit = _tight(gaps, em)
    if limit is not None:
        limit = _under_numbers(bands.values(), limit, em)
    rows: list[Row] = []
    for at, held in bands.items():
        centred = None if is_ruled else centred_rows(page, {line: columns[line] for line in between[at]}, em, _tight)
        if is_ruled and not _stacks_numbers(held):
            groups = [held] if rows else _at_wide_gaps(held, _Spacing.WIDE * em)
        elif centred is not None:
            groups = [_bands(page, row, columns) for row in centred]
        else:
            groups = _by_spacing(page, held, limit, em)
        for number, group in enumerate(groups):
            rows.append(Row(tuple(group), heights[at - 1] if at and not number else None))
    return rows


def _gaps(bands: Sequence[Band]) -> list[float]:
    return [below.top - above.bottom for above, below in itertools.pairwise(bands)]


def _under_numbers(groups: Iterable[Sequence[Band]], limit: float, em: float) -> float | None:
    """Return the limit under which lines of print are of one row: less where numbers stand closer under each other."""
    close: list[float] = []
    others: list[float] = []
    for bands in groups:
        for above, below in itertools.pairwise(bands):
            gap = below.top - above.bottom
            if gap < limit:
                (close if above.numbers & below.numbers else others).append(gap)
    if len(close) < 2 or len(close) < _Spacing.STACKED * (len(close) + len(others)):
        return limit
    lower = float(np.median(close)) - _Spacing.CLOSER * em
    return lower if any(gap < lower for gap in others) else None


def _at_wide_gaps(bands: Sequence[Band], limit: float) -> list[list[Band]]:
    """Part bands at white space: over the first painted row there may be a header and a row that is not painted."""
    groups = [[bands[0]]]
    for band, gap in zip(bands[1:], _gaps(bands), strict=True):
        if gap > limit:
            groups.append([band])
        else:
            groups[-1].append(band)
    return groups


def _stacks_numbers(bands: Sequence[Band]) -> bool:
    """Return whether several rows between two rules hold numbers under each other, as no cell of several lines does."""
    numbered = [band for band in bands if band.numbers]
    shared = [above.numbers & below.numbers for above, below in itertools.pairwise(numbered)]
    return bool(shared) and sum(map(bool, shared)) >= 0.5 * len(shared)


def _by_spacing(page: PageLines, bands: Sequence[Band], limit: float | None, em: float) -> list[list[Band]]:
    gaps = _gaps(bands)
    first = min(float(page.places[band.lines[0], 0]) for band in bands)
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    rows = [[bands[0]]]
    for band, gap in zip(bands[1:], gaps, strict=True):
        above = rows[-1]
        is_tight = gap < limit if limit is not None else gap <= usual + 0.1 * em and goes_on(page, above, band, first)
        if is_tight and not _opens(page, band) and not any(other.numbers & band.numbers for other in above):
            above.append(band)
        else:
            rows.append([band])
    return rows


def _opens(page: PageLines, band: Band) -> bool:
    """Return whether a label has a colon, which opens a section rather than ends a label."""
    return len(band.lines) == 1 and band.columns[0] == 0 and page.texts[band.lines[0]].endswith(":")


def _tight(gaps: Sequence[float], em: float) -> float | None:
    """Return the gap that parts line spacing from row spacing, None when gaps are all alike."""
    ordered = sorted(gaps)
    steps = [after - before for before, after in itertools.pairwise(ordered)]
    if not steps or max(steps) < _Spacing.TWO_GAPS * em:
        return None
    at = next(at for at, step in enumerate(steps) if step >= _Spacing.TWO_GAPS * em)
    limit = (ordered[at] + ordered[at + 1]) / 2
    return limit if limit < em else None


def goes_on(page: PageLines, above: Sequence[Band], band: Band, first: float) -> bool:
    """Return whether a row goes on cells of the row above: no numbers, all of it under text; or is the end of a label.

    `first` is the left edge of the table in points.
    """
    held = {column for other in above for column in other.columns}
    if 0 not in band.columns and not band.numbers:
        return set(band.columns) <= held and len(band.columns) < max(len(other.columns) for other in above)
    label = next((page.texts[line] for line, at in zip(band.lines, band.columns, strict=True) if at == 0), "")
    is_alone = held == {0}
    if not label or not is_alone:
        return False
    before = " ".join(page.texts[line] for other in above for line in other.lines)
    return not before.endswith(":") and (label[0].islower() or before.endswith(_OPEN_ENDS))
