"""The pages a document is summed up on: its first, and those where its main sections begin.

Owns which pages these are. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence, Query, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run

OPENING = "opening"
"""The column of blocks on these pages: 1 on a document's first page with anything on it, less where sections begin."""
_SECTION = 0.5


@dataclasses.dataclass(frozen=True)
class Openings(Step[Query, Evidence]):
    """Find the blocks of the first page of each document, and of the pages where main sections begin."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return these blocks with the column `opening`."""
        view = using.view
        score = np.zeros(int(view.page_starts[-1]))
        score[view.page_index[_main(view)]] = _SECTION
        content = np.flatnonzero(view.is_content)
        _, first = np.unique(view.document[content], return_index=True)
        score[view.page_index[content[first]]] = 1.0
        rows = content[score[view.page_index[content]] > 0]
        return Evidence.of(view, rows, source=OPENING, **{OPENING: score[view.page_index[rows]]})


def _main(view: View) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the rows of headings that stand in no other section."""
    heads = view.sections()
    return heads[view.blocks.parent[heads] < 0]
