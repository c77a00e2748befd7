"""Paragraphs and tables that go on in the next column or on the next page.

Owns the links between their parts. Knows nothing about headings.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from octavo.document import FURNITURE, Kind, LinkKind
from octavo.structuring.drafts import Draft

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
            before, place = item, here


def _goes_on(before: Draft, item: Draft) -> bool:
    if before.kind == item.kind == Kind.TABLE:
        return before.page != item.page and _is_same_table(before, item)
    if item.kind != Kind.PARAGRAPH or before.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
        return False
    alike = abs(before.look.size - item.look.size) < _SAME_SIZE and before.look.bold == item.look.bold
    return alike and not before.text.endswith(_ENDS) and (item.text[:1].islower() or before.text.endswith(("-", ",")))


def _is_same_table(before: Draft, item: Draft) -> bool:
    """Tell parts of one table: as many columns, and the same first row or the same edges."""
    first, second = json.loads(before.grid), json.loads(item.grid)
    if not first or not second or len(first[0]) != len(second[0]):
        return False
    edges = abs(before.box[0] - item.box[0]) < _SAME_EDGE and abs(before.box[2] - item.box[2]) < _SAME_EDGE
    return first[0] == second[0] or edges
