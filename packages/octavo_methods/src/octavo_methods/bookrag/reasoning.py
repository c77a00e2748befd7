"""Reasoning: the rows that were selected, scored by the knowledge graph and by their text, and the skyline of both.

BookRAG section 5.2: personalised PageRank over the entities in the rows (equations 6 and 7), Text_Ranker, and the
Pareto front of both scores (equation 14). A graph of a view is made ready once: names by normal form, matrices. Which
graph is told by its layer: `entities`, resolved as Octavo does; `bookindex`, resolved as the paper prints it (Algorithm
1); `basic_entities`, where only names written the same are one entity ("Basic ER").
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, Graph, Query, View
from octavo.evidence.layer_tables import graph_table
from octavo.models.rerankers import shared_words
from octavo.operators.columns import Columns, Given
from octavo.operators.core import Operator, Run, Step
from octavo.operators.score.fuse import FUSED
from octavo.operators.score.search import Search
from octavo.operators.sentence_forms import Sentence, always, kept
from octavo_documents.document import Mask, Rows
from octavo_documents.text.names import normal_form

ENTITIES, BASIC_ENTITIES, BOOKINDEX = "entities", "basic_entities", "bookindex"
"""The layers that hold a graph."""
_VECTORS = {ENTITIES: "entity_vectors", BASIC_ENTITIES: "basic_entity_vectors"}


def vectors_of(graph: str) -> str:
    """Return the layer of vectors of a graph's entities; raise UsageError for a graph that has none."""
    if graph not in _VECTORS:
        raise UsageError(f"There are no vectors of the graph {graph!r}: choose {ENTITIES} or {BASIC_ENTITIES}")
    return _VECTORS[graph]


@dataclasses.dataclass(frozen=True)
class NamedGraph:
    """A graph with its names and matrices."""

    graph: Graph
    n_blocks: int

    @classmethod
    def of(cls, view: View, graph: str = ENTITIES) -> NamedGraph:
        """Return the graph that a layer of the view holds; raise UsageError for a layer that holds none."""
        if graph not in (ENTITIES, BASIC_ENTITIES, BOOKINDEX):
            raise UsageError(f"There is no graph {graph!r}: choose {ENTITIES}, {BASIC_ENTITIES} or {BOOKINDEX}")
        return view.derived(_named_graph, graph)

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


def _named_graph(view: View, graph: str) -> NamedGraph:
    return NamedGraph(view.layer(graph_table(graph)), len(view))


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


Floats = npt.NDArray[np.float64]

GRAPH = "graph"
"""The column of S_G: what the entities of a block come to, 0 or more."""
TEXT = "text"
"""The column of S_T: how well the text of a block answers the question, 0 or more."""
FRONT = "front"
"""Source: rows on the Pareto front."""
_MOST_STEPS = 500
"""Steps of the power iteration at most: a bound, since the change shrinks by `damping` in each."""


# The graph: S_G


@dataclasses.dataclass(frozen=True)
class GraphReasoning(Step[Evidence, Evidence]):
    """Add the column `graph`: the PageRank of the entities each row mentions, walked from those of the question.

    Equation 6, I_G = PageRank(G', e), over the part of the graph that stands in the rows, and equation 7, S_G = I_G x
    M. The walk goes on with probability `damping` and else starts again: at the entities the question names and those
    nearest to it, and with `relevance` of its mass at all entities by how near their vectors are to the question. With
    `by_rarity` an entity starts less the more rows mention it, and with `weighted` a relation is followed by its
    weight. Where nothing is linked the walk starts by nearness; everywhere alike with a `relevance` of 0. Rows that
    mention nothing have 0, as have all rows where the graph has nothing to say. `graph` is its layer.
    """

    declares: ClassVar[Columns] = Columns(writes={GRAPH})
    sentence: ClassVar[Sentence] = always(
        "Ranked the places by how the names in them are related to those in the question"
    )

    damping: float = 0.5
    tolerance: float = 1e-6
    relevance: float = 0.05
    by_rarity: bool = True
    weighted: bool = True
    graph: str = ENTITIES

    def needs(self) -> frozenset[str]:
        """Return the layers of the graph."""
        return frozenset({self.graph, *([vectors_of(self.graph)] if self.relevance else [])})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `graph`."""
        named = NamedGraph.of(using.view, self.graph)
        if not len(named.graph) or not len(value):
            return value.with_score(GRAPH, np.zeros(len(value)))
        mentions = named.mentions[:, value.rows]
        inside = np.flatnonzero(np.diff(mentions.indptr))
        restart = self._restart(inside, np.diff(mentions.indptr)[inside], using)
        relations = named.relations[inside][:, inside]
        relations = relations if self.weighted else relations.sign()
        importance = pagerank(relations, restart, damping=self.damping, tolerance=self.tolerance)
        return value.with_score(GRAPH, importance @ mentions[inside])

    def _restart(self, inside: Rows, times: Rows, using: Run) -> Floats:
        """Return (n_inside,) where the walk starts, summing to 1 unless the question says nothing of any entity."""
        linked = np.isin(inside, [*using.query.linked, *using.query.near]) / (times if self.by_rarity else 1)
        if not self.relevance:
            return _to_one(linked if linked.any() else np.ones(len(inside)))
        question = using.vectors([using.query.question])[0]
        vectors = using.view.vectors(vectors_of(self.graph))[inside]
        near = np.maximum(vectors @ question, 0.0).astype(np.float64)
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

    declares: ClassVar[Columns] = Columns(writes={TEXT})
    sentence: ClassVar[Sentence] = always("Ranked the places by how well their words fit the question")

    search: Operator[Query, Evidence]
    by: str = FUSED
    most: int = 50

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns with `text`; the search has to give the one that it is made of."""
        Columns(reads={self.by}).after(type(self).__name__, self.search.after({}))
        return super().after(given)

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `text`; the search is inside this step in the trace."""
        timer = using.timer()
        inner = dataclasses.replace(using, trace=[], on_step=None)
        scored = value.with_score(TEXT, self._scores(self.search(using.query, inner))[value.rows] if len(value) else [])
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


@dataclasses.dataclass(frozen=True)
class TextRanker(Step[Evidence, Evidence]):
    """Add the column `text`: how well each row answers the question, by the reranker and nothing else (Text_Ranker).

    It reads the content of a row. Where none is configured the rule of rerankers scores: the mean of the cosine of the
    row's passage and of the words that it shares with the question, titles of sections with it.
    """

    declares: ClassVar[Columns] = Columns(writes={TEXT})

    def needs(self) -> frozenset[str]:
        """Return what the rule reads."""
        return frozenset({"passages", "vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `text`, 0..1."""
        question, rows = using.query.question, value.rows.tolist()
        if using.reranker is not None and rows:
            contents = [content_of(value.view, row) for row in rows]
            return value.with_score(TEXT, using.reranker().score(question, contents))
        texts = [linearised(value.view, row) for row in rows]
        found = Search("dense").apply(using.query, using)
        cosines = np.zeros(len(value.view))
        cosines[found.rows] = np.clip(np.nan_to_num(found.scores["dense"]), 0.0, 1.0)
        return value.with_score(TEXT, (cosines[value.rows] + shared_words(question, texts)) / 2 if texts else [])


