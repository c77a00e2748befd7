"""Tables that layers add to a document's blocks: passages, the graph of entities, the tree of clusters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from octavo_documents.document.columns import Array, Rows, Table, TextColumn, column, damaged, pack, text_column, unpack
from octavo_documents.document.links import LinkTable

_T = TypeVar("_T")
_Rows = TypeVar("_Rows", bound=Table)
_Labels = npt.NDArray[np.int32]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PassageTable(Table):
    """Runs of blocks inside one page and one section.

    A passage holds the blocks of rows `[start, stop)` that are not page furniture. A block too long for one passage
    is split: then `stop = start + 1` and the text is characters `[char_start, char_stop)` of that block.
    """

    row_space: ClassVar[str] = "passage"

    text: TextColumn = text_column()
    heading: TextColumn = text_column()
    """The heading path, outermost first, joined by " > "; it prefixes the text in search, never in quotes."""
    start: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    stop: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    page: npt.NDArray[np.int32] = column("<i4")
    char_start: npt.NDArray[np.int32] = column("<i4")
    char_stop: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SummaryTable(Table):
    """Text that stands for a page, a section, an element or a cluster."""

    row_space: ClassVar[str] = "summary"

    text: TextColumn = text_column()
    target: TextColumn = text_column()
    """What it summarises: `page`, `section`, `element` or `cluster`; of what pages say: `text`, `table`, `layout` or
    `description`, and `chunk` of these."""
    start: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    stop: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    level: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class TermTable(Table):
    """The vocabulary of one document, sorted; term i's postings are rows `[first[i], first[i + 1])`."""

    term: TextColumn = text_column()
    first: npt.NDArray[np.int32] = column("<i4")
    """Row of the term's first posting; the last row holds the empty term and the number of postings."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PostingTable(Table):
    """Postings grouped by term: in passage `passage` the term stands `count` times."""

    passage: npt.NDArray[np.int32] = column("<i4", rows_of="passage")
    count: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class EntityTable(Table):
    """Entities of a document, one row each after resolution."""

    row_space: ClassVar[str] = "entity"

    name: TextColumn = text_column()
    type: TextColumn = text_column()
    description: TextColumn = text_column()
    aliases: TextColumn = text_column()
    """Its other names, one a line, those that stand most often first."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class MentionTable(Table):
    """Where entities stand: the links between graph and blocks (BookRAG's GT-Link M)."""

    entity: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    start: npt.NDArray[np.int32] = column("<i4")
    """Offset of the mention in the block's text, in characters; -1 when it is not verbatim."""
    stop: npt.NDArray[np.int32] = column("<i4")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class RelationTable(Table):
    """Typed, directed, weighted relations between entities; several between the same two are kept."""

    source: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    target: npt.NDArray[np.int32] = column("<i4", rows_of="entity")
    type: TextColumn = text_column()
    description: TextColumn = text_column()
    weight: npt.NDArray[np.float32] = column("<f4")
    """In (0, 1]."""
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    """The block that states it."""


