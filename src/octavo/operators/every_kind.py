"""All blocks of some kinds: what a question that counts or lists things goes through.

Owns the column that marks them. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.decisions.rules.things import KindName
from octavo.document import Evidence, Kind, Query
from octavo.operators.base import Step
from octavo.operators.run import Run

EVERY = "every"
"""The column of the blocks of these kinds: 1."""
_KINDS = {kind.label: kind for kind in Kind}


@dataclasses.dataclass(frozen=True)
class EveryKind(Step[Query, Evidence]):
    """Find all blocks of these kinds ("table", "figure"); none for no kinds."""

    kinds: tuple[KindName, ...]

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks with the column `every`."""
        rows = np.flatnonzero(using.view.of_kind(*(_KINDS[kind] for kind in self.kinds)))
        return Evidence.of(using.view, rows, source=EVERY, **{EVERY: np.ones(len(rows))})
