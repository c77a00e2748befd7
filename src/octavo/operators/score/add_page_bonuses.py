"""Bonuses for pages: what a page gains beyond its own best score, by its neighbours and by what else was found on it.

Owns how score columns make the one column that ranks. Knows nothing about where they come from, or how many pages are
kept.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, beside, best_of

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class AddPageBonuses(Step[Evidence, Evidence]):
    """Add the column `relevance`: a block's score in the column `by`, 0 without one, plus what its page gains.

    A page gains `neighbour` times the better score of the pages beside it, and for each (column, weight) of `bonuses`
    the weight times the best value of that column on it. Scores are added as they are, so that gaps keep their meaning.
    """

    by: str
    neighbour: float = 0.0
    bonuses: tuple[tuple[str, float], ...] = ()

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with their relevance; a column that is not there gives nothing."""
        page = value.view.page_index[value.rows]
        scores = np.nan_to_num(value.scores[self.by])
        gained = self.neighbour * np.maximum(0.0, beside(value.view, best_of(value, scores, missing=-np.inf)))
        for column, weight in self.bonuses:
            if column in value.scores:
                gained += weight * best_of(value, np.nan_to_num(value.scores[column]), missing=0.0)
        return value.with_score(RELEVANCE, scores + gained[page])
