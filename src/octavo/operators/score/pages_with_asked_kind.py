"""Pages that show what a question speaks of: charts and pictures, or tables."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import KIND_BY_LABEL, Evidence, Query
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.question import understand

DEPICTED = "depicted"
"""The column of blocks on pages that hold a kind of block the question speaks of: 1."""


@dataclasses.dataclass(frozen=True)
class PagesWithAskedKind(Step[Query, Evidence]):
    """Find the blocks on pages with a figure, chart or table when the question speaks of one; else none."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of those pages with the column `depicted`."""
        view = using.view
        kinds = [KIND_BY_LABEL[kind] for kind in understand(value.question).kinds_pictured]
        pages = np.unique(view.page_index[view.of_kind(*kinds)]) if kinds else np.zeros(0, np.int64)
        rows = np.flatnonzero(view.on_page_indices(pages) & view.is_content)
        return Evidence.of(view, rows, source=DEPICTED, **{DEPICTED: np.ones(len(rows))})
