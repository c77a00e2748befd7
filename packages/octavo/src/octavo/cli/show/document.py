"""What a document holds: its outline and the rows of its layers as drawn, and layers as graphs for other programs.

The graphs are in DOT (Graphviz) and GraphML (Gephi, yEd, networkx); text of documents goes in escaped.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from rich.text import Text

from octavo.cli.show.prose import MARK, paragraph, table_of
from octavo.cli.terminal import draw, one_line, prose_width, shorten
from octavo.evidence import View
from octavo.evidence.layer_tables import COMMUNITIES_TABLE, ENTITIES_TABLE, TOPOLOGY_TABLE
from octavo.layers import rows as layer_rows
from octavo.layers.rows import STRUCTURE, ClusterRow, CommunityRow, EntityRow, LinkRow, Row, SummaryRow
from octavo_documents.document import Document, Kind, number_of
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.layers.rows import LayerCount


_PIPE_WIDTH = 80
"""Columns of a line where there is no terminal."""
_BLOCK = 100
"""Characters shown of a block."""
_NAME, _WORDS, _TEXT = 48, 40, 300
"""Characters shown of a name, of a block's words beside a link, and of a summary; JSON has all of them."""


def show_outline(screen: Console, document: Document, *, blocks: bool) -> None:
    """Print every section with the page it starts on, and every block under its section when asked for."""
    table = document.blocks
    labels = _labels(document)
    heading = f"{one_line(document.name)}: {number_of(len(document.pages), document.unit)}"
    paragraph(screen, Text.assemble((heading, "bold"), ("; printed page labels in brackets" if labels else "", "dim")))
    for one in document.metadata.warnings:
        paragraph(screen, Text(one_line(one), "dim"))
    rows = range(len(table)) if blocks else table.headings().tolist()
    for row in rows:
        depth = len(table.ancestors(row))
        number = int(table.page[row])
        page = f"{number} ({one_line(labels[number - 1])})" if labels else str(number)
        _line(screen, _words(document, row, width=prose_width(screen)), page, indent=2 * depth)
    if not blocks and not len(table.headings()):
        paragraph(screen, "No headings were found; --blocks shows the text.")


def _labels(document: Document) -> list[str]:
    """Return the printed labels of all pages, none when they are nothing but the page numbers."""
    labels = list(document.pages.label) if document.has_pages else []
    return labels if any(label not in {"", str(number)} for number, label in enumerate(labels, 1)) else []


def _words(document: Document, row: int, *, width: int) -> Text:
    table = document.blocks
    kind = table.kind_of(row)
    if kind == Kind.HEADING:
        return Text(one_line(table.text[row]))
    text = shorten(table.text[row], min(_BLOCK, width))
    return Text.assemble((f"{kind.label.replace('_', ' ')}: ", MARK), (text, "dim"))


def _line(screen: Console, words: Text, page: str, *, indent: int) -> None:
    """Print a line that ends with its page at the right, dots between; long words are cut on a terminal only."""
    width = prose_width(screen) if screen.is_terminal else _PIPE_WIDTH
    room = width - indent - len(page) - 2
    if screen.is_terminal and words.cell_len > room - 3:
        words = Text(shorten(words.plain, max(room - 3, 10)))
    dots = "." * max(room - words.cell_len, 2)
    line = Text.assemble(" " * indent, words, " ", (dots, "dim"), " ", page, no_wrap=True, overflow="ignore")
    draw(screen, line)


def show_rows(screen: Console, name: str, rows: Sequence[Row], limit: int) -> None:
    """Print at most `limit` rows of a layer, and how many there are; 0 prints all.

    Links that the order of blocks says already are not shown, and counted apart.
    """
    shown = [row for row in rows if not isinstance(row, LinkRow) or row.kind not in STRUCTURE]
    paragraph(screen, Text(_counted(name, shown), "bold"))
    chosen = shown[:limit] if limit else shown
    for kind, group in groupby(chosen, type):
        _LOOKS[kind](screen, list(group))
    if len(chosen) < len(shown):
        paragraph(screen, Text(f"{len(chosen):,} of {len(shown):,} are shown; --limit 0 shows all", "dim"))
    if order := len(rows) - len(shown):
        paragraph(screen, Text(f"{order:,} more only say what follows or holds what; --json has them", "dim"))


def show_counts(screen: Console, layers: Sequence[LayerCount]) -> None:
    """Print a line for each layer that is stored."""
    table = table_of("layer", "decided by", "holds")
    for one in layers:
        holds = "" if one.rows is None else f"{one.rows:,} {one.what}"
        table.add_row(*map(Text, (one.layer, one.by, holds)))
    draw(screen, Text(), table)


def _counted(name: str, rows: Sequence[Row]) -> str:
    """Return how many rows there are, links and summaries by their kinds."""
    kinds = Counter(row.kind if isinstance(row, LinkRow) else row.of for row in rows if isinstance(row, _SORTED))
    told = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in kinds.most_common())
    whole = number_of(len(rows), _NOUNS[name])
    return f"{whole}: {told}" if told else whole


