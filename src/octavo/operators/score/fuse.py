"""One ranking column from several: columns on different scales fused, and bonuses for pages added."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, beside, best_of

Floats = npt.NDArray[np.float64]

FUSED = "fused"
"""The column that fusing adds."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A column's part in a fusion. `floor` is the score that is worth nothing; None takes the column's lowest.

    `doubt` (0..1) of the weight counts only as far as the best row goes in the column `by`, whose scores are 0..1:
    words that no passage has together say less.
    """

    column: str
    weight: float
    floor: float | None = None
    doubt: float = 0.0
    by: str = ""


@dataclasses.dataclass(frozen=True)
class Fuse(Step[Evidence, Evidence]):
    """Add the column `fused`: the weighted sum of columns, each first scaled so that its best row has 1.

    A row without a score in a column gets nothing from it.
    """

    parts: tuple[Part, ...]

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the fused column; raise KeyError when a column is missing."""
        fused = np.zeros(len(value))
        for part in self.parts:
            fused += _weight(part, value) * np.nan_to_num(scaled(value.scores[part.column], floor=part.floor))
        return value.with_score(FUSED, fused)


def _weight(part: Part, evidence: Evidence) -> float:
    if not part.doubt or not len(evidence):
        return part.weight
    best = float(np.nan_to_num(evidence.scores[part.by]).max())
    return part.weight * (1 - part.doubt + part.doubt * best)


def scaled(scores: Floats, *, floor: float | None = None) -> Floats:
    """Return (n,) scores with `floor` (the lowest for None) at 0 and the highest at 1; nan stays.

    Where all scores are alike they are 1 above the floor and 0 on it.
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return scores
    low = float(known.min()) if floor is None else floor
    span = float(known.max()) - low
    return (scores - low) / span if span > 0 else np.where(np.isnan(scores), np.nan, 0.0)


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
