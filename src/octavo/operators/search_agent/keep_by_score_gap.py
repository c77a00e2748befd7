"""Dynamic size: how many pages a question needs, by its scores, by what it asks, and by what belongs together.

LAD-RAG section 2.2: never a fixed k.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.document.columns import Mask, Rows
from octavo.operators.core import Run, Step
from octavo.operators.keep import on_pages, pages_with, ranked_pages
from octavo.operators.search_agent.contextualize import CONTEXTUAL
from octavo.operators.search_agent.notebook import LISTED
from octavo.question import Expects, Question, understand

Floats = npt.NDArray[np.float64]


# Sizes were chosen with the documents of each question left out: the perfect recall of those left out is within a point
# of that of all, for a mean of 7 to 10 pages.
@dataclasses.dataclass(frozen=True)
class KeepByScoreGap(Step[Evidence, Evidence]):
    """Keep as many of the best pages by `relevance` as a question needs, never more than its limit.

    Pages are kept that score at most `gap` less than the best: few where one stands out, many where all are alike. A
    question that wants a list or a count is given `wider` more. There are at least `least` and at most `most`, and only
    `sure` where the best page scores `alone` more than the next: it is named, mostly. A question that goes through all
    things of a kind takes `whole`. What completes the unit of a found block (`contextual` of 1)
    comes on top. Where an agent listed its blocks (`listed`), their pages are kept and the `added` best beside them.
    """

    gap: float = 0.45
    wider: float = 0.2
    alone: float = 0.8
    sure: int = 3
    least: int = 5
    most: int = 20
    whole: int = 20
    added: int = 3

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the blocks of the kept pages."""
        score, order = ranked_pages(value)
        listed, unit = (pages_with(value, column) for column in (LISTED, CONTEXTUAL))
        kept = (listed if listed.any() else unit).copy()
        kept[order[: self.added if listed.any() else self._count(score[order], understand(using.query.question))]] = (
            True
        )
        return on_pages(value, _first(order, kept, listed, using.query.limit))

    def _count(self, scores: Floats, question: Question) -> int:
        """Return how many of the pages, best first, a question needs by their scores."""
        if not len(scores):
            return 0
        if question.goes_through_all:
            return self.whole
        wants_several = question.expects in (Expects.LIST, Expects.COUNT)
        gap = self.gap + self.wider * wants_several
        stands_alone = not (scores[1:] > scores[0] - self.alone).any()
        return int(np.clip((scores >= scores[0] - gap).sum(), self.sure if stands_alone else self.least, self.most))


def _first(order: Rows, kept: Mask, preferred: Mask, limit: int) -> Rows:
    """Return the kept pages, no more than the limit: the preferred ones first, each kind in its order."""
    pages = order[kept[order]]
    return pages[np.argsort(~preferred[pages], kind="stable")][: max(limit, 0)]
