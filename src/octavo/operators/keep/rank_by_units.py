"""Ranking the best pages by what stands on them: the units that fit a question best."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.extractive.unit_scores import scored_units
from octavo.operators.keep.pages import RELEVANCE, ranked_pages
from octavo.question import understand


@dataclasses.dataclass(frozen=True)
class RankByUnits(Step[Evidence, Evidence]):
    """Rank the pages whose units are compared with the question anew; the others keep their places behind them.

    A page counts by its relevance, as a share of the best page's, plus `weight` times the score of its best unit. The
    pages exchange their relevance as they are, so that gaps between scores keep their meaning.
    """

    weight: float = 1.0

    def needs(self) -> frozenset[str]:
        """Return the layers that weigh the question's terms."""
        return frozenset({"passages", "terms"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows, their relevance shifted page by page."""
        if not len(value):
            return value
        best_unit: dict[int, float] = {}
        for one in scored_units(understand(using.query.question), value, using):
            best_unit.setdefault(one.page, one.score)
        relevance, order = ranked_pages(value)
        pages = [page for page in order.tolist() if page in best_unit]
        if len(pages) < 2:
            return value
        top = float(relevance[order[0]])
        shares = np.array([relevance[page] / top if top > 0 else 1.0 for page in pages])
        worth = shares + self.weight * np.array([best_unit[page] for page in pages])
        shift = np.zeros(len(relevance))
        for place, at in enumerate(np.argsort(-worth, kind="stable").tolist()):
            shift[pages[at]] = relevance[pages[place]] - relevance[pages[at]]
        return value.with_score(RELEVANCE, value.scores[RELEVANCE] + shift[value.view.page_index[value.rows]])
