"""The best passages by a score: the units of text that vector stores retrieve (MMRAG-DocQA, eq. 11).

Owns the choice of whole passages among scored blocks. Knows nothing about how blocks were scored.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Rows, View
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run

Floats = npt.NDArray[np.float64]


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
        """Return as many of the passages, best first, as are kept."""
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
