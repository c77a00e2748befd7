"""Images that come back at one place near the edge of pages: logos and bands, which belong to the page.

Owns how they are told, and the blocks made of them. Knows nothing about text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from octavo.document import FigureKind, Kind
from octavo.parsing.content import Box, PageContent
from octavo.structuring.clusters import area, sides
from octavo.structuring.drafts import Draft
from octavo.structuring.lines import Look


class _Logo:
    """What an image that belongs to the page is told by, chosen by hand."""

    ZONE = 0.16  # share of the page's height at its top and foot
    FEWEST_PAGES = 3  # pages that it comes back on
    DENSITY = 0.25  # least share of pages with it from its first to its last; left and right pages may differ
    SAME = 2.0  # points by which its places differ
    LEAST_SIDE = 8.0  # points of its shorter side
    LARGEST = 0.15  # share of the page's area


_NO_LOOK = Look(0.0, bold=False, italic=False, color=0)


def repeated_images(pages: Sequence[PageContent]) -> list[frozenset[Box]]:
    """Return for each page the boxes of its images that most pages around have at the same place near an edge."""
    seen: dict[tuple[int, ...], dict[int, Box]] = defaultdict(dict)
    for at, page in enumerate(pages):
        for item in page.graphics:
            if item.kind == "image" and _is_at_edge(item.box, page):
                seen[tuple(round(value / _Logo.SAME) for value in item.box)][at] = item.box
    found: list[set[Box]] = [set() for _ in pages]
    for boxes in seen.values():
        if len(boxes) >= _Logo.FEWEST_PAGES and len(boxes) >= _Logo.DENSITY * (max(boxes) - min(boxes) + 1):
            for at, box in boxes.items():
                found[at].add(box)
    return [frozenset(boxes) for boxes in found]


def _is_at_edge(box: Box, page: PageContent) -> bool:
    is_edge = box[3] < _Logo.ZONE * page.height or box[1] > (1 - _Logo.ZONE) * page.height
    return is_edge and min(sides(box)) > _Logo.LEAST_SIDE and area(box) < _Logo.LARGEST * page.width * page.height


def without(page: PageContent, images: frozenset[Box]) -> PageContent:
    """Return a page without some of its images."""
    if not images:
        return page
    return replace(page, graphics=tuple(item for item in page.graphics if item.box not in images))


def with_images(drafts: list[Draft], images: frozenset[Box], page: PageContent) -> list[Draft]:
    """Return the blocks of a page with such images among its headers and footers."""
    if not images:
        return drafts
    at_top = {box: (box[1] + box[3]) / 2 < page.height / 2 for box in sorted(images)}
    made = {box: _logo(box, page, Kind.PAGE_HEADER if is_top else Kind.PAGE_FOOTER) for box, is_top in at_top.items()}
    tops = [made[box] for box, is_top in at_top.items() if is_top]
    return [*tops, *drafts, *(made[box] for box, is_top in at_top.items() if not is_top)]


def _logo(box: Box, page: PageContent, kind: Kind) -> Draft:
    return Draft(kind, page.number - 1, "", box, _NO_LOOK, figure=FigureKind.LOGO)
