"""Retrieval over the datastore of passages: the top k, and the documents they come from (RDR2 equation 1).

Owns the choice of passages. Knows nothing about how blocks were scored, or what is read around a passage.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.best_passages import passage_scores
from octavo.operators.score.mentioned import MENTIONED

RETRIEVED = "retrieved"
"""The column of a retrieved block: the score of its best passage, nan for blocks of no retrieved one."""


@dataclasses.dataclass(frozen=True)
class RetrievePassages(Step[Evidence, Evidence]):
    """Mark the blocks of the best `count` passages by the column `by`, and keep the documents they stand in.

    A passage scores as its best block does; one whose blocks all stand in better passages is not counted. Those of
    documents that the best one mentions (`Mentioned`) come on top: they must not take the place of what is found.
    """

    by: str
    count: int = 5

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UsageError("RetrievePassages takes 0 passages or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of passages."""
        return frozenset({"passages"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of these documents with the column `retrieved`; ties go to the first in the view."""
        view = value.view
        passages, scores = view.passages, passage_scores(view, value, self.by)
        retrieved, taken = np.full(len(view), np.nan), 0
        raised = np.zeros(len(view), np.bool_)
        raised[value.rows[value.sources.get(MENTIONED, np.zeros(len(value), np.bool_))]] = True
        for at in np.argsort(-scores, kind="stable").tolist():
            if taken == self.count or scores[at] == -np.inf:
                break
            rows = slice(passages.start[at], passages.stop[at])
            span = retrieved[rows]
            taken += bool(np.isnan(span).any()) and not raised[rows].any()
            span[:] = np.fmax(span, scores[at])
        marked = value.with_score(RETRIEVED, retrieved[value.rows])
        documents = np.unique(view.document[value.rows[~np.isnan(marked.scores[RETRIEVED])]])
        return marked.keep(np.isin(view.document[value.rows], documents))

    def told(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return from how many documents the passages come."""
        return {"documents": len(np.unique(result.view.document[result.rows]))}
