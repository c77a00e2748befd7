"""The knowledge graph as sparse matrices, ready for PageRank and for carrying scores from entities to blocks.

Owns their shapes and scaling (BookRAG section 5.2). Knows nothing about how the graph was made or what walks over it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from octavo.document import Graph


def mention_matrix(graph: Graph, n_blocks: int) -> Any:
    """Return M, (n_entities, n_blocks) float32 in CSR: how often each block mentions each entity.

    The importance of blocks is that of entities times M: `scores @ M`.
    """
    from scipy import sparse

    entity, block, times = graph.links()
    return sparse.csr_array((times, (entity, block)), shape=(len(graph), n_blocks))


def relation_matrix(graph: Graph) -> Any:
    """Return (n_entities, n_entities) float32 in CSR, symmetric: the strongest relation of each pair, in (0, 1]."""
    from scipy import sparse

    source, target, weight = graph.edges()
    return sparse.csr_array((weight, (source, target)), shape=(len(graph), len(graph)))


def walk_matrix(graph: Graph) -> Any:
    """Return (n_entities, n_entities) float32 in CSR: the relations with rows that sum to 1, 0 for entities without."""
    from scipy import sparse

    source, target, weight = graph.edges()
    sums = np.bincount(source, weight, minlength=len(graph))
    steps = (weight / sums[source]).astype(np.float32)
    return sparse.csr_array((steps, (source, target)), shape=(len(graph), len(graph)))
