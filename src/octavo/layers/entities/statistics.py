"""What a graph of entities comes to: number, density, components, and the diameter of the largest one.

Owns the measures of BookRAG's Figure 6. Knows nothing about how a graph is made.
"""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np

from octavo.document import Graph, Rows

_MOST_SEARCHES = 200
"""Breadth-first searches after which the diameter is given as the greatest distance met so far."""


@dataclasses.dataclass(frozen=True, slots=True)
class GraphStatistics:
    """Figures of an undirected graph. `density` is 2 m / n (n - 1); `diameter` is that of the largest component."""

    entities: int
    edges: int
    density: float
    components: int
    diameter: int


def statistics_of(graph: Graph) -> GraphStatistics:
    """Return the figures of a graph; several relations between two entities are one edge."""
    from scipy import sparse
    from scipy.sparse import csgraph

    size = len(graph)
    source, target, _ = graph.edges()
    if not size:
        return GraphStatistics(0, 0, 0.0, 0, 0)
    matrix: Any = sparse.csr_matrix((np.ones(len(source), np.int8), (source, target)), shape=(size, size))
    components: Any = csgraph.connected_components(matrix, directed=False)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    count, labels = cast("tuple[int, Rows]", components)
    largest = np.flatnonzero(labels == np.bincount(labels).argmax())
    starts = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=size))])
    edges = len(source) // 2
    return GraphStatistics(
        entities=size,
        edges=edges,
        density=2 * edges / max(1, size * (size - 1)),
        components=int(count),
        diameter=_diameter(starts, target, largest),
    )


def _diameter(starts: Rows, neighbours: Rows, members: Rows) -> int:
    """Return the greatest distance between two members of a component.

    Each search from a node bounds the eccentricity of all others (Takes and Kosters, 2011): nodes whose upper bound is
    not above the greatest lower bound need no search of their own.
    """
    lower = np.zeros(len(starts) - 1, np.int64)
    upper = np.full(len(starts) - 1, np.iinfo(np.int32).max, np.int64)
    open_nodes, best = members, 0
    for search in range(_MOST_SEARCHES):
        if not len(open_nodes):
            break
        pick = np.argmax(upper[open_nodes]) if search % 2 == 0 else np.argmin(lower[open_nodes])
        node = int(open_nodes[pick])
        distance = _distances(starts, neighbours, node)
        reach = int(distance[members].max())
        best = max(best, reach)
        lower[members] = np.maximum(lower[members], np.maximum(distance[members], reach - distance[members]))
        upper[members] = np.minimum(upper[members], reach + distance[members])
        lower[node] = upper[node] = reach
        open_nodes = open_nodes[(upper[open_nodes] > best) & (lower[open_nodes] < upper[open_nodes])]
    return best


def _distances(starts: Rows, neighbours: Rows, node: int) -> Rows:
    """Return the distance of every node from one, -1 where it is not reached."""
    distance = np.full(len(starts) - 1, -1, np.int64)
    distance[node] = 0
    front = np.array([node], np.int64)
    step = 0
    while len(front):
        step += 1
        counts = starts[front + 1] - starts[front]
        shifts = np.repeat(starts[front] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        reached = neighbours[shifts + np.arange(int(counts.sum()))]
        front = np.unique(reached[distance[reached] < 0]).astype(np.int64)
        distance[front] = step
    return distance
