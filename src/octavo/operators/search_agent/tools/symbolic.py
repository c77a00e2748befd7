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
from octavo.operators.core.run import Run
from octavo.operators.search_agent.symbolic import Found, InvalidQuery, SymbolicQuery, execute, parse
from octavo.operators.search_agent.symbolic.query import MOST_BLOCKS
from octavo.operators.search_agent.tools.base import Called, Refused, Tool
from octavo.operators.search_agent.tools.showing import MOST_LINES

SYMBOLIC = "symbolic"
"""The column of blocks that a query found: 1."""
_MOST_GROUPS = 30
_MOST_SHOWN = 40


@dataclasses.dataclass(frozen=True)
class SymbolicGraphQuery(Tool):
    """Answer a closed, typed query; one that is not valid or takes longer than `seconds` is refused with the reason.

    With `layers` false it follows only the links that parsing leaves, and knows no entities.
    """

    seconds: float = 0.6
    layers: bool = True
    name: ClassVar[ToolName] = "symbolic_graph_query"
    column: ClassVar[str] = SYMBOLIC

    def needs(self) -> frozenset[str]:
        """Return the layers that links and entities come from."""
        return frozenset({"links", "entities"}) if self.layers else frozenset()

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the blocks of the query in reading order; those of one part are shown, of a count none."""
        try:
            query = parse(call.query)
            if query.entities and not self.layers:
                raise Refused('entities: not known here; look for names with "contains"')
            links = None if self.layers else using.view.links
            found = execute(using.view, query, links=links, seconds=self.seconds, clock=using.clock)
        except InvalidQuery as wrong:
            raise Refused(str(wrong)) from wrong
        evidence = Evidence.of(using.view, found.rows, source=SYMBOLIC, **{SYMBOLIC: np.ones(len(found.rows))})
        shown, note = _part(found, query, call.part)
        return Called(evidence, shown, note=note, asked=call.query, rows=found.rows)


def _part(found: Found, query: SymbolicQuery, part: int) -> tuple[Rows, str]:
    """Return the rows of one part of a result, and what is said of the whole."""
    told = _told(found)
    if query.operation == "count":
        return found.rows[:0], told
    most = MOST_LINES if query.limit == MOST_BLOCKS else min(query.limit, _MOST_SHOWN)
    start = most * (part - 1)
    shown = found.rows[start : start + most]
    left = len(found.rows) - start - len(shown)
    if len(shown) < found.count:
        told += f"; {start + 1} to {start + len(shown)} shown"
    if left > 0:
        told += f", more with part {part + 1}"
    return shown, told


def _told(found: Found) -> str:
    groups = ", ".join(f"{name}: {count}" for name, count in found.groups[:_MOST_GROUPS])
    more = f", and {len(found.groups) - _MOST_GROUPS} more" if len(found.groups) > _MOST_GROUPS else ""
    return f"{found.count} blocks" + (f" ({groups}{more})" if groups else "")
