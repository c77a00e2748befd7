"""How a question is asked: of which documents, by which system, for how many pages, and at what cost at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from octavo.about.where import parsed
from octavo.corpus.store.references import Names
from octavo.errors import UsageError
from octavo.evidence import Query

if TYPE_CHECKING:
    from octavo.models.gateway import Budget, Caps
    from octavo.systems import System


@dataclass(frozen=True)
class AskOptions:
    """How a question is asked; `Corpus.ask` says what each means."""

    documents: Names | None = None
    system: str | System = "auto"
    limit: int | None = None
    caps: Caps | Budget | None = None
    where: str | None = None

    def resolve(self, question: str) -> tuple[System, Query]:
        """Return the system, and the question as systems take it.

        Raises UsageError for a system that there is not, where nothing or nothing but signs is asked, where no page is
        allowed, and for a filter that cannot be read.
        """
        from octavo.systems import get

        if self.where is not None:
            parsed(self.where)

        system = get(self.system)
        limit = system.limit if self.limit is None else self.limit
        if not question.strip():
            raise UsageError("the question is empty: ask something")
        if not any(map(str.isalnum, question)):
            raise UsageError("the question has no word and no number in it: signs alone ask nothing")
        if limit < 1:
            raise UsageError(f"the limit is a number of pages, 1 or more, not {limit}")
        return system, Query(question, limit=limit)
