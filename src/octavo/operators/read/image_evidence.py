"""What of a question's evidence is looked at: which figures and pages, how they are cropped, and what is said of each.

A reader that sees gets pictures beside passages; for one that does not, a model that sees tells what is in them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.document import Citation, Evidence, Kind, LinkKind, View
from octavo.models.language import around, dots_per_inch, encoded
from octavo.operators.core import Place, Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.read.packing import PICTURED, Packed, depicted, is_logo, place_of
from octavo.operators.score.refer import page_scores, rows_with, spellings
from octavo.operators.score.search import SEEN, VISUAL
from octavo.question import Expects, understand
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
_MOST, _BEST = 4, 2
_LABELLED = ("figure", "chart")
_NUMBERS = (Expects.COUNT, Expects.PERCENT, Expects.MONEY, Expects.NUMBER)


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
    is_plain = view.blocks.kind[row] == Kind.FIGURE and not view.captions.get(row, [])
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
    captions = view.captions.get(spot.row, []) if spot.row >= 0 else []
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
    return evidence.page_indices(column, least=least)


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
    shown = ""
    if spot.row >= 0:
        captions = (" ".join(view.blocks.text[row].split()) for row in view.captions.get(spot.row, ()))
        caption = " ".join(captions)[:_CAPTION_CHARACTERS]
        shown = "; ".join(filter(None, (depicted(view, spot.row), caption)))
    return "; ".join(filter(None, (*place_of(view, spot.page), shown)))


def pictures_for(
    view: View, packed: Sequence[Packed], using: Run, *, picked: Sequence[int] = (), only: Sequence[int] = ()
) -> list[tuple[Spot, Seen]]:
    """Return up to four pictures on the pages of passages: `picked` by an agent, then the likeliest by their captions.

    With `only` these rows alone. A reader that sees gets the pictures themselves. Else a model that sees is asked about
    them, and what it saw is told; nothing where there is none, or nothing can be drawn.
    """
    reader = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
    is_seeing = reader is not None and reader.sees
    if not is_seeing and not using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role):
        return []
    if only:
        spots = _picked(view, only)
    else:
        pages = list(dict.fromkeys(int(view.page_index[row]) for one in packed for row in one.rows))
        own = _picked(view, picked)
        found = pictured(view, pages)
        named = _named(view, found, using.query.question)
        others = [spot for spot in _likeliest(view, found, using.query.question) if spot.page not in _whole(own)]
        spots = named or list(dict.fromkeys([*own, *others]))
    found = drawn(view, spots[:_MOST], using)
    return found if is_seeing or not found else _told(found, using)


def to_be_seen(view: View, packed: Sequence[Packed], question: str, *, picked: Sequence[int] = ()) -> list[int]:
    """Return the pictures that words do not stand for: of those picked, and of the best passages for a number."""
    wants_number = understand(question).expects in _NUMBERS
    best = [row for one in packed[:_BEST] for row in one.rows] if wants_number else []
    rows = dict.fromkeys([*picked, *best])
    return [row for row in rows if says_hardly_anything(view, row, wants_number=wants_number)]


def _picked(view: View, rows: Sequence[int]) -> list[Spot]:
    """Return the pictures among rows, in their order; a page with several of them is looked at once, as a whole."""
    pages = {page: pictured(view, [page]) for page in dict.fromkeys(int(view.page_index[row]) for row in rows)}
    found: dict[int, list[Spot]] = {}
    for row in rows:
        page = int(view.page_index[row])
        if view.blocks.kind[row] in PICTURED and (spots := [one for one in pages[page] if one.row in (row, -1)]):
            found.setdefault(page, []).extend(spots)
    return [
        spot for page, spots in found.items() for spot in (dict.fromkeys(spots) if len({*spots}) == 1 else [Spot(page)])
    ]


def _whole(spots: Sequence[Spot]) -> set[int]:
    return {spot.page for spot in spots if spot.row < 0}


def _likeliest(view: View, spots: Sequence[Spot], question: str) -> list[Spot]:
    """Return places to look at, those first of which captions, titles and words say most of the question.

    What words stand for already counts half as much as what only a look can tell.
    """
    matcher = Matcher.of(understand(question), view)

    def said(spot: Spot) -> float:
        if spot.row < 0:
            span = view.page_rows(spot.page)
            whole = (view.blocks.text[row] for row in range(span.start, span.stop))
            return matcher.share(term for text in whole for term in matcher.terms(text)) / 2
        texts = [view.blocks.text[row] for row in (spot.row, *view.captions.get(spot.row, []))]
        texts += view.blocks.section_path(spot.row)[-1:]
        share = matcher.share(term for text in texts for term in matcher.terms(text))
        return share if has_few_words(view, spot) else share / 2

    return sorted(spots, key=lambda spot: -said(spot))


def _named(view: View, spots: Sequence[Spot], question: str) -> list[Spot]:
    """Return the places whose caption has a label that the question names, else those on pages that it names."""
    found = understand(question).references
    pointed = [one for one in found if one.what in _LABELLED]
    labels = {label for one in pointed for number in one.numbers() for label in spellings("figure", str(number))}
    rows = set(rows_with(view.blocks, labels))
    labelled = [spot for spot in spots if spot.row >= 0 and not rows.isdisjoint(view.captions.get(spot.row, []))]
    is_named = page_scores(found, view) >= 1.0
    return labelled or [spot for spot in spots if is_named[spot.page]]


def _told(found: Sequence[tuple[Spot, Seen]], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures that show an answer with what is seen in them."""
    looking = Looking(using.query.question, tuple(seen for _, seen in found))
    reply = using.judge.decide(ANSWER_FROM_PICTURES, looking).output
    if not reply.answerable:
        return []
    chosen = [found[number - 1] for number in reply.used]
    return [(spot, dataclasses.replace(seen, told=reply.answer)) for spot, seen in chosen]
