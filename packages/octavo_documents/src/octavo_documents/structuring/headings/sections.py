"""Headings and their levels over a whole document.

The file's own outline goes first; else the titles of slides, one on each; else what a printed table of contents names,
run-in headings, numbering and type, which also speak for what an outline leaves out.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence, Set
from typing import TypeAlias

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.parsing.content import PageContent, SourceContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.headings.candidate_filters import without_doubtful
from octavo_documents.structuring.headings.candidates import (
    Body,
    Candidate,
    HeadingStyle,
    body_of,
    candidates,
    in_heading_places,
    over_tables,
    style_of,
    underlined,
)
from octavo_documents.structuring.headings.contents import contents_entries, is_contents_title, matched, placed
from octavo_documents.structuring.headings.cut_and_join import cut_run_in, join_labels, join_wrapped
from octavo_documents.structuring.headings.levels import levels
from octavo_documents.structuring.lines import box_around
from octavo_documents.structuring.markers import plain


class _Slide:
    """Thresholds for slides and their titles, chosen by hand."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    MOST_CHARACTERS = 900  # median characters of a slide
    WIDE = 1.15  # width by height
    TITLE_ZONE = 0.45  # share of the height in which a title stands
    LONGEST = 140  # characters of a title
    LARGEST_SHARE = 0.86  # type size of a title, by the largest of its slide
    TOP = 0.2  # share of the height in which a smaller line is a title
    SAME_TOP = 0.04  # difference between the heights of titles, as a share of the slide's


_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION)


def is_deck(pages: Sequence[PageContent]) -> bool:
    """Return whether a document consists of slides: wide pages with few words."""
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


class _Heading:
    """Limits of the cascade, chosen by hand."""

    # A tenth higher costs .009 of F1 over 11 outlined documents (interval -.002 to .022), a tenth lower none.
    USABLE = 0.5  # share of an outline's entries found in the text from which it is used
    COVER = 400  # characters of a cover
    TITLE_SIZE = 1.25  # type size of the document's title, by the body's
    LONGEST_TITLE = 200  # characters
    PART_OF_TITLE = 0.6  # type size of a further line of the title, by the first's
    DEEPEST = 6  # level
    PLAIN = 3.0  # score from which a heading stands out plainly
    LISTED = 0.6  # share of a style's headings in the outline from which all have its level
    LARGER = 1.06  # type size of what is larger than the body
    OVER = 1.1  # type size of a heading that an outline leaves out, by the largest it lists


_Setting: TypeAlias = tuple[HeadingStyle, bool]
"""How a heading is set: its style, and whether it is numbered."""


def set_headings(pages: Sequence[list[Draft]], content: SourceContent) -> None:
    """Turn the drafts that are headings into headings with levels, and the document's title into a title.

    Joins the parts of a heading and cuts headings out of blocks, so the lists in `pages` may change.
    """
    turned = _turned(pages, content)
    body = body_of([item for page in pages for item in page if id(item) not in turned])
    join_labels(pages, body.size)
    vouched = cut_run_in(pages, content)
    listed, entries = contents_entries(pages)
    vouched |= matched(placed(entries, content, pages), pages, content, listed).keys()
    _set_model_titles(pages)
    known = matched(content.outline, pages, content, listed)
    if len(known) < _Heading.USABLE * len(content.outline):
        known = {}
    drafts = [item for page in pages for item in page if id(item) not in turned]
    _set_entries(drafts, listed)
    if not known and is_deck(content.pages):
        _set_slide_titles(pages, content)
        return
    _free_headers(drafts, body)
    free = [item for item in drafts if id(item) not in listed]
    titles = {plain(entry.title) for entry in entries}
    contents = min((item.page for item in drafts if id(item) in listed), default=0)
    placed_well = in_heading_places(free, body, underlined(pages, content))
    vouched |= over_tables(pages)
    found = _without_doubtful(candidates(free, body, titles, vouched, placed_well), free, body, contents)
    found = _without_title(found if known else join_wrapped(found, pages), pages, known.keys() | turned, body)
    _set_levels(found, drafts, known, body)


