"""What of the evidence is looked at: pictures of elements and pages that were found by sight or are named.

Owns which places are image evidence, how they are cropped and what is said of each. Knows nothing about who looks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from octavo.decisions.answer_from_pictures import Seen
from octavo.document import Evidence, Kind, LinkKind, View
from octavo.models.crops import around, dots_per_inch, encoded
from octavo.operators.document_map import ELEMENTS
from octavo.operators.locate import LOCATED, NAMED, NAMED_ELEMENT
from octavo.operators.run import Place, Run
from octavo.operators.visual_search import SEEN, VISUAL

_CAPTION_CHARACTERS = 300


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
        shown = caption or Kind(int(view.blocks.kind[spot.row])).label
    return "; ".join(filter(None, (name, f"page {page}{printed}", shown)))
