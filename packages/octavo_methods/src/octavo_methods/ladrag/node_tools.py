"""The three tools of the retriever agent over the document graph (LAD-RAG section 2.2, figure 12).

They find nodes, which go by their numbers in the graph. Each hands over all that it finds: nothing is cut or added.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.agent_tools import ToolName
from octavo.decisions.investigate import ToolCall
from octavo.evidence import Evidence, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE, NODE_COMMUNITIES_TABLE, POSITIONS, DocumentGraph
from octavo.operators.core import Run
from octavo.operators.keep import CONTEXTUAL
from octavo.operators.read.packing import place_of
from octavo.operators.search_agent.graph_query import SYMBOLIC
from octavo.operators.search_agent.links_followed import reached
from octavo.operators.search_agent.symbolic_query import MOST_BLOCKS, InvalidQuery, parse
from octavo.operators.search_agent.symbolic_search import (
    BlockAttributes,
    count_in_words,
    execute,
    section_rows,
    short_texts,
)
from octavo.operators.search_agent.tools import Called, Refused, Tool
from octavo_documents.document import PICTURED, Kind, LinkKind, LinkOrigin
from octavo_documents.document.columns import Mask, Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

SEMANTIC = "semantic"
"""The column of blocks that a search by meaning found: the cosine of the words and the summary of a node there."""
_HEADS = (Kind.TITLE, Kind.HEADING)
_DEEPEST = 20
"""Links from what stands in a section up to its heading that are followed."""
_ID = re.compile(r"\s*\[?([nr])\s*(\d{1,9})\]?\s*", re.IGNORECASE)


def number(node: int) -> str:
    """Return the id of a node as the agent is told it."""
    return f"n{node}"


def read_number(text: str) -> tuple[str, int] | None:
    """Return ("n", node) or ("r", result) for an id as a model writes it; None for anything else."""
    found = _ID.fullmatch(text)
    return (found[1].lower(), int(found[2])) if found else None


def _evidence(view: View, nodes: Rows, column: str, scores: npt.NDArray[np.float64]) -> Evidence:
    """Return the blocks that some nodes stand at."""
    rows = view.layer(DOCUMENT_GRAPH_TABLE).nodes.row[nodes].tolist()
    return Evidence.of(view, rows, source=column, **{column: scores})


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
        return Called(
            _evidence(view, best, SEMANTIC, cosines[best]), best, note=f"the {len(best)} nearest", asked=words
        )


class NodeAttributes(BlockAttributes):
    """What the nodes of the document graph are, as whoever read the pages tells it; a row is the number of a node.

    How a node looks is told by the block that it stands at.
    """

    @property
    def _graph(self) -> DocumentGraph:
        return self.view.layer(DOCUMENT_GRAPH_TABLE)

    def rows(self) -> Mask:
        """Return (n_nodes,) bool, true for all nodes."""
        return np.ones(len(self._graph), np.bool_)

    def of_kind(self, kinds: tuple[Kind, ...]) -> Mask:
        """Return (n_nodes,) bool, true for nodes of these kinds."""
        return np.isin(self._graph.nodes.kind, kinds)

    def positions(self) -> npt.NDArray[np.uint8]:
        """Return (n_nodes,) where each node stands on its page."""
        return self._graph.nodes.position

    def in_sections(self, names: list[str]) -> Mask:
        """Return (n_nodes,) bool, true for nodes in a section of one of these names.

        Of nodes that a model saw those are in one which are linked to its heading as a part of it, by however many
        links; of others those whose block stands there.
        """
        graph = self._graph
        is_seen = graph.nodes.origin == LinkOrigin.MODEL
        by_block = self.at_rows(super().in_sections(names))
        heads = np.zeros(len(graph), np.bool_)
        heads[[at for name in names for at in self._heads(name)]] = True
        parts = reached(graph.links, heads, (LinkKind.PART_OF,), hops=_DEEPEST, direction="in")
        return np.where(is_seen, parts, by_block)

    def _heads(self, name: str) -> list[int]:
        """Return the headings that a model saw which a name means: by the block's label or words, or by their own."""
        nodes = self._graph.nodes
        seen = np.flatnonzero((nodes.origin == LinkOrigin.MODEL) & np.isin(nodes.kind, _HEADS)).tolist()
        wanted, rows = set(analyze(name)), {*section_rows(self.view, name)}
        terms = {at: set(analyze(nodes.content[at])) for at in seen}
        found = [at for at in seen if wanted and wanted <= terms[at]]
        exact = [at for at in found if terms[at] == wanted]
        return exact or sorted({*found, *(at for at in seen if int(nodes.row[at]) in rows)})

    def at_rows(self, blocks: Mask) -> Mask:
        """Return (n_nodes,) bool, true for nodes that stand at one of these blocks."""
        return blocks[self._graph.nodes.row]

    def row(self, at: int) -> int:
        """Return the row of the block that a node stands at."""
        return int(self._graph.nodes.row[at])

    def short(self, characters: int) -> Mask:
        """Return (n_nodes,) bool, true for nodes that display at most so many characters."""
        return short_texts(self._graph.nodes.content, characters)

    def texts(self, row: int) -> Iterator[str]:
        """Yield content, title and summary of a node."""
        nodes = self._graph.nodes
        yield from (nodes.content[row], nodes.title[row], nodes.summary[row])


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
            if query.limit == MOST_BLOCKS:
                query = query.model_copy(update={"limit": max(len(view.layer(DOCUMENT_GRAPH_TABLE)), 1)})
            links, known = view.layer(DOCUMENT_GRAPH_TABLE).links, NodeAttributes(view)
            found = execute(view, query, links=links, attributes=known, seconds=self.seconds, clock=using.clock)
        except InvalidQuery as wrong:
            raise Refused(str(wrong)) from wrong
        evidence = _evidence(view, found.rows, SYMBOLIC, np.ones(len(found.rows)))
        return Called(evidence, found.rows, note=count_in_words(found, "nodes"), asked=call.query)


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
            raise Refused("ids: name nodes that were shown, such as n12 or r1")
        labels = using.view.layer(NODE_COMMUNITIES_TABLE)
        wanted = np.unique(labels[rows])
        found = np.union1d(np.flatnonzero(np.isin(labels, wanted[wanted >= 0])), rows)
        evidence = _evidence(using.view, found, CONTEXTUAL, np.ones(len(found)))
        return Called(evidence, found, note=f"{len(found)} nodes", asked=list(call.ids))


