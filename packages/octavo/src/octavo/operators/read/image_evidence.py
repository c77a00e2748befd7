"""What of a question's evidence is looked at: which figures and pages, how they are cropped, and what is said of each.

A reader that sees gets pictures beside passages; for one that does not, a model that sees tells what is in them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.evidence import Citation, Evidence, View, axis_rows, framed
from octavo.evidence.word_looks import blocks_standing_out
from octavo.models.language import around, dots_per_inch, encoded
from octavo.models.ports import Raster
from octavo.operators.core import Place, Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.read.packing import Packed, depicted, is_logo, place_of
from octavo.operators.score.refer import is_named_page, rows_with, spellings
from octavo.operators.score.search import SEEN, VISUAL
from octavo.question import Expects, understand
from octavo_documents.document import PICTURED, FigureKind, Kind, LinkKind
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

LOCATED = "located"
"""The column of blocks on located pages: pages that are named rank over those of a figure, table or section that is
named, and these over those that were worked out; of each the more promising is higher."""
NAMED_PAGE = "named_page"
"""The column of those of them that stand on a page which is named as one: the same score."""
NAMED_ELEMENT = "named_element"
"""The source of the blocks that the question names themselves: the figure, its caption, the heading."""
ELEMENTS = (Kind.FIGURE, Kind.CHART, Kind.TABLE)
"""Kinds of blocks that are elements of their own, beside the content of the page as a whole."""
_CAPTION_CHARACTERS = 300
_SINGLE = 3
"""Pictures on one page that are looked at one by one."""
_FEW_WORDS, _HARDLY_ANY = 12, 5
"""Words under which a picture may say more than they do, and under which they do not stand for it at all."""
_LINE = 30.0
_WIDE = 3.0
"""Points of a line of a heading, at most, and how many times as wide as high a picture of nothing but lines is."""
_STRIP, _ACROSS = 6.0, 0.9
"""So many times as wide as high, and over so much of the page's width, is a strip of decoration, such as a wave."""
_SEAM = 12.0
"""Points between the parts of one graphic, at most."""
_STACKED, _ONE_WIDTH = 48.0, 0.9
"""Points between charts over one axis, at most, and the share of the wider one's width that both have."""
_QUOTED_CHARACTERS = 200
_MOST, _BEST = 4, 2
"""Pictures shown at once, for each takes room of the model's context; the best pages or passages to be looked at."""
_LABELLED = ("figure", "chart")
_NUMBERS = (Expects.COUNT, Expects.PERCENT, Expects.MONEY, Expects.NUMBER)


