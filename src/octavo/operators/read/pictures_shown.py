"""Which pictures a reader is shown beside passages, and in what way: by itself, or as told by a model that sees.

Owns when a question asks for something to be seen and which pictures come first. Knows nothing about how they are cut
out or what is believed of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.document import View
from octavo.operators.core.run import Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.read.image_evidence import Spot, drawn, has_few_words, pictured, says_hardly_anything
from octavo.operators.read.packing import PICTURED, Packed, captions_of
from octavo.operators.score.labels import rows_with, spellings
from octavo.operators.score.refer import page_scores
from octavo.question import Expects, understand

_MOST, _BEST = 4, 2
_LABELLED = ("figure", "chart")
_NUMBERS = (Expects.COUNT, Expects.PERCENT, Expects.MONEY, Expects.NUMBER)


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
        texts = [view.blocks.text[row] for row in (spot.row, *captions_of(view, spot.row))]
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
    labelled = [spot for spot in spots if spot.row >= 0 and not rows.isdisjoint(captions_of(view, spot.row))]
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
