"""All tables of a page: framed by rules, told by numbers or by painted rows, each with what is around it.

Labels beside its core, header rows above and rows below belong to a table; parts are kept apart.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from octavo_documents.document import PICTURED, Kind
from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring import markers
from octavo_documents.structuring.clusters import area, hull_of, overlap
from octavo_documents.structuring.lines import PageLines, box_around
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.regions import Region
from octavo_documents.structuring.tables.abreast import abreast
from octavo_documents.structuring.tables.apart import parted
from octavo_documents.structuring.tables.columns import LEADERS, Part, stretches_of, values_in
from octavo_documents.structuring.tables.notes import without_notes
from octavo_documents.structuring.tables.rows import is_data, is_number
from octavo_documents.structuring.tables.ruled import lines_between, painted_rows, stripes
from octavo_documents.structuring.tables.unruled import is_tabular, number_tables


class _Grow:
    """What belongs to a table; lengths are in ems unless they say otherwise. Chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .002 at most (`benchmarks/ablation.py --constants 0.1`).
    SHORT = 48  # characters of a header or section label
    LABEL = 70  # characters of a row's label
    CELL = 24  # characters of a cell right of the table
    MOST_ROWS = 6  # rows that are taken above or below
    OVERLAPS = -0.6  # how far a header may overlap the table
    HEADER_GAP = 1.3  # gap to a header
    WIDE_GAP = 2.0  # gap to a header whose cells stand over columns of numbers
    MOST_LABELS = 3  # rows of one cell between a header and the first row
    ALONE_GAP = 0.8  # gap to a header of one cell
    ROW_GAP = 1.0  # gap to a further row
    PARTS_GAP = 3.0  # gap between two parts of one table
    TIGHT = 0.4  # gap between the lines of one label
    SAME_EDGE = 4.0  # points between the right ends of numbers in one column
    SAME_START = 1.0  # points between the left ends of numbers in one column
    LEVEL = 2.0  # points between the feet of one row
    LABELLED = 0.5  # share of rows with a label
    ALIKE = 0.6  # share of rows or numbers that fit
    BESIDE = 6.0  # gap to a part of the table beside it
    LABELS_BESIDE = 30.0  # gap to a column of labels
    PAGE_END = 6.0  # room under a table that ends its page


def surrounded(page: PageLines, found: Sequence[Region], free: Sequence[int], em: float) -> list[Region]:
    """Return regions with their tables grown and joined; `free` are the upright lines, in regions or not."""
    taken = {line for region in found for line in region.lines}
    tables = sorted((region for region in found if region.kind == Kind.TABLE), key=lambda region: region.box[1])
    grower = _Grower(page, {line for line in free if line not in taken}, em)
    grown = [grower.grown(table) for table in grower.beside(tables)]
    return [region for region in found if region.kind != Kind.TABLE] + grower.below(grown)


def continues_below(page: PageLines, table: Region, lines: Sequence[int], em: float) -> bool:
    """Return whether the first row of lines goes on a table close above."""
    return bool(lines) and bool(_Grower(page, set(lines), em).row_below(table))


def heads(page: PageLines, table: Region, lines: Sequence[int], em: float) -> bool:
    """Return whether the last rows of lines head a table close below."""
    grower = _Grower(page, set(lines), em)
    return bool(lines) and bool(grower.header(table) or grower.header_over_label(table))


