"""The tree from nothing: leaves, clusters, their summaries, clusters of these (MMRAG-DocQA, eq. 7 and 8).

Owns the order of the steps and when they end, and what vectors leaves have: those of the passages they are of, which
are there already and know the headings above. Knows nothing about how the tree is stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from octavo.document import Document, PassageTable
from octavo.document.view import vectors_of_bytes
from octavo.layers.base import LayerInputs
from octavo.layers.embedding import unit
from octavo.layers.topology.clustering import clusters_of
from octavo.layers.topology.leaves import Leaf, leaves_of
from octavo.layers.topology.mixtures import Memberships
from octavo.layers.topology.summaries import ROOM, size_of, summed_up
from octavo.layers.topology.tree import Levels, Node, leaf

MOST_LEVELS = 5
"""Levels above the leaves."""


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
