"""The three tools of the retriever agent over the document graph (LAD-RAG section 2.2, figure 12).

Each hands over all that it finds: nothing is cut or added.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.evidence import Evidence, View
from octavo.evidence.document_graph import POSITIONS
from octavo.operators.core import Run
from octavo.operators.keep import CONTEXTUAL
from octavo.operators.read.packing import place_of
from octavo.operators.search_agent.symbolic_query import InvalidQuery, parse
from octavo.operators.search_agent.symbolic_search import SYMBOLIC, BlockAttributes, execute, told
from octavo.operators.search_agent.tools import Called, Refused, Tool, number
from octavo_documents.document import Kind
from octavo_documents.document.columns import Mask, Rows

SEMANTIC = "semantic"
"""The column of nodes that a search by meaning found: the cosine of the words and the node's summary."""
_NO_KIND = 255


@dataclasses.dataclass(frozen=True)
class SummarySearch(Tool):
    """NeuroSemanticSearch(query): the `count` nodes whose summaries are nearest to words of the agent's own.

    Cosines over the layer `document_graph_vectors`, the neural index E of section 2.1. The paper names no k: 10 unless
    the agent says how many.
    """

    count: int = 10
    name: ClassVar[ToolName] = "neuro_semantic_search"
    column: ClassVar[str] = SEMANTIC

    def needs(self) -> frozenset[str]:
        """Return the graph and the vectors of its summaries."""
        return frozenset({"document_graph", "document_graph_vectors"})

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the nearest nodes, best first; raise Refused without words."""
        words = call.query if isinstance(call.query, str) else ""
        if not words.strip():
            raise Refused("query: give the words to search for")
        view = using.view
        cosines = view.cosines("document_graph_vectors", using.vectors([words])[0])
        best = np.argsort(-cosines, kind="stable")[: call.k or self.count]
        found = view.document_graph.nodes.row[best].astype(np.int64)
        evidence = Evidence.of(view, found, source=SEMANTIC, **{SEMANTIC: cosines[best]})
        return Called(evidence, found, note=f"the {len(found)} nearest", asked=words)


class NodeAttributes(BlockAttributes):
    """What the nodes of the document graph are, as whoever read the pages tells it."""

    def rows(self) -> Mask:
        """Return (n_rows,) bool, true for rows that name a node."""
        mask = np.zeros(len(self.view), np.bool_)
        mask[self.view.document_graph.nodes.row] = True
        return mask

    def of_kind(self, kinds: tuple[Kind, ...]) -> Mask:
        """Return (n_rows,) bool, true for rows whose node is of these kinds."""
        return np.isin(self._spread(self.view.document_graph.nodes.kind), kinds)

    def positions(self) -> npt.NDArray[np.uint8]:
        """Return (n_rows,) where the node of each row stands on its page."""
        return self._spread(self.view.document_graph.nodes.position)

    def texts(self, row: int) -> Iterator[str]:
        """Yield content, title and summary of the node of a row."""
        graph = self.view.document_graph
        at = graph.node_of[row]
        yield from (graph.nodes.content[at], graph.nodes.title[at], graph.nodes.summary[at])

    def _spread(self, column: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        spread = np.full(len(self.view), _NO_KIND, np.uint8)
        spread[self.view.document_graph.nodes.row] = column
        return spread


@dataclasses.dataclass(frozen=True)
class NodeQuery(Tool):
    """SymbolicGraph-Query(query_statement): all nodes that meet a closed, typed query, and what links lead to.

    The paper runs code that the agent writes; here it is a value that is checked. One that is not valid, or takes
    longer than `seconds`, is refused with the reason.
    """

    seconds: float = 2.0
    name: ClassVar[ToolName] = "symbolic_graph_query"
    column: ClassVar[str] = SYMBOLIC

    def needs(self) -> frozenset[str]:
        """Return the graph."""
        return frozenset({"document_graph"})

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return all nodes of the query in reading order."""
        view = using.view
        try:
            query = parse(call.query)
            if query.entities:
                raise Refused('entities: not known here; look for names with "contains"')
            links, known = view.document_graph.links, NodeAttributes(view)
            found = execute(view, query, links=links, attributes=known, seconds=self.seconds, clock=using.clock)
        except InvalidQuery as wrong:
            raise Refused(str(wrong)) from wrong
        evidence = Evidence.of(view, found.rows, source=SYMBOLIC, **{SYMBOLIC: np.ones(len(found.rows))})
        return Called(evidence, found.rows, note=told(found, "nodes"), asked=call.query)


@dataclasses.dataclass(frozen=True)
class NodeCommunity(Tool):
    """Contextualize(node): all nodes of the communities that some nodes are in, themselves among them.

    Communities are those that Louvain finds in the graph, made at ingestion (layer `document_graph_communities`). A
    node without links is alone in its own.
    """

    name: ClassVar[ToolName] = "contextualize"
    column: ClassVar[str] = CONTEXTUAL

    def needs(self) -> frozenset[str]:
        """Return the graph and its communities."""
        return frozenset({"document_graph", "document_graph_communities"})

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return the whole communities in reading order; raise Refused when no node is named."""
        if not len(rows):
            raise Refused("ids: name nodes that were shown, such as b12 or r1")
        labels = using.view.graph_communities
        wanted = np.unique(labels[rows])
        found = np.union1d(np.flatnonzero(np.isin(labels, wanted[wanted >= 0])), rows)
        evidence = Evidence.of(using.view, found, source=CONTEXTUAL, **{CONTEXTUAL: np.ones(len(found))})
        return Called(evidence, found, note=f"{len(found)} nodes", asked=list(call.ids))


def node_lines(view: View, rows: Rows) -> list[str]:
    """Return what the agent is told of some nodes, a line each: id, place, kind, summary, and its content in full.

    Content that the summary has already is not told again.
    """
    graph = view.document_graph
    return [_line(view, row, graph.node_of[row]) for row in rows.tolist()]


def _line(view: View, row: int, at: int) -> str:
    nodes = view.document_graph.nodes
    page = " ".join(place_of(view, int(view.page_index[row])))
    where = ", ".join((page, POSITIONS[int(nodes.position[at])], Kind(int(nodes.kind[at])).label))
    summary, content = (" ".join(text.split()) for text in (nodes.summary[at], nodes.content[at]))
    said = summary if content in summary else f"{summary} | {content}"
    return f"[{number(row)}] ({where}) {said}"