@dataclasses.dataclass(frozen=True, slots=True)
class Spot:
    """A place that is looked at: a page index, and the row of the element on it, -1 for the whole page.

    `others` are further rows of the same graphic, such as the second half of a chart that was cut in two.
    """

    page: int
    row: int = -1
    others: tuple[int, ...] = dataclasses.field(default=(), compare=False)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that it shows; none for a whole page."""
        return () if self.row < 0 else (self.row, *self.others)


def image_evidence(evidence: Evidence) -> list[Spot]:
    """Return the places of the evidence to look at, each once: elements and pages that are named, then those seen."""
    view = evidence.view
    named = [Spot(int(view.page_index[row]), row) for row in _named_elements(evidence)]
    pages = [Spot(page) for page in _pages(evidence, NAMED_PAGE)]
    seen = [Spot(int(view.page_index[row]), row) for row in _rows(evidence, SEEN)]
    found = [*named, *pages]
    for page in _pages(evidence, VISUAL):
        elements = [spot for spot in (*seen, *named) if spot.page == page]
        found += elements or [Spot(page)]
    return [spot for spot in dict.fromkeys(found) if spot.row < 0 or not is_axis(view, spot.row)]


def pictured(view: View, pages: Iterable[int]) -> list[Spot]:
    """Return the figures and charts of some pages, those of the first pages first.

    A page with more than three is looked at as a whole, and so is a scan or a slide without any: the layout may say
    what its words do not. Logos, and what lies inside another picture, are left out.
    """
    found: list[Spot] = []
    for page in pages:
        shown = graphics(view, page)
        whole = [Spot(page)] if len(shown) > _SINGLE or (not shown and is_laid_out(view, page)) else []
        found += whole or shown
    return found


def graphics(view: View, page: int, *, logos: bool = False) -> list[Spot]:
    """Return the figures and charts of a page, those that are one graphic as one; logos only where they are wanted."""
    span = view.page_rows(page)
    rows = [row for row in range(span.start, span.stop) if view.blocks.kind_of(row) in PICTURED]
    rows = [row for row in rows if (logos if is_logo(view, row) else not _is_banner(view, row))]
    shown = [row for row in rows if not any(_is_inside(view, row, other) for other in rows if other != row)]
    groups: list[list[int]] = []
    for row in shown:
        joined = [group for group in groups if any(_is_one_graphic(view, other, row) for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(other for group in joined for other in group), row])
    return [_as_spot(view, page, sorted(group)) for group in sorted(groups, key=min)]


def graphic_of(view: View, row: int) -> Spot:
    """Return the graphic that an element is, or is a part of."""
    page = int(view.page_index[row])
    return next((spot for spot in graphics(view, page, logos=True) if row in spot.rows), Spot(page, row))


def _as_spot(view: View, page: int, rows: Sequence[int]) -> Spot:
    """Return the rows of one graphic as a place, under the row that has the caption."""
    named = next((row for row in rows if view.captions.get(row)), rows[0])
    return Spot(page, named, tuple(row for row in rows if row != named))


def _is_one_graphic(view: View, row: int, other: int) -> bool:
    """Return whether two pictures are parts of one.

    They overlap, or lie side by side right after each other and one of them alone has a caption, or one over the other
    and both over one axis.
    """
    captions = [view.captions.get(one, []) for one in (row, other)]
    if all(captions) and captions[0] != captions[1]:
        return False
    one, two = view.blocks.box[row].tolist(), view.blocks.box[other].tolist()
    apart = [max(one[at], two[at]) - min(one[at + 2], two[at + 2]) for at in (0, 1)]
    if max(apart) < 0 or _share_an_axis(view, row, other):
        return True
    if not any(captions) or abs(row - other) != 1 or max(apart) > _SEAM:
        return False
    sizes = [min(one[at + 2] - one[at], two[at + 2] - two[at]) for at in (0, 1)]
    return any(-apart[at] >= sizes[at] / 2 > 0 for at in (0, 1))


def _share_an_axis(view: View, row: int, other: int) -> bool:
    """Return whether two charts of one width stand over each other, and over one axis, with nothing between."""
    on_page = view.page_rows(int(view.page_index[row]))
    if abs(row - other) != 1 or not axis_rows(view.blocks, (row, other), on_page):
        return False
    upper, lower = sorted((view.blocks.box[at].tolist() for at in (row, other)), key=lambda box: box[1])
    shared = min(upper[2], lower[2]) - max(upper[0], lower[0])
    between = (view.blocks.box[at].tolist() for at in range(on_page.start, on_page.stop) if at not in (row, other))
    is_parted = any(
        box[1] >= upper[1] and box[3] <= lower[3] and min(box[2], lower[2]) > max(box[0], lower[0]) for box in between
    )
    widest = max(upper[2] - upper[0], lower[2] - lower[0])
    return not is_parted and 0 <= lower[1] - upper[3] <= _STACKED and shared >= _ONE_WIDTH * widest


def is_axis(view: View, row: int) -> bool:
    """Return whether a row is no table but the numbers along the axis of the chart over it."""
    on_page = view.page_rows(int(view.page_index[row]))
    charts = [at for at in range(on_page.start, row) if view.blocks.kind_of(at) == Kind.CHART]
    return view.blocks.kind_of(row) == Kind.TABLE and any(
        row in axis_rows(view.blocks, (at,), on_page) for at in charts
    )


def _is_banner(view: View, row: int) -> bool:
    """Return whether a picture is nothing but a few wide lines of words, as headings are, or a wide wordless strip."""
    text = view.blocks.text[row].strip()
    lines = text.count("\n") + 1 if text else 0
    x0, y0, x1, y1 = view.blocks.box[row].tolist()
    height, width = y1 - y0, x1 - x0
    if view.blocks.kind_of(row) != Kind.FIGURE or view.captions.get(row, []) or height <= 0:
        return False
    if not text:
        document, number = view.locate_page(int(view.page_index[row]))
        return width > _STRIP * height and width > _ACROSS * float(view.documents[document].pages.width[number - 1])
    return height <= _LINE * lines and width > _WIDE * height


def is_laid_out(view: View, page: int) -> bool:
    """Return whether a page is a scan, or a slide: wider than high."""
    document, number = view.locate_page(page)
    pages = view.documents[document].pages
    return bool(pages.is_scanned[number - 1] or pages.width[number - 1] > pages.height[number - 1] > 0)


def _is_inside(view: View, row: int, other: int) -> bool:
    """Return whether a picture lies inside another; of two in the same place the later one does."""
    x0, y0, x1, y1 = view.blocks.box[row].tolist()
    left, top, right, bottom = view.blocks.box[other].tolist()
    is_in = left - 1 <= x0 and top - 1 <= y0 and x1 <= right + 1 and y1 <= bottom + 1
    return is_in and ((x1 - x0) * (y1 - y0) < (right - left) * (bottom - top) or other < row)


def has_few_words(view: View, spot: Spot) -> bool:
    """Return whether a place says little in words: a chart, a picture with hardly any, a page that was scanned."""
    if spot.row < 0:
        return True
    return view.blocks.kind_of(spot.row) == Kind.CHART or len(view.blocks.text[spot.row].split()) < _FEW_WORDS


def says_hardly_anything(view: View, row: int, *, wants_number: bool) -> bool:
    """Return whether a picture has hardly any words, or no number where one is asked for: it must be looked at."""
    text = view.blocks.text[row]
    is_picture = view.blocks.kind_of(row) in PICTURED and not is_logo(view, row) and not _is_banner(view, row)
    return is_picture and (len(text.split()) < _HARDLY_ANY or (wants_number and not any(map(str.isdigit, text))))


def drawn(view: View, spots: Sequence[Spot], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures of some places with what each shows; those that cannot be drawn are left out."""
    return [(spot, Seen(said_of(view, spot), encoded(raster))) for spot, raster in rasters(view, spots, using)]


