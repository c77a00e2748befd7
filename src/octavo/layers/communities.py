"""The communities layer: which blocks of a document belong together by their links (Louvain).

Communities maximise modularity on the weighted undirected projection of the links, at resolution 1.0 and with a fixed
seed. They are numbered by their first block.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from octavo.document import LinkKind, LinkTable
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs

RESOLUTION = 1.0
SEED = 1
_BONDS = {LinkKind.CAPTION_OF: 2.0, LinkKind.CONTINUES: 2.0, LinkKind.NEXT: 0.5}
"""How much a kind of link binds, 1 where it is not named: caption and continuation are one thing with their target."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_blocks,) int32 array named "communities"; the header counts them ("count")."""
    labels = communities_of(LinkTable.from_bytes(inputs.stored["links"]), len(inputs.document.blocks))
    return pack({"communities": labels}, {"count": int(labels.max(initial=-1)) + 1})


def communities_of(links: LinkTable, n_blocks: int) -> npt.NDArray[np.int32]:
    """Return the (n_blocks,) int32 community of each block, -1 for a block without links."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    bonds = _bonds(links)
    graph.add_nodes_from(sorted({row for pair in bonds for row in pair}))
    graph.add_weighted_edges_from((left, right, weight) for (left, right), weight in sorted(bonds.items()))
    labels = np.full(n_blocks, -1, np.int32)
    if bonds:
        found = nx.community.louvain_communities(graph, resolution=RESOLUTION, seed=SEED)
        for number, rows in enumerate(sorted(found, key=min)):
            labels[list(rows)] = number
    return labels


def _bonds(links: LinkTable) -> dict[tuple[int, int], float]:
    """Return what binds each pair of blocks, whichever way their links lead."""
    bonds: defaultdict[tuple[int, int], float] = defaultdict(float)
    columns = zip(links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.weight.tolist(), strict=True)
    for source, target, kind, weight in columns:
        if source != target:
            bonds[min(source, target), max(source, target)] += weight * _BONDS.get(LinkKind(kind), 1.0)
    return {pair: bond for pair, bond in bonds.items() if bond > 0}


COMMUNITIES = Layer(
    name="communities",
    version=1,
    reads=("links",),
    build=build,
    parameters=f"louvain resolution={RESOLUTION} seed={SEED}",
)
