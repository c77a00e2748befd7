"""The tree while it is made: levels of nodes, what is said of clusters, and its packing with vectors.

What a model writes of a cluster is embedded. Where the rule copies sentences a cluster has the mean of its members,
which is not scaled to length 1, so that its product with a question is the mean of theirs: measured, a search over all
levels then finds more, as no cluster stands before the best of its members.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine.prompt import first_that_fit
from octavo.decisions.summarize import SUMMARIZE, Part, SummaryContext
from octavo.document import TextColumn
from octavo.document.clusters import MembershipTable, NodeTable, PlaceTable, Topology
from octavo.document.view import vectors_of_bytes
from octavo.layers.base import LayerInputs
from octavo.models.language import estimate_tokens

Vector = npt.NDArray[np.float32]
_HEADINGS = 2
"""Most frequent headings by which a cluster is named."""
ROOM = SUMMARIZE.item_tokens - 80
"""Estimated tokens of the members that one summary is made from; the rest is for the headings."""
KIND = "group of passages"
_LONGEST_WHERE = 120


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A leaf or a cluster; `members` are positions in the level below with their probabilities, empty for a leaf.

    A vector is of length 1, or shorter where it is the mean of others.
    """

    text: str
    vector: Vector
    members: Mapping[int, float]
    blocks: frozenset[int]
    headings: Counter[str]
    """How many of its leaves stand under each heading."""

    @property
    def heading(self) -> str:
        """Return its most frequent headings; of two as frequent the one that came first."""
        return "; ".join(heading for heading, _ in self.headings.most_common(_HEADINGS))


Levels = list[list[Node]]
"""Nodes by level, leaves first."""


def leaf(text: str, vector: Vector, blocks: Iterable[int], heading: str) -> Node:
    """Return a leaf."""
    return Node(text, vector, {}, frozenset(map(int, blocks)), Counter([heading] if heading else []))


def cluster(text: str, vector: Vector, below: Sequence[Node], members: Mapping[int, float]) -> Node:
    """Return a cluster with the blocks and headings of its members."""
    ordered = dict(sorted(members.items()))
    blocks = frozenset[int]().union(*(below[at].blocks for at in ordered))
    headings = Counter[str]()
    for at in ordered:
        headings.update(below[at].headings)
    return Node(text, vector, ordered, blocks, headings)


def to_bytes(levels: Levels) -> bytes:
    """Pack levels as a `Topology` with the vectors of its nodes (float16)."""
    nodes = [node for level in levels for node in level]
    starts = np.cumsum([0, *(len(level) for level in levels)]).tolist()
    edges = [
        (starts[depth] + at, starts[depth - 1] + member, weight)
        for depth, level in enumerate(levels)
        for at, node in enumerate(level)
        for member, weight in node.members.items()
    ]
    places = [(at, block) for at, node in enumerate(nodes) for block in sorted(node.blocks)]
    table = NodeTable(
        text=TextColumn.of(node.text for node in nodes),
        heading=TextColumn.of(node.heading for node in nodes),
        level=np.repeat(np.arange(len(levels), dtype=np.int32), [len(level) for level in levels]),
    )
    owners, members, weights = _columns(edges, 3)
    memberships = MembershipTable(owners.astype(np.int32), members.astype(np.int32), weights.astype(np.float32))
    standing, blocks = (column.astype(np.int32) for column in _columns(places, 2))
    vectors = np.stack([node.vector for node in nodes]) if nodes else np.zeros((0, 0))
    return Topology(table, memberships, PlaceTable(standing, blocks)).to_bytes(vectors.astype(np.float16))


def of_bytes(data: bytes) -> Levels:
    """Unpack what `to_bytes` wrote; raise CorpusError (`damaged`) when the bytes are not a tree with vectors."""
    tree, vectors = Topology.from_bytes(data), vectors_of_bytes(data)
    nodes = tree.nodes
    first: list[int] = np.searchsorted(nodes.level, np.arange(int(nodes.level.max(initial=-1)) + 2)).tolist()
    members = _members(tree, first)
    levels: Levels = []
    for depth, (start, stop) in enumerate(pairwise(first)):
        rows = range(start, stop)
        if depth:
            levels.append([cluster(nodes.text[at], vectors[at], levels[-1], members[at]) for at in rows])
        else:
            levels.append([leaf(nodes.text[at], vectors[at], tree.blocks_of(at), nodes.heading[at]) for at in rows])
    return levels


def _members(tree: Topology, first: Sequence[int]) -> list[dict[int, float]]:
    """Return the members of each node by their position in their level; `first` are the first nodes of the levels."""
    members: list[dict[int, float]] = [{} for _ in range(len(tree))]
    edges = tree.memberships
    below = np.asarray([*first, 0])[tree.nodes.level[edges.member]]
    positions = (edges.member - below).tolist()
    for owner, position, weight in zip(edges.cluster.tolist(), positions, edges.weight.tolist(), strict=True):
        members[owner][position] = weight
    return members


def _columns(rows: Sequence[tuple[float, ...]], width: int) -> list[npt.NDArray[np.float64]]:
    return list(np.array(rows, np.float64).reshape(len(rows), width).T)


def summed_up(inputs: LayerInputs, below: Sequence[Node], clusters: Sequence[Mapping[int, float]]) -> list[Node]:
    """Return a node for each cluster of `below`, with its summary and its vector."""
    if not clusters:
        return []
    asked = [_part(below, members) for members in clusters]
    decided = inputs.judge.decide_items(SUMMARIZE, context_of(inputs), asked)
    vectors = [_mean(below, members) for members in clusters]
    written = [at for at, one in enumerate(decided) if one.by != "rule"]
    if written:
        meant = inputs.embedder().embed([decided[at].output.summary for at in written])
        for at, vector in zip(written, meant, strict=True):
            vectors[at] = vector
    rows = zip(decided, vectors, clusters, strict=True)
    return [cluster(one.output.summary, vector, below, members) for one, vector, members in rows]


def _mean(below: Sequence[Node], members: Mapping[int, float]) -> Vector:
    """Return the mean of the members' vectors, weighted by their probabilities."""
    weights = np.array(list(members.values()), np.float32)
    return weights @ np.stack([below[row].vector for row in members]) / weights.sum()


def context_of(inputs: LayerInputs) -> SummaryContext:
    """Return what all summaries of a document are asked with."""
    return SummaryContext(inputs.document.metadata.title.strip() or inputs.document.name)


def shown_of(below: Sequence[Node], members: Mapping[int, float]) -> list[int]:
    """Return the members that are read, in order: those nearest to the middle of the cluster that fit together."""
    rows = list(members)
    middle = np.sum([below[row].vector * weight for row, weight in members.items()], axis=0)
    central = sorted(rows, key=lambda row: (-round(float(below[row].vector @ middle), 4), row))
    fitting, _ = first_that_fit([below[row].text for row in central], ROOM)
    return sorted(central[: len(fitting)])


def _part(below: Sequence[Node], members: Mapping[int, float]) -> Part:
    """Return what is asked about a cluster; headings are said over leaves only: summaries say theirs themselves."""
    shown = shown_of(below, members)
    where = "" if below[shown[0]].members else cluster("", below[shown[0]].vector, below, members).heading
    return Part(KIND, where[:_LONGEST_WHERE], "\n".join(below[row].text for row in shown))


def size_of(text: str) -> int:
    """Return what a member takes of the room."""
    return estimate_tokens(text) + 1