def rasters(view: View, spots: Sequence[Spot], using: Run, *, side: int = 0) -> list[tuple[Spot, Raster]]:
    """Return places with their rasters, in order, without those that cannot be drawn.

    With `side` the longer side of each has about so many pixels, else as many as suit a picture that is read.
    """
    if using.pictures is None:
        return []
    found: list[tuple[Spot, Raster]] = []
    for document in sorted({view.locate_page(spot.page)[0] for spot in spots}):
        own = [spot for spot in spots if view.locate_page(spot.page)[0] == document]
        made = using.pictures(view.documents[document].id, [_place(view, spot, side) for spot in own])
        found += [(spot, raster) for spot, raster in zip(own, made, strict=True) if raster is not None]
    order = {spot: at for at, spot in enumerate(spots)}
    return sorted(found, key=lambda one: order[one[0]])


def cited_at(view: View, spot: Spot, answer: str) -> Citation | None:
    """Return a citation of the element's caption, else of it or the words on the page that say most of the answer."""
    captions = view.captions.get(spot.row, []) if spot.row >= 0 else []
    if captions:
        return Citation.of(view, captions[0], on_one_line(view.blocks.text[captions[0]])[:_QUOTED_CHARACTERS])
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


def _pages(evidence: Evidence, column: str) -> list[int]:
    """Return the pages with a score in a column, best first."""
    if column not in evidence.scores:
        return []
    return evidence.keep(~np.isnan(evidence.scores[column])).page_indices(column)


def _named_elements(evidence: Evidence) -> Iterator[int]:
    """Yield the figures, charts and tables that are named, by themselves or by their caption."""
    view, rows = evidence.view, _rows(evidence, NAMED_ELEMENT)
    links = view.links
    is_caption = links.kind == LinkKind.CAPTION_OF
    told = set(links.target[is_caption & np.isin(links.source, rows)].tolist())
    for row in sorted({*rows, *told}):
        if view.blocks.kind_of(row) in ELEMENTS:
            yield row


