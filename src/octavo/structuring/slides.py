"""Slide decks: telling them, and the one title of each slide.

Owns both rules. Knows nothing about outlines or numbering.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import PageContent
from octavo.structuring.drafts import Draft

_MOST_CHARACTERS = 900
_WIDE = 1.15
_TITLE_ZONE = 0.45
_LONGEST = 140
_LARGEST_SHARE = 0.86
_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION)


def is_deck(pages: Sequence[PageContent]) -> bool:
    """Tell a document of slides: wide pages with few words."""
    if not pages:
        return False
    wide = sum(page.width > _WIDE * page.height for page in pages)
    characters = statistics.median(sum(len(line.text) for line in page.lines) for page in pages)
    return wide >= 0.75 * len(pages) and characters < _MOST_CHARACTERS


def slide_title(drafts: Sequence[Draft], height: float, *, is_first: bool) -> Draft | None:
    """Return the block that is the title of a slide, None when it has none.

    It is the topmost of those set nearly as large as the largest, near the top (anywhere on the first slide).
    """
    usable = [item for item in drafts if item.kind in _TEXT and _is_title(item)]
    if not usable:
        return None
    largest = max(item.look.size for item in usable)
    zone = height if is_first or len(usable) <= 3 else _TITLE_ZONE * height
    large = [item for item in usable if item.look.size >= _LARGEST_SHARE * largest and item.box[1] < zone]
    others = [item.look.size for item in drafts if item.kind not in FURNITURE and item.text]
    if not large:
        large = [item for item in usable if item.box[1] < 0.2 * height and item.look.size > statistics.median(others)]
    return min(large, key=lambda item: (item.box[1], item.box[0])) if large else None


def _is_title(item: Draft) -> bool:
    letters = sum(character.isalpha() for character in item.text)
    return letters >= 3 and len(item.text) <= _LONGEST and letters >= 0.4 * len(item.text)