def _set_levels(found: list[Candidate], drafts: Sequence[Draft], known: dict[int, int], body: Body) -> None:
    """Make the candidates and the known titles of an outline headings."""
    if known:
        found, given = _by_outline(drafts, known, found, body)
    else:
        given = levels(found)
    for candidate, level in zip(found, given, strict=True):
        _make_heading(candidate.item, level)
    for item in drafts:
        if id(item) in known:
            _make_heading(item, known[id(item)])
    if not known:
        _close_gaps([item for item in drafts if item.kind == Kind.HEADING])


def _close_gaps(headings: Sequence[Draft]) -> None:
    """Move up levels that stand nowhere under the level right above, so that none is left out everywhere."""
    over: dict[int, set[int]] = {}
    path: list[int] = []
    for item in headings:
        while path and path[-1] >= item.level:
            path.pop()
        over.setdefault(item.level, set()).add(path[-1] if path else 0)
        path.append(item.level)
    closed = {0: 0}
    for level in sorted(over):
        closed[level] = 1 + max(closed[above] for above in over[level])
    for item in headings:
        item.level = closed[item.level]


def _set_model_titles(pages: Sequence[list[Draft]]) -> None:
    """Take a title that a layout model tells for the document's only where it is the first of the first page."""
    titles = [item for page in pages for item in page if item.kind == Kind.TITLE]
    for at, item in enumerate(titles):
        if at or item.page:
            _make_heading(item, 1)


def _without_doubtful(
    found: Sequence[Candidate], drafts: Sequence[Draft], body: Body, contents: int
) -> list[Candidate]:
    """Return the candidates that stand as headings stand, and those that a layout model tells."""
    kept = {id(candidate.item) for candidate in without_doubtful(found, drafts, body, contents=contents)}
    return [candidate for candidate in found if candidate.item.is_from_model or id(candidate.item) in kept]


def _set_entries(drafts: Sequence[Draft], listed: set[int]) -> None:
    for item in drafts:
        if id(item) in listed and item.kind in (Kind.PARAGRAPH, Kind.HEADING):
            item.kind, item.level = Kind.LIST_ITEM, 1


def _free_headers(drafts: Sequence[Draft], body: Body) -> None:
    """Take a header for text again that is a numbered title larger than the text, and stands nowhere else."""
    headers = [
        item for item in drafts if item.kind == Kind.PAGE_HEADER and item.look.size >= _Heading.LARGER * body.size
    ]
    texts = Counter(item.text for item in drafts if item.kind in FURNITURE)
    for item in headers:
        number = markers.numbering(item.text)
        if texts[item.text] == 1 and number and number.depth > 1 and not number.word:
            item.kind = Kind.PARAGRAPH


def _turned(pages: Sequence[Sequence[Draft]], content: SourceContent) -> set[int]:
    """Return the ids of blocks written at another angle than most of their page: stamps and labels of axes."""
    found: set[int] = set()
    for page, source in zip(pages, content.pages, strict=True):
        if not any(line.angle for line in source.lines):
            continue
        angles = {id(item): source.lines[item.lines[0]].angle for item in page if item.lines}
        usual = Counter(line.angle for line in source.lines).most_common(1)[0][0]
        found.update(key for key, angle in angles.items() if angle != usual)
    return found


def _make_heading(item: Draft, level: int) -> None:
    item.kind, item.level, item.grid = Kind.HEADING, min(max(level, 1), _Heading.DEEPEST), ""


def _by_outline(
    drafts: Sequence[Draft], known: dict[int, int], found: Sequence[Candidate], body: Body
) -> tuple[list[Candidate], list[int]]:
    """Return the candidates that an outline leaves out and may still be headings, with levels.

    Those of a style that the outline lists nearly always get that style's usual level. Others are of the sections it
    does not list: they must stand out plainly, though not over all that it does, and go below its deepest level.
    """
    votes: dict[_Setting, Counter[int]] = {}
    for item in drafts:
        if id(item) in known:
            setting = style_of(item, body), markers.numbering(item.text) is not None
            votes.setdefault(setting, Counter())[known[id(item)]] += 1
    largest, deepest = max(style.size for style, _ in votes), max(known.values())
    other = Counter(_setting(candidate) for candidate in found if id(candidate.item) not in known)
    usual = {
        setting: max(count, key=lambda level: (count[level], -level))
        for setting, count in votes.items()
        if count.total() >= _Heading.LISTED * (count.total() + other[setting])
    }
    styles = {style for style, _ in votes}
    kept = [
        candidate
        for candidate in found
        if candidate.item.is_from_model
        or candidate.style in styles
        or (
            (candidate.is_placed or candidate.score >= _Heading.PLAIN)
            and candidate.style.size <= _Heading.OVER * largest
        )
    ]
    below = sorted({level for candidate, level in _levelled(kept) if _setting(candidate) not in usual})
    return kept, [
        usual.get(_setting(candidate)) or deepest + 1 + below.index(level) for candidate, level in _levelled(kept)
    ]


