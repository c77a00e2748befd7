"""What of the evidence is looked at: pictures of elements and pages that were found by sight or are named.

Owns which places are image evidence, how they are cropped and what is said of each. Knows nothing about who looks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import numpy as np

from octavo.decisions.answer_from_evidence import Seen
from octavo.document import Citation, Evidence, Kind, LinkKind, View
from octavo.models.crops import around, dots_per_inch, encoded
from octavo.operators.core.run import Place, Run
from octavo.operators.read.packing import PICTURED, captions_of, depicted, is_logo
from octavo.operators.score.visual_search import SEEN, VISUAL
from octavo.text.analyzer import analyze

LOCATED = "located"
"""The column of blocks on located pages: over 1 for a page that is named, over 0.5 for the page of a figure, table or
section that is named, under 0.5 for one that was worked out; the more promising is higher."""
NAMED = 1.0
"""The least in that column for a page that is named."""
NAMED_ELEMENT = "named_element"
"""The source of the blocks that the question names themselves: the figure, its caption, the heading."""

ELEMENTS = (Kind.FIGURE, Kind.CHART, Kind.TABLE)
"""Kinds of blocks that are elements of their own, beside the content of the page as a whole."""

_CAPTION_CHARACTERS = 300
_SINGLE = 3
"""Pictures on one page that are looked at one by one."""
_FEW_WORDS, _HARDLY_ANY = 12, 5
_LINE = 30.0
_WIDE = 3.0
"""Points of a line of a heading, at most, and how many times as wide as high a picture of nothing but lines is."""
_QUOTED_CHARACTERS = 200


@dataclasses.dataclass(frozen=True, slots=True)
class Spot:
    """A place that is looked at: a page index, and the row of the element on it, -1 for the whole page."""

    page: int
    row: int = -1


def image_evidence(evidence: Evidence) -> list[Spot]:
    """Return the places of the evidence to look at, each once: elements and pages that are named, then those seen."""
    view = evidence.view
    named = [Spot(int(view.page_index[row]), row) for row in _named_elements(evidence)]
    pages = [Spot(page) for page in _pages(evidence, LOCATED, NAMED)]
    seen = [Spot(int(view.page_index[row]), row) for row in _rows(evidence, SEEN)]
    found = [*named, *pages]
    for page in _pages(evidence, VISUAL, -1.0):
        elements = [spot for spot in (*seen, *named) if spot.page == page]
        found += elements or [Spot(page)]
    return list(dict.fromkeys(found))


def pictured(view: View, pages: Iterable[int]) -> list[Spot]:
    """Return the figures and charts of some pages, those of the first pages first.

    A page with more than three is looked at as a whole, and so is a scan or a slide without any: the layout may say
    what its words do not. Logos, and what lies inside another picture, are left out.
    """
    found: list[Spot] = []
    for page in pages:
        span = view.page_rows(page)
        rows = [row for row in range(span.start, span.stop) if view.blocks.kind[row] in PICTURED]
        rows = [row for row in rows if not is_logo(view, row) and not _is_banner(view, row)]
        shown = [row for row in rows if not any(_is_inside(view, row, other) for other in rows if other != row)]
        whole = [Spot(page)] if len(shown) > _SINGLE or (not shown and _is_laid_out(view, page)) else []
        found += whole or [Spot(page, row) for row in shown]
    return found


def _is_banner(view: View, row: int) -> bool:
    """Tell a picture that is nothing but a few wide lines of words: a heading, as it is set in slides and reports."""
    text = view.blocks.text[row].strip()
    lines = text.count("\n") + 1 if text else 0
    x0, y0, x1, y1 = view.blocks.box[row].tolist()
    is_plain = view.blocks.kind[row] == Kind.FIGURE and not captions_of(view, row)
    return is_plain and 0 < y1 - y0 <= _LINE * lines and x1 - x0 > _WIDE * (y1 - y0)


def _is_laid_out(view: View, page: int) -> bool:
    """Tell a scan, and a slide: a page that is wider than high."""
    document, number = view.locate_page(page)
    pages = view.documents[document].pages
    return bool(pages.is_scanned[number - 1] or pages.width[number - 1] > pages.height[number - 1] > 0)


def _is_inside(view: View, row: int, other: int) -> bool:
    """Tell whether a picture lies inside another; of two in the same place the later one does."""
    x0, y0, x1, y1 = view.blocks.box[row].tolist()
    left, top, right, bottom = view.blocks.box[other].tolist()
    is_in = left - 1 <= x0 and top - 1 <= y0 and x1 <= right + 1 and y1 <= bottom + 1
    return is_in and ((x1 - x0) * (y1 - y0) < (right - left) * (bottom - top) or other < row)


def has_few_words(view: View, spot: Spot) -> bool:
    """Tell a place that says little in words: a chart, a picture with hardly any, a page that was scanned."""
    if spot.row < 0:
        return True
    return view.blocks.kind[spot.row] == Kind.CHART or len(view.blocks.text[spot.row].split()) < _FEW_WORDS


def says_hardly_anything(view: View, row: int, *, wants_number: bool) -> bool:
    """Tell a picture of which there are hardly any words, or no number where one is asked for: it must be looked at."""
    text = view.blocks.text[row]
    is_picture = view.blocks.kind[row] in PICTURED and not is_logo(view, row) and not _is_banner(view, row)
    return is_picture and (len(text.split()) < _HARDLY_ANY or (wants_number and not any(map(str.isdigit, text))))


def drawn(view: View, spots: list[Spot], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures of some places with what each shows; those that cannot be drawn are left out."""
    if using.pictures is None:
        return []
    found: list[tuple[Spot, Seen]] = []
    for document in sorted({view.locate_page(spot.page)[0] for spot in spots}):
        own = [spot for spot in spots if view.locate_page(spot.page)[0] == document]
        rasters = using.pictures(view.documents[document].id, [_place(view, spot) for spot in own])
        found += [
            (spot, Seen(_where(view, spot), encoded(raster)))
            for spot, raster in zip(own, rasters, strict=True)
            if raster is not None
        ]
    return sorted(found, key=lambda one: spots.index(one[0]))


