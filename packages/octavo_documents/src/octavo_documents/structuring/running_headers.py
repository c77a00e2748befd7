"""What belongs to the page and not to the text: running headers, footers, page numbers, logos.

Headers are told by the same words, numbers aside, at the same height near the edge of several pages, page numbers by
counting with the pages, logos by coming back at one place.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from octavo_documents.document import FigureKind, Kind
from octavo_documents.parsing.content import Box, Graphic, PageContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.clusters import THIN, area, sides
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.lines import NO_LOOK, PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.text.things import roman_value


class _Running:
    """Thresholds for running headers and footers, chosen by hand; shares are from 0 to 1."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    ZONE = 0.14  # share of the page's height at its top and foot
    SAME_HEIGHT = 5.0  # points by which the heights of one header differ
    FEWEST_PAGES = 3  # pages that a header comes back on
    PAIR = 2  # pages of the shortest document with page numbers
    DENSITY = 0.3  # share of pages with the header, from its first to its last
    LARGE = 1.25  # type size of a header that must be on most pages, by the body's
    KNOWN = 0.3  # share of known headers at a height from which small lines there are headers
    RECUR = 0.5  # share of lines that come again at a height from which all that do are headers
    AS_LARGE = 0.98  # type size of what is as large as the largest of a slide
    SMALL = 0.96  # type size of a small line, by the body's


