"""Slide decks: what tells them, and the one title of each slide."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import PageContent
from octavo.structuring.drafts import Draft


class _Slide:
    """What slides and their titles are told by, chosen by hand."""

    MOST_CHARACTERS = 900  # median characters of a slide
    WIDE = 1.15  # width by height
    TITLE_ZONE = 0.45  # share of the height in which a title stands
    LONGEST = 140  # characters of a title
    LARGEST_SHARE = 0.86  # type size of a title, by the largest of its slide
    TOP = 0.2  # share of the height in which a smaller line is a title
    SAME_TOP = 0.04  # difference between the heights of titles, as a share of the slide's


_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION)


def is_deck(pages: Sequence[PageContent]) -> bool:
    """Tell a document of slides: wide pages with few words."""
    if not pages:
        return False
    wide = sum(page.width > _Slide.WIDE * page.height for page in pages)
    characters = statistics.median(sum(len(line.text) for line in page.lines) for page in pages)
    return wide >= 0.75 * len(pages) and characters < _Slide.MOST_CHARACTERS


def slide_titles(pages: Sequence[Sequence[Draft]], heights: Sequence[float]) -> list[Draft | None]:
    """Return the block that is the title of each slide, None for one that has none; heights are those of the pages.

    It is the topmost of those set nearly as large as the largest, near the top (anywhere on the first slide); where
    most titles of the deck stand at one height, a slide's block at that height goes before a larger one elsewhere.
    """
    slides = [(page, max(height, 1.0)) for page, height in zip(pages, heights, strict=True)]
    chosen = [_title(page, height, is_first=at == 0) for at, (page, height) in enumerate(slides)]
    tops = [
        title.box[1] / height for title, (_, height) in zip(chosen[1:], slides[1:], strict=True) if title is not None
    ]
    if not tops:
        return chosen
    usual = statistics.median(tops)
    if sum(abs(top - usual) < _Slide.SAME_TOP for top in tops) < 0.5 * len(tops):
        return chosen
    return chosen[:1] + [
        _at_height(page, usual * height, _Slide.SAME_TOP * height) or title
        for (page, height), title in zip(slides[1:], chosen[1:], strict=True)
    ]


def _at_height(drafts: Sequence[Draft], top: float, tolerance: float) -> Draft | None:
    here = [item for item in drafts if item.kind in _TEXT and abs(item.box[1] - top) < tolerance and _is_title(item)]
    return max(here, key=lambda item: item.look.size) if here else None


def _title(drafts: Sequence[Draft], height: float, *, is_first: bool) -> Draft | None:
    usable = [item for item in drafts if item.kind in _TEXT and _is_title(item)]
    if not usable:
        return None
    largest = max(item.look.size for item in usable)
    zone = height if is_first or len(usable) <= 3 else _Slide.TITLE_ZONE * height
    large = [item for item in usable if item.look.size >= _Slide.LARGEST_SHARE * largest and item.box[1] < zone]
    if not large:
        usual = statistics.median(item.look.size for item in drafts if item.kind not in FURNITURE and item.text)
        large = [item for item in usable if item.box[1] < _Slide.TOP * height and item.look.size > usual]
    return min(large, key=lambda item: (item.box[1], item.box[0])) if large else None


def _is_title(item: Draft) -> bool:
    text = item.text
    letters = sum(character.isalpha() for character in text)
    is_sentence = text[:1].islower() or (text.endswith(".") and text.count(" ") > 5)
    return letters >= 3 and len(text) <= _Slide.LONGEST and letters >= 0.4 * len(text) and not is_sentence
