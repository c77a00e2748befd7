"""The next best pages: more of the same ranking, for an answer that was not to be had from the first.

Owns which pages come next. Knows nothing about why more is wanted.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence, Query
from octavo.operators.base import Operator, Step
from octavo.operators.pages import RELEVANCE, on_pages, ranked_pages
from octavo.operators.run import Run


@dataclasses.dataclass(frozen=True)
class NextPages(Step[Evidence, Evidence]):
    """Add the `pages` best pages of a search that are not in the evidence; `search` ends in the column `relevance`."""

    search: Operator[Query, Evidence]
    pages: int = 8

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the evidence with their blocks, ranked behind all that was there before."""
        view = value.view
        known = np.unique(view.page_index[value.rows])
        query = dataclasses.replace(using.query, limit=len(known) + self.pages)
        found = self.search(query, using.branch(query))
        _, order = ranked_pages(found)
        new = on_pages(found, order[~np.isin(order, known)][: self.pages])
        if not len(new):
            return value
        return value | new.with_score(RELEVANCE, _behind(new.scores[RELEVANCE], value))


def _behind(scores: np.ndarray[tuple[int], np.dtype[np.float64]], value: Evidence) -> np.ndarray:
    """Return scores moved down as a whole, so that the best is just under the lowest of the evidence."""
    lowest = float(np.nanmin(value.scores[RELEVANCE])) if len(value) else 0.0
    return scores - max(0.0, float(scores.max()) - lowest + 1e-6)
