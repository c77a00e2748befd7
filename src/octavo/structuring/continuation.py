"""Paragraphs and tables that go on in the next column or on the next page.

Owns the links between their parts. Knows nothing about headings.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import FURNITURE, Kind, LinkKind
from octavo.document.grid import Grid
from octavo.structuring.drafts import Draft
from octavo.structuring.tables.parts import continued, repeated_rows

_ENDS = (".", "!", "?", ":", ".”", '."', ".)")
_SAME_SIZE = 0.6
_SAME_EDGE = 6.0
_BESIDE = (Kind.FIGURE, Kind.CHART, Kind.CAPTION, Kind.FOOTNOTE, *FURNITURE)


def link_continuations(pages: Sequence[Sequence[Draft]]) -> None:
    """Link a paragraph or table to the one it goes on from, across columns and pages."""
    before: Draft | None = None
    place = (-1, -1)
    for page in pages:
        for item in page:
            if item.kind in _BESIDE:
                continue
            here = (item.page, item.column)
            if before is not None and here != place and here[0] - place[0] <= 1 and _goes_on(before, item):
                item.targets.append((before, LinkKind.CONTINUES))
                if item.kind == Kind.TABLE:
                    item.grid = continued(Grid.from_json(before.grid), Grid.from_json(item.grid)).to_json()
            before, place = item, here


def _goes_on(before: Draft, item: Draft) -> bool:
    if before.kind == item.kind == Kind.TABLE:
        return before.page != item.page and _is_same_table(before, item)
    if item.kind != Kind.PARAGRAPH or before.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
        return False
    alike = abs(before.look.size - item.look.size) < _SAME_SIZE and before.look.bold == item.look.bold
    return alike and not before.text.endswith(_ENDS) and (item.text[:1].islower() or before.text.endswith(("-", ",")))


def _is_same_table(before: Draft, item: Draft) -> bool:
    """Tell parts of one table: as many columns, and the same header, or the same edges and no header of its own."""
    first, second = Grid.from_json(before.grid), Grid.from_json(item.grid)
    if not (first.cells and second.cells):
        return False
    if repeated_rows(first, second):
        return True
    edges = abs(before.box[0] - item.box[0]) < _SAME_EDGE and abs(before.box[2] - item.box[2]) < _SAME_EDGE
    return first.width == second.width and edges