@dataclasses.dataclass(frozen=True)
class Graph:
    """Entities with their mentions and relations; the mentions are the links M between graph and blocks (BookRAG)."""

    entities: EntityTable
    mentions: MentionTable
    relations: RelationTable
    statistics: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """How the graph of one document was made and what it came to: counts by name; empty for joined graphs."""

    def __len__(self) -> int:
        return len(self.entities)

    @classmethod
    def empty(cls) -> Self:
        """Return a graph without entities."""
        return cls(EntityTable.empty(), MentionTable.empty(), RelationTable.empty())

    @classmethod
    def join(cls, graphs: Sequence[Self], block_shifts: Sequence[int]) -> Self:
        """Return the graphs of several documents as one; `block_shifts[i]` is the first row of document i's blocks."""
        if len(graphs) == 1 and block_shifts[0] == 0:
            return graphs[0]
        starts = np.cumsum([0, *(len(graph.entities) for graph in graphs)])[:-1].tolist()
        shifts = {"block": block_shifts, "entity": starts}
        return cls(
            EntityTable.join([graph.entities for graph in graphs]),
            MentionTable.join([graph.mentions for graph in graphs], shifts),
            RelationTable.join([graph.relations for graph in graphs], shifts),
        )

    def links(self) -> tuple[Rows, Rows, npt.NDArray[np.float32]]:
        """Return M by its entries: (entity rows, block rows, times mentioned), each pair once, in order of entity."""
        span = int(self.mentions.block.max(initial=0)) + 1
        keys = self.mentions.entity.astype(np.int64) * span + self.mentions.block
        distinct, counts = np.unique(keys, return_counts=True)
        return distinct // span, distinct % span, counts.astype(np.float32)

    def edges(self) -> tuple[Rows, Rows, npt.NDArray[np.float32]]:
        """Return the relations for a walk over entities: (source, target, weight), both ways, each pair once.

        The weight of a pair is the most that any of its relations has, in (0, 1].
        """
        known = self.relations.source != self.relations.target
        source, target = (column[known].astype(np.int64) for column in (self.relations.source, self.relations.target))
        weight = self.relations.weight[known]
        span = max(1, len(self.entities))
        keys = np.concatenate([source * span + target, target * span + source])
        distinct, inverse = np.unique(keys, return_inverse=True)
        strongest = np.zeros(len(distinct), np.float32)
        np.maximum.at(strongest, inverse, np.concatenate([weight, weight]))
        return distinct // span, distinct % span, strongest

    def to_bytes(self) -> bytes:
        """Pack the graph; `from_bytes` gives an equal one."""
        arrays = self.entities.arrays("entities") | self.mentions.arrays("mentions")
        return pack(arrays | self.relations.arrays("relations"), {"statistics": dict(self.statistics)})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a graph; raise CorpusError (`damaged`) when the bytes are not one."""
        arrays, header = unpack(data)
        try:
            graph = cls(
                EntityTable.of_arrays(arrays, "entities"),
                MentionTable.of_arrays(arrays, "mentions"),
                RelationTable.of_arrays(arrays, "relations"),
                dict(header.get("statistics", {})),
            )
            graph.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return graph

    def check(self) -> None:
        """Raise ValueError unless mentions and relations are of entities that there are, with weights in (0, 1]."""
        for rows in (self.mentions.entity, self.relations.source, self.relations.target):
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self.entities)):
                raise ValueError("a mention or relation is of an entity that does not exist")
        weight = self.relations.weight
        if not bool(((weight > 0) & (weight <= 1)).all()):
            raise ValueError("a relation's weight is not in (0, 1]")


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class NodeTable(Table):
    """Leaves and clusters of a document: leaves first in reading order, then level after level."""

    row_space: ClassVar[str] = "node"

    text: TextColumn = text_column()
    """A leaf's own text, a cluster's summary."""
    heading: TextColumn = text_column()
    """A leaf's innermost heading, the most frequent headings of a cluster joined by "; "; empty for none."""
    level: npt.NDArray[np.int32] = column("<i4")
    """0 for leaves, 1 for clusters of leaves, and so on."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class MembershipTable(Table):
    """Which nodes of the level below a cluster holds; a node may be in several."""

    cluster: npt.NDArray[np.int32] = column("<i4", rows_of="node")
    member: npt.NDArray[np.int32] = column("<i4", rows_of="node")
    weight: npt.NDArray[np.float32] = column("<f4")
    """Probability that the member belongs to the cluster, in (0, 1]."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PlaceTable(Table):
    """The blocks behind each node of a tree or graph, in order of node, then block; of a cluster its leaves' blocks."""

    node: npt.NDArray[np.int32] = column("<i4", rows_of="node")
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")

    def blocks_of(self, node: int) -> Rows:
        """Return the rows of the blocks behind a node, ascending."""
        first, last = np.searchsorted(self.node, (node, node + 1)).tolist()
        return self.block[first:last].astype(np.int64)

    def check(self, nodes: int) -> None:
        """Raise ValueError unless places go by node, and each is of one of so many nodes."""
        if bool((np.diff(self.node) < 0).any()) or bool((self.block < 0).any()):
            raise ValueError("places are not in order of node")
        if len(self) and not (self.node[0] >= 0 and self.node[-1] < nodes):
            raise ValueError("a place is of a node that does not exist")


