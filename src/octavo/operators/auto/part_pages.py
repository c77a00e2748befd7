"""The best pages of each part of a question, so that no part goes without.

Owns the column that marks them. Knows nothing about how questions are taken apart or pages are scored.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence, Query
from octavo.operators.core.base import Operator, Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import best_of
from octavo.operators.score.fuse import FUSED

PART = "part"
"""The column of blocks on the best pages of a part: 1."""


@dataclasses.dataclass(frozen=True)
class PartPages(Step[Query, Evidence]):
    """Search for each part by itself and mark the blocks of its `most` best pages by `fused`."""

    parts: tuple[str, ...]
    search: Operator[Query, Evidence]
    most: int = 2

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return these blocks with the column `part`."""
        chosen = [page for part in self.parts for page in self._best(part, value, using)]
        rows = np.flatnonzero(using.view.on_page_indices(np.array(chosen, np.int64)) & using.view.is_content)
        return Evidence.of(using.view, rows, source=PART, **{PART: np.ones(len(rows))})

    def _best(self, part: str, value: Query, using: Run) -> list[int]:
        query = Query(part, value.limit)
        found = self.search(query, using.branch(query))
        score = best_of(found, np.nan_to_num(found.scores[FUSED]), missing=0.0)
        order = np.argsort(-score, kind="stable")[: self.most]
        return order[score[order] > 0].tolist()
