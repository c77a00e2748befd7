"""Signs on a page that a search does not see: it shows what is asked to be shown, or only says where things stand.

Owns what these signs are, what each is worth, and the column that has them. Knows nothing about scores, or about who
judges pages by them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from octavo.document import KIND_BY_LABEL, Evidence, View
from octavo.operators.auto.question_kinds import kinds_shown
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.contents_pages import signposts
from octavo.operators.score.shape import Shape
from octavo.operators.score.statements import statement_pages
from octavo.question import understand
from octavo.text.things import KindName

SIGNS = "signs"
"""The column of what speaks for a block's page beside its words."""

Floats = npt.NDArray[np.float64]

# What is found changes little between half and twice these, and with the documents of each question left out.
_EVERY = 1.0
_STATEMENT = 1.0
_SHOWN = 0.8
_SIGNPOST = 0.6


@dataclasses.dataclass(frozen=True)
class PageSigns(Step[Evidence, Evidence]):
    """Add the column `signs`: `page_signs` of each block's page for the question of the run."""

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column."""
        signs = page_signs(using.query.question, value.view)
        return value.with_score(SIGNS, signs[value.view.page_index[value.rows]])


def page_signs(question: str, view: View) -> Floats:
    """Return (n_pages,) what speaks for each page beside its words, about -1 to 2, 0 for nothing.

    For a page speaks that it has a thing of the kind that the question goes through ("how many charts"), a figure or
    table of the kind that it speaks of, or a financial statement where it asks for a measure, which may need one that
    it does not name. Against it speaks that it names sections that begin elsewhere. A collection has no signs: nearly
    all documents would have them.
    """
    shape = Shape.of(view)
    if shape.is_collection:
        return np.zeros(shape.pages)
    gone_through = understand(question).kinds_gone_through
    signs = _EVERY * _has(view, gone_through) + _SHOWN * _has(view, kinds_shown(question, shape))
    if understand(question).statements:
        signs += _STATEMENT * np.max(list(statement_pages(view).values()), axis=0)
    return signs if "heading" in gone_through else signs - _SIGNPOST * signposts(view)


def _has(view: View, kinds: Iterable[KindName]) -> Floats:
    """Return (n_pages,) 1 for pages with a block of one of these kinds, else 0."""
    has = np.zeros(int(view.page_starts[-1]))
    has[view.page_index[view.of_kind(*(KIND_BY_LABEL[kind] for kind in kinds))]] = 1.0
    return has
