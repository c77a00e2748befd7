"""The query over the document graph (LAD-RAG section 2.2, tool 2).

Owns what the agent is told of a result. Knows nothing about how a query is answered.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.document import Evidence
from octavo.document.columns import Rows
from octavo.operators.run import Run
from octavo.operators.symbolic import Found, InvalidQuery, execute, parse
from octavo.operators.tools.base import Called, Refused, Tool

SYMBOLIC = "symbolic"
"""The column of blocks that a query found: 1."""
_MOST_GROUPS = 30


@dataclasses.dataclass(frozen=True)
class SymbolicGraphQuery(Tool):
    """Answer a closed, typed query; one that is not valid or takes longer than `seconds` is refused with the reason."""

    seconds: float = 0.6
    name: ClassVar[ToolName] = "symbolic_graph_query"
    column: ClassVar[str] = SYMBOLIC

    def needs(self) -> frozenset[str]:
        """Return the layers that links and entities come from."""
        return frozenset({"links", "entities"})

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the blocks of the query in reading order."""
        try:
            query = parse(call.query)
            found = execute(using.view, query, seconds=self.seconds, clock=using.clock)
        except InvalidQuery as wrong:
            raise Refused(str(wrong)) from wrong
        evidence = Evidence.of(using.view, found.rows, source=SYMBOLIC, **{SYMBOLIC: np.ones(len(found.rows))})
        return Called(evidence, found.rows, note=_told(found), asked=call.query)


def _told(found: Found) -> str:
    groups = ", ".join(f"{name}: {count}" for name, count in found.groups[:_MOST_GROUPS])
    more = f", and {len(found.groups) - _MOST_GROUPS} more" if len(found.groups) > _MOST_GROUPS else ""
    return f"{found.count} blocks" + (f" ({groups}{more})" if groups else "")
