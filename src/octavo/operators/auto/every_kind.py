"""All blocks of some kinds: those that a question goes through, or speaks of.

Owns the column that marks them. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import KIND_BY_LABEL, Evidence, Query
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.text.things import KindName

EVERY = "every"
"""The column of all blocks of a kind that a question goes through: 1."""
SHOWN = "shown"
"""The column of all blocks of a kind that a question speaks of: 1."""


@dataclasses.dataclass(frozen=True)
class EveryKind(Step[Query, Evidence]):
    """Find all blocks of these kinds ("table", "figure"), with 1 in a column of this name; none for no kinds."""

    kinds: tuple[KindName, ...]
    column: str = EVERY

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks with the column."""
        rows = np.flatnonzero(using.view.of_kind(*(KIND_BY_LABEL[kind] for kind in self.kinds)))
        return Evidence.of(using.view, rows, source=self.column, **{self.column: np.ones(len(rows))})
