"""A system: a named way to answer a question, as two expressions over operators, for searching and for answering."""

from __future__ import annotations

import dataclasses

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Query
from octavo.operators.columns import Columns
from octavo.operators.core import Operator
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.answer_as import AnswerAs

ROLES = ("parser", "embedder", "late_interaction", "reranker", "image_text", "model", "vision")
"""What stands for parts of a published system: who reads files, embeds, reranks, embeds pictures, decides, sees."""


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

    paper: tuple[tuple[str, str], ...] = ()
    """Of a published system's own plan: (role, what the paper used) for each part that something else stands for here.

    The roles are those of `ROLES`. Empty for all other systems.
    """

    looks: bool = False
    """Whether its plan shows pictures to a model that sees, in a step of its own."""

    about: str = ""
    """One sentence for whoever chooses: what it does, and what for."""

    filters_sections: bool = False
    """Whether adding documents for it by a model has the model decide doubtful headings (BookRAG section 4.2.2)."""

    by_type: bool = False
    """Whether its reader asks by the type of the answer, which a caller may fix (`answering_as`)."""

    def __post_init__(self) -> None:
        """Raise UsageError where a step reads a column that nothing before it writes, or no step writes `by`."""
        for ranked in (self.retrieve, self.rest):
            if ranked is not None:
                Columns(reads={self.by}).after(f"{self.name}, which ranks pages,", ranked.after({}))
        self.answer.after({})

    def answering_as(self, form: str) -> System:
        """Return the system with the type of its answers fixed: "Str", "Int", "Float", "List" or "None".

        Raises UsageError for another type, and where its reader does not ask by type.
        """
        fixed = AnswerAs(form)
        if not self.by_type:
            raise UsageError(f"{self.name} does not ask by the type of the answer: choose mmrag-paper")
        return dataclasses.replace(self, retrieve=fixed >> self.retrieve, answer=fixed >> self.answer)

    def rankings(self) -> tuple[System, ...]:
        """Return the systems that, searched one after the other, rank all pages: this one, then one for its `rest`."""
        return (self,) if self.rest is None else (self, dataclasses.replace(self, retrieve=self.rest))

    def needs(self) -> frozenset[str]:
        """Return the layers that answering needs."""
        needs = self.retrieve.needs() | self.answer.needs()
        return needs if self.rest is None else needs | self.rest.needs()
