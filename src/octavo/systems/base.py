"""What a system is.

Owns the shape every system has. Knows no particular one.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, Evidence, Query
from octavo.operators import Operator
from octavo.operators.pages import RELEVANCE


@dataclasses.dataclass(frozen=True)
class System:
    """A way to answer: `retrieve` is what search runs, `answer` what ask runs; `by` is the column that ranks."""

    name: str
    retrieve: Operator[Query, Evidence]
    answer: Operator[Query, Answer]
    by: str = RELEVANCE

    def needs(self) -> frozenset[str]:
        """Return the layers that answering needs."""
        return self.retrieve.needs() | self.answer.needs()
