"""Pages that show what a question speaks of: charts and pictures, or tables.

Owns which words of a question ask for which kinds of block. Knows nothing about search.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from octavo.document import Evidence, Kind, Query
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run

DEPICTED = "depicted"
"""The column of blocks on pages that hold a kind of block the question speaks of: 1."""

_ASKED_FOR = (
    (
        re.compile(
            r"\b(?:figures?|charts?|graphs?|diagrams?|plots?|photos?|photographs?|pictures?|images?|maps?|icons?|logos?|"
            r"illustrations?)\b",
            re.IGNORECASE,
        ),
        (Kind.FIGURE, Kind.CHART),
    ),
    (re.compile(r"\btables?\b", re.IGNORECASE), (Kind.TABLE,)),
)


@dataclasses.dataclass(frozen=True)
class PagesWithAskedKind(Step[Query, Evidence]):
    """Find the blocks on pages with a figure, chart or table when the question speaks of one; else none."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of those pages with the column `depicted`."""
        view = using.view
        kinds = [kind for words, asked in _ASKED_FOR if words.search(value.question) for kind in asked]
        pages = np.unique(view.page_index[view.of_kind(*kinds)]) if kinds else np.zeros(0, np.int64)
        rows = np.flatnonzero(view.on_page_indices(pages) & view.is_content)
        return Evidence.of(view, rows, source=DEPICTED, **{DEPICTED: np.ones(len(rows))})
