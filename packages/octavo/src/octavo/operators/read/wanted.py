"""What a reader asks to be shown, "picture of page 17", "Figure 4", told from words that are to be searched.

The places of a request are read as those of a question are (`octavo.question.references`), so that page numbers are not
looked for as words. A figure that was shown brings its whole page; what was shown whole is not shown again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from octavo.evidence import View
from octavo.operators.core import Run
from octavo.operators.read.image_evidence import ELEMENTS, Spot, graphic_of, graphics, was_shown
from octavo.operators.score.refer import page_scores, rows_of_references
from octavo.question import Reference, understand
from octavo_documents.document import LinkKind

_PLACES = ("page", "figure", "chart", "table")
_PAGES_IN_WORDS = 8
"""Pages of a request whose words come too, at most: as many as pictures come at once."""


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """What a reader's requests come to: places to look at that were not shown, and rows whose words stand there."""

    spots: tuple[Spot, ...] = ()
    rows: tuple[int, ...] = ()


def wanted_of(view: View, missing: Sequence[str], pages: Iterable[int], using: Run) -> Wanted:
    """Return the places that phrases ask for, in the documents they name, else in those of some page indices.

    What a phrase names and no document has is noted in `using.so_far.unknown`.
    """
    spots: dict[Spot, None] = {}
    rows: dict[int, None] = {}
    near = {view.locate_page(page)[0] for page in pages}
    for phrase in missing:
        if understand(phrase).wants_every_page:
            spots.update(dict.fromkeys(_every_page(view, _documents_named(view, phrase) or near, using)))
            continue
        asked = [one for one in understand(phrase).references if one.what in _PLACES]
        if not asked:
            continue
        named = _documents_named(view, phrase) or near
        elements = [row for row in _elements(view, asked) if int(view.document[row]) in named]
        of_pages = [] if elements else _pages(view, asked, named)
        spots.update(dict.fromkeys(_of_elements(view, elements, using)))
        spots.update(dict.fromkeys(_of_pages(view, of_pages, phrase, using)))
        rows.update(dict.fromkeys([*elements, *(at for row in elements for at in view.captions.get(row, []))]))
        rows.update(dict.fromkeys(_words_on(view, of_pages[:_PAGES_IN_WORDS])))
        if not elements and not of_pages:
            using.so_far.unknown[phrase] = None
    return Wanted(tuple(spots), tuple(rows))


def to_search(view: View, missing: Sequence[str]) -> tuple[str, ...]:
    """Return what of some requests is to be searched: their words without places and names of documents."""
    found = [understand(_without(phrase, view.names)).words_beside_places for phrase in missing]
    return tuple(dict.fromkeys(filter(None, found)))


def _without(phrase: str, names: Sequence[str]) -> str:
    """Return a phrase that names a place without the names of documents in it."""
    if understand(phrase).references:
        for name in names:
            phrase = phrase.replace(name, " ")
    return phrase


def _documents_named(view: View, phrase: str) -> set[int]:
    return {at for at, name in enumerate(view.names) if name in phrase}


def _elements(view: View, asked: Sequence[Reference]) -> list[int]:
    """Return the figures, charts and tables that are named by label, by themselves or by their caption."""
    rows = rows_of_references([one for one in asked if one.what != "page" and one.number], view)
    is_caption = (view.links.kind == LinkKind.CAPTION_OF) & np.isin(view.links.source, rows)
    found: set[int] = {*rows, *view.links.target[is_caption].tolist()}
    return sorted(row for row in found if view.blocks.kind_of(row) in ELEMENTS)


def _pages(view: View, asked: Sequence[Reference], documents: set[int]) -> list[int]:
    """Return the page indices that are named, by their number in the file where there is such a page."""
    found: dict[int, None] = {}
    for at in sorted(documents):
        first, count = int(view.page_starts[at]), len(view.documents[at].pages)
        for one in asked:
            numbers = [int(number) for number in one.numbers() if number.isdecimal()] if not one.relation else []
            inside = [first + number - 1 for number in numbers if one.what == "page" and 1 <= number <= count]
            scores = page_scores([one], view)[first : first + count]
            found.update(dict.fromkeys(inside or (first + np.flatnonzero(scores > 0)).tolist()))
    return [*found]


def _every_page(view: View, documents: set[int], using: Run) -> list[Spot]:
    """Return all pages of some documents that were not shown yet."""
    spans = (range(int(view.page_starts[at]), int(view.page_starts[at + 1])) for at in sorted(documents))
    return [spot for span in spans for spot in map(Spot, span) if not was_shown(spot, using)]


def _of_elements(view: View, rows: Sequence[int], using: Run) -> list[Spot]:
    """Return the graphic of each element, or its whole page where it was shown."""
    spots = [graphic_of(view, row) for row in rows]
    spots = [Spot(spot.page) if was_shown(spot, using) else spot for spot in spots]
    return [spot for spot in spots if not was_shown(spot, using)]


def _of_pages(view: View, pages: Sequence[int], phrase: str, using: Run) -> list[Spot]:
    """Return the pictures on each page where these are asked for and were not shown, else the whole page."""
    asked = understand(phrase)
    found: list[Spot] = []
    for page in pages:
        own = [] if asked.wants_whole_page else graphics(view, page, logos=asked.asks_for_logo)
        found += [spot for spot in own if not was_shown(spot, using)] or [Spot(page)]
    return [spot for spot in found if not was_shown(spot, using)]


def _words_on(view: View, pages: Sequence[int]) -> list[int]:
    spans = [view.page_rows(page) for page in pages]
    return [row for span in spans for row in range(span.start, span.stop) if view.is_content[row]]
