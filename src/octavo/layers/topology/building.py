"""The tree from nothing: leaves, clusters, their summaries, clusters of these (MMRAG-DocQA, eq. 7 and 8).

Owns the order of the steps and when they end. Knows nothing about how the tree is stored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document import Document, PassageTable
from octavo.layers.base import LayerInputs
from octavo.layers.topology.clustering import clusters_of
from octavo.layers.topology.leaves import Leaf, leaves_of
from octavo.layers.topology.summaries import ROOM, size_of, summed_up
from octavo.layers.topology.tree import Levels, Node, leaf

MOST_LEVELS = 5
"""Levels above the leaves."""


def built(inputs: LayerInputs) -> Levels:
    """Return the tree of a document; no level at all for one without text."""
    found, headings = read(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    if not found:
        return []
    levels = [embedded(inputs, found, headings)]
    while len(levels) <= MOST_LEVELS and len(levels[-1]) > 1:
        below = levels[-1]
        sizes = np.array([size_of(node.text) for node in below])
        clusters = clusters_of(np.stack([node.vector for node in below]), sizes, ROOM)
        levels.append(summed_up(inputs, below, clusters))
    return levels


def read(document: Document, passages: PassageTable) -> tuple[list[Leaf], list[str]]:
    """Return the leaves of a document and the innermost heading of each."""
    found = leaves_of(document, passages)
    return found, [passages.heading[leaf.passage].split(" > ")[-1] for leaf in found]


def embedded(inputs: LayerInputs, found: Sequence[Leaf], headings: Sequence[str]) -> list[Node]:
    """Return leaves as nodes, with their vectors."""
    report = inputs.progress

    def advance(done: int) -> None:
        if report:
            report(done, len(found))

    if not found:
        return []
    vectors = inputs.embedder().embed([one.text for one in found], progress=advance)
    nodes = zip(found, headings, vectors, strict=True)
    return [leaf(one.text, vector, one.blocks, heading) for one, heading, vector in nodes]
