"""The pages a question names, and a few beside: where the place is said, little more is needed.

Owns that choice. Knows nothing about how pages are named.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import on_pages, pages_with, ranked_pages
from octavo.operators.score.refer import NAMED


@dataclasses.dataclass(frozen=True)
class KeepNamed(Step[Evidence, Evidence]):
    """Keep the pages that the question names (column `named` of 1) and the `added` best others by `relevance`."""

    added: int = 5

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return their blocks, on no more pages than the question's limit: the named ones first."""
        _, order = ranked_pages(value)
        is_named = pages_with(value, NAMED)[order]
        pages = np.concatenate([order[is_named], order[~is_named][: self.added]])
        return on_pages(value, pages[: max(using.query.limit, 0)])
