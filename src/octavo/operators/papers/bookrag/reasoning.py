"""Reasoning: the rows that were selected, scored by the knowledge graph and by their text, and the skyline of both.

BookRAG section 5.2: personalised PageRank over the entities in the rows (equations 6 and 7), Text_Ranker, and the
Pareto front of both scores (equation 14). The graph of a view is made ready once: names by normal form, matrices,
entities resolved or not. Without entity resolution ("basic ER") only mentions written the same are one entity: those of
a resolved graph keep their places in the text, and so the words they are written in.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import (
    EntityTable,
    Evidence,
    Graph,
    Mask,
    MentionTable,
    Query,
    RelationTable,
    Rows,
    TextColumn,
    View,
)
from octavo.errors import UsageError
from octavo.operators.core import Operator, Run, Step
from octavo.operators.score.fuse import FUSED
from octavo.text.names import normal_form

RESOLVED, EXACT = "resolved", "exact"
"""Graphs: entities as resolution united them, or one for each name as it is written."""


@dataclasses.dataclass(frozen=True)
class NamedGraph:
    """A graph with its names and matrices; `origin` is the entity of the stored graph that each entity is part of."""

    graph: Graph
    origin: Rows
    n_blocks: int

    @classmethod
    def of(cls, view: View, names: str = RESOLVED) -> NamedGraph:
        """Return the view's graph with entities by `names`: resolved, or exact; raise UsageError for other words."""
        if names not in (RESOLVED, EXACT):
            raise UsageError(f"There is no graph called {names!r}: choose {RESOLVED} or {EXACT}")
        return view.derived(f"graph by {names} names", lambda: _made(view, names))

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Every name of each entity, the one that is shown first."""
        rows = zip(self.graph.entities.name, self.graph.entities.aliases, strict=True)
        return tuple((name, *filter(None, aliases.split("\n"))) for name, aliases in rows)

    @cached_property
    def by_form(self) -> dict[str, list[int]]:
        """The entities that have a name of each normal form."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, names in enumerate(self.names):
            for form in dict.fromkeys(normal_form(name) for name in names):
                found[form].append(row)
        return dict(found)

    @cached_property
    def shorts(self) -> dict[str, list[tuple[int, str]]]:
        """The entities with their names in capitals of one word, such as acronyms, by first letter in small."""
        return self._by_letter(lambda name: " " not in name and sum(map(str.isupper, name)) > 1)

    @cached_property
    def longs(self) -> dict[str, list[tuple[int, str]]]:
        """The entities with their names of several words, by first letter in small."""
        return self._by_letter(lambda name: " " in name)

    def _by_letter(self, chosen: Callable[[str], bool]) -> dict[str, list[tuple[int, str]]]:
        found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for row, names in enumerate(self.names):
            for name in filter(chosen, names):
                found[name[:1].casefold()].append((row, name))
        return dict(found)

    @cached_property
    def mentions(self) -> Any:
        """M, (n_entities, n_blocks) float32 in CSR: 1 where a block mentions an entity, however often."""
        return mention_matrix(self.graph, self.n_blocks).sign()

    @cached_property
    def relations(self) -> Any:
        """(n_entities, n_entities) float32 in CSR, symmetric: the strongest relation of each pair, in (0, 1]."""
        return relation_matrix(self.graph)

    def blocks_of(self, entities: Rows) -> Rows:
        """Return the rows of the view that mention any of some entities, ascending."""
        return np.unique(self.mentions[entities].indices).astype(np.int64)


def _made(view: View, names: str) -> NamedGraph:
    graph = view.graph
    if names == RESOLVED:
        return NamedGraph(graph, np.arange(len(graph)), len(view))
    return NamedGraph(*split_by_name(graph, view.blocks.text), len(view))


# The graph as sparse matrices (BookRAG section 5.2)


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


# The graph without entity resolution


def split_by_name(graph: Graph, texts: Sequence[str]) -> tuple[Graph, Rows]:
    """Return the graph with an entity for each name as written, and the entity of `graph` that each was part of.

    A mention without a place counts for its entity's own name. A relation is of the names that the block which states
    it has; entities are numbered in the order of their first mention, those that are never mentioned last.
    """
    numbers: dict[tuple[int, str], int] = {}
    mentioned = np.zeros(len(graph.mentions), np.int32)
    in_block: dict[tuple[int, int], int] = {}
    for at, (entity, block, start, stop) in enumerate(_rows(graph.mentions)):
        written = " ".join(texts[block][start:stop].split()) if start >= 0 else graph.entities.name[entity]
        mentioned[at] = numbers.setdefault((entity, written), len(numbers))
        in_block.setdefault((entity, block), int(mentioned[at]))
    own = {entity: number for (entity, _), number in reversed(numbers.items())}
    for entity in range(len(graph)):
        if entity not in own:
            own[entity] = numbers.setdefault((entity, graph.entities.name[entity]), len(numbers))
    origin = np.array([entity for entity, _ in numbers], np.int64)
    split = Graph(
        _entities(graph, [(entity, name) for entity, name in numbers]),
        MentionTable(mentioned, graph.mentions.block, graph.mentions.start, graph.mentions.stop),
        _relations(graph.relations, in_block, own),
    )
    return split, origin


