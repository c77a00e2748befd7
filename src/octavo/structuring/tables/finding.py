"""All tables of a page: those framed by rules, told by numbers or by painted rows, each with what is around it.

Owns the order in which they are looked for, and what becomes of drawings that are rows of tables.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.document import Kind
from octavo.parsing.content import Graphic
from octavo.structuring.clusters import area, overlap
from octavo.structuring.lines import PageLines
from octavo.structuring.regions import Region
from octavo.structuring.tables.numbers import number_tables
from octavo.structuring.tables.painted import painted_tables
from octavo.structuring.tables.surroundings import continues_below, heads, surrounded

_MOSTLY = 0.5
_HIGHEST_HEADER = 8.0
_DRAWN = (Kind.FIGURE, Kind.CHART)


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
    return _without_rows(surrounded(page, _released(page, regions, em), free, em))


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