_SORTED = (LinkRow, SummaryRow)
_NOUNS = {
    "entities": "entity",
    "links": "link",
    "summaries": "summary",
    "clusters": "cluster",
    "communities": "community",
}


def _entities(screen: Console, rows: Sequence[EntityRow]) -> None:
    table = table_of("entity", "type", "mentions", "relations", "pages", "also called", right=("mentions", "relations"))
    for row in rows:
        others = shorten(", ".join(row.aliases[:3]), _NAME)
        counts = (f"{row.mentions:,}", f"{row.relations:,}")
        table.add_row(*map(Text, (shorten(row.name, _NAME), one_line(row.type), *counts, pages_of(row.pages), others)))
    draw(screen, table)


def _links(screen: Console, rows: Sequence[LinkRow]) -> None:
    table = table_of("pages", "from", "link", "to", "words")
    for row in rows:
        pages = "-".join(map(str, row.pages)) if len(row.pages) < 3 else pages_of(row.pages)
        ends = (shorten(row.source_text, _WORDS), row.kind.replace("_", " "), shorten(row.target_text, _WORDS))
        table.add_row(*map(Text, (pages, *ends, shorten(row.words, _WORDS))))
    draw(screen, table)


def _summaries(screen: Console, rows: Sequence[SummaryRow]) -> None:
    for row in rows:
        place = row.place if row.of == "page" else f"{row.place} ({_named(row.pages)})"
        _entry(screen, one_line(place), row.text)


def _clusters(screen: Console, rows: Sequence[ClusterRow]) -> None:
    for row in rows:
        counts = f"level {row.level}, {row.leaves:,} leaves, {_named(row.pages)}"
        _entry(screen, " ".join(filter(None, (row.id, one_line(row.heading), f"({counts})"))), row.text)


def _communities(screen: Console, rows: Sequence[CommunityRow]) -> None:
    for row in rows:
        counts = f"{number_of(row.blocks, 'block')}, {_named(row.pages)}"
        titles = shorten("; ".join(row.headings[:3]), 2 * _NAME)
        _entry(screen, " ".join(filter(None, (row.id, titles, f"({counts})"))), row.text)


def _entry(screen: Console, head: str, text: str) -> None:
    paragraph(screen, Text(head, "bold"))
    paragraph(screen, shorten(text, _TEXT), indent=4)


_LOOKS: Mapping[type[Row], Callable[[Console, Sequence[Any]], None]] = {
    EntityRow: _entities,
    LinkRow: _links,
    SummaryRow: _summaries,
    ClusterRow: _clusters,
    CommunityRow: _communities,
}


def _named(pages: Sequence[int]) -> str:
    return f"{'page' if len(pages) == 1 else 'pages'} {pages_of(pages)}"


def pages_of(pages: Sequence[int], most: int = 6) -> str:
    """Return pages as a reader writes them, runs joined: "1-3, 7, 9"; after `most` runs the number of the rest."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    named = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:most]]
    more = sum(len(run) for run in runs[most:])
    return ", ".join(named) + (f" and {more} more" if more else "")


_LABEL = 60
"""Characters of a label in DOT."""
_NODE = 160
"""Characters of a node of the cross-page tree that are told as its label."""
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML has no way to say."""


@dataclasses.dataclass(frozen=True, slots=True)
class OutlineNode:
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
    nodes: Sequence[OutlineNode]
    edges: Sequence[Edge]


def of_entities(view: View) -> LayerGraph:
    """Return the knowledge graph: entities and the relations between them."""
    nodes = [OutlineNode(row.id, row.name, row.type, min(row.pages, default=0)) for row in layer_rows.entities(view)]
    table = view.layer(ENTITIES_TABLE).relations
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
    sorts = {
        f"b{row}": f"c{number}" for row, number in enumerate(view.layer(COMMUNITIES_TABLE).tolist()) if number >= 0
    }
    return _of_blocks("communities", view, sorts)


def _of_blocks(name: str, view: View, sorts: Mapping[str, str]) -> LayerGraph:
    """Return links and the blocks they are between, of the given sorts; of their kinds where there are none."""
    rows = [row for row in layer_rows.links(view) if not sorts or {row.source, row.target} <= sorts.keys()]
    texts = {row.source: row.source_text for row in rows} | {row.target: row.target_text for row in rows}
    known = {view.block_id(at): at for at in range(len(view))}
    nodes = [
        OutlineNode(block, text, sorts.get(block) or _kind(view, known[block]), int(view.blocks.page[known[block]]))
        for block, text in sorted(texts.items(), key=lambda item: known[item[0]])
    ]
    return LayerGraph(name, nodes, [Edge(row.source, row.target, row.kind, row.weight) for row in rows])


def _kind(view: View, row: int) -> str:
    return view.blocks.kind_of(row).label


def of_clusters(view: View) -> LayerGraph:
    """Return the cross-page tree: clusters, leaves, and who is a member of what."""
    tree = view.layer(TOPOLOGY_TABLE)
    nodes = [
        OutlineNode(f"n{at}", text[:_NODE], f"level {level}", _first_page(view, tree.blocks_of(at).tolist()))
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
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", on_one_line(text))
