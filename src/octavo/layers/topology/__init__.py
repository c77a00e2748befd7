"""The topology layer: leaves of a document, clustered by meaning across its pages, summed up level by level.

MMRAG-DocQA, equations 7 and 8. Leaves have the vectors of the passages they are of, which are there already and know
the headings above. When a document changes, new leaves join clusters there are, and only what changed is summed up
again.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from octavo.decisions.summarize import SUMMARIZE
from octavo.document import Document, PassageTable
from octavo.document.view import vectors_of_bytes
from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.topology.clustering import (
    DIMENSIONS,
    LEAST_PROBABILITY,
    NEIGHBOURS,
    Memberships,
    assigned,
    clusters_of,
)
from octavo.layers.topology.tree import (
    LEAF_TOKENS,
    ROOM,
    Leaf,
    Levels,
    Node,
    cluster,
    leaf,
    leaves_of,
    of_bytes,
    size_of,
    summed_up,
    to_bytes,
)
from octavo.layers.vectors import unit

MOST_LEVELS = 5
"""Levels above the leaves."""
_MOST_NEW = 0.2
"""Share of leaves that may be new: a tree that has grown more is built anew, as no cluster is ever parted here."""
_TOGETHER = 256
"""New leaves that are compared with all old ones at a time, which bounds the memory."""


def built(inputs: LayerInputs) -> Levels:
    """Return the tree of a document; no level at all for one without text."""
    found, headings = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    if not found:
        return []
    levels = [nodes_of(inputs, found, headings)]
    groups = [one.passage for one in found]
    while len(levels) <= MOST_LEVELS and len(levels[-1]) > 1:
        below = levels[-1]
        levels.append(summed_up(inputs, below, _clusters(below, groups)))
        groups = list(range(len(levels[-1])))
    return levels


def _clusters(below: Sequence[Node], groups: Sequence[int]) -> Memberships:
    """Return the clusters of nodes; those of one group, which have one vector, are clustered as one."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, group in enumerate(groups):
        members[group].append(at)
    together = list(members.values())
    sizes = np.array([sum(size_of(below[at].text) for at in rows) for rows in together])
    found = clusters_of(unit(np.stack([below[rows[0]].vector for rows in together])), sizes, ROOM)
    return [{at: weight for number, weight in cluster.items() for at in together[number]} for cluster in found]


def read(document: Document, passages: PassageTable) -> tuple[list[Leaf], list[str]]:
    """Return the leaves of a document and the innermost heading of each."""
    found = leaves_of(document, passages)
    # Later parts of a block that was split have a table's header at the end of their path.
    whole = np.maximum.accumulate(np.where(passages.char_start == 0, np.arange(len(passages)), 0))
    return found, [passages.heading[int(whole[one.passage])].split(" > ")[-1] for one in found]


def nodes_of(inputs: LayerInputs, found: Sequence[Leaf], headings: Sequence[str]) -> list[Node]:
    """Return leaves as nodes, with the vectors of their passages."""
    vectors = vectors_of_bytes(inputs.stored["vectors"])
    nodes = zip(found, headings, strict=True)
    return [leaf(one.text, vectors[one.passage], one.blocks, heading) for one, heading in nodes]


@dataclasses.dataclass(frozen=True, slots=True)
class _Change:
    """What became of a level: where its old nodes are now, and which of the new ones say something new."""

    nodes: list[Node]
    moved: dict[int, int]
    fresh: frozenset[int]


def is_alike(stored: bytes, inputs: LayerInputs) -> bool:
    """Whether most leaves of the document of `inputs` are in a stored tree, and most of the tree's in the document."""
    levels = of_bytes(stored)
    found, _ = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    old, new = (
        Counter(node.text for node in levels[0]) if levels else Counter[str](),
        Counter(one.text for one in found),
    )
    return (old & new).total() >= (1 - _MOST_NEW) * max(old.total(), new.total(), 1)


def updated(stored: bytes, inputs: LayerInputs) -> bytes:
    """Return a stored tree brought up to the document of `inputs`, of which it was an earlier state.

    Leaves are known by their text. New ones go to the clusters of their nearest neighbours; a cluster whose members
    are the same and say the same keeps its summary, and no decision is asked for it.
    """
    levels = of_bytes(stored)
    if len(levels) < 2:
        return to_bytes(built(inputs))
    change = _leaves(levels[0], inputs)
    joined = _joined(levels, change)
    grown: Levels = [change.nodes]
    for level in levels[1:]:
        change = _level(level, change, joined, inputs)
        joined = {}
        grown.append(change.nodes)
    return to_bytes([level for level in grown if level])


