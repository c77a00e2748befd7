"""Graph reasoning: how near the blocks that were selected are to what a question is about, by the knowledge graph.

Owns personalised PageRank over the part of the graph that stands in the selected rows, and the way from entities back
to blocks (BookRAG equations 6 and 7). Knows nothing about how rows are selected or what their text says.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, Rows
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.named_graph import RESOLVED, NamedGraph

Floats = npt.NDArray[np.float64]

GRAPH = "graph"
"""The column of S_G: what the entities of a block come to, 0 or more."""
_MOST_STEPS = 500


@dataclasses.dataclass(frozen=True)
class GraphReasoning(Step[Evidence, Evidence]):
    """Add the column `graph`: the PageRank of the entities each row mentions, walked from those of the question.

    The walk goes on with probability `damping` and else starts again: at the linked entities, the less the more rows
    mention one, and with `relevance` of its mass at all entities by how near their vectors are to the question. Rows
    that mention nothing have 0, as have all rows where the graph has nothing to say.
    """

    damping: float = 0.5
    tolerance: float = 1e-6
    relevance: float = 0.05
    names: str = RESOLVED

    def needs(self) -> frozenset[str]:
        """Return the layers of the graph."""
        return frozenset({"entities", "entity_vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `graph`."""
        named = NamedGraph.of(using.view, self.names)
        if not len(named.graph) or not len(value):
            return value.with_score(GRAPH, np.zeros(len(value)))
        mentions = named.mentions[:, value.rows]
        inside = np.flatnonzero(np.diff(mentions.indptr))
        restart = self._restart(named, inside, np.diff(mentions.indptr)[inside], using)
        relations = named.relations[inside][:, inside]
        importance = pagerank(relations, restart, damping=self.damping, tolerance=self.tolerance)
        return value.with_score(GRAPH, importance @ mentions[inside])

    def _restart(self, named: NamedGraph, inside: Rows, times: Rows, using: Run) -> Floats:
        """Return (n_inside,) where the walk starts, summing to 1 unless the question says nothing of any entity."""
        linked = np.isin(inside, using.query.linked) / times
        question = using.vectors([using.query.question])[0]
        near = np.maximum(using.view.vectors("entity_vectors")[named.origin[inside]] @ question, 0.0).astype(np.float64)
        share = self.relevance if linked.any() else 1.0
        return (1 - share) * _to_one(linked) + share * _to_one(near)


def _to_one(mass: Floats) -> Floats:
    total = mass.sum()
    return mass / total if total > 0 else mass


def pagerank(relations: Any, restart: Floats, *, damping: float = 0.5, tolerance: float = 1e-6) -> Floats:
    """Return (n,) the personalised PageRank of a graph's nodes, summing to 1; zeros when `restart` is all zeros.

    `relations` is (n, n) sparse, weights in (0, 1], row to column; nodes without a way out start again. Steps end when
    the scores change by less than `tolerance` a node in sum.
    """
    start = _to_one(restart)
    sums = np.asarray(relations.sum(axis=1), np.float64).ravel()
    is_end = sums == 0
    back = relations.T.tocsr().astype(np.float64)
    shares = 1.0 / np.where(is_end, 1.0, sums)
    scores = start
    for _ in range(_MOST_STEPS):
        before = scores
        scores = damping * (back @ (before * shares) + before[is_end].sum() * start) + (1 - damping) * start
        if np.abs(scores - before).sum() < tolerance * len(scores):
            break
    return scores