@dataclasses.dataclass(frozen=True)
class Topology:
    """The tree of one document, or the trees of several."""

    nodes: NodeTable
    memberships: MembershipTable
    places: PlaceTable

    def __len__(self) -> int:
        return len(self.nodes)

    @classmethod
    def empty(cls) -> Self:
        """Return a tree without nodes."""
        return cls(NodeTable.empty(), MembershipTable.empty(), PlaceTable.empty())

    @classmethod
    def join(cls, trees: Sequence[Self], block_shifts: Sequence[int]) -> Self:
        """Return the trees of several documents; `block_shifts[i]` is the first row of document i's blocks."""
        starts = np.cumsum([0, *(len(tree) for tree in trees)])[:-1].tolist()
        shifts = {"block": block_shifts, "node": starts}
        return cls(
            NodeTable.join([tree.nodes for tree in trees]),
            MembershipTable.join([tree.memberships for tree in trees], shifts),
            PlaceTable.join([tree.places for tree in trees], shifts),
        )

    def blocks_of(self, node: int) -> Rows:
        """Return the rows of the blocks behind a node, ascending; their pages are the node's pages."""
        return self.places.blocks_of(node)

    def to_bytes(self, vectors: npt.NDArray[np.float16] | None = None) -> bytes:
        """Pack the tree, with the (n_nodes, dimension) vectors of its nodes where they are given."""
        arrays = self.nodes.arrays("nodes") | self.memberships.arrays("memberships") | self.places.arrays("places")
        return pack(arrays if vectors is None else arrays | {"vectors": vectors}, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a tree; raise CorpusError (`damaged`) when the bytes are not one."""
        arrays, _ = unpack(data)
        try:
            tree = cls(
                NodeTable.of_arrays(arrays, "nodes"),
                MembershipTable.of_arrays(arrays, "memberships"),
                PlaceTable.of_arrays(arrays, "places"),
            )
            tree.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return tree

    def check(self) -> None:
        """Raise ValueError unless members are one level under their cluster and places go by node."""
        cluster, member = self.memberships.cluster, self.memberships.member
        for rows in (cluster, member):
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self)):
                raise ValueError("a membership is of a node that does not exist")
        if not np.array_equal(self.nodes.level[cluster], self.nodes.level[member] + 1):
            raise ValueError("a member is not one level under its cluster")
        self.places.check(len(self))


@dataclasses.dataclass(frozen=True)
class LayerTable(Generic[_T]):
    """How `View.layer` reads a layer: its name, what is made of the bytes of each document, and how these are joined.

    `join` gets what `read` returned for each document, and the first row of each document in the view. `read` is called
    once for a document, whatever views it is in: two tables of one name must read it alike.
    """

    name: str
    read: Callable[[bytes], Any]
    join: Callable[[list[Any], list[int]], _T]


def _joined_communities(parts: list[tuple[dict[str, Array], dict[str, Any]]], _first: list[int]) -> _Labels:
    """Return the communities of several documents, those of each numbered after those before."""
    joined: list[_Labels] = [np.zeros(0, np.int32)]
    count = 0
    for arrays, header in parts:
        labels = arrays["communities"]
        joined.append(np.where(labels < 0, -1, labels + count).astype(np.int32))
        count += int(header["count"])
    return np.concatenate(joined)


def communities_table(layer: str) -> LayerTable[_Labels]:
    """Return how communities are read: (n,) int32 of each row, numbered through the view; -1 for rows without links."""
    return LayerTable(layer, unpack, _joined_communities)


def _of_rows(layer: str, kind: type[_Rows]) -> LayerTable[_Rows]:
    """Return how a layer that is one table is read; its columns of blocks count rows of the view."""
    return LayerTable(layer, kind.from_bytes, lambda each, first: kind.join(each, {"block": first}))


def passage_table(layer: str) -> LayerTable[PassageTable]:
    """Return how a layer of passages is read; `start` and `stop` count rows of the view."""
    return _of_rows(layer, PassageTable)


def summary_table(layer: str) -> LayerTable[SummaryTable]:
    """Return how a layer of summaries is read; `start` and `stop` count rows of the view."""
    return _of_rows(layer, SummaryTable)


def graph_table(layer: str) -> LayerTable[Graph]:
    """Return how a graph of entities is read; blocks count rows of the view, entities stay their document's."""
    return LayerTable(layer, Graph.from_bytes, Graph.join)


def topology_table(layer: str) -> LayerTable[Topology]:
    """Return how trees of clusters are read; blocks count rows of the view, nodes go document after document."""
    return LayerTable(layer, Topology.from_bytes, Topology.join)


PASSAGES_TABLE = passage_table("passages")
LINKS_TABLE = _of_rows("links", LinkTable)
"""All links: those a document has, and what indexing adds; rows of the view."""
COMMUNITIES_TABLE = communities_table("communities")
DESCRIPTIONS_TABLE = summary_table("descriptions")
"""What figures, charts, tables and formulas show."""
SUMMARIES_TABLE = summary_table("summaries")
"""The summaries of elements, pages and sections."""
ENTITIES_TABLE = graph_table("entities")
TOPOLOGY_TABLE = topology_table("topology")
