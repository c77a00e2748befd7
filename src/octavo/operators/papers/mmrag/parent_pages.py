"""From passages to the pages they stand on, pictures and tables beside them included (MMRAG-DocQA, eq. 11).

Owns the step from scored blocks to their parent pages. Knows nothing about how blocks were scored.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import best_of
from octavo.operators.score.fuse import scaled

SIMILARITY = "similarity"
"""The column of blocks: how near their page comes to the question, 0..1; the best page has 1."""


@dataclasses.dataclass(frozen=True)
class ParentPages(Step[Evidence, Evidence]):
    """Take every content block of the pages that the evidence stands on; a page is as near as its best block by `by`.

    Blocks that come along have no score in the columns that came in.
    """

    by: str

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the blocks of the pages with the column `similarity`."""
        view = value.view
        pages = best_of(value, np.nan_to_num(value.scores[self.by]), missing=-np.inf)
        found = pages > -np.inf
        pages[found] = scaled(pages[found], floor=min(0.0, float(pages[found].min(initial=0.0))))
        rows = np.flatnonzero(found[view.page_index] & view.is_content) if len(view) else value.rows
        return value | Evidence.of(view, rows, source="parent_page", **{SIMILARITY: pages[view.page_index[rows]]})
