"""Algorithm 1 of BookRAG, gradient-based entity resolution, as it is printed (section 4.3.2).

Names are taken one by one as the document's blocks first have them: the `top_k` nearest entities are searched by
vector, reranked against the name and sorted; the first is selected, and each next one while its score has not fallen
sharply. Where all are selected the scores do not tell (Case A) and the name is a new entity; else it is merged, without
asking with the only one selected, or with the one that a model selects. There is no least score.

The line `if S[v] > score / g` can select nothing for g = 0.6 and scores that fall; the text beside it says "still
within the gradient threshold of the previous score", so it is read as `S[v] > g * score`. What the paper leaves open:
an entity is searched and reranked as "name (type): description"; the vector of one that was merged is the mean of those
of its names; and a model that selects none leaves a new entity, as its prompt (Figure 13) lets it.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.evidence import Graph
from octavo.layers.base import LayerInputs
from octavo.layers.entities.extraction import (
    DATE,
    ELEMENTS,
    QUANTITY,
    EntityExtraction,
    Named,
    assembled,
    merged_descriptions,
    statistics_of,
)
from octavo.layers.entities.merging import exact_names
from octavo.layers.entities.names import value_key

Vectors = npt.NDArray[np.float32]
Rerank = Callable[[int, Sequence[int]], Sequence[float]]
"""R: the scores of candidate entities, by number, against a new name, by number; higher is more alike."""
Select = Callable[[int, Sequence[int]], int]
"""LLMSelect: which of some entities, by number, a new name is; -1 for none."""


@dataclasses.dataclass(frozen=True, slots=True)
class AlgorithmOne:
    """The numbers of Algorithm 1: `top_k` candidates, and `g`, the share of a score that the next must be above."""

    top_k: int = 10
    g: float = 0.6

    def selected(self, scores: Sequence[float]) -> int:
        """Return how many candidates are selected, their scores best first (lines 4 to 8)."""
        for at in range(1, len(scores)):
            if not scores[at] > self.g * scores[at - 1]:
                return at
        return len(scores)


AS_PRINTED = AlgorithmOne()


class Database:
    """The entities so far with their vectors: DB, and G as far as resolution sees it."""

    def __init__(self, dimension: int) -> None:
        self.cards: list[EntityCard] = []
        self._sums = np.zeros((64, dimension), np.float32)
        self._units = np.zeros((64, dimension), np.float32)

    def add(self, card: EntityCard, vector: Vectors) -> int:
        """Add a new entity (line 10); return its number."""
        number = len(self.cards)
        if number == len(self._sums):
            self._sums, self._units = (
                np.concatenate([kept, np.zeros_like(kept)]) for kept in (self._sums, self._units)
            )
        self.cards.append(card)
        self._update(number, vector)
        return number

    def merge(self, entity: int, card: EntityCard, vector: Vectors) -> None:
        """Merge a name into an entity and update its vector (line 14)."""
        known = self.cards[entity]
        said = merged_descriptions([known.description, card.description])
        self.cards[entity] = dataclasses.replace(known, description=said)
        self._update(entity, vector)

    def _update(self, entity: int, vector: Vectors) -> None:
        self._sums[entity] += vector
        self._units[entity] = self._sums[entity] / max(float(np.linalg.norm(self._sums[entity])), 1e-9)

    def cosines(self, vector: Vectors, among: Sequence[int]) -> Vectors:
        """Return the cosines of some entities with a vector of length 1."""
        return self._units[list(among)] @ vector if len(among) else np.zeros(0, np.float32)

    def search(self, vector: Vectors, top_k: int) -> list[int]:
        """Return the `top_k` entities nearest to a vector (line 1), ties by number."""
        return np.argsort(-(self._units[: len(self.cards)] @ vector), kind="stable")[:top_k].tolist()


@dataclasses.dataclass(slots=True)
class Counts:
    """How often each outcome came: a new entity, merged with the only one selected, asked, and matched then."""

    new: int = 0
    merged: int = 0
    asked: int = 0
    matched: int = 0


def resolve_as_printed(
    cards: Sequence[EntityCard],
    vectors: Vectors,
    database: Database,
    rerank: Rerank,
    select: Select,
    algorithm: AlgorithmOne = AS_PRINTED,
) -> tuple[list[int], Counts]:
    """Return the entity of each name, numbered as in the database, which is filled; and how often what came of one.

    Args:
        cards: The names in the order they are resolved.
        vectors: (n, dimension) float32, rows of length 1.
        database: Where entities are searched and added.
        rerank: Scores candidates against a name.
        select: Chooses where several candidates are left; asked for one name at a time.
        algorithm: Its numbers.
    """
    found, counts = list[int](), Counts()
    for name, (card, vector) in enumerate(zip(cards, vectors, strict=True)):
        candidates = database.search(vector, algorithm.top_k)
        scores = dict(zip(candidates, rerank(name, candidates), strict=True))
        ranked = sorted(candidates, key=lambda one: -scores[one])
        chosen = ranked[: algorithm.selected([scores[one] for one in ranked])]
        match = -1
        if len(chosen) < len(ranked):  # Case B, lines 11 to 14
            match = chosen[0] if len(chosen) == 1 else select(name, chosen)
            counts.merged += len(chosen) == 1
            counts.asked += len(chosen) > 1
            counts.matched += len(chosen) > 1 and match >= 0
        if match < 0:
            counts.new += 1
            found.append(database.add(card, vector))
        else:
            database.merge(match, card, vector)
            found.append(match)
    return found, counts


def resolved_as_printed(extraction: EntityExtraction, inputs: LayerInputs, title: str) -> Graph:
    """Return the graph of an extraction resolved by Algorithm 1, with the statistics of Figure 6.

    Tables, figures and formulas are entities of their own, and dates and quantities are the same where their value is:
    neither goes through the algorithm.
    """
    names = extraction.names
    compared = [at for at in in_reading_order(extraction) if _is_compared(names[at])]
    cards = [EntityCard(names[at].name, names[at].type, names[at].description) for at in compared]
    embedder = inputs.embedder()
    vectors = embedder.embed([str(card) for card in cards]) if cards else np.zeros((0, embedder.dimension), np.float32)
    database = Database(embedder.dimension)
    rerank, select = _reranking(cards, vectors, database, inputs), _selecting(cards, database, inputs, title)
    found, counts = resolve_as_printed(cards, vectors, database, rerank, select)
    entity = _numbered(names, dict(zip(compared, found, strict=True)))
    graph = assembled(extraction, entity)
    basic = assembled(extraction, exact_names(names))
    statistics: dict[str, Any] = {
        "names": len(names),
        "mentions": len(graph.mentions),
        "relations": len(graph.relations),
        **dataclasses.asdict(counts),
        "exact_names": dataclasses.asdict(statistics_of(basic)),
        "resolved": dataclasses.asdict(statistics_of(graph)),
    }
    return dataclasses.replace(graph, statistics=statistics)


def in_reading_order(extraction: EntityExtraction) -> list[int]:
    """Return the numbers of all names by where each first stands: nodes are gone through one after the other."""
    first = [(sys.maxsize, 0) for _ in extraction.names]
    for one in extraction.mentions:
        first[one.name] = min(first[one.name], (one.block, one.start))
    return sorted(range(len(first)), key=first.__getitem__)


def _is_compared(named: Named) -> bool:
    return named.element < 0 and named.type not in ELEMENTS and named.type not in (DATE, QUANTITY)


def _numbered(names: Sequence[Named], found: dict[int, int]) -> npt.NDArray[np.int32]:
    """Return (n_names,) int32: the entity of every name, numbered in order of first appearance."""
    keys = [("entity", found[at]) if at in found else _own_key(named) for at, named in enumerate(names)]
    numbers: dict[tuple[str, object], int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int32)


def _own_key(named: Named) -> tuple[str, object]:
    return ("element", named.element) if named.element >= 0 else (named.type, value_key(named.name))


def _reranking(cards: Sequence[EntityCard], vectors: Vectors, database: Database, inputs: LayerInputs) -> Rerank:
    """Return R: the reranker that is configured, which reads names with their descriptions; else the cosine."""
    if inputs.reranker is None:
        return lambda name, among: np.maximum(database.cosines(vectors[name], among), 0.0).tolist()
    reranker = inputs.reranker()

    def score(name: int, among: Sequence[int]) -> Sequence[float]:
        return reranker.score(str(cards[name]), [str(database.cards[one]) for one in among]).tolist()

    return score


def _selecting(cards: Sequence[EntityCard], database: Database, inputs: LayerInputs, title: str) -> Select:
    """Return LLMSelect: one call for a name and what was selected for it."""

    def select(name: int, among: Sequence[int]) -> int:
        asked = NewName(cards[name], tuple(database.cards[one] for one in among))
        (decided,) = inputs.judge.decide_items(ADJUDICATE_ENTITIES, Adjudication(title), [asked])
        match = decided.output.match
        return among[match - 1] if 0 < match <= len(among) else -1

    return select