def _setting(candidate: Candidate) -> _Setting:
    return candidate.style, candidate.number is not None


def _levelled(found: Sequence[Candidate]) -> list[tuple[Candidate, int]]:
    return list(zip(found, levels(found), strict=True))


def _set_slide_titles(pages: Sequence[list[Draft]], content: SourceContent) -> None:
    for number, title in enumerate(slide_titles(pages, [page.height for page in content.pages])):
        headings = [item for item in pages[number] if item.kind in (Kind.HEADING, Kind.TITLE)]
        for item in headings[1:]:
            _make_heading(item, 2)
        if headings:
            continue
        if title is not None and number == 0:
            title.kind, title.level = Kind.TITLE, 0
        elif title is not None:
            _make_heading(title, 1)


def _is_cover(page: Sequence[Draft]) -> bool:
    return sum(len(item.text) for item in page if item.kind not in FURNITURE) < _Heading.COVER


def _without_title(
    found: list[Candidate], pages: Sequence[list[Draft]], others: Set[int], body: Body
) -> list[Candidate]:
    """Make the largest text of the first page the document's title; return the candidates that are left.

    On a cover nothing else is a heading, and large lines that go on from the title are part of it. On a page of text
    a line is the title only when no later heading is as large. `others` are ids of blocks that are something else.
    """
    large = [item for item in pages[0] if _may_be_title(item, body) and id(item) not in others] if pages else []
    is_cover = bool(pages) and _is_cover(pages[0])
    first_title = next((item for item in pages[0] if item.kind == Kind.TITLE), None) if pages else None
    title = first_title or max(large, key=lambda item: item.look.size, default=None)
    if title is not None and title is not first_title:
        sizes = [candidate.style.size for candidate in found if candidate.item is not title]
        if is_cover or title.look.size > max(sizes, default=0.0):
            title.kind, title.level = Kind.TITLE, 0
            if is_cover:
                _join_title(title, large, pages[0])
    has_title = title is not None and title.kind == Kind.TITLE
    return [
        candidate
        for candidate in found
        if candidate.item.is_from_model
        or (candidate.item.kind != Kind.TITLE and not (is_cover and has_title and candidate.item.page == 0))
    ]


def _may_be_title(item: Draft, body: Body) -> bool:
    text = item.text
    return (
        item.kind == Kind.PARAGRAPH
        and item.look.size > _Heading.TITLE_SIZE * body.size
        and 2 < len(text) <= _Heading.LONGEST_TITLE
        and not _is_numbered(text)
        and not is_contents_title(text)
    )


def _is_numbered(text: str) -> bool:
    """Return whether it is a section number; a lone letter without a mark ("A Study of ...") is none."""
    number = markers.numbering(text)
    return number is not None and (number.depth > 1 or bool(number.word or number.mark) or number.scheme == "arabic")


def _join_title(title: Draft, large: Sequence[Draft], page: list[Draft]) -> None:
    at = page.index(title)
    for item in page[at + 1 :]:
        if item not in large or not _goes_on(title, item):
            break
        _join(title, item)
        page.remove(item)


def _goes_on(title: Draft, item: Draft) -> bool:
    gap = item.box[1] - title.box[3]
    same = (item.look.bold, item.look.italic) == (title.look.bold, title.look.italic)
    return same and gap < title.look.size and item.look.size >= _Heading.PART_OF_TITLE * title.look.size


def _join(title: Draft, item: Draft) -> None:
    title.text = f"{title.text} {item.text}"
    title.box = box_around(title.box, item.box)
    title.lines = title.lines + item.lines
