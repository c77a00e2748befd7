"""Signs on a page that a search does not see: it shows what is asked to be shown, or only says where things stand.

DMAP goes by them when it locates pages, and MMRAG-DocQA where a rule judges pages.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from octavo.document import KIND_BY_LABEL, View
from octavo.operators.score.contents_pages import signposts
from octavo.operators.score.statements import statement_pages
from octavo.question import understand
from octavo.text.things import KindName

Floats = npt.NDArray[np.float64]

# What is found changes little between half and twice these, and with the documents of each question left out.
_EVERY = 1.0
_STATEMENT = 1.0
_SHOWN = 0.8
_SIGNPOST = 0.6
_VISUAL: tuple[KindName, ...] = ("figure", "chart", "table")


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
    signs = _EVERY * _has(view, gone_through) + _SHOWN * _has(view, shown)
    if asked.statements:
        signs += _STATEMENT * np.max(list(statement_pages(view).values()), axis=0)
    return signs if "heading" in gone_through else signs - _SIGNPOST * signposts(view)


def _has(view: View, kinds: Iterable[KindName]) -> Floats:
    """Return (n_pages,) 1 for pages with a block of one of these kinds, else 0."""
    has = np.zeros(int(view.page_starts[-1]))
    has[view.page_index[view.of_kind(*(KIND_BY_LABEL[kind] for kind in kinds))]] = 1.0
    return has