class _Grower:
    """The lines of a page that are still free, and the steps that take them."""

    def __init__(self, page: PageLines, free: set[int], em: float) -> None:
        self._page, self._free, self._em = page, free, em
        self._boxes: list[list[float]] = page.places.tolist()

    def grown(self, table: Region) -> Region:
        """Return a table with the labels left of it and the rows around it."""
        if not table.lines:
            return table
        table = self._taking(table, self._level(table))
        for step in (self.row_above, self.header, self.header_over_label, self.header, self.row_below):
            for _ in range(_Grow.MOST_ROWS):
                more = step(table)
                if not more:
                    break
                table = self._taking(table, more)
        table = self._taking(table, self._label_above(table))
        return self._taking(table, self._label_below(table))

    def _taking(self, table: Region, lines: Sequence[int]) -> Region:
        if not lines:
            return table
        self._free.difference_update(lines)
        return self._with(table, lines)

    def _with(self, table: Region, lines: Sequence[int]) -> Region:
        box = box_around(table.box, self._page.hull(lines))
        return dataclasses.replace(table, box=box, lines=tuple(sorted({*table.lines, *lines})))

    def _near(self, box: Box, top: float, bottom: float) -> list[int]:
        """Return the free lines at some heights whose x range meets a box's, in the page's order."""
        places = self._page.places
        return [
            line
            for line in sorted(self._free)
            if places[line, 3] > top
            and places[line, 1] < bottom
            and places[line, 0] < box[2]
            and places[line, 2] > box[0]
        ]

    def _level(self, table: Region) -> list[int]:
        """Return the lines in a table's rows: those inside it, and a column of labels left of it."""
        x0, y0, x1, y1 = table.box
        places = self._page.places
        inside = [
            line
            for line in self._near(table.box, y0, y1)
            if places[line, 0] > x0 - 2 and places[line, 2] < x1 + self._em and self._is_level(line, y0, y1)
        ]
        return inside + self._labels(table) + self._last_columns(table)

    def _is_level(self, line: int, y0: float, y1: float) -> bool:
        top, bottom = self._page.places[line, [1, 3]].tolist()
        return min(bottom, y1) - max(top, y0) > 0.25 * (bottom - top)

    def _labels(self, table: Region) -> list[int]:
        """Return the labels left of a table whose own first column is of numbers, none where that is running text."""
        page = self._page
        rows = row_groups(page.places, table.lines)
        if sum(is_number(page.texts[row[0]]) for row in rows) < _Grow.ALIKE * len(rows):
            return []
        x0, y0, _, y1 = table.box
        reach = (x0 - _Grow.LABELS_BESIDE * self._em, y0, x0, y1)
        level = [
            line for line in self._near(reach, y0, y1) if page.places[line, 2] < x0 and self._is_level(line, y0, y1)
        ]
        feet = [max(float(page.places[line, 3]) for line in row) for row in rows]
        beside = [line for line in level if min(abs(foot - float(page.places[line, 3])) for foot in feet) < _Grow.LEVEL]
        is_column = len(beside) >= _Grow.LABELLED * max(len(rows), len(level))
        return level if is_column and all(len(page.texts[line]) < _Grow.LABEL for line in level) else []

    def _last_columns(self, table: Region) -> list[int]:
        """Return short cells right of a table at the height of its rows, none when other text stands there."""
        page, (_, y0, x1, y1) = self._page, table.box
        reach = (x1, y0, x1 + _Grow.BESIDE * self._em, y1)
        level = [
            line for line in self._near(reach, y0, y1) if page.places[line, 0] >= x1 and self._is_level(line, y0, y1)
        ]
        feet = [float(page.places[line, 3]) for line in table.lines]
        fits = sum(min(abs(foot - float(page.places[line, 3])) for foot in feet) < _Grow.LEVEL for line in level)
        is_short = all(len(page.texts[line]) < _Grow.CELL for line in level)
        return level if is_short and fits >= _Grow.ALIKE * len(level) else []

    def header(self, table: Region) -> list[int]:
        """Return the row of short lines close above a table that heads its columns, none when there is no such."""
        row, gap = self._row_above(table, _Grow.WIDE_GAP)
        parts = [part for line in row for part in stretches_of(self._page, line)]
        if not self._may_head(table, parts):
            return []
        if gap >= _Grow.HEADER_GAP:
            return row if self._are_over_columns(table, parts) else []
        return row if len(parts) > 1 or gap < _Grow.ALONE_GAP else []

    def _row_above(self, table: Region, most: float) -> tuple[list[int], float]:
        """Return the last row of lines above a table within some ems, and the ems between."""
        page, em, y0 = self._page, self._em, table.box[1]
        near = self._near(table.box, y0 - most * em, y0 - _Grow.OVERLAPS * em)
        near = [line for line in near if _Grow.OVERLAPS * em < y0 - page.places[line, 3] < most * em]
        row = row_groups(page.places, near)[-1] if near else []
        return row, (y0 - max((float(page.places[line, 3]) for line in row), default=y0)) / em

    def _may_head(self, table: Region, parts: Sequence[Part]) -> bool:
        """Return whether cells may head columns: short, years only, within the table, one right of its labels."""
        x0, _, x1, _ = table.box
        fits = all(
            len(part.text) < _Grow.SHORT
            and x0 - self._em < part.x0
            and part.x1 < x1 + 3 * self._em
            and not markers.caption(part.text)
            and not is_data(part.text)
            for part in parts
        )
        values = self._values_start(table)
        return fits and any(part.x0 > values - 3 * self._em for part in parts)

    def _are_over_columns(self, table: Region, parts: Sequence[Part]) -> bool:
        """Return whether two cells or more right of the labels each stand over a column of numbers of their own."""
        em, edges, values = self._em, self._edges(table.lines), self._values_start(table)
        over = [part for part in parts if part.x0 > values - 3 * em]
        met = [{round(edge / em) for edge in edges if part.x0 - em < edge < part.x1 + 3 * em} for part in over]
        return len(over) > 1 and all(met) and all(a.isdisjoint(b) for a, b in itertools.pairwise(met))

    def header_over_label(self, table: Region) -> list[int]:
        """Return the labels of first sections, or a note on the unit, and the header over them."""
        labelled, between = table, list[int]()
        for _ in range(_Grow.MOST_LABELS):
            row, _ = self._row_above(labelled, _Grow.ROW_GAP)
            if len(row) != 1 or not self._is_label(table, row[0]):
                return []
            between += row
            labelled = self._with(table, between)
            header = self.header(labelled)
            if header:
                return [*between, *header]
        return []

    def _is_label(self, table: Region, line: int) -> bool:
        """Return whether a short line ends before a table's values, or stands in brackets."""
        text = self._page.texts[line].strip()
        is_note = text.startswith("(") and text.endswith(")")
        return len(text) < _Grow.LABEL and (is_note or self._boxes[line][2] < self._values_start(table))

    def _values_start(self, table: Region) -> float:
        """Return where the second column begins, about."""
        rows = [row for row in row_groups(self._page.places, table.lines) if len(row) > 1]
        starts = sorted(float(self._page.places[row[1], 0]) for row in rows)
        return starts[len(starts) // 8] if starts else table.box[0]

    def row_above(self, table: Region) -> list[int]:
        """Return the row of cells close over a table whose numbers stand over its own."""
        row, _ = self._row_above(table, _Grow.ROW_GAP)
        return row if self._continues_columns(table, row) else []

    def row_below(self, table: Region) -> list[int]:
        """Return the row of cells close under a table whose numbers stand under its own."""
        page, em = self._page, self._em
        y1 = table.box[3]
        near = self._near(table.box, y1 - 0.3 * em, y1 + _Grow.ROW_GAP * em)
        near = [line for line in near if page.places[line, 1] < y1 + _Grow.ROW_GAP * em]
        row = row_groups(page.places, near)[0] if near else []
        return row if self._continues_columns(table, row) else []

    def _continues_columns(self, table: Region, row: Sequence[int]) -> bool:
        """Return whether most numbers of a row of cells end where those of a table's columns do."""
        page = self._page
        parts = [part for line in row for part in stretches_of(page, line)]
        if len(parts) < 2 or any(len(part.text.rstrip(LEADERS)) > _Grow.LABEL for part in parts):
            return False
        edges, starts = self._edges(table.lines), self._starts(table.lines)
        values = [value for line in row for value in values_in(page, line)]
        fits = sum(
            any(abs(edge - value.right) < _Grow.SAME_EDGE for edge in edges)
            or any(abs(start - value.x0) < _Grow.SAME_START for start in starts)
            for value in values
        )
        return bool(values) and fits > 0.5 * len(values)

    def _label_above(self, table: Region) -> list[int]:
        """Return the start of the first label, where that goes on in a table's first row."""
        page, em = self._page, self._em
        first = row_groups(page.places, table.lines)[0]
        x0, y0, _, _ = table.box
        if not page.texts[first[0]][:1].islower():
            return []
        above = [line for line in self._near(table.box, y0 - em, y0) if y0 - page.places[line, 3] < _Grow.TIGHT * em]
        is_label = len(above) == 1 and abs(float(page.places[above[0], 0]) - x0) < 3 * em
        return above if is_label and len(page.texts[above[0]]) < _Grow.LABEL else []

    def _label_below(self, table: Region) -> list[int]:
        """Return the label that is the last line of a page, right under a table that goes on over it."""
        page, em = self._page, self._em
        x0, _, _, y1 = table.box
        below = [
            line for line in self._near(table.box, y1, y1 + _Grow.PAGE_END * em) if page.places[line, 1] > y1 - 0.3 * em
        ]
        if len(below) != 1 or len(page.texts[below[0]]) > _Grow.SHORT:
            return []
        left, top = float(page.places[below[0], 0]), float(page.places[below[0], 1])
        is_last = y1 > page.height - 2.5 * _Grow.PAGE_END * em
        is_label = x0 - 2 < left < x0 + 4 * em and top - y1 < _Grow.ROW_GAP * em and page.texts[below[0]].endswith(":")
        return below if is_last and is_label else []

    def _starts(self, lines: Sequence[int]) -> list[float]:
        """Return where columns begin whose numbers begin at one x: two and more of them do."""
        starts = [value.x0 for line in lines for value in values_in(self._page, line)]
        return [x0 for x0 in starts if sum(abs(x0 - other) < _Grow.SAME_START for other in starts) > 1]

    def _edges(self, lines: Sequence[int]) -> list[float]:
        return [value.right for line in lines for value in values_in(self._page, line)]

    def beside(self, tables: Sequence[Region]) -> list[Region]:
        """Join tables that stand beside each other in the same rows, the right one without labels."""
        joined: list[Region] = []
        for table in sorted(tables, key=lambda table: table.box[0]):
            at = next((at for at, other in enumerate(joined) if self._is_beside(other, table)), None)
            if at is None:
                joined.append(table)
            else:
                joined[at] = _both(joined[at], table)
        return sorted(joined, key=lambda table: table.box[1])

    def _is_beside(self, left: Region, right: Region) -> bool:
        page, gap = self._page, right.box[0] - left.box[2]
        if not -2 < gap < _Grow.BESIDE * self._em or not left.lines or not right.lines:
            return False
        rows, others = (row_groups(page.places, table.lines) for table in (right, left))
        starts = sum(any(is_number(page.texts[line]) for line in row[:2]) for row in rows)
        feet = [float(page.places[row[0], 3]) for row in others]
        shared = sum(any(abs(float(page.places[row[0], 3]) - foot) < _Grow.LEVEL for foot in feet) for row in rows)
        is_level = shared >= 0.8 * len(rows) and len(rows) >= _Grow.LABELLED * len(others)
        return starts >= _Grow.ALIKE * len(rows) and is_level

    def below(self, tables: Sequence[Region]) -> list[Region]:
        """Join tables under each other that are one: a header and its rows, or rows parted by a label."""
        joined: list[Region] = []
        for table in sorted(tables, key=lambda table: table.box[1]):
            between = self._between(joined[-1], table) if joined else None
            if between is None:
                joined.append(table)
            else:
                self._free.difference_update(between)
                joined[-1] = self._taking(_both(joined[-1], table), between)
        return joined

    def _between(self, above: Region, table: Region) -> list[int] | None:
        """Return the lines between the two parts of a table, None when they are no parts of one."""
        page, em = self._page, self._em
        gap = table.box[1] - above.box[3]
        shared = min(above.box[2], table.box[2]) - max(above.box[0], table.box[0])
        is_narrow = shared < 0.7 * min(above.box[2] - above.box[0], table.box[2] - table.box[0])
        if not (above.lines and table.lines) or not -em < gap < _Grow.PARTS_GAP * em or is_narrow:
            return None
        near = self._near(table.box, above.box[3] - 0.3 * em, table.box[1] + 0.3 * em)
        start = self._values_start(table)
        if len(near) > 2 or any(len(page.texts[line]) > _Grow.SHORT or page.places[line, 2] > start for line in near):
            return None
        return near if self._goes_on(above, table) else None

    def _goes_on(self, above: Region, table: Region) -> bool:
        page = self._page
        first = row_groups(page.places, table.lines)[0]
        if len(first) > 1 and not any(is_data(page.texts[line]) for line in first):
            return False
        if not any(is_data(page.texts[line]) for line in above.lines):
            return above.box[0] > table.box[0] - self._em * 2 and above.box[2] < table.box[2] + self._em * 2
        edges, others = self._edges(above.lines), self._edges(table.lines)
        fits = sum(any(abs(edge - other) < _Grow.SAME_EDGE for other in others) for edge in edges)
        return bool(edges) and fits >= _Grow.ALIKE * len(edges)


def _both(one: Region, other: Region) -> Region:
    return dataclasses.replace(one, box=box_around(one.box, other.box), lines=tuple(sorted({*one.lines, *other.lines})))


_MOSTLY = 0.5
"""Share of a region that lies in a table, over which it is a part of that."""
_HIGHEST_HEADER = 8.0
"""Ems that painted heads of a table are high, at most."""


class _Band:
    """What is around painted rows, chosen by hand."""

    # A tenth lower or higher moves no figure (`benchmarks/ablation.py --constants 0.1`).
    FEWEST = 2  # rows
    SAME = 3.0  # points that a cell may stand out of its row


Table = tuple[Box, list[int]]


def with_tables(
    page: PageLines, graphics: Sequence[Graphic], found: Sequence[Region], free: Sequence[int], em: float
) -> list[Region]:
    """Return the regions that graphics told, with all tables; `free` are the upright lines, in regions or not."""
    regions = list(found)
    for find in (number_tables, painted_tables):
        taken = {line for region in regions for line in region.lines}
        boxes = [region.box for region in regions]
        tables = find(page, graphics, [line for line in free if line not in taken], em)
        regions.extend(
            Region(Kind.TABLE, box, tuple(lines)) for box, lines in tables if not any(overlap(box, at) for at in boxes)
        )
    if not any(region.kind == Kind.TABLE for region in regions):
        return regions
    regions = _striped(page, regions, stripes(page, graphics, em), free)
    tables = _without_rows(surrounded(page, _released(page, regions, em), free, em))
    beside = [part for region in tables for part in abreast(page, region, graphics, em)]
    apart = [part for region in beside for part in parted(page, region)]
    return [without_notes(page, region, graphics) for region in apart]


def _striped(
    page: PageLines, regions: Sequence[Region], runs: Sequence[Sequence[Box]], free: Sequence[int]
) -> list[Region]:
    """Make one table of those that the painted rows of one table hold, with the labels between them."""
    found = list(regions)
    for bands in runs:
        box = hull_of(bands)
        held = [at for at, region in enumerate(found) if region.kind == Kind.TABLE and overlap(region.box, box)]
        if not held or any(found[at].is_from_model for at in held):
            continue
        others = {line for at, region in enumerate(found) if at not in held for line in region.lines}
        lines = {line for at in held for line in found[at].lines}
        lines.update(lines_between(page, bands, [line for line in free if line not in others]))
        around = [list(found[at].box) for at in held]
        x0, y0, x1, y1 = hull_of([*around, page.hull(sorted(lines))])
        found = [region for at, region in enumerate(found) if at not in held]
        found.append(Region(Kind.TABLE, (x0, y0, x1, y1), tuple(sorted(lines))))
    return found


def _released(page: PageLines, regions: Sequence[Region], em: float) -> list[Region]:
    """Leave out drawings that are the header of a table or start with its next row: painted background and rules."""
    tables = [region for region in regions if region.kind == Kind.TABLE]
    return [
        region
        for region in regions
        if region.kind not in PICTURED or not any(_is_part(page, region, table, em) for table in tables)
    ]


def _is_part(page: PageLines, drawing: Region, table: Region, em: float) -> bool:
    if not table.lines or not drawing.lines:
        return False
    is_header = drawing.box[3] - drawing.box[1] < _HIGHEST_HEADER * em and heads(page, table, drawing.lines, em)
    return is_header or continues_below(page, table, drawing.lines, em)


def _without_rows(regions: Sequence[Region]) -> list[Region]:
    """Give tables the lines of drawings that lie in them, and drop these drawings."""
    tables = [region for region in regions if region.kind == Kind.TABLE]
    kept: list[Region] = []
    for region in regions:
        held = [at for at, table in enumerate(tables) if _lies_in(region, table)]
        if held:
            table = tables[held[0]]
            tables[held[0]] = dataclasses.replace(table, lines=tuple(sorted({*table.lines, *region.lines})))
        elif region.kind != Kind.TABLE:
            kept.append(region)
    return [*kept, *tables]


def _lies_in(region: Region, table: Region) -> bool:
    is_drawn = region.kind in PICTURED and bool(region.lines)
    return is_drawn and overlap(region.box, table.box) > _MOSTLY * max(area(region.box), 1.0)


def painted_tables(page: PageLines, graphics: Sequence[Graphic], free: Sequence[int], em: float) -> list[Table]:
    """Return the box in points and the lines of each table whose rows are painted, top to bottom."""
    found: list[Table] = []
    for stack in painted_rows(graphics, em):
        x0, x1 = stack[0][0], stack[0][2]
        # The first and the last row may be among those that are not painted.
        unpainted = max((below[1] - above[3] for above, below in itertools.pairwise(stack)), default=0.0)
        box = (x0, stack[0][1] - max(unpainted, 0.0), x1, stack[-1][3] + max(unpainted, 0.0))
        lines = _lines_in(page, free, box)
        if len(lines) > 2 * _Band.FEWEST and is_tabular(page, lines):
            found.append((page.hull(lines), lines))
    return found


def _lines_in(page: PageLines, free: Sequence[int], box: Box) -> list[int]:
    """Return the lines in a box; of those over or under its painted rows, whole rows of several pieces alone."""
    places = page.places
    held = [
        line
        for line in free
        if box[1] - 1 < (places[line, 1] + places[line, 3]) / 2 < box[3] + 1
        and box[0] - _Band.SAME < places[line, 0]
        and places[line, 2] < box[2] + _Band.SAME
    ]
    rows = row_groups(places, held)
    while rows and len(rows[0]) < 2:
        rows.pop(0)
    while rows and len(rows[-1]) < 2:
        rows.pop()
    return [line for row in rows for line in row]
