"""Text reasoning: how well the text of the rows that were selected answers the question.

Owns the column of text scores (BookRAG section 5.2, Text_Ranker). Knows nothing about how rows are selected, or graphs.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Query, TraceStep, View
from octavo.operators.core.base import Operator
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import beside, best_of
from octavo.operators.score.fuse import FUSED

Floats = npt.NDArray[np.float64]

TEXT = "text"
"""The column of S_T."""


@dataclasses.dataclass(frozen=True)
class TextReasoning(Operator[Evidence, Evidence]):
    """Add the column `text`: each row's score `by` a search of everything; a row that it does not find has 0.

    On top comes `neighbour` times the better score of the pages before and after: answers run over page breaks.

    With a reranker the best `most` rows are scored by it, and stand above all others.
    """

    search: Operator[Query, Evidence]
    by: str = FUSED
    neighbour: float = 0.1
    most: int = 50

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `text`; the search is inside this step in the trace."""
        started = using.clock()
        inner = dataclasses.replace(using, trace=[], on_step=None)
        found = self.search(using.query, inner)
        scored = value.with_score(TEXT, self._scores(found)[value.rows])
        if using.reranker is not None:
            scored = self._reranked(scored, using)
        using.note(
            TraceStep(
                step="TextReasoning",
                parameters={"by": self.by, "neighbour": self.neighbour},
                rows_in=len(value),
                rows_out=len(value),
                seconds=round(using.clock() - started, 6),
                steps=tuple(inner.trace),
            )
        )
        return scored

    def _scores(self, found: Evidence) -> Floats:
        """Return (n_rows,) the score of every row of the view."""
        view, scores = found.view, np.zeros(len(found.view))
        own = np.nan_to_num(found.scores[self.by])
        page = view.page_index[found.rows]
        gained = self.neighbour * np.maximum(0.0, beside(view, best_of(found, own, missing=0.0)))
        scores[found.rows] = np.where(own > 0, own + gained[page], 0.0)
        return scores

    def _reranked(self, evidence: Evidence, using: Run) -> Evidence:
        """Return the evidence with the best rows scored anew: 1 more than the best of the others, and the score."""
        if using.reranker is None or not len(evidence):
            return evidence
        scores = evidence.scores[TEXT].copy()
        best = evidence.ranking(TEXT)[: self.most]
        texts = [linearised(evidence.view, int(row)) for row in evidence.rows[best]]
        scores[best] = 1 + scores.max() + using.reranker().score(using.query.question, texts)
        return evidence.with_score(TEXT, scores)


def linearised(view: View, row: int) -> str:
    """Return a block as a reranker reads it: its text under the titles of its sections, one cell row a line."""
    return "\n".join(filter(None, (" > ".join(view.blocks.section_path(row)), view.blocks.text[row])))
