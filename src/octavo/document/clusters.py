"""The cross-page tree over a document's text: leaves, clusters of them, clusters of clusters (MMRAG-DocQA, eq. 7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from octavo.document.columns import Rows, Table, TextColumn, column, damaged, pack, text_column, unpack


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
    """The blocks that stand behind each node, clusters with those of all their leaves; in order of node, then block."""

    node: npt.NDArray[np.int32] = column("<i4", rows_of="node")
    block: npt.NDArray[np.int32] = column("<i4", rows_of="block")


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

    @cached_property
    def _first_place(self) -> npt.NDArray[np.int64]:
        return np.searchsorted(self.places.node, np.arange(len(self) + 1))

    def blocks_of(self, node: int) -> Rows:
        """Return the rows of the blocks behind a node, ascending; their pages are the node's pages."""
        first, last = self._first_place[node : node + 2]
        return self.places.block[first:last].astype(np.int64)

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
        for rows in (cluster, member, self.places.node):
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self)):
                raise ValueError("a membership or place is of a node that does not exist")
        if not np.array_equal(self.nodes.level[cluster], self.nodes.level[member] + 1):
            raise ValueError("a member is not one level under its cluster")
        if bool((np.diff(self.places.node) < 0).any()) or bool((self.places.block < 0).any()):
            raise ValueError("places are not in order of node")
