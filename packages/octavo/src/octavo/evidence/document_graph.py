"""The symbolic document graph (LAD-RAG section 2.1): what a reader of pages sees on each, tied to blocks.

A node is an element of a page and goes by its number in the table; several may stand at one block.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from octavo.evidence.layer_tables import LayerTable, PlaceTable, communities_table
from octavo_documents.document.blocks import Kind
from octavo_documents.document.columns import Rows, Table, TextColumn, column, damaged, pack, text_column, unpack
from octavo_documents.document.links import LinkOrigin, LinkTable

POSITIONS = (
    "top-left",
    "top",
    "top-right",
    "left",
    "center",
    "right",
    "bottom-left",
    "bottom",
    "bottom-right",
)
"""Where on a page something stands, row by row of three by three fields; the number is what a table stores."""


def position_of(box: Sequence[float], width: float, height: float) -> int:
    """Return the index in `POSITIONS` of the middle of a box (x0, y0, x1, y1) on a page of so many points.

    What is wider than two thirds of the page, or has a page without a size, stands in the middle column.
    """
    x0, y0, x1, y1 = box
    across = 1 if width <= 0 or x1 - x0 > width * 2 / 3 else _third((x0 + x1) / 2, width)
    return 3 * (1 if height <= 0 else _third((y0 + y1) / 2, height)) + across


def _third(at: float, size: float) -> int:
    return min(2, max(0, int(3 * at / size)))


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SeenTable(Table):
    """Nodes of the graph, page after page, in the order in which each page was told."""

    row_space: ClassVar[str] = "node"

    row: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    """The block that the node stands at: of an element the element, of a text the one with most of its words."""
    kind: npt.NDArray[np.uint8] = column("u1")
    """The `Kind` that whoever read the page takes it for."""
    position: npt.NDArray[np.uint8] = column("u1")
    """Where on its page it stands: an index of `POSITIONS`."""
    title: TextColumn = text_column()
    content: TextColumn = text_column()
    """What it displays, as it was read."""
    summary: TextColumn = text_column()
    """What it says, told so that it can be read alone."""
    look: TextColumn = text_column()
    """Its font, size, colour and the like, in words."""
    origin: npt.NDArray[np.uint8] = column("u1", absent=LinkOrigin.RULE)
    """The `LinkOrigin` of who read it."""

    def kind_of(self, node: int) -> Kind:
        """Return what whoever read the page takes the node for."""
        return Kind(self.kind.item(node))


@dataclasses.dataclass(frozen=True)
class DocumentGraph:
    """The graph of one document, or the graphs of several: nodes, the blocks of each, and links from node to node.

    `source` and `target` of a link are numbers of nodes. A relation of the model's own that has no `LinkKind` is a
    reference; how it was said stands first in its `text`.
    """

    nodes: SeenTable
    places: PlaceTable
    """The blocks whose words each node has, and the one it stands at."""
    links: LinkTable
    memory: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """The running memory after the last page of one document: sections, entities, topics and what is unresolved."""
    pages_read: tuple[int, ...] = ()
    """The pages of one document that a model has read; rules have read the others."""

    def __len__(self) -> int:
        return len(self.nodes)

    @classmethod
    def join(cls, graphs: Sequence[Self], block_shifts: Sequence[int]) -> Self:
        """Return the graphs of several documents; `block_shifts[i]` is the first row of document i's blocks."""
        if len(graphs) == 1 and block_shifts[0] == 0:
            return graphs[0]
        starts = np.cumsum([0, *(len(graph) for graph in graphs)])[:-1].tolist()
        shifts = {"block": block_shifts, "node": starts}
        return cls(
            SeenTable.join([graph.nodes for graph in graphs], shifts),
            PlaceTable.join([graph.places for graph in graphs], shifts),
            # What is a row of blocks in a table of links is a node here.
            LinkTable.join([graph.links for graph in graphs], {"block": starts}),
        )

    def blocks_of(self, node: int) -> Rows:
        """Return the rows of the blocks that a node has the words of, and of the one it stands at, ascending."""
        return self.places.blocks_of(node)

    def to_bytes(self) -> bytes:
        """Pack the graph; `from_bytes` gives an equal one."""
        arrays = self.nodes.arrays("nodes") | self.places.arrays("places") | self.links.arrays("links")
        return pack(arrays, {"memory": dict(self.memory), "pages_read": list(self.pages_read)})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a graph; raise CorpusError (`damaged`) when the bytes are not one."""
        arrays, header = unpack(data)
        try:
            graph = cls(
                SeenTable.of_arrays(arrays, "nodes"),
                PlaceTable.of_arrays(arrays, "places"),
                LinkTable.of_arrays(arrays, "links"),
                dict(header.get("memory", {})),
                tuple(header.get("pages_read", ())),
            )
            graph.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return graph

    def check(self) -> None:
        """Raise ValueError unless every position, and every node that a place or a link names, exists."""
        if len(self) and int(self.nodes.position.max()) >= len(POSITIONS):
            raise ValueError("a node stands nowhere on its page")
        self.places.check(len(self))
        for ends in (self.links.source, self.links.target):
            if len(ends) and not (ends.min() >= 0 and ends.max() < len(self)):
                raise ValueError("a link is of a node that does not exist")


DOCUMENT_GRAPH_TABLE: LayerTable[DocumentGraph] = LayerTable(
    "document_graph", DocumentGraph.from_bytes, DocumentGraph.join
)
"""What whoever read the pages saw on them, and how it hangs together; its blocks count rows of the view."""
NODE_COMMUNITIES_TABLE = communities_table("document_graph_communities")
"""The community of each node of the document graph."""
