"""Lower confidence: an answer that was read from evidence nobody chose is less sure.

Owns how much. Knows nothing about why evidence was marked.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.rdr2.routed_passages import UNSURE


@dataclasses.dataclass(frozen=True)
class LowerConfidence(Step[Answer, Answer]):
    """Take a `share` (0..1) of an answer's confidence where any of its evidence has the source `source`."""

    source: str = UNSURE
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise UsageError("LowerConfidence takes a share between 0 and 1")

    def apply(self, value: Answer, using: Run) -> Answer:
        """Return the answer with its confidence."""
        marked = value.evidence.sources.get(self.source)
        if marked is None or not marked.any():
            return value
        return dataclasses.replace(value, confidence=round(value.confidence * self.share, 3))