def _place(view: View, spot: Spot, side: int = 0) -> Place:
    document, page = view.locate_page(spot.page)
    pages = view.documents[document].pages
    width, height = float(pages.width[page - 1]), float(pages.height[page - 1])
    box = (0.0, 0.0, width, height)
    if spot.row >= 0:
        box = around(framed(view.blocks, view.captions, spot.rows, view.page_rows(spot.page)), width, height)
    return Place(page, None if spot.row < 0 else box, dots_per_inch(box, side))


def said_of(view: View, spot: Spot) -> str:
    """Return the page of a place, the element's kind and its caption."""
    shown = ""
    if spot.row >= 0:
        captions = (on_one_line(view.blocks.text[row]) for row in _captions(view, spot))
        caption = " ".join(captions)[:_CAPTION_CHARACTERS]
        shown = "; ".join(filter(None, (depicted(view, spot.row), caption)))
    return "; ".join(filter(None, (*place_of(view, spot.page), shown)))


def _captions(view: View, spot: Spot) -> list[int]:
    return list(dict.fromkeys(caption for row in spot.rows for caption in view.captions.get(row, [])))


def pictures_for(
    view: View, packed: Sequence[Packed], using: Run, *, picked: Sequence[int] = (), only: Sequence[int] = ()
) -> list[tuple[Spot, Seen]]:
    """Return up to four pictures on the pages of passages: `picked` by an agent, then the likeliest by their captions.

    With `only` these rows alone. What was shown for the question before is left out. A reader that sees gets the
    pictures themselves. Else a model that sees is asked about them, and what it saw is told; nothing where there is
    none, or nothing can be drawn.
    """
    if not can_look(using):
        return []
    spots = _picked(view, only) if only else _spots(view, packed, using.query.question, picked)
    return looked_at(view, [spot for spot in spots if not was_shown(spot, using)][:_MOST], using)


def can_look(using: Run) -> bool:
    """Return whether whoever answers can be shown pictures, or be told what a model that sees finds in them."""
    return using.pictures is not None and (
        reader_sees(using) or using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role)
    )


def reader_sees(using: Run) -> bool:
    """Return whether the model that answers sees."""
    reader = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
    return reader is not None and reader.sees


def make_due(spots: Iterable[Spot], using: Run) -> None:
    """Note places that are to be shown, those of them that were not yet, before others that come to mind."""
    using.so_far.due.update({(spot.page, spot.row): spot.others for spot in spots})


def places_due(using: Run) -> list[Spot]:
    """Return the places that were chosen or asked for and were not shown yet."""
    found = (Spot(page, row, others) for (page, row), others in using.so_far.due.items())
    return [spot for spot in found if not was_shown(spot, using)]


def without_parts(spots: Iterable[Spot]) -> list[Spot]:
    """Return places, each once, without those that are parts of a page which is among them whole."""
    found = list(dict.fromkeys(spots))
    whole = _whole(found)
    return [spot for spot in found if spot.row < 0 or spot.page not in whole]


def was_shown(spot: Spot, using: Run) -> bool:
    """Return whether a picture was shown for this question before, by itself or as a part of its page."""
    shown = using.so_far.pictures
    return (spot.page, spot.row) in shown or (spot.page, -1) in shown


