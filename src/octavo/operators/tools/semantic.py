"""The search by meaning (LAD-RAG section 2.2, tool 1), over the scores that an operator gives.

Owns what the agent is shown of them. Knows nothing about how scores are made.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.document import Evidence, Query
from octavo.document.columns import Rows
from octavo.operators.base import Operator
from octavo.operators.fuse import FUSED
from octavo.operators.run import Run
from octavo.operators.tools.base import Called, Refused, Tool


@dataclasses.dataclass(frozen=True)
class NeuroSemanticSearch(Tool):
    """Score all blocks by words of the agent's own; the evidence keeps every score, the `count` best are shown.

    The paper searches an index over summaries of elements. Summaries by rule find fewer gold pages than passages do,
    alone and added to them, so `search` is the operator that scores passages.
    """

    search: Operator[Query, Evidence]
    count: int = 10
    name: ClassVar[ToolName] = "neuro_semantic_search"
    column: ClassVar[str] = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return all scored blocks, the best to be shown; raise Refused without words."""
        words = call.query if isinstance(call.query, str) else ""
        if not words.strip():
            raise Refused("query: give the words to search for")
        branch = using.branch(dataclasses.replace(using.query, question=words))
        found = self.search(branch.query, branch)
        using.join(branch)
        best = found.ranked(FUSED)[: self.count]
        return Called(found, best, note=f"the {len(best)} best", asked=words, steps=tuple(branch.trace))