def _rows(mentions: MentionTable) -> list[tuple[int, int, int, int]]:
    columns = (mentions.entity, mentions.block, mentions.start, mentions.stop)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _entities(graph: Graph, written: Sequence[tuple[int, str]]) -> EntityTable:
    rows = [entity for entity, _ in written]
    return EntityTable(
        name=TextColumn.of(name for _, name in written),
        type=TextColumn.of(graph.entities.type.take(rows)),
        description=TextColumn.of(graph.entities.description.take(rows)),
        aliases=TextColumn.of([""] * len(rows)),
    )


def _relations(relations: RelationTable, in_block: dict[tuple[int, int], int], own: dict[int, int]) -> RelationTable:
    ends = [
        np.array(
            [in_block.get((entity, block), own[entity]) for entity, block in zip(column.tolist(), blocks, strict=True)],
            np.int32,
        )
        for column, blocks in (
            (relations.source, relations.block.tolist()),
            (relations.target, relations.block.tolist()),
        )
    ]
    return RelationTable(ends[0], ends[1], relations.type, relations.description, relations.weight, relations.block)


Floats = npt.NDArray[np.float64]

GRAPH = "graph"
"""The column of S_G: what the entities of a block come to, 0 or more."""
TEXT = "text"
"""The column of S_T: how well the text of a block answers the question, 0 or more."""
_MOST_STEPS = 500
"""Steps of the power iteration at most: a bound, since the change shrinks by `damping` in each."""


# The graph: S_G


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


# The text: S_T


@dataclasses.dataclass(frozen=True)
class TextReasoning(Operator[Evidence, Evidence]):
    """Add the column `text`: each row's score `by` a search of everything; a row that it does not find has 0.

    With a reranker the best `most` rows are scored by it, and stand above all others.
    """

    search: Operator[Query, Evidence]
    by: str = FUSED
    most: int = 50

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `text`; the search is inside this step in the trace."""
        timer = using.timer()
        inner = dataclasses.replace(using, trace=[], on_step=None)
        found = self.search(using.query, inner)
        scored = value.with_score(TEXT, self._scores(found)[value.rows])
        if using.reranker is not None:
            scored = self._reranked(scored, using)
        using.note(timer.step("TextReasoning", {"by": self.by}, (len(value), len(value)), inner.trace))
        return scored

    def _scores(self, found: Evidence) -> Floats:
        """Return (n_rows,) the score of every row of the view."""
        scores = np.zeros(len(found.view))
        scores[found.rows] = np.maximum(np.nan_to_num(found.scores[self.by]), 0.0)
        return scores

    def _reranked(self, evidence: Evidence, using: Run) -> Evidence:
        """Return the evidence with the best rows scored anew: 1 more than the best of the others, and the score."""
        if using.reranker is None or not len(evidence):
            return evidence
        scores = evidence.scores[TEXT].copy()
        best = evidence.ranking(TEXT)[: self.most]
        texts = [linearised(evidence.view, int(row)) for row in evidence.rows[best]]
        scores[best] = 1 + scores.max() + using.reranker().score(using.query.question, texts)
        return evidence.with_score(TEXT, scores)


def linearised(view: View, row: int) -> str:
    """Return a block as a reranker reads it: its text under the titles of its sections, one cell row a line."""
    return "\n".join(filter(None, (" > ".join(view.blocks.section_path(row)), view.blocks.text[row])))


# The skyline of both


@dataclasses.dataclass(frozen=True)
class Skyline(Step[Evidence, Evidence]):
    """Keep the rows on the Pareto front of some columns, and the best of the others by a fusion of them, `by`.

    The front is filled up to `least` rows, and on while a row's fused score is `share` (0..1) of the best or more, so
    that a question which many places answer alike gets more rows than one with a single good place; at `most` rows it
    is cut. Ties go by row order; rows with equal scores are on the front together.
    """

    columns: tuple[str, ...]
    by: str = FUSED
    least: int = 10
    most: int = 100
    share: float = 0.4

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows kept; raise KeyError when a column is missing."""
        if not len(value):
            return value
        front = pareto_front(np.stack([np.nan_to_num(value.scores[name], nan=-np.inf) for name in self.columns]))
        fused = np.nan_to_num(value.scores[self.by])
        good = int(np.count_nonzero((fused > 0) & (fused >= self.share * fused.max())))
        size = min(max(good, self.least), self.most)
        chosen = np.zeros(len(value), np.bool_)
        chosen[np.argsort(-fused, kind="stable")[:size]] = True
        chosen |= front
        if np.count_nonzero(chosen) > self.most:
            chosen = np.zeros(len(value), np.bool_)
            chosen[np.lexsort((-fused, ~front))[: self.most]] = True
        return value.keep(chosen)


def pareto_front(scores: Floats) -> Mask:
    """Return (n,) bool: which columns of (n_criteria, n) no other beats by being as good in all and better in one.

    Equal columns are on the front together or not at all.
    """
    points, place = np.unique(scores, axis=1, return_inverse=True)
    on_front = np.zeros(points.shape[1], np.bool_)
    kept = points[:, :0]
    # From the best in the first criterion down: what comes later never beats what came before.
    for at in range(points.shape[1] - 1, -1, -1):
        point = points[:, at : at + 1]
        if not (kept >= point).all(axis=0).any():
            on_front[at] = True
            kept = np.concatenate([kept, point], axis=1)
    return on_front[place.ravel()]
