"""Bullets in the cells of a table, with what stands beside them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups

_BULLETS = frozenset("•◦▪■●○‣⁃➢►")
_NEAR = 3.0
"""Type sizes between a bullet and its words."""
_AFTER = 2
"""Characters up to the words after a bullet."""
_FEWEST_WORDS = 2
"""Words beside a bullet: where there is one alone, it may be a cell and the bullet a tick."""


def with_bullets(page: PageLines, lines: Sequence[int]) -> tuple[PageLines, Sequence[int]]:
    """Return a page and lines of a table on it where bullets that are lines of their own begin the line beside them."""
    if not any(page.texts[line][:1] in _BULLETS for line in lines):
        return page, lines
    texts, boxes, places = list(page.texts), page.boxes.copy(), page.places.copy()
    joined: set[int] = set()
    for row in row_groups(page.places, lines):
        for bullet, words in itertools.pairwise(row):
            gap = float(page.places[words, 0] - page.places[bullet, 2])
            is_near = 0 <= gap < _NEAR * max(page.looks[words].size, 1.0)
            if page.texts[bullet] in _BULLETS and is_near and page.texts[words].count(" ") >= _FEWEST_WORDS - 1:
                texts[words] = f"{page.texts[bullet]} {page.texts[words]}"
                boxes[words, 0], places[words, 0] = boxes[bullet, 0], places[bullet, 0]
                joined.add(bullet)
    gaps = {
        row: tuple(gap for gap in gaps if texts[row][:1] not in _BULLETS or gap.offset > _AFTER)
        for row, gaps in page.gaps.items()
        if texts[row] == page.texts[row]
    }
    page = dataclasses.replace(page, texts=texts, boxes=boxes, places=places, gaps=gaps)
    return page, [line for line in lines if line not in joined]
