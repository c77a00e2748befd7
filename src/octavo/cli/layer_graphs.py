"""Layers as graphs in the languages of other programs: DOT (Graphviz) and GraphML (Gephi, yEd, networkx).

Text of documents goes in escaped.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from octavo.cli.terminal import shorten
from octavo.document import Kind, View
from octavo.layers import rows as layer_rows

_LABEL = 60
"""Characters of a label in DOT."""
_NODE = 160
"""Characters of a node of the cross-page tree that are told as its label."""
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML has no way to say."""


@dataclasses.dataclass(frozen=True, slots=True)
class Node:
    """A node: what it is called, its sort, and the first page it stands on, 0 for none."""

    id: str
    label: str
    sort: str
    page: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge between nodes; `weight` is in 0..1."""

    source: str
    target: str
    label: str
    weight: float


@dataclasses.dataclass(frozen=True, slots=True)
class LayerGraph:
    """The graph of a layer."""

    name: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]


def of_entities(view: View) -> LayerGraph:
    """Return the knowledge graph: entities and the relations between them."""
    nodes = [Node(row.id, row.name, row.type, min(row.pages, default=0)) for row in layer_rows.entities(view)]
    table = view.graph.relations
    columns = zip(table.source.tolist(), table.target.tolist(), table.type, table.weight.tolist(), strict=True)
    stated: dict[tuple[int, int, str], float] = {}
    for source, target, type_, weight in columns:
        stated[source, target, type_] = max(weight, stated.get((source, target, type_), 0.0))
    edges = [Edge(f"e{source}", f"e{target}", type_, weight) for (source, target, type_), weight in stated.items()]
    return LayerGraph("entities", nodes, edges)


def of_links(view: View) -> LayerGraph:
    """Return the document graph: blocks and the links between them."""
    return _of_blocks("links", view, {})


def of_communities(view: View) -> LayerGraph:
    """Return the document graph with each block's community as its sort; blocks outside of any are left out."""
    sorts = {f"b{row}": f"c{number}" for row, number in enumerate(view.communities.tolist()) if number >= 0}
    return _of_blocks("communities", view, sorts)


def _of_blocks(name: str, view: View, sorts: Mapping[str, str]) -> LayerGraph:
    """Return links and the blocks they are between, of the given sorts; of their kinds where there are none."""
    rows = [row for row in layer_rows.links(view) if not sorts or {row.source, row.target} <= sorts.keys()]
    texts = {row.source: row.source_text for row in rows} | {row.target: row.target_text for row in rows}
    known = {view.block_id(at): at for at in range(len(view))}
    nodes = [
        Node(block, text, sorts.get(block) or _kind(view, known[block]), int(view.blocks.page[known[block]]))
        for block, text in sorted(texts.items(), key=lambda item: known[item[0]])
    ]
    return LayerGraph(name, nodes, [Edge(row.source, row.target, row.kind, row.weight) for row in rows])


def _kind(view: View, row: int) -> str:
    return Kind(int(view.blocks.kind[row])).label


def of_clusters(view: View) -> LayerGraph:
    """Return the cross-page tree: clusters, leaves, and who is a member of what."""
    tree = view.topology
    nodes = [
        Node(f"n{at}", text[:_NODE], f"level {level}", _first_page(view, tree.blocks_of(at).tolist()))
        for at, (text, level) in enumerate(zip(tree.nodes.text, tree.nodes.level.tolist(), strict=True))
    ]
    table = tree.memberships
    columns = zip(table.cluster.tolist(), table.member.tolist(), table.weight.tolist(), strict=True)
    return LayerGraph("clusters", nodes, [Edge(f"n{a}", f"n{b}", "holds", weight) for a, b, weight in columns])


def _first_page(view: View, rows: Sequence[int]) -> int:
    return int(view.blocks.page[rows[0]]) if rows else 0


GRAPHS: Mapping[str, Callable[[View], LayerGraph]] = {
    "entities": of_entities,
    "links": of_links,
    "clusters": of_clusters,
    "communities": of_communities,
}
"""Layers that are graphs, by the name they are asked for under."""


def dot(graph: LayerGraph) -> Iterator[str]:
    """Yield the lines of a graph in DOT."""
    yield f"digraph {graph.name} {{"
    yield "  node [shape=box];"
    for node in graph.nodes:
        page = f" (page {node.page})" if node.page else ""
        yield f"  {node.id} [label={_quoted(shorten(node.label, _LABEL) + page)}, class={_quoted(node.sort)}];"
    for edge in graph.edges:
        weight = max(1, round(9 * edge.weight))
        yield f"  {edge.source} -> {edge.target} [label={_quoted(edge.label)}, weight={weight}];"
    yield "}"


def _quoted(text: str) -> str:
    """Return a text as a string of DOT, in which a backslash would call for something."""
    clean = shorten(text, 4 * _LABEL).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'


_KEYS = (("node", "label", "string"), ("node", "sort", "string"), ("node", "page", "int"))
_EDGE_KEYS = (("edge", "label", "string"), ("edge", "weight", "double"))


def graphml(graph: LayerGraph) -> Iterator[str]:
    """Yield the lines of a graph in GraphML."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for owner, name, type_ in (*_KEYS, *_EDGE_KEYS):
        yield f'  <key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{type_}"/>'
    yield f'  <graph id={quoteattr(graph.name)} edgedefault="directed">'
    for node in graph.nodes:
        values = _data("node", {"label": node.label, "sort": node.sort, "page": str(node.page)})
        yield f"    <node id={quoteattr(node.id)}>{values}</node>"
    for edge in graph.edges:
        values = _data("edge", {"label": edge.label, "weight": f"{edge.weight:.4g}"})
        yield f"    <edge source={quoteattr(edge.source)} target={quoteattr(edge.target)}>{values}</edge>"
    yield "  </graph>"
    yield "</graphml>"


def _data(owner: str, values: Mapping[str, str]) -> str:
    return "".join(f'<data key="{owner}_{name}">{escape(_sayable(value))}</data>' for name, value in values.items())


def _sayable(text: str) -> str:
    """Return a text on one line, without what XML has no way to say."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
