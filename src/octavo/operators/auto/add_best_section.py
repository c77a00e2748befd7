"""The whole that the best block is cut out of: its section, and what goes on from its page or to it.

Owns the column that marks it. Knows nothing about where scores come from.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Evidence
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.search_agent.tools.contextualize import unit_of

UNIT = "unit"
"""The column of blocks in the unit: 1."""


@dataclasses.dataclass(frozen=True)
class AddBestSection(Step[Evidence, Evidence]):
    """Add the blocks of the unit of the block that scores best in the column `by`.

    The unit is the innermost section, where it has at most `pages` pages, and what continues over the page's ends.
    """

    by: str
    pages: int = 5

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the evidence with the unit's blocks and the column `unit`."""
        view = value.view
        best = value.ranked(self.by)[:1] if len(value) else np.zeros(0, np.int64)
        unit = unit_of(view, best, view.links, pages=self.pages) & view.is_content
        rows = np.flatnonzero(unit)
        return value | Evidence.of(view, rows, source=UNIT, **{UNIT: np.ones(len(rows))})
