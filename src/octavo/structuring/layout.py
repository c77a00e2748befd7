"""One page to drafts of blocks in reading order.

Owns the order of the steps on a page. Knows nothing about other pages or about headings.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from octavo.document import Kind
from octavo.structuring import markers, tables
from octavo.structuring.breaks import Words
from octavo.structuring.drafts import Draft, draft, written
from octavo.structuring.lines import PageLines
from octavo.structuring.order import Items, columns, row_groups
from octavo.structuring.paragraphs import paragraphs


def page_drafts(page: PageLines, marked: Mapping[int, Kind], words: Words, em: float) -> list[Draft]:
    """Return the blocks of a page: headers, then content in reading order, then footers; `em` is the body type size."""
    content = [row for row in range(len(page)) if row not in marked and page.texts[row]]
    drafts = _furniture_drafts(page, marked, Kind.PAGE_HEADER, words)
    upright = [row for row in content if page.angles[row] == 0]
    turned = [row for row in content if page.angles[row] != 0]
    column = 0
    for rows in (upright, *_by_angle(page, turned)):
        for lines in _columns(page, rows, em):
            column += 1
            drafts.extend(_column_drafts(page, lines, words, em, column))
    drafts.extend(_furniture_drafts(page, marked, Kind.PAGE_FOOTER, words))
    return drafts


def _by_angle(page: PageLines, rows: list[int]) -> list[list[int]]:
    return [[row for row in rows if page.angles[row] == angle] for angle in sorted({page.angles[row] for row in rows})]


def _columns(page: PageLines, rows: list[int], em: float) -> list[list[int]]:
    items = Items(
        boxes=page.places[rows],
        characters=np.array([len(page.texts[row]) for row in rows], np.int64),
        is_solid=np.zeros(len(rows), np.bool_),
        em=em,
    )
    return [[rows[at] for at in column] for column in columns(items)]


def _furniture_drafts(page: PageLines, marked: Mapping[int, Kind], kind: Kind, words: Words) -> list[Draft]:
    rows = [row for row, zone in marked.items() if zone == kind and page.texts[row]]
    return [draft(kind, page, group, words) for group in row_groups(page.boxes, rows)] if rows else []


def _column_drafts(page: PageLines, lines: list[int], words: Words, em: float, column: int) -> list[Draft]:
    drafts: list[Draft] = []
    for stretch in tables.stretches(page, lines, em):
        rows = [row for group in stretch.rows for row in group]
        if stretch.is_table:
            grid = tables.grid_of(page, stretch.rows)
            table = written(Kind.TABLE, page, rows, tables.grid_text(grid), column=column)
            table.grid = tables.grid_json(grid)
            drafts.append(table)
        else:
            drafts.extend(_running_text(page, group, words, column) for group in paragraphs(page, rows))
    return drafts


def _running_text(page: PageLines, lines: list[int], words: Words, column: int) -> Draft:
    found = draft(Kind.PARAGRAPH, page, lines, words, column=column)
    if found.look.monospace and len(lines) > 1:
        found.kind = Kind.CODE
        found.text = "\n".join(page.texts[row] for row in lines)
    elif markers.caption(found.text):
        found.kind = Kind.CAPTION
    elif markers.bullet(found.text) or markers.enumeration(found.text):
        found.kind = Kind.LIST_ITEM
        found.level = 1
    return found
