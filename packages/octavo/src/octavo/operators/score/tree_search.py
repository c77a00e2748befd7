"""Search over the cross-page tree: to the blocks behind its best nodes, whatever their level (RAPTOR section 3)."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, Query, View
from octavo.evidence.layer_tables import TOPOLOGY_TABLE, Topology, topology_table
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.sentence_forms import Sentence, found
from octavo_documents.document import Rows
from octavo_documents.document.columns import damaged

Floats = npt.NDArray[np.float64]

TREE = "tree"
"""The column of blocks: the cosine of the best node that has the block."""
LEAVES, SUMMARIES = "leaves", "summaries"
"""Sources: which nodes brought a block, those of level 0, those above, or both."""
_OWN = 1e-3
"""What a block's own leaf adds: enough to order the blocks of one summary, too little to change places of nodes."""


@dataclasses.dataclass(frozen=True)
class SearchTree(Step[Query, Evidence]):
    """Rank the nodes of all levels at once by cosine with the question ("collapsed tree", RAPTOR section 3).

    The best `count` nodes from `least_level` up bring the blocks that stand behind them, those of a summary on all of
    its pages; None takes every node, which ranks all blocks. `SearchTree(10, least_level=1)` is the search for
    summaries of MMRAG-DocQA (section 3.3).
    """

    declares: ClassVar[Columns] = Columns(writes={TREE}, keeps=NEW)
    sentence: ClassVar[Sentence] = found("Searched the text and summaries of it")

    count: int | None = None
    least_level: int = 0

    def __post_init__(self) -> None:
        if (self.count is not None and self.count < 0) or self.least_level < 0:
            raise UsageError("SearchTree takes a count and a least level of 0 or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the tree."""
        return frozenset({"topology", "topology_vectors"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of the nodes with the column `tree`; sources say whether leaves or summaries have them."""
        cosines = node_cosines(value, using)
        tree = using.view.layer(TOPOLOGY_TABLE)
        chosen = best_nodes(tree, cosines, count=self.count, least_level=self.least_level)
        return blocks_of_nodes(using.view, tree, cosines, chosen)


def node_cosines(query: Query, using: Run, layer: str = "topology") -> Floats:
    """Return (n_nodes,) the cosine of every node of a layer's tree with the question."""
    vectors, tree = using.view.vectors(f"{layer}_vectors"), using.view.layer(topology_table(layer))
    if len(vectors) != len(tree):
        raise damaged(f"{len(vectors)} vectors for a tree of {len(tree)} nodes")
    if not len(vectors):
        return np.zeros(0)
    return (vectors @ using.vectors([query.question])[0]).astype(np.float64)


def best_nodes(tree: Topology, cosines: Floats, *, count: int | None, least_level: int = 0) -> Rows:
    """Return the nodes of a level or above with the highest cosines, best first; ties go to the first in the tree.

    Their texts, to be shown to a reader, are `tree.nodes.text`.
    """
    nodes = np.flatnonzero(tree.nodes.level >= least_level)
    return nodes[np.argsort(-cosines[nodes], kind="stable")][:count]


def blocks_of_nodes(view: View, tree: Topology, cosines: Floats, chosen: Rows) -> Evidence:
    """Return the content blocks behind the chosen nodes of a tree, with the columns and sources of `SearchTree`."""
    places, level = tree.places, tree.nodes.level
    best, own = (np.full(len(view), -np.inf) for _ in range(2))
    leaf = level[places.node] == 0
    np.maximum.at(own, places.block[leaf], cosines[places.node[leaf]])
    is_chosen = np.zeros(len(level), np.bool_)
    is_chosen[chosen] = True
    taken = is_chosen[places.node]
    np.maximum.at(best, places.block[taken], cosines[places.node[taken]])
    rows = np.flatnonzero((best > -np.inf) & view.is_content)
    return Evidence(
        view,
        rows,
        {TREE: best[rows] + _OWN * np.maximum(own[rows], -1.0)},
        {
            name: _marked(view, places.block[taken & whose])[rows]
            for name, whose in ((LEAVES, leaf), (SUMMARIES, ~leaf))
        },
    )


def _marked(view: View, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    marked = np.zeros(len(view), np.bool_)
    marked[rows] = True
    return marked
