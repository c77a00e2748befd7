"""A second reading, only where the first came to nothing: from more pages, by a model.

Owns when it is worth a call. Knows nothing about how answers are read or evidence widens.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, Evidence
from octavo.operators.base import Operator
from octavo.operators.run import Run

_READER = "answer_from_evidence"


@dataclasses.dataclass(frozen=True)
class ReadAgain(Operator[Evidence, Answer]):
    """Answer with `read`; where a model finds no answer and `widen` finds more evidence, read that, once.

    A question that is answered at the first reading costs no more than `read`, and neither does one without a model or
    with its budget spent. When the second reading finds no answer either, the first one stands.
    """

    read: Operator[Evidence, Answer]
    widen: Operator[Evidence, Evidence]

    def needs(self) -> frozenset[str]:
        """Return what reading and widening need."""
        return self.read.needs() | self.widen.needs()

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer that stands."""
        first = self.read(value, using)
        if first.answerable or using.judge.stopped or not using.judge.has_model(_READER):
            return first
        wider = self.widen(value, using)
        if len(wider) <= len(value):
            return first
        second = self.read(wider, using)
        return second if second.answerable else first
