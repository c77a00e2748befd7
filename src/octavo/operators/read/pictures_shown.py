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
from octavo.operators.read.image_evidence import Spot, drawn, pictured
from octavo.operators.read.packing import Packed, captions_of
from octavo.operators.score.labels import rows_with, spellings
from octavo.operators.score.refer import page_scores
from octavo.question import understand

_MOST = 4
_LABELLED = ("figure", "chart")


def pictures_for(view: View, packed: Sequence[Packed], using: Run) -> list[tuple[Spot, Seen]]:
    """Return up to four pictures on the pages of passages, those whose captions say most of the question first.

    A reader that sees gets the pictures themselves. Else a model that sees is asked about them, and what it saw is
    told; nothing where there is none, or nothing can be drawn.
    """
    reader = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
    is_seeing = reader is not None and reader.sees
    if not is_seeing and not using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role):
        return []
    pages = list(dict.fromkeys(int(view.page_index[row]) for one in packed for row in one.rows))
    found = drawn(view, _likeliest(view, pictured(view, pages), using.query.question)[:_MOST], using)
    return found if is_seeing or not found else _told(found, using)


def _likeliest(view: View, spots: Sequence[Spot], question: str) -> list[Spot]:
    """Return places to look at, those first whose captions and words say most of the question.

    Where the question names figures by number, or pages, and they are there, they alone.
    """
    named = _named(view, spots, question)
    if named:
        return named
    matcher = Matcher.of(understand(question), view)

    def said(spot: Spot) -> float:
        rows = [spot.row, *captions_of(view, spot.row)] if spot.row >= 0 else []
        return matcher.share(term for row in rows for term in matcher.terms(view.blocks.text[row]))

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
