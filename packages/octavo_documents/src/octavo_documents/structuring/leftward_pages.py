"""Pages that are read from right to left: laid out as their mirror images, and what is found put back.

On the mirror image lines begin at the left, the first column of a page and of a table is the left one, and an indent is
one: the rules for other pages hold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TypeVar

from octavo_documents.document.grid import Grid
from octavo_documents.models.ports import LayoutRegion
from octavo_documents.parsing.content import Annotation, Box, Comment, Graphic, PageContent, Span, TextLine
from octavo_documents.structuring.drafts import Draft
from octavo_documents.text.bidirectional import has_right_to_left, kind, mostly_right_to_left

_Boxed = TypeVar("_Boxed", Annotation, Comment, Graphic, LayoutRegion, Span)


def leftward(pages: Sequence[PageContent]) -> list[bool]:
    """Return which pages are read from right to left; those without letters are as most of the document."""
    if not any(has_right_to_left(line.text) for page in pages for line in page.lines):
        return [False] * len(pages)
    is_usual = mostly_right_to_left(line.text for page in pages for line in page.lines)
    return [
        mostly_right_to_left(line.text for line in page.lines) if _has_letters(page) else is_usual for page in pages
    ]


def _has_letters(page: PageContent) -> bool:
    return any(kind(one) in ("L", "R") for line in page.lines for one in line.text)


def mirrored(page: PageContent) -> PageContent:
    """Return the mirror image of a page; texts stay as they are."""
    return dataclasses.replace(
        page,
        lines=tuple(_line(line, page.width) for line in page.lines),
        graphics=_all(page.graphics, page.width),
        annotations=tuple(_annotation(one, page.width) for one in _all(page.annotations, page.width)),
        regions=_all(page.regions, page.width),
        comments=_all(page.comments, page.width),
    )


def put_back(drafts: Iterable[Draft], width: float) -> None:
    """Set the boxes of what was found on the mirror image of a page to where they are shown."""
    for item in drafts:
        item.box = _box(item.box, width)
        if item.grid:
            grid = Grid.from_json(item.grid)
            cells = (dataclasses.replace(cell, box=cell.box and _box(cell.box, width)) for cell in grid.cells)
            item.grid = dataclasses.replace(grid, cells=tuple(cells)).to_json()


def _box(box: Box, width: float) -> Box:
    x0, y0, x1, y1 = box
    return round(width - x1, 2), y0, round(width - x0, 2), y1


def _all(items: Iterable[_Boxed], width: float) -> tuple[_Boxed, ...]:
    return tuple(dataclasses.replace(item, box=_box(item.box, width)) for item in items)


def _line(line: TextLine, width: float) -> TextLine:
    return dataclasses.replace(line, box=_box(line.box, width), spans=_all(line.spans, width))


def _annotation(one: Annotation, width: float) -> Annotation:
    return one if one.x is None else dataclasses.replace(one, x=round(width - one.x, 2))
