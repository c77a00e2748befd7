"""What a system is: two expressions, what they rank by, and how much a question may open."""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, Evidence, Query
from octavo.operators.core.base import Operator
from octavo.operators.keep.pages import RELEVANCE


@dataclasses.dataclass(frozen=True)
class System:
    """A way to answer: `retrieve` is what search runs, `answer` what ask runs; `by` is the column that ranks.

    `rest` ranks, by the same column, the pages that a system which chooses their number left out. It is run when
    systems are measured and at no other time; None where `retrieve` fills the question's limit.
    """

    name: str
    retrieve: Operator[Query, Evidence]
    answer: Operator[Query, Answer]
    by: str = RELEVANCE
    rest: Operator[Query, Evidence] | None = None
    limit: int = 10
    """Pages where nobody says how many: their number for retrievers of fixed size, the most for those that choose."""

    opens: int = 24
    """The most documents one question looks into; of more, a first stage picks the best."""

    def rankings(self) -> tuple[System, ...]:
        """Return the systems that, searched one after the other, rank all pages: this one, then one for its `rest`."""
        return (self,) if self.rest is None else (self, dataclasses.replace(self, retrieve=self.rest))

    def needs(self) -> frozenset[str]:
        """Return the layers that answering needs."""
        needs = self.retrieve.needs() | self.answer.needs()
        return needs if self.rest is None else needs | self.rest.needs()
