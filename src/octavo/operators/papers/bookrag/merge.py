"""Merging: what was found for the parts of a question, as evidence for the whole.

Owns how several evidences become one. Knows nothing about how they were found.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import reduce

from octavo.document import Evidence, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run


@dataclasses.dataclass(frozen=True)
class Merge(Step[tuple[Evidence, ...], Evidence]):
    """Unite evidence: all rows, each with the best of its scores. Columns must be on one scale, 0 to about 1."""

    def apply(self, value: tuple[Evidence, ...], using: Run) -> Evidence:
        """Return the rows of all."""
        return merged(using.view, value)


def merged(view: View, found: Sequence[Evidence]) -> Evidence:
    """Return the rows of all evidence, each with the best of its scores."""
    return reduce(lambda one, other: one | other, found, Evidence.of(view, ()))
