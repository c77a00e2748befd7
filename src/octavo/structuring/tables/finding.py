"""All tables of a page: framed by rules, told by numbers or by painted rows, each with what is around it."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from octavo.document import Kind
from octavo.parsing.content import Box, Graphic
from octavo.structuring.clusters import area, hull_of, overlap
from octavo.structuring.lines import PageLines
from octavo.structuring.reading_order import row_groups
from octavo.structuring.regions import Region
from octavo.structuring.tables.ruled import lines_between, painted_rows, stripes
from octavo.structuring.tables.surroundings import continues_below, heads, surrounded
from octavo.structuring.tables.unruled import is_tabular, number_tables

_MOSTLY = 0.5
_HIGHEST_HEADER = 8.0
_DRAWN = (Kind.FIGURE, Kind.CHART)


class _Band:
    """What is around painted rows, chosen by hand."""

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
    return _without_rows(surrounded(page, _released(page, regions, em), free, em))


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
        if region.kind not in _DRAWN or not any(_is_part(page, region, table, em) for table in tables)
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
    is_drawn = region.kind in _DRAWN and bool(region.lines)
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
