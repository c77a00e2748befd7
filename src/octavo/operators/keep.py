"""From scored blocks to the pages, or the passages, that a reader is handed."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Mask, Rows, View
from octavo.errors import UsageError
from octavo.operators.core import Run, Step

Floats = npt.NDArray[np.float64]

RELEVANCE = "relevance"
"""The column that ranks pages and, within a page, blocks."""
ROUTED = "routed"
"""The column of content that a router chose, all of which a reader is shown: 1 for the first that was chosen in its
document, less for later ones; nan elsewhere."""


@dataclasses.dataclass(frozen=True)
class RankPages(Step[Evidence, Evidence]):
    """Keep the blocks of the best pages by the column `by`: as many pages as the question's limit, `most` at most.

    A page's score is its best block's. The column `relevance` is a block's score, so that one column ranks pages and
    blocks alike.
    """

    by: str
    most: int | None = None

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows on the chosen pages, with their relevance."""
        scores = np.nan_to_num(value.scores[self.by], nan=0.0)
        page = value.view.page_index[value.rows]
        best = best_of(value, scores, missing=-np.inf)
        count = using.query.limit if self.most is None else min(using.query.limit, self.most)
        order = np.argsort(-best, kind="stable")[: max(count, 0)]
        chosen = np.zeros(len(best), np.bool_)
        chosen[order] = True
        return value.with_score(RELEVANCE, scores).keep(chosen[page])


def best_of(evidence: Evidence, scores: Floats, *, missing: float) -> Floats:
    """Return (n_pages,) the best score of each page's rows; `missing` for a page without any."""
    best = np.full(int(evidence.view.page_starts[-1]), -np.inf)
    np.maximum.at(best, evidence.view.page_index[evidence.rows], scores)
    return np.where(np.isinf(best), missing, best)


def ranked_pages(evidence: Evidence) -> tuple[Floats, Rows]:
    """Return (n_pages,) the relevance of each page, -inf without any, and the pages that have one, best first."""
    score = best_of(evidence, evidence.scores[RELEVANCE], missing=-np.inf)
    return score, np.argsort(-score, kind="stable")[: int(np.isfinite(score).sum())]


def pages_with(evidence: Evidence, column: str) -> Mask:
    """Return (n_pages,) bool, true for pages with a block that has 1 or more in the column."""
    if column not in evidence.scores:
        return np.zeros(int(evidence.view.page_starts[-1]), np.bool_)
    return best_of(evidence, np.nan_to_num(evidence.scores[column]), missing=0.0) >= 1.0


def on_pages(evidence: Evidence, pages: Rows) -> Evidence:
    """Return the rows of the evidence on these pages."""
    chosen = np.zeros(int(evidence.view.page_starts[-1]), np.bool_)
    chosen[pages] = True
    return evidence.keep(chosen[evidence.view.page_index[evidence.rows]])


# Passages, the units of text that vector stores retrieve (MMRAG-DocQA, equation 11)


@dataclasses.dataclass(frozen=True)
class BestPassages(Step[Evidence, Evidence]):
    """Keep the blocks of the best `count` passages by the column `by`; a passage scores as its best block does.

    Where these stand on fewer than `pages` pages, the next best are kept too, until there are as many.
    """

    by: str
    count: int = 30
    pages: int = 0

    def __post_init__(self) -> None:
        if self.count < 1 or self.pages < 0:
            raise UsageError("BestPassages takes one passage or more, on 0 pages or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of passages."""
        return frozenset({"passages"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the chosen passages; ties go to the first in the document."""
        view = value.view
        scores = passage_scores(view, value, self.by)
        best = np.argsort(-scores, kind="stable")
        edges = np.zeros(len(view) + 1, np.int64)
        chosen = self._first(view, best[scores[best] > -np.inf])
        np.add.at(edges, view.passages.start[chosen], 1)
        np.add.at(edges, view.passages.stop[chosen], -1)
        return value.keep(np.cumsum(edges)[value.rows] > 0)

    def _first(self, view: View, best: Rows) -> Rows:
        pages = view.page_index[view.passages.start[best]]
        # The place of each page's first passage, ascending: one more page from each of these on.
        firsts = np.sort(np.unique(pages, return_index=True)[1])[: self.pages]
        return best[: max(self.count, int(firsts[-1]) + 1 if len(firsts) else 0)]


def passage_scores(view: View, evidence: Evidence, by: str) -> Floats:
    """Return (n_passages,) the score of each passage's best block in a column, -inf for those without any."""
    passages = view.passages
    if not len(passages):
        return np.zeros(0)
    rows = np.full(len(view) + 1, -np.inf)
    rows[evidence.rows] = np.nan_to_num(evidence.scores[by], nan=-np.inf)
    bounds = np.stack([passages.start, passages.stop], axis=1).astype(np.int64).reshape(-1)
    return np.maximum.reduceat(rows, bounds)[::2]