def content_of(view: View, row: int) -> str:
    """Return the words of a block, of a figure or table under its captions: the content of a node."""
    texts = [*(view.blocks.text[at] for at in view.captions.get(row, ())), view.blocks.text[row]]
    return "\n".join(filter(None, map(str.strip, texts)))


def linearised(view: View, row: int) -> str:
    """Return a block as a reranker reads it: its text under the titles of its sections, one cell row a line."""
    return "\n".join(filter(None, (" > ".join(view.blocks.section_path(row)), view.blocks.text[row])))


# The skyline of both


@dataclasses.dataclass(frozen=True)
class Fill:
    """What a skyline is filled up by: a fusion of the scores, the column `by`.

    The front is filled up to `least` rows, and on while a row's fused score is `share` (0..1) of the best or more, so
    that a question which many places answer alike gets more rows than one with a single good place; at `most` rows it
    is cut. Ties go by row order.
    """

    by: str = FUSED
    least: int = 10
    most: int = 100
    share: float = 0.4

    def filled(self, value: Evidence, front: Mask) -> Mask:
        """Return (n,) bool: the rows of the front and those that fill it up."""
        fused = np.nan_to_num(value.scores[self.by])
        good = int(np.count_nonzero((fused > 0) & (fused >= self.share * fused.max())))
        size = min(max(good, self.least), self.most)
        chosen = np.zeros(len(value), np.bool_)
        chosen[np.argsort(-fused, kind="stable")[:size]] = True
        chosen |= front
        if np.count_nonzero(chosen) > self.most:
            chosen = np.zeros(len(value), np.bool_)
            chosen[np.lexsort((-fused, ~front))[: self.most]] = True
        return chosen


@dataclasses.dataclass(frozen=True)
class Skyline(Step[Evidence, Evidence]):
    """Keep the rows on the Pareto front of some columns (equation 14), and with `fill` those that fill it up.

    Rows with equal scores are on the front together. The trace tells how many are on it.
    """

    sentence: ClassVar[Sentence] = kept("Kept the places that no other place beats both by names and by words")

    columns: tuple[str, ...]
    fill: Fill | None = None

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={*self.columns, *([self.fill.by] if self.fill else [])})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows kept, those of the front with the source `front`; raise KeyError when a column is missing."""
        if not len(value):
            return value
        front = pareto_front(np.stack([np.nan_to_num(value.scores[name], nan=-np.inf) for name in self.columns]))
        marked = dataclasses.replace(value, sources={**value.sources, FRONT: front})
        return marked.keep(front if self.fill is None else self.fill.filled(value, front))

    def details(self, result: Evidence, using: Run) -> Mapping[str, Any]:
        """Return how many rows are on the front."""
        return {FRONT: int(result.sources[FRONT].sum()) if FRONT in result.sources else 0}


@dataclasses.dataclass(frozen=True)
class BestBlocks(Step[Evidence, Evidence]):
    """Keep the best `count` rows by a column: what ranks where one score alone is left and no skyline can be drawn."""

    by: str
    count: int = 10

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows kept; ties go by row order."""
        return value.top(self.count, self.by)


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
