"""Contact sheets: small numbered pictures of all figures, charts or pages of which a question counts or asks for some.

A few large pictures of many are as good as a guess for "which charts use two axes". So a model that sees first goes
over all of them in small, in one request, and chooses those that matter; these are then shown large.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from octavo.decisions.choose_pictures import CHOOSE_PICTURES, Chosen, Overview
from octavo.evidence import View
from octavo.models.language import Picture, encoded
from octavo.models.ports import Raster
from octavo.operators.core import Run
from octavo.operators.read.image_evidence import (
    Spot,
    graphics,
    is_axis,
    is_laid_out,
    likeliest,
    rasters,
    said_of,
    together,
    was_shown,
)
from octavo.operators.read.packing import place_of, ranges
from octavo.operators.score.refer import is_named_page
from octavo.question import Question, understand
from octavo_documents.document import Kind
from octavo_documents.text.lines import on_one_line

PER_SHEET = 20
"""Small pictures on a sheet."""
WIDTH, HEIGHT = 1_530, 1_330
"""Pixels of a sheet, at most."""
SIDE = 400
"""Pixels of the longer side of a small picture, at most."""
FEW = 4
"""So many candidates need no choice: they are shown large at once."""
ALL_PAGES = 60
"""Of so many pages each is looked at where pages are asked for, of more those with figures."""
_LABEL = 26
_LEAST_WIDTH = 120
"""Pixels that a number and a page take."""
_GAP = 6
_TITLES = (Kind.TITLE, Kind.HEADING)
_TITLE_CHARACTERS = 80
_MOST_RANGES = 20
"""Stretches of pages that are told by their numbers."""
_MOST_BY_RULE = 4
"""Pictures chosen by captions and words, where no model has replied."""


@dataclasses.dataclass(frozen=True, slots=True)
class LookedOver:
    """What came of going over small pictures: the chosen ones, best first, of how many, and a line that tells it.

    `ruled_out` are the indices of pages of which all that was looked over is left out.
    """

    chosen: tuple[Spot, ...]
    told: str = ""
    ruled_out: frozenset[int] = frozenset()


def goes_over(using: Run) -> bool:
    """Return whether a model that sees goes over all pictures for the question of a run, and these can be drawn."""
    is_asked = using.pictures is not None and understand(using.query.question).goes_over_pictures
    return is_asked and using.judge.has_model(CHOOSE_PICTURES.name, CHOOSE_PICTURES.role)


def look_over(view: View, pages: Sequence[int], using: Run, *, sheets: int) -> LookedOver | None:
    """Return what a model that sees chooses of all that the question may be about, on at most so many contact sheets.

    `pages` are page indices of what was found: with several documents only theirs are gone over. None for a question
    that is not about all pictures or pages, where nobody sees, or nothing can be drawn. A few are all chosen.
    """
    if sheets < 1 or not goes_over(using):
        return None
    found = candidates(view, pages, using.query.question)
    if len(found) <= FEW:
        return LookedOver(tuple(together(found))) if found else None
    asked = understand(using.query.question)
    gone_over = [page for own in _gone_over(view, pages, asked) for page in own]
    return _chosen(view, found, using, sheets * PER_SHEET, gone_over)


def look_over_every_page(view: View, pages: Sequence[int], using: Run, *, few: int, sheets: int) -> LookedOver | None:
    """Return what a model that sees chooses of all pages of the documents of `pages` that were not shown yet.

    None where these are `few`, or nobody sees.
    """
    has_model = using.judge.has_model(CHOOSE_PICTURES.name, CHOOSE_PICTURES.role)
    if sheets < 1 or using.pictures is None or not has_model:
        return None
    gone_over = [page for own in _gone_over(view, pages, understand("")) for page in own]
    gone_over = [page for page in gone_over if not was_shown(Spot(page), using)]
    return (
        None if len(gone_over) <= few else _chosen(view, [*map(Spot, gone_over)], using, sheets * PER_SHEET, gone_over)
    )


def candidates(view: View, pages: Sequence[int], question: str) -> list[Spot]:
    """Return all that a question about all pictures or pages may be about, in the order of the documents.

    Of slides and scans these are their pages, of other documents their figures and charts, or all pages where pages are
    asked for. A question that names pages is about these, but one page beside "which pages" is no more than an example.
    """
    asked = understand(question)
    return [spot for own in _gone_over(view, pages, asked) for spot in _of_document(view, own, asked)]


def _gone_over(view: View, pages: Sequence[int], asked: Question) -> list[Sequence[int]]:
    """Return the page indices that a question is about, for each of the documents of some pages."""
    is_example = asked.names_one_place and asked.is_about_all_pages
    found = [] if is_example else [one for one in asked.references if one.what == "page"]
    named = is_named_page(found, view)
    spans: list[Sequence[int]] = []
    for document in sorted({view.locate_page(page)[0] for page in pages}):
        own = range(int(view.page_starts[document]), int(view.page_starts[document + 1]))
        spans.append([page for page in own if named[page]] if named[own.start : own.stop].any() else own)
    return spans


def _of_document(view: View, pages: Sequence[int], asked: Question) -> list[Spot]:
    if 2 * sum(is_laid_out(view, page) for page in pages) > len(pages):
        return [Spot(page) for page in pages]
    found = [spot for page in pages for spot in graphics(view, page, logos=asked.asks_for_logo)]
    if "table" in asked.kinds_gone_through:
        tables = np.flatnonzero(view.of_kind(Kind.TABLE) & np.isin(view.page_index, pages)).tolist()
        own = (Spot(int(view.page_index[row]), row) for row in tables if not is_axis(view, row))
        found = sorted([*found, *own], key=lambda one: one.row)
    if not (asked.counts_pages or asked.lists_pages) or asked.kinds_gone_through:
        return found
    # A photo that fills a spread, or lies under its words, is no figure: pages are looked at whole, where they are few.
    return [Spot(page) for page in (pages if len(pages) <= ALL_PAGES else dict.fromkeys(spot.page for spot in found))]


def _place(view: View, spot: Spot) -> str:
    """Return what a picture is of; of a whole page its first title too."""
    span = view.page_rows(spot.page) if spot.row < 0 else range(0)
    titles = (view.blocks.text[row] for row in range(span.start, span.stop) if view.blocks.kind_of(row) in _TITLES)
    title = on_one_line(next(titles, ""))
    return "; ".join(filter(None, (said_of(view, spot), title[:_TITLE_CHARACTERS])))


def _chosen(view: View, found: Sequence[Spot], using: Run, most: int, gone_over: Sequence[int]) -> LookedOver | None:
    likely = likeliest(view, found, using.query.question)
    kept = {*likely[:most], *_without_figures(view, found, gone_over, using, most)}
    small = rasters(view, sorted(kept, key=lambda spot: (spot.page, spot.row)), using, side=SIDE)
    if not small:
        return None
    shown = [spot for spot, _ in small]
    pictures = contact_sheets([raster for _, raster in small], [place_of(view, spot.page)[-1] for spot in shown])
    left_out = max(len(found) - most, 0)
    overview = Overview(using.query.question, tuple(_place(view, spot) for spot in shown), tuple(pictures), left_out)

    def by_words(_overview: Overview) -> Chosen:
        return Chosen(numbers=[shown.index(spot) + 1 for spot in likely if spot in shown][:_MOST_BY_RULE])

    decided = using.judge.decide(CHOOSE_PICTURES, overview, rule=by_words)
    chosen = tuple(shown[number - 1] for number in decided.output.numbers)
    if decided.by == "rule":
        return LookedOver(chosen)
    looked_over = {spot.page for spot in shown}
    without = sorted({*gone_over} - looked_over)
    told = " ".join((_gone_over_in_words(view, shown, left_out, without), _which(len(chosen)), decided.output.seen))
    return LookedOver(chosen, told.strip(), frozenset(looked_over.difference(spot.page for spot in chosen)))


def _without_figures(view: View, found: Sequence[Spot], gone_over: Sequence[int], using: Run, most: int) -> list[Spot]:
    """Return the pages of which nothing was found, where there are places left for all of them.

    Else the likeliest, as many as have places on the last sheet. What is drawn need not be told to be a figure.
    """
    pages = {spot.page for spot in found}
    bare = [Spot(page) for page in gone_over if page not in pages]
    if len(found) + len(bare) <= most:
        return bare
    return likeliest(view, bare, using.query.question)[: -len(found) % PER_SHEET if len(found) < most else 0]


def _gone_over_in_words(view: View, shown: Sequence[Spot], left_out: int, without: Sequence[int]) -> str:
    """Return what was gone over, which for figures is not all that pages may show, and the pages `without` any."""
    kinds = [
        ("page", any(spot.row < 0 for spot in shown)),
        ("figure", any(spot.row >= 0 and view.blocks.kind_of(spot.row) != Kind.TABLE for spot in shown)),
        ("table", any(spot.row >= 0 and view.blocks.kind_of(spot.row) == Kind.TABLE for spot in shown)),
    ]
    names = [name for name, is_there in kinds if is_there]
    missed = f", {left_out} more were not" if left_out else ""
    beside = ""
    if names != ["page"]:
        told = " or ".join(name for name in names if name != "page")
        beside = f". So every page was looked over, those without a {told} whole" * (not without)
        beside += f". What is drawn beside a {told}, and not told to be one, is not among them"
        beside += f", nor is anything of {_pages(view, without)}" if without else ""
    return f"{len(shown)} {' and '.join(f'{name}s' for name in names)} were looked over in small{missed}{beside}."


def _pages(view: View, pages: Sequence[int]) -> str:
    """Return some pages by their numbers, or how many they are where they are of several documents or scattered."""
    places = [view.locate_page(page) for page in pages]
    unit = view.documents[places[0][0]].unit
    told = ranges(number for _, number in places)
    if len({document for document, _ in places}) > 1 or told.count(",") >= _MOST_RANGES:
        return f"{len(pages)} {unit}s"
    return f"{unit}{'s' * (len(pages) > 1)} {told}"


def _which(chosen: int) -> str:
    return f"{chosen} of them were chosen as what may matter." if chosen else "None was found to matter."


def contact_sheets(tiles: Sequence[Raster], labels: Sequence[str]) -> list[Picture]:
    """Return images of small pictures in rows, each under its number from 1 on and its label."""
    return [
        _sheet(tiles[first : first + PER_SHEET], labels[first : first + PER_SHEET], first + 1)
        for first in range(0, len(tiles), PER_SHEET)
    ]


def _grid(tiles: Sequence[Raster]) -> tuple[int, int, int]:
    """Return how many columns make tiles largest, and the width and height of the largest tile in pixels.

    Of as large ones the smaller sheet is better.
    """
    wide = max(tile.shape[1] / max(tile.shape[:2]) for tile in tiles)
    high = max(tile.shape[0] / max(tile.shape[:2]) for tile in tiles)
    grids: list[tuple[int, int, int]] = []
    for columns in range(1, len(tiles) + 1):
        rows = -(-len(tiles) // columns)
        side = min((WIDTH / columns - _GAP) / wide, (HEIGHT / rows - _LABEL - _GAP) / high, SIDE)
        grids.append((int(side), -columns * rows, columns))
    side, _, columns = max(grids)
    return columns, max(round(side * wide), _LEAST_WIDTH), max(round(side * high), 1)


def _sheet(tiles: Sequence[Raster], labels: Sequence[str], number: int) -> Picture:
    from PIL import Image, ImageDraw, ImageFont

    columns, widest, highest = _grid(tiles)
    rows = -(-len(tiles) // columns)
    width, height = widest + _GAP, highest + _LABEL + _GAP
    sheet = Image.new("RGB", (columns * width, rows * height), "white")
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(16)
    for at, (tile, label) in enumerate(zip(tiles, labels, strict=True)):
        left, top = at % columns * width, at // columns * height
        pen.rectangle((left, top, left + widest, top + _LABEL - 2), fill="black")
        pen.text((left + 6, top + 6), f"{number + at}   {_plain(label)}", fill="white", font=font)
        small = Image.fromarray(tile)
        small.thumbnail((widest, highest))
        sheet.paste(small, (left, top + _LABEL))
        pen.rectangle((left, top, left + widest, top + height - _GAP), outline="gray")
    return encoded(np.asarray(sheet))


def _plain(label: str) -> str:
    """Return a label in characters that the built-in font has."""
    return label.encode("latin-1", "replace").decode("latin-1")[:32]
