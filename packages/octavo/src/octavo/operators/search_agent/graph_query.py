"""The tool of the agent that answers a query over the document graph (LAD-RAG section 2.2, tool 2).

What reads and answers queries is imported when one is asked: most questions need none.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from octavo.decisions.agent_tools import ToolName
from octavo.evidence import Evidence
from octavo.operators.core import Run
from octavo.operators.search_agent.tools import MOST_LINES, Called, Refused, Tool, layers_of, links_of
from octavo_documents.document.columns import Rows
from octavo_documents.text.analyzer import analyze

if TYPE_CHECKING:
    from octavo.decisions.investigate import ToolCall
    from octavo.operators.search_agent.symbolic_query import SymbolicQuery
    from octavo.operators.search_agent.symbolic_search import FoundBlocks

SYMBOLIC = "symbolic"
"""The column of blocks that a query found: 1."""
_SHORT_NUMBER = re.compile(r"\d{1,2}")
_MANY = 100
"""Blocks with so short a number, from which words beside it are asked for."""
_MOST_SHOWN = 40


@dataclasses.dataclass(frozen=True)
class SymbolicGraphQuery(Tool):
    """Answer a closed, typed query; one that is not valid or takes longer than `seconds` is refused with the reason.

    With `layers` false it follows only the links that parsing leaves, and knows no entities; with `seen` also those
    that a model which looked at the pages found, blocks are also of the kinds that it takes them for, and what it says
    of elements counts among their words.
    """

    seconds: float = 0.6
    layers: bool = True
    seen: bool = False
    name: ClassVar[ToolName] = "symbolic_graph_query"
    column: ClassVar[str] = SYMBOLIC

    def needs(self) -> frozenset[str]:
        """Return the layers that links and entities come from."""
        return frozenset[str]({"links", "entities"} if self.layers else ()) | layers_of(seen=self.seen)

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the blocks of the query in reading order; those of one part are shown, of a count none."""
        from octavo.operators.search_agent import symbolic_query, symbolic_search

        try:
            query = symbolic_query.parse(call.query)
            if query.entities and not self.layers:
                raise Refused('entities: not known here; look for names with "contains"')
            links = links_of(using.view, layers=self.layers, seen=self.seen)
            known = (symbolic_search.SeenAttributes if self.seen else symbolic_search.BlockAttributes)(using.view)
            found = symbolic_search.execute(
                using.view, query, links=links, attributes=known, seconds=self.seconds, clock=using.clock
            )
        except symbolic_query.InvalidQuery as wrong:
            raise Refused(str(wrong)) from wrong
        evidence = Evidence.of(using.view, found.rows, source=SYMBOLIC, **{SYMBOLIC: np.ones(len(found.rows))})
        shown, note = _part(found, query, call.part, using)
        return Called(evidence, shown, note=note, asked=call.query, rows=found.rows)


def _part(found: FoundBlocks, query: SymbolicQuery, part: int, using: Run) -> tuple[Rows, str]:
    """Return the rows of one part of a result, and what is said of the whole.

    Of more blocks with some words than are shown at once, those come first that share most with the question: a year
    stands on the cover too.
    """
    from octavo.operators.search_agent import symbolic_query, symbolic_search

    said = symbolic_search.count_in_words(found)
    if query.operation == "count":
        return found.rows[:0], said
    most = MOST_LINES if query.limit == symbolic_query.MOST_BLOCKS else min(query.limit, _MOST_SHOWN)
    by_question = len(found.rows) > most and bool(query.contains or query.matches)
    rows = _nearest_first(found.rows, using) if by_question else found.rows
    start = most * (part - 1)
    shown = rows[start : start + most]
    left = len(rows) - start - len(shown)
    if len(shown) < found.count:
        said += f"; {start + 1} to {start + len(shown)} shown" + ", nearest to the question first" * by_question
    if left > 0:
        said += f", more with part {part + 1}"
    if found.count >= _MANY and any(map(_SHORT_NUMBER.fullmatch, query.contains)):
        said += "; a number of one or two digits stands in many blocks: look for it with the words beside it"
    return shown, said


def _nearest_first(rows: Rows, using: Run) -> Rows:
    """Return rows ordered by how many terms of the question they share, with their captions and section's title."""
    from octavo.operators.search_agent.symbolic_query import LONGEST_TEXT

    view, asked = using.view, frozenset(analyze(using.query.question))

    def shared(row: int) -> int:
        titles = view.blocks.section_path(row)[-1:]
        texts = (view.blocks.text[at][:LONGEST_TEXT] for at in (row, *view.captions.get(row, ())))
        return len(asked.intersection(analyze(" ".join((*titles, *texts)))))

    return rows[np.argsort([-shared(row) for row in rows.tolist()], kind="stable")]
