"""Fusion of score columns whose scales do not compare.

Owns reciprocal rank fusion. Knows nothing about where the columns come from.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.base import Step
from octavo.operators.run import Run

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Fuse(Step[Evidence, Evidence]):
    """Add the column `fused`: the sum over columns of 1 / (k + rank), nothing where a row has no such score.

    Cormack, Clarke and Büttcher 2009. Rows with the same score (the blocks of one passage) share one rank.
    """

    columns: tuple[str, ...]
    k: int = 60

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the fused column."""
        fused = np.zeros(len(value))
        for name in self.columns:
            if name in value.scores:
                fused += np.nan_to_num(1 / (self.k + ranks(value.scores[name])))
        return value.with_score("fused", fused)


def ranks(scores: Floats) -> Floats:
    """Return (n,) ranks from 1 for the highest score; equal scores share a rank, the next has one more; nan stays."""
    known = ~np.isnan(scores)
    result = np.full(len(scores), np.nan)
    _, inverse = np.unique(-scores[known], return_inverse=True)
    result[known] = inverse + 1
    return result