def _leaves(old: Sequence[Node], inputs: LayerInputs) -> _Change:
    """Match the leaves of the document with those of the tree by text, in order; make nodes of those that are new."""
    found, headings = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    known: defaultdict[str, deque[int]] = defaultdict(deque)
    for at, node in enumerate(old):
        known[node.text].append(at)
    before = [known[one.text].popleft() if known[one.text] else None for one in found]
    new = [at for at, was in enumerate(before) if was is None]
    nodes = dict(zip(new, nodes_of(inputs, [found[at] for at in new], [headings[at] for at in new]), strict=True))
    for at, was in enumerate(before):
        if was is not None:
            nodes[at] = dataclasses.replace(old[was], blocks=frozenset(found[at].blocks))
    moved = {was: at for at, was in enumerate(before) if was is not None}
    return _Change([nodes[at] for at in range(len(found))], moved, frozenset(new))


def _joined(levels: Levels, change: _Change) -> dict[int, dict[int, float]]:
    """Return the new leaves of each first-level cluster with their probabilities."""
    new = sorted(change.fresh)
    joined: defaultdict[int, dict[int, float]] = defaultdict(dict)
    if not new:
        return joined
    known, shares = np.stack([node.vector for node in levels[0]]), _shares(levels)
    for first in range(0, len(new), _TOGETHER):
        some = new[first : first + _TOGETHER]
        found = assigned(np.stack([change.nodes[at].vector for at in some]), known, shares)
        for at, number in zip(*np.nonzero(found), strict=True):
            joined[int(number)][some[int(at)]] = float(found[at, number])
    return joined


def _shares(levels: Levels) -> Any:
    """Return the sparse (n_leaves, n_clusters) probabilities of the leaves in the clusters of the first level."""
    from scipy.sparse import csr_array

    places = [(at, number) for number, node in enumerate(levels[1]) for at in node.members]
    weights = [weight for node in levels[1] for weight in node.members.values()]
    return csr_array((weights, np.array(places, np.int64).reshape(-1, 2).T), shape=(len(levels[0]), len(levels[1])))


def _level(level: Sequence[Node], change: _Change, joined: dict[int, dict[int, float]], inputs: LayerInputs) -> _Change:
    """Return a level over a changed one: clusters left empty are gone, those with other members summed up again."""
    kept: list[tuple[int, dict[int, float]]] = []
    stale: list[int] = []
    for number, node in enumerate(level):
        members = {change.moved[at]: weight for at, weight in node.members.items() if at in change.moved}
        lost = len(members) < len(node.members)
        members |= joined.get(number, {})
        if members and (lost or change.fresh & members.keys()):
            stale.append(len(kept))
        if members:
            kept.append((number, members))
    renewed = dict(zip(stale, summed_up(inputs, change.nodes, [kept[at][1] for at in stale]), strict=True))
    nodes = [
        renewed.get(at) or cluster(level[was].text, level[was].vector, change.nodes, members)
        for at, (was, members) in enumerate(kept)
    ]
    fresh = frozenset(at for at in stale if nodes[at].text != level[kept[at][0]].text)
    return _Change(nodes, {was: at for at, (was, _) in enumerate(kept)}, fresh)


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Topology` of a document, with the vectors of its nodes under "vectors".

    Where a model sums up and most of the text was there before, the tree of before grows: what did not change is not
    paid for again.
    """
    if inputs.earlier is not None and inputs.judge.has_model(SUMMARIZE.name) and is_alike(inputs.earlier, inputs):
        return updated(inputs.earlier, inputs)
    return to_bytes(built(inputs))


TOPOLOGY = Layer(
    name="topology",
    version=2,
    reads=("passages", "vectors"),
    build=build,
    model=text_embedding,
    decisions=(SUMMARIZE.name,),
    parameters=(
        f"leaf={LEAF_TOKENS} room={ROOM} dimensions={DIMENSIONS} neighbours={NEIGHBOURS} "
        f"probability={LEAST_PROBABILITY} levels={MOST_LEVELS}"
    ),
    estimate=rehearsed(build),
    grows=True,
)
