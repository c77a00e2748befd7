"""Looking at the pictures of retrieved pages with the question in mind (MMRAG-DocQA, equations 13 and 14)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from octavo.evidence import View
from octavo.operators.core import Run
from octavo.operators.read.image_evidence import Spot, drawn
from octavo_documents.document import PICTURED
from octavo_methods.mmrag.decisions.note_picture import NOTE_PICTURE, PictureQuestion

_TOGETHER = 16
"""Pictures that are drawn before they are looked at: so many are in memory."""


@dataclasses.dataclass(frozen=True, slots=True)
class Look:
    """What came of looking: the pages with a picture that was looked at, notes, pictures looked at and left out."""

    pages: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    looked_at: int = 0
    left_out: int = 0


def pictures_on(view: View, pages: Iterable[int]) -> Iterator[Spot]:
    """Yield every figure and chart of some pages, page by page as they come (equation 13)."""
    for page in pages:
        rows = view.page_rows(page)
        yield from (Spot(page, row) for row in range(rows.start, rows.stop) if view.blocks.kind_of(row) in PICTURED)


def look(view: View, pages: Iterable[int], most: int, using: Run) -> Look:
    """Return what a model that sees notes of each picture on pages, `most` pictures at most (equation 14).

    A picture in which nothing bears on the question has no note; one that cannot be drawn is not looked at.
    """
    if not most or not using.judge.has_model(NOTE_PICTURE.name, NOTE_PICTURE.role):
        return Look()
    spots = list(pictures_on(view, pages))
    chosen, notes, seen = spots[:most], list[str](), list[Spot]()
    for first in range(0, len(chosen), _TOGETHER):
        shown = drawn(view, chosen[first : first + _TOGETHER], using)
        asked = [PictureQuestion(using.query.question, one) for _, one in shown]
        decided = using.judge.decide_many(NOTE_PICTURE, asked)
        seen += [spot for (spot, _), one in zip(shown, decided, strict=True) if one.by != "rule"]
        said = [(one.where, two.output.evidence) for (_, one), two in zip(shown, decided, strict=True)]
        notes += [f"({where}) {evidence}" for where, evidence in said if evidence]
    return Look(frozenset(spot.page for spot in seen), tuple(notes), len(seen), len(spots) - len(chosen))
