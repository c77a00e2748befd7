"""The skyline: rows that no other row beats in every score.

Owns the Pareto front and how it is filled and capped (BookRAG equation 14). Knows nothing about what the scores mean.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.fuse import FUSED

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class Skyline(Step[Evidence, Evidence]):
    """Keep the rows on the Pareto front of some columns, and the best of the others by a fusion of them, `by`.

    The front is filled up to `least` rows, and on while a row's fused score is `share` (0..1) of the best or more, so
    that a question which many places answer alike gets more rows than one with a single good place; at `most` rows it
    is cut. Ties go by row order; rows with equal scores are on the front together.
    """

    columns: tuple[str, ...]
    by: str = FUSED
    least: int = 10
    most: int = 100
    share: float = 0.4

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows kept; raise KeyError when a column is missing."""
        if not len(value):
            return value
        front = pareto_front(np.stack([np.nan_to_num(value.scores[name], nan=-np.inf) for name in self.columns]))
        fused = np.nan_to_num(value.scores[self.by])
        good = int(np.count_nonzero((fused > 0) & (fused >= self.share * fused.max())))
        size = min(max(good, self.least), self.most)
        chosen = np.zeros(len(value), np.bool_)
        chosen[np.argsort(-fused, kind="stable")[:size]] = True
        chosen |= front
        if np.count_nonzero(chosen) > self.most:
            chosen = np.zeros(len(value), np.bool_)
            chosen[np.lexsort((-fused, ~front))[: self.most]] = True
        return value.keep(chosen)


def pareto_front(scores: Floats) -> Mask:
    """Return (n,) bool: which columns of (n_criteria, n) no other beats by being as good in all and better in one.

    Equal columns are on the front together or not at all.
    """
    points, place = np.unique(scores, axis=1, return_inverse=True)
    on_front = np.zeros(points.shape[1], np.bool_)
    kept = points[:, :0]
    # From the best in the first criterion down: what comes later never beats what came before.
    for at in range(points.shape[1] - 1, -1, -1):
        point = points[:, at : at + 1]
        if not (kept >= point).all(axis=0).any():
            on_front[at] = True
            kept = np.concatenate([kept, point], axis=1)
    return on_front[place.ravel()]
