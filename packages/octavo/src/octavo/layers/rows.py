"""What indexing added to a document, row by row, as it is shown and exported; and how much each layer holds."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from octavo.evidence import View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE, NODE_COMMUNITIES_TABLE
from octavo.evidence.layer_tables import (
    COMMUNITIES_TABLE,
    DESCRIPTIONS_TABLE,
    ENTITIES_TABLE,
    LINKS_TABLE,
    SUMMARIES_TABLE,
    TOPOLOGY_TABLE,
    graph_table,
)
from octavo.layers import LAYERS as BUILT_LAYERS
from octavo.layers import OPTIONAL_LAYERS
from octavo_documents.document import Kind, LinkKind, LinkOrigin
from octavo_documents.document.columns import Rows
from octavo_documents.text.lines import on_one_line

_TEXT = 160
"""Characters of a block's text that are told with it."""
STRUCTURE = frozenset({LinkKind.NEXT.label, LinkKind.PART_OF.label})
"""Kinds of link that the order of blocks says already."""


@dataclasses.dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity with the number of its mentions and relations, and the pages it is mentioned on."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    description: str
    mentions: int
    relations: int
    pages: tuple[int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class LinkRow:
    """A link; `words` made it, `by` is `rule` or `model`, `weight` 0..1; `pages` are those of source and target."""

    source: str
    target: str
    kind: str
    words: str
    by: str
    weight: float
    pages: tuple[int, ...]
    source_text: str
    target_text: str


@dataclasses.dataclass(frozen=True, slots=True)
class SummaryRow:
    """A summary of an element, a page or a section, and the first and last block it stands for."""

    of: str
    place: str
    block: str
    last_block: str
    pages: tuple[int, ...]
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster of the cross-page tree: its level from 1, its members on the level below, how many leaves it holds."""

    id: str
    level: int
    heading: str
    text: str
    members: tuple[str, ...]
    leaves: int
    pages: tuple[int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class CommunityRow:
    """Blocks that links hold together: how many, the headings among them, and the beginning of the first one."""

    id: str
    blocks: int
    headings: tuple[str, ...]
    text: str
    pages: tuple[int, ...]


Row = EntityRow | LinkRow | SummaryRow | ClusterRow | CommunityRow


@dataclasses.dataclass(frozen=True, slots=True)
class ShownLayer:
    """A layer that can be looked at: what it needs to be read, and its rows for a view of one document."""

    layers: frozenset[str]
    rows: Callable[[View], Sequence[Row]]


def entities(view: View) -> list[EntityRow]:
    """Return the entities, the most mentioned first."""
    graph = view.layer(ENTITIES_TABLE)
    places = _grouped(graph.mentions.entity.tolist(), graph.mentions.block.tolist())
    related = Counter([*graph.relations.source.tolist(), *graph.relations.target.tolist()])
    table = graph.entities
    rows = [
        EntityRow(
            id=f"e{at}",
            name=table.name[at],
            type=table.type[at],
            aliases=tuple(filter(None, table.aliases[at].split("\n"))),
            description=table.description[at],
            mentions=len(places[at]),
            relations=related[at],
            pages=_pages(view, places[at]),
        )
        for at in range(len(graph))
    ]
    return sorted(rows, key=lambda row: -row.mentions)


def links(view: View) -> list[LinkRow]:
    """Return the links, those of mere order and sections last."""
    table = view.layer(LINKS_TABLE)
    rows = [
        LinkRow(
            source=view.block_id(source),
            target=view.block_id(target),
            kind=LinkKind(kind).label,
            words=words,
            by=LinkOrigin(origin).label,
            weight=round(weight, 3),
            pages=_pages(view, (source, target)),
            source_text=_text(view, source),
            target_text=_text(view, target),
        )
        for source, target, kind, words, origin, weight in zip(
            table.source.tolist(),
            table.target.tolist(),
            table.kind.tolist(),
            table.text,
            table.origin.tolist(),
            table.weight.tolist(),
            strict=True,
        )
    ]
    return sorted(rows, key=lambda row: row.kind in STRUCTURE)


def summaries(view: View) -> list[SummaryRow]:
    """Return the summaries: sections, then pages, then elements, each in reading order."""
    table = view.layer(SUMMARIES_TABLE)
    rows = [
        SummaryRow(
            of=target,
            place=_place(view, target, start),
            block=view.block_id(start),
            last_block=view.block_id(stop - 1),
            pages=_pages(view, range(start, stop)),
            text=text,
        )
        for target, start, stop, text in zip(
            table.target, table.start.tolist(), table.stop.tolist(), table.text, strict=True
        )
        if start < stop
    ]
    order = ("section", "page", "element")
    return sorted(rows, key=lambda row: order.index(row.of))


def clusters(view: View) -> list[ClusterRow]:
    """Return the clusters of the cross-page tree, the highest level first."""
    tree = view.layer(TOPOLOGY_TABLE)
    levels: list[int] = tree.nodes.level.tolist()
    leaves: dict[int, frozenset[int]] = {at: frozenset((at,)) for at, level in enumerate(levels) if level == 0}
    members = _grouped(tree.memberships.cluster.tolist(), tree.memberships.member.tolist())
    rows: list[ClusterRow] = []
    for at in (at for at, level in enumerate(levels) if level):
        leaves[at] = frozenset[int]().union(*(leaves[member] for member in members[at]))
        rows.append(
            ClusterRow(
                id=f"n{at}",
                level=levels[at],
                heading=tree.nodes.heading[at],
                text=tree.nodes.text[at],
                members=tuple(f"n{member}" for member in sorted(members[at])),
                leaves=len(leaves[at]),
                pages=_pages(view, tree.blocks_of(at).tolist()),
            )
        )
    return sorted(rows, key=lambda row: -row.level)


def communities(view: View) -> list[CommunityRow]:
    """Return the communities, the largest first."""
    labels = view.layer(COMMUNITIES_TABLE)
    order = np.argsort(labels, kind="stable")
    found = _grouped(labels[order].tolist(), order.tolist())
    rows = [_community(view, number, rows) for number, rows in found.items() if number >= 0]
    return sorted(rows, key=lambda row: -row.blocks)


def _community(view: View, number: int, rows: Sequence[int]) -> CommunityRow:
    headings = tuple(_text(view, row) for row in rows if view.blocks.kind_of(row) == Kind.HEADING)
    first = next((row for row in rows if view.blocks.kind_of(row) != Kind.HEADING), rows[0])
    return CommunityRow(f"c{number}", len(rows), headings, _text(view, first), _pages(view, rows))


LAYERS: Mapping[str, ShownLayer] = {
    "entities": ShownLayer(frozenset({"entities"}), entities),
    "links": ShownLayer(frozenset({"links"}), links),
    "summaries": ShownLayer(frozenset({"summaries"}), summaries),
    "clusters": ShownLayer(frozenset({"topology"}), clusters),
    "communities": ShownLayer(frozenset({"communities", "links"}), communities),
}
"""What can be looked at, by the name it is asked for under."""


def on_page(rows: Sequence[Row], page: int | None) -> list[Row]:
    """Return the rows that have to do with a page, all for None."""
    return [row for row in rows if page is None or page in row.pages]


def _grouped(keys: Iterable[int], values: Iterable[int]) -> defaultdict[int, list[int]]:
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        groups[key].append(value)
    return groups


def _pages(view: View, rows: Iterable[int] | Rows) -> tuple[int, ...]:
    """Return the physical pages on which blocks start, each once, ascending."""
    return tuple(np.unique(view.blocks.page[list(rows)]).tolist())


def _text(view: View, row: int) -> str:
    """Return the beginning of a block's text, its kind where it has none."""
    text = on_one_line(view.blocks.text[row][: 2 * _TEXT])
    return text[:_TEXT] if text else view.blocks.kind_of(row).label


def _place(view: View, target: str, row: int) -> str:
    """Return what a summary is of: "page 12", or the path of a section, an element's with its kind."""
    path = " > ".join(on_one_line(title) for title in view.blocks.section_path(row))
    if target == "page":
        return f"page {int(view.blocks.page[row])}"
    kind = view.blocks.kind_of(row).label
    return path if target == "section" else " in ".join(filter(None, (kind, path)))


@dataclasses.dataclass(frozen=True, slots=True)
class LayerCount:
    """A stored layer: `by` is `rule` or `model`, `rows` of the thing named `what`; None where it is not counted."""

    layer: str
    by: str
    rows: int | None
    what: str


def _vectors(name: str, view: View) -> int:
    return len(view.vectors(name))


_ROWS: Mapping[str, tuple[str, Callable[[View], int]]] = {
    "passages": ("passages", lambda view: len(view.passages)),
    "vectors": ("vectors", partial(_vectors, "vectors")),
    "links": ("links", lambda view: len(view.layer(LINKS_TABLE))),
    "communities": ("communities", lambda view: int(view.layer(COMMUNITIES_TABLE).max(initial=-1)) + 1),
    "descriptions": ("descriptions", lambda view: len(view.layer(DESCRIPTIONS_TABLE))),
    "summaries": ("summaries", lambda view: len(view.layer(SUMMARIES_TABLE))),
    "entities": ("entities", lambda view: len(view.layer(ENTITIES_TABLE))),
    "basic_entities": ("entities", lambda view: len(view.layer(graph_table("basic_entities")))),
    "bookindex": ("entities", lambda view: len(view.layer(graph_table("bookindex")))),
    "topology": ("leaves and clusters", lambda view: len(view.layer(TOPOLOGY_TABLE))),
    "document_graph": ("nodes", lambda view: len(view.layer(DOCUMENT_GRAPH_TABLE))),
    "document_graph_communities": (
        "communities",
        lambda view: int(view.layer(NODE_COMMUNITIES_TABLE).max(initial=-1)) + 1,
    ),
}


def counted(layers: Mapping[str, str], view: View) -> list[LayerCount]:
    """Return the layers of a document in build order; `layers` says by name who decided."""
    known = [name for name in (*BUILT_LAYERS, *OPTIONAL_LAYERS) if name in layers]
    return [_counted(name, layers[name], view) for name in (*known, *sorted(layers.keys() - {*known}))]


def _counted(name: str, by: str, view: View) -> LayerCount:
    vectors = ("vectors", partial(_vectors, name)) if name.endswith("_vectors") else None
    found = _ROWS.get(name, vectors)
    return LayerCount(name, by, None, "") if found is None else LayerCount(name, by, found[1](view), found[0])