def cited_at(view: View, spot: Spot, answer: str) -> Citation | None:
    """Return a citation of the element's caption, else of it or the words on the page that say most of the answer."""
    captions = captions_of(view, spot.row) if spot.row >= 0 else []
    if captions:
        return Citation.of(view, captions[0], " ".join(view.blocks.text[captions[0]].split())[:_QUOTED_CHARACTERS])
    span = view.page_rows(spot.page)
    rows = [row for row in range(span.start, span.stop) if view.is_content[row] and view.blocks.text[row].strip()]
    if not rows:
        return None
    wanted = set(analyze(answer))
    near = [abs(row - spot.row) if spot.row >= 0 else 0 for row in rows]
    shared = [len(wanted & set(analyze(view.blocks.text[row]))) for row in rows]
    best = min(range(len(rows)), key=lambda at: (near[at] > 1, -shared[at], near[at], at))
    first = next(line for line in view.blocks.text[rows[best]].splitlines() if line.strip())
    return Citation.of(view, rows[best], first.strip()[:_QUOTED_CHARACTERS])


def _rows(evidence: Evidence, source: str) -> list[int]:
    found = evidence.sources.get(source)
    return [] if found is None else evidence.rows[found].tolist()


def _pages(evidence: Evidence, column: str, least: float) -> list[int]:
    """Return the pages with a score of at least so much in a column, best first."""
    if column not in evidence.scores or np.isnan(evidence.scores[column]).all():
        return []
    starts = evidence.view.page_starts
    hits = evidence.pages(column)
    return [int(starts[hit.document]) + hit.page - 1 for hit in hits if hit.score >= least]


def _named_elements(evidence: Evidence) -> Iterator[int]:
    """Yield the figures, charts and tables that are named, by themselves or by their caption."""
    view, rows = evidence.view, _rows(evidence, NAMED_ELEMENT)
    links = view.links
    is_caption = links.kind == LinkKind.CAPTION_OF
    told = set(links.target[is_caption & np.isin(links.source, rows)].tolist())
    for row in sorted({*rows, *told}):
        if Kind(int(view.blocks.kind[row])) in ELEMENTS:
            yield row


def _place(view: View, spot: Spot) -> Place:
    document, page = view.locate_page(spot.page)
    pages = view.documents[document].pages
    width, height = float(pages.width[page - 1]), float(pages.height[page - 1])
    box = (0.0, 0.0, width, height)
    if spot.row >= 0:
        x0, y0, x1, y1 = view.blocks.box[spot.row].tolist()
        box = around((x0, y0, x1, y1), width, height)
    return Place(page, None if spot.row < 0 else box, dots_per_inch(box))


def _where(view: View, spot: Spot) -> str:
    """Return the page of a place, the element's kind and its caption."""
    document, page = view.locate_page(spot.page)
    name = view.documents[document].name if len(view.documents) > 1 else ""
    label = view.documents[document].pages.label[page - 1]
    printed = f' (printed "{label}")' if label and label != str(page) else ""
    shown = ""
    if spot.row >= 0:
        links = view.links
        captions = links.source[(links.kind == LinkKind.CAPTION_OF) & (links.target == spot.row)].tolist()
        caption = " ".join(" ".join(view.blocks.text[row].split()) for row in captions)[:_CAPTION_CHARACTERS]
        shown = "; ".join(filter(None, (depicted(view, spot.row), caption)))
    return "; ".join(filter(None, (name, f"page {page}{printed}", shown)))