class _Cell:
    """What tells a row of table cells from a header or footer, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    SAME = 3.0  # points between edges or middles that line up
    FEWEST = 4  # pieces of a row: running headers have up to three (left, middle, right)
    FARTHEST = 4.0  # type sizes between two rows of a table
    UPRIGHTS = 3  # upright rules at the height of a row: the frame of a page has two
    SHORTEST = 0.8  # height of an upright rule, by that of the line it passes
    SHORTEST_TITLE = 4  # characters of a caption after its label


_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]{1,7}")
_NOT_WORD = re.compile(r"[\W_]+")


class _Logo:
    """Thresholds for an image that belongs to the page, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    ZONE = 0.16  # share of the page's height at its top and foot
    FEWEST_PAGES = 3  # pages that it comes back on
    DENSITY = 0.25  # least share of pages with it from its first to its last; left and right pages may differ
    SAME = 2.0  # points by which its places differ
    LEAST_SIDE = 8.0  # points of its shorter side
    LARGEST = 0.15  # share of the page's area


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A line near an edge: where it stands and what it says with its numbers taken out."""

    page: int
    row: int
    zone: Kind
    height: float
    """Distance of its middle from the near edge, in points."""
    pattern: str
    number: int | None
    size: float


def furniture(pages: Sequence[PageLines], body: float, *, is_deck: bool = False) -> list[dict[int, Kind]]:
    """Return for each page the rows of its header and footer lines with their kind; `body` is the body type size.

    On slides (`is_deck`) what stands at the top is a title unless most slides have it and something as large besides.
    """
    sightings = [sighting for page in pages for sighting in _near_edges(page)]
    by_pattern: dict[tuple[Kind, str], list[_Sighting]] = defaultdict(list)
    for sighting in sightings:
        by_pattern[sighting.zone, sighting.pattern].append(sighting)
    running: list[_Sighting] = []
    for (zone, _), group in by_pattern.items():
        size = 0.0 if is_deck and zone == Kind.PAGE_HEADER else body
        if not size and _is_largest(group, pages):
            continue
        running.extend(_running(group, len(pages), size))
    if not is_deck:
        running.extend(_changing(sightings, running, len(pages), body))
    found: list[dict[int, Kind]] = [{} for _ in pages]
    for sighting in running:
        found[sighting.page][sighting.row] = sighting.zone
    return [_outermost(page, marked) for page, marked in zip(pages, found, strict=True)]


def _is_largest(group: Sequence[_Sighting], pages: Sequence[PageLines]) -> bool:
    """Return whether a line is the largest of most slides it is on, as a title is however often it comes back."""
    largest = [max(look.size for look in pages[sighting.page].looks) for sighting in group]
    return 2 * sum(item.size >= _Running.AS_LARGE * size for item, size in zip(group, largest, strict=True)) > len(
        group
    )


def _near_edges(page: PageLines) -> list[_Sighting]:
    """Return the lines in the zones at the top and bottom, and numbers that end a page whose text ends higher."""
    sightings: list[_Sighting] = []
    if not len(page):
        return sightings
    lowest = float(page.boxes[:, 1].max())
    for row, (_, y0, _, y1) in enumerate(page.boxes.tolist()):
        middle = (y0 + y1) / 2
        if not page.texts[row] or (
            _Running.ZONE * page.height < middle < (1 - _Running.ZONE) * page.height and middle < lowest
        ):
            continue
        is_top = middle < _Running.ZONE * page.height
        pattern, number = _abstracted(page.texts[row])
        if not is_top and middle < (1 - _Running.ZONE) * page.height and not _is_number(pattern):
            continue
        sightings.append(
            _Sighting(
                page=page.index,
                row=row,
                zone=Kind.PAGE_HEADER if is_top else Kind.PAGE_FOOTER,
                height=middle if is_top else page.height - middle,
                pattern=pattern,
                number=number,
                size=page.looks[row].size,
            )
        )
    return sightings


def _abstracted(text: str) -> tuple[str, int | None]:
    """Return a text without numbers and punctuation, and its number when it is little more than one."""
    plain = text.lower()
    words = _NOT_WORD.sub(" ", plain).split()
    if len(words) == 1 and _ROMAN.fullmatch(words[0]):
        return "#", roman_value(words[0])
    pattern = " ".join(_NUMBER.sub("#", word) for word in words)
    numbers = _NUMBER.findall(plain)
    is_count = 1 <= len(numbers) <= 2 and len(numbers[0]) < 6 and len(_NUMBER.sub("", pattern).replace("#", "")) <= 12
    return pattern, int(numbers[0]) if is_count else None


def _running(group: list[_Sighting], page_count: int, body: float) -> list[_Sighting]:
    """Return those sightings of one pattern that repeat as running headers do."""
    if _is_number(group[0].pattern):
        return _counting(group, page_count)
    kept = _at_one_height(group)
    pages = sorted({sighting.page for sighting in kept})
    if len(pages) < _Running.FEWEST_PAGES or not group[0].pattern:
        return []
    density = len(pages) / (pages[-1] - pages[0] + 1)
    if statistics.median(sighting.size for sighting in kept) > _Running.LARGE * body:
        return kept if len(pages) > 0.5 * page_count else []
    return kept if density >= _Running.DENSITY or len(pages) >= _Running.DENSITY * page_count else []


def _is_number(pattern: str) -> bool:
    return pattern in ("#", "page #", "p #", "pg #", "slide #")


def _at_one_height(group: list[_Sighting]) -> list[_Sighting]:
    """Return the sightings at the commonest heights (two, for left and right pages)."""
    kept: list[_Sighting] = []
    rest: list[_Sighting] = group
    for _ in range(2):
        if not rest:
            break
        counts = Counter[int](round(sighting.height / _Running.SAME_HEIGHT) for sighting in rest)
        common = max(counts, key=lambda height: (counts[height], -height)) * _Running.SAME_HEIGHT
        near = [sighting for sighting in rest if abs(sighting.height - common) <= _Running.SAME_HEIGHT]
        if kept and len(near) < _Running.FEWEST_PAGES:
            break
        kept.extend(near)
        rest = [sighting for sighting in rest if abs(sighting.height - common) > _Running.SAME_HEIGHT]
    return kept


def _counting(group: list[_Sighting], page_count: int) -> list[_Sighting]:
    """Return the bare numbers that count with the pages: one offset from the physical page number, three times.

    A document of two pages has them on both, at one height, from 1 on.
    """
    offsets = Counter(sighting.number - sighting.page for sighting in group if sighting.number is not None)
    good = {offset for offset, count in offsets.items() if count >= _Running.FEWEST_PAGES}
    heights = [sighting.height for sighting in group]
    if (
        page_count == _Running.PAIR
        and offsets[1] == _Running.PAIR
        and max(heights) - min(heights) < _Running.SAME_HEIGHT
    ):
        good.add(1)
    return [item for item in group if item.number is not None and item.number - item.page in good]


def _changing(sightings: list[_Sighting], running: list[_Sighting], page_count: int, body: float) -> list[_Sighting]:
    """Return lines at a height where most pages have one, and many of these recur: titles that change by chapter.

    Where the text of pages starts at one height, most of what stands there comes once; what comes twice is text too.
    """
    known = {(sighting.page, sighting.row) for sighting in running}
    repeats = Counter((sighting.zone, sighting.pattern) for sighting in sightings)
    at_height: dict[tuple[Kind, int], list[_Sighting]] = defaultdict(list)
    for sighting in sightings:
        at_height[sighting.zone, round(sighting.height)].append(sighting)
    found: list[_Sighting] = []
    for (zone, height), here in at_height.items():
        near = [item for shift in (-1, 0, 1) for item in at_height.get((zone, height + shift), ())]
        if len({item.page for item in near}) < max(0.5 * page_count, _Running.FEWEST_PAGES):
            continue
        share = sum((item.page, item.row) in known for item in near) / len(near)
        again = sum((item.page, item.row) in known or repeats[zone, item.pattern] > 1 for item in near) / len(near)
        for item in here:
            is_running = again > _Running.RECUR and repeats[zone, item.pattern] > 1 and item.size <= 1.1 * body
            is_small = share > _Running.KNOWN and item.size < _Running.SMALL * body
            if (item.page, item.row) not in known and not _is_number(item.pattern) and (is_running or is_small):
                found.append(item)
    return found


def _outermost(page: PageLines, marked: dict[int, Kind]) -> dict[int, Kind]:
    """Keep what no text stands beyond; what shares a row with it belongs to it too."""
    if not marked:
        return {}
    kept: dict[int, Kind] = {}
    groups = row_groups(page.boxes, range(len(page)))
    cells = _cells(page, [[row for row in group if page.texts[row]] for group in groups])
    marked = {row: zone for row, zone in marked.items() if row not in cells}
    for zone, ordered in ((Kind.PAGE_HEADER, groups), (Kind.PAGE_FOOTER, groups[::-1])):
        for group in ordered:
            rows = [row for row in group if page.texts[row]]
            if rows and not any(marked.get(row) == zone for row in rows):
                break
            kept.update(dict.fromkeys(group, zone))
    return kept


def _cells(page: PageLines, rows: Sequence[Sequence[int]]) -> set[int]:
    """Return the lines in rows of many pieces that stand under or over those of the next such row: cells of a table."""
    found: set[int] = set()
    wide = [row for row in rows if row]
    for above, below in itertools.pairwise(wide):
        if min(len(above), len(below)) < _Cell.FEWEST:
            continue
        gap = float(page.boxes[below, 1].min() - page.boxes[above, 3].max())
        if gap < _Cell.FARTHEST * page.looks[below[0]].size and _line_up(page, above, below):
            found.update((*above, *below))
    return found


def _line_up(page: PageLines, above: Sequence[int], below: Sequence[int]) -> bool:
    """Return whether all pieces of two rows have the left edge, the right edge or the middle of one in the other."""
    one, other = page.boxes[above], page.boxes[below]
    left, right = np.abs(one[:, None, 0] - other[:, 0]), np.abs(one[:, None, 2] - other[:, 2])
    middle = np.abs(one[:, None, [0, 2]].sum(axis=2) - other[:, [0, 2]].sum(axis=1)) / 2
    lined = np.minimum(np.minimum(left, right), middle) < _Cell.SAME
    return bool(lined.any(axis=1).all() and lined.any(axis=0).all())


def without_cells(marked: dict[int, Kind], page: PageLines, graphics: Sequence[Graphic]) -> dict[int, Kind]:
    """Return headers and footers but for cells of tables, which stand between upright rules, and tables' captions.

    A table of several pages has its caption on each ("Table A-1 Rates (continued)").
    """
    marked = {row: zone for row, zone in marked.items() if not _is_table_caption(page.texts[row])}
    if not marked:
        return marked
    uprights = [item.box for item in graphics if sides(item.box)[0] < THIN < sides(item.box)[1]]
    if len(uprights) < _Cell.UPRIGHTS:
        return marked
    return {row: zone for row, zone in marked.items() if not _is_between(page.box(row), uprights)}


def _is_table_caption(text: str) -> bool:
    label = markers.caption(text)
    return label[:3].lower() == "tab" and len(text) > len(label) + _Cell.SHORTEST_TITLE


def _is_between(box: Box, uprights: Sequence[Box]) -> bool:
    """Return whether upright rules pass a line on both sides, three or more in all."""
    middle, tall = (box[1] + box[3]) / 2, _Cell.SHORTEST * (box[3] - box[1])
    passing = {round(x0 / _Cell.SAME) for x0, y0, _, y1 in uprights if y0 <= middle <= y1 and y1 - y0 >= tall}
    return len(passing) >= _Cell.UPRIGHTS and _Cell.SAME * min(passing) < box[2] and _Cell.SAME * max(passing) > box[0]


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


def without_images(page: PageContent, images: frozenset[Box]) -> PageContent:
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
    return Draft(kind, page.number - 1, "", box, NO_LOOK, figure=FigureKind.LOGO)
