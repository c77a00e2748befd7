"""What a page shows beside its words: a thing of the kind asked for, a financial statement, or only where things stand.

A search does not see it. DMAP goes by these features when it locates pages, and MMRAG-DocQA where a rule judges pages.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from octavo.document import KIND_BY_LABEL, Evidence, Query, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.contents_pages import signposts
from octavo.operators.score.statements import statement_pages
from octavo.question import understand
from octavo.text.things import KindName

Floats = npt.NDArray[np.float64]

# Weights of the features, chosen by hand: what is found changes little between half and twice these, and with the
# documents of each question left out.
_GONE_THROUGH_WEIGHT = 1.0
_STATEMENT_WEIGHT = 1.0
_MEANT_WEIGHT = 0.8
_SIGNPOST_WEIGHT = 0.6
_VISUAL: tuple[KindName, ...] = ("figure", "chart", "table")
DEPICTED = "depicted"
"""The column of blocks on pages that hold a kind of block the question speaks of: 1."""


def page_signs(question: str, view: View) -> Floats:
    """Return (n_pages,) what speaks for each page beside its words, about -1 to 2, 0 for nothing.

    For a page speaks that it has a thing of the kind that the question goes through ("how many charts"), a figure or
    table of the kind that it speaks of, or a financial statement where it asks for a measure, which may need one that
    it does not name. Against it speaks that it names sections that begin elsewhere. A collection has no signs: nearly
    all documents would have them.
    """
    if len(view.documents) > 1:
        return np.zeros(int(view.page_starts[-1]))
    asked = understand(question)
    gone_through = asked.kinds_gone_through
    shown: list[KindName] = [kind for kind in _VISUAL if kind in asked.kinds_meant]
    signs = _GONE_THROUGH_WEIGHT * _has(view, gone_through) + _MEANT_WEIGHT * _has(view, shown)
    if asked.statements:
        signs += _STATEMENT_WEIGHT * np.max(list(statement_pages(view).values()), axis=0)
    return signs if "heading" in gone_through else signs - _SIGNPOST_WEIGHT * signposts(view)


def _has(view: View, kinds: Iterable[KindName]) -> Floats:
    """Return (n_pages,) 1 for pages with a block of one of these kinds, else 0."""
    has = np.zeros(int(view.page_starts[-1]))
    has[view.page_index[view.of_kind(*(KIND_BY_LABEL[kind] for kind in kinds))]] = 1.0
    return has


@dataclasses.dataclass(frozen=True)
class PagesWithAskedKind(Step[Query, Evidence]):
    """Find the blocks on pages with a figure, chart or table when the question speaks of one; else none."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of those pages with the column `depicted`."""
        view = using.view
        kinds = [KIND_BY_LABEL[kind] for kind in understand(value.question).kinds_pictured]
        pages = np.unique(view.page_index[view.of_kind(*kinds)]) if kinds else np.zeros(0, np.int64)
        rows = np.flatnonzero(view.on_page_indices(pages) & view.is_content)
        return Evidence.of(view, rows, source=DEPICTED, **{DEPICTED: np.ones(len(rows))})