def node_lines(view: View, nodes: Iterable[int]) -> list[str]:
    """Return what the agent is told of some nodes, a line each: id, place, kind, summary, and its content in full.

    Content that the summary has already is not told again.
    """
    return [_line(view, node) for node in nodes]


def pictures_in_words(view: View, nodes: Sequence[int]) -> str:
    """Return what is said of figures and charts among some nodes that nobody has looked at, "" where there are none."""
    count = _not_looked_at(view, nodes)
    if not count:
        return ""
    said = f"{count} of these {'is a figure or chart' if count == 1 else 'are figures and charts'} nobody has looked at"
    return f"{said}: only words in them are told, and what else pages show may be no node"


def _not_looked_at(view: View, nodes: Sequence[int]) -> int:
    """Return how many of some nodes are figures and charts that rules alone have found."""
    table, at = view.layer(DOCUMENT_GRAPH_TABLE).nodes, np.asarray(nodes, np.int64)
    return int((np.isin(table.kind[at], PICTURED) & (table.origin[at] == LinkOrigin.RULE)).sum())


def _line(view: View, node: int) -> str:
    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    page = " ".join(place_of(view, int(view.page_index[nodes.row[node]])))
    where = ", ".join((page, POSITIONS[int(nodes.position[node])], nodes.kind_of(node).label))
    where += ", not looked at" * bool(_not_looked_at(view, [node]))
    summary, content = (on_one_line(text) for text in (nodes.summary[node], nodes.content[node]))
    said = summary if content in summary else f"{summary} | {content}"
    return f"[{number(node)}] ({where}) {said}"