def looked_at(view: View, spots: Sequence[Spot], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures of places for whoever answers: the pictures, or what a model that sees finds in them."""
    found = drawn(view, spots, using)
    return found if reader_sees(using) or not found else _with_what_is_seen(found, using)


def _spots(view: View, packed: Sequence[Packed], question: str, picked: Sequence[int]) -> list[Spot]:
    """Return the places that a question is likeliest to be about, on the pages of passages and on those it names."""
    asked = understand(question)
    own_pages = list(dict.fromkeys(int(view.page_index[row]) for one in packed for row in one.rows))
    named_pages = _pages_that_are_named(view, own_pages, question)
    if asked.asks_for_logo:
        return _logos(view, named_pages or own_pages, own_pages)
    if asked.asks_for_pages and named_pages:
        return [Spot(page) for page in named_pages]
    if asked.asks_for_looks and not asked.says_picture:
        having = _pages_with_looks(view, own_pages, asked.word_looks)
        likely = likeliest(view, map(Spot, having or own_pages), question)
        return [Spot(page) for page in named_pages] or likely[: _MOST if having else _BEST]
    found = pictured(view, list(dict.fromkeys([*own_pages, *named_pages])))
    if named := _named(view, found, question):
        return named
    if asked.asks_for_looks and (named_pages or not found):
        return [Spot(page) for page in named_pages or own_pages[:_BEST]]
    own = _picked(view, picked)
    others = [spot for spot in likeliest(view, found, question) if spot.page not in _whole(own)]
    return list(dict.fromkeys([*own, *others]))


def _pages_with_looks(view: View, pages: Sequence[int], looks: Sequence[str]) -> list[int]:
    """Return the pages with words that have some looks by themselves, in the documents of some pages."""
    documents = [*{view.locate_page(page)[0] for page in pages}]
    among = view.is_content & np.isin(view.document, documents)
    having: list[int] = []
    for look in looks:
        having += np.unique(view.page_index[blocks_standing_out(view, look) & among]).tolist()
    return [*dict.fromkeys(having)]


def _pages_that_are_named(view: View, pages: Sequence[int], question: str) -> list[int]:
    """Return the page indices that a question names, in the documents of some pages."""
    found = [one for one in understand(question).references if one.what == "page"]
    documents = {view.locate_page(page)[0] for page in pages}
    named: list[int] = np.flatnonzero(is_named_page(found, view)).tolist()
    return [page for page in named if view.locate_page(page)[0] in documents]


def _logos(view: View, pages: Sequence[int], own: Sequence[int]) -> list[Spot]:
    """Return the logos on some pages, else the first one of each of their documents, else their first pages."""
    here = [spot for page in pages for spot in graphics(view, page, logos=True) if is_logo(view, spot.row)]
    if here:
        return here
    documents = dict.fromkeys(view.locate_page(page)[0] for page in own)
    rows: list[int] = np.flatnonzero(view.blocks.figure == FigureKind.LOGO).tolist()
    first = {int(view.document[row]): row for row in reversed(rows)}
    return [
        Spot(int(view.page_index[first[at]]), first[at]) if at in first else Spot(int(view.page_starts[at]))
        for at in documents
    ]


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
        if view.blocks.kind_of(row) in PICTURED and (
            spots := [one for one in pages[page] if row in (one.rows or (row,))]
        ):
            found.setdefault(page, []).extend(spots)
    return together([spot for spots in found.values() for spot in spots])


def together(spots: Iterable[Spot]) -> list[Spot]:
    """Return places in the order of their pages; a page with several of them is looked at once, as a whole."""
    found: dict[int, dict[Spot, None]] = {}
    for spot in spots:
        found.setdefault(spot.page, {})[spot] = None
    return [spot for page, own in found.items() for spot in (own if len(own) == 1 else [Spot(page)])]


def _whole(spots: Sequence[Spot]) -> set[int]:
    return {spot.page for spot in spots if spot.row < 0}


def likeliest(view: View, spots: Iterable[Spot], question: str) -> list[Spot]:
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
    is_named = is_named_page(found, view)
    return labelled or [spot for spot in spots if is_named[spot.page]]


def _with_what_is_seen(found: Sequence[tuple[Spot, Seen]], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures that show an answer with what is seen in them."""
    looking = Looking(using.query.question, tuple(seen for _, seen in found))
    decided = using.judge.decide(ANSWER_FROM_PICTURES, looking)
    reply = decided.output
    if decided.by != "rule":
        using.so_far.pictures.update({(spot.page, spot.row): reply.seen for spot, _ in found})
    if not reply.answerable:
        return []
    chosen = [found[number - 1] for number in reply.used]
    return [(spot, dataclasses.replace(seen, told=reply.answer)) for spot, seen in chosen]
