"""How well a document as a whole fits a question: a page among several good ones of its document is the likelier one.

A page that stands alone in a document about something else fits by chance more often than one among others that fit.
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import best_of

STANDING = "standing"
"""The column of the mean score of the best pages of a block's document."""


@dataclasses.dataclass(frozen=True)
class DocumentStanding(Step[Evidence, Evidence]):
    """Add the column `standing`: the mean score in the column `by` of the best `pages` pages of its document."""

    by: str
    pages: int = 3

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column."""
        view = value.view
        best = np.maximum(best_of(value, np.nan_to_num(value.scores[self.by]), missing=0.0), 0.0)
        starts = view.page_starts.tolist()
        standing = np.array(
            [
                np.sort(best[start:stop])[::-1][: self.pages].mean() if stop > start else 0.0
                for start, stop in itertools.pairwise(starts)
            ]
        )
        return value.with_score(STANDING, standing[view.document[value.rows]])
