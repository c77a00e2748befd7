"""From scored blocks to the pages a reader is handed.

Owns how block scores make a page's score and how many pages are kept. Knows nothing about where scores come from.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.operators.base import Step
from octavo.operators.run import Run

RELEVANCE = "relevance"
"""The column that ranks pages and, within a page, blocks."""


@dataclasses.dataclass(frozen=True)
class RankPages(Step[Evidence, Evidence]):
    """Keep the blocks of the best pages by the column `by`, as many pages as the question's limit.

    Adds the column `relevance`: a page's score, times the block's share of the best score on its page, so that pages
    and the blocks of a page are ranked by one column.
    """

    by: str

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows on the chosen pages."""
        if not len(value):
            return value.with_score(RELEVANCE, [])
        pages, inverse = np.unique(value.view.page_index[value.rows], return_inverse=True)
        scores = np.nan_to_num(value.scores[self.by], nan=0.0)
        best = np.zeros(len(pages))
        np.maximum.at(best, inverse, scores)
        ranked = value.with_score(RELEVANCE, scores)
        chosen = np.zeros(len(pages), np.bool_)
        chosen[np.argsort(-best, kind="stable")[: max(using.query.limit, 0)]] = True
        return ranked.keep(chosen[inverse])
