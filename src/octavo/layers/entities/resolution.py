"""Gradient entity resolution (BookRAG section 4.3.2, Algorithm 1): which names are one thing.

The paper's test `S > score / g` can keep nothing for g below 1; it is read as `S[i] >= g * S[i - 1]`, a fall by less
than the share that g leaves. A best score below `low` is no evidence for any candidate, so the name is new whatever
comes after it. What has to be adjudicated stands as a new entity until the verdicts are in, so that they can be asked
for many at a time; entities found to be one are united then.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Rerank = Callable[[int, Sequence[int]], Sequence[float]]
"""Scores (0..1) of a name, by number, against candidates, by the numbers of the names they were accepted under."""
IsSure = Callable[[int, int], bool]
"""Whether a name may be united with the one candidate before a sharp fall without adjudication."""
Adjudicate = Callable[[Sequence[tuple[int, tuple[int, ...]]]], Sequence[int]]
"""The matches, -1 for none, of names with their candidates: at most one of the candidates each."""

_CHUNK = 256
"""Names whose similarities are reckoned in one matrix product."""


@dataclasses.dataclass(frozen=True, slots=True)
class Gradient:
    """How resolution reads scores: candidates looked at, the fall that is sharp, the best score that is low."""

    top_k: int = 10
    g: float = 0.6
    low: float = 0.5

    def leading(self, scores: Sequence[float]) -> int:
        """Return how many scores, best first, come before the first sharp fall."""
        for at in range(1, len(scores)):
            if scores[at] < self.g * scores[at - 1]:
                return at
        return len(scores)

    def outcome(self, scores: Sequence[float]) -> tuple[Outcome, int]:
        """Return what scores, best first, say of a name, and how many of the first candidates it may be.

        A single candidate shows no fall: it is taken only after adjudication.
        """
        if not scores or scores[0] < self.low:
            return Outcome.NEW, 0
        leading = self.leading(scores)
        if leading == 1 < len(scores):
            return Outcome.MERGE, 1
        return Outcome.ADJUDICATE, leading


class Outcome(enum.Enum):
    """What becomes of a name."""

    NEW = "new"
    MERGE = "merge"
    ADJUDICATE = "adjudicate"


@dataclasses.dataclass(frozen=True, slots=True)
class Resolution:
    """Entities of names: `entity` is (n_names,) int32, numbered in order of first appearance; the rest are counts."""

    entity: npt.NDArray[np.int32]
    by_rule: int
    merged: int
    adjudicated: int
    matched: int


def resolve(
    keys: Sequence[Sequence[Hashable]],
    vectors: Vectors,
    searched: npt.NDArray[np.bool_],
    rerank: Rerank,
    adjudicate: Adjudicate,
    *,
    is_sure: IsSure | None = None,
    gradient: Gradient | None = None,
) -> Resolution:
    """Return which names are one entity.

    Args:
        keys: For each name the keys that make it equal, by rule, to an earlier name with any of them.
        vectors: (n_searched, dimension) float32, rows of length 1, of the names that may be alike others.
        searched: (n_names,) bool, true for those names, in order.
        rerank: Scores a name against candidates.
        adjudicate: Decides where scores do not; asked once, for all names.
        is_sure: Whether a sharp fall after one candidate settles it, as it does by default.
        gradient: How scores are read.
    """
    run = _Run(keys, vectors, searched, rerank, is_sure or _always, gradient or Gradient())
    run.go()
    return run.united(adjudicate)


def _always(_name: int, _candidate: int) -> bool:
    return True


class _Run:
    """One pass over the names."""

    def __init__(
        self,
        keys: Sequence[Sequence[Hashable]],
        vectors: Vectors,
        searched: npt.NDArray[np.bool_],
        rerank: Rerank,
        is_sure: IsSure,
        gradient: Gradient,
    ) -> None:
        self._keys = keys
        self._vectors = vectors
        self._rerank = rerank
        self._is_sure = is_sure
        self._gradient = gradient
        self._row = np.where(searched, np.cumsum(searched) - 1, -1)
        self._names = np.flatnonzero(searched)
        self._accepted = np.zeros(len(self._names), np.bool_)
        self._root = list(range(len(keys)))
        self._holders: dict[Hashable, int] = {}
        self._pending: list[tuple[int, tuple[int, ...]]] = []
        self._by_rule = self._merged = 0
        self._block = (-1, np.zeros((0, 0), np.float32))

    def go(self) -> None:
        """Take the names one by one: equal by rule, else by their scores against what was accepted before."""
        for name, keys in enumerate(self._keys):
            known = {self._holders[key] for key in keys if key in self._holders}
            if known:
                self._by_rule += 1
                for other in known:
                    self._unite(name, other)
            elif self._row[name] >= 0:
                self._place(name)
            for key in keys:
                self._holders.setdefault(key, self._find(name))

    def united(self, adjudicate: Adjudicate) -> Resolution:
        """Return the entities, with those united that adjudication found to be one."""
        verdicts: Sequence[int] = adjudicate(self._pending) if self._pending else ()
        matched = 0
        for (name, candidates), chosen in zip(self._pending, verdicts, strict=True):
            if chosen in candidates:
                matched += 1
                self._unite(name, chosen)
        roots = [self._find(name) for name in range(len(self._root))]
        numbers: dict[int, int] = {}
        entity = np.array([numbers.setdefault(root, len(numbers)) for root in roots], np.int32)
        return Resolution(entity, self._by_rule, self._merged, len(self._pending), matched)

    def _place(self, name: int) -> None:
        row = int(self._row[name])
        candidates = self._nearest(row)
        scored = list(zip(self._rerank(name, candidates), candidates, strict=True)) if candidates else []
        scored.sort(key=lambda one: (-one[0], one[1]))
        outcome, count = self._gradient.outcome([score for score, _ in scored])
        if outcome is Outcome.MERGE and self._is_sure(name, scored[0][1]):
            self._root[name] = scored[0][1]
            self._merged += 1
            return
        self._accepted[row] = True
        if outcome is not Outcome.NEW:
            self._pending.append((name, tuple(candidate for _, candidate in scored[:count])))

    def _nearest(self, row: int) -> list[int]:
        """Return the accepted names nearest to a row by vector, at most `top_k`, ties by order of appearance."""
        rows = np.flatnonzero(self._accepted[:row])
        if not len(rows):
            return []
        scores = self._similarities(row)[rows]
        if len(rows) > self._gradient.top_k:
            least = np.partition(scores, -self._gradient.top_k)[-self._gradient.top_k]
            rows, scores = rows[scores >= least], scores[scores >= least]
        order = np.lexsort((rows, -scores))[: self._gradient.top_k]
        return [int(self._names[at]) for at in rows[order]]

    def _similarities(self, row: int) -> Vectors:
        """Return the similarity of a row with all rows, from one matrix product for many rows at once."""
        chunk = row // _CHUNK
        if self._block[0] != chunk:
            rows = self._vectors[chunk * _CHUNK : (chunk + 1) * _CHUNK]
            self._block = (chunk, rows @ self._vectors[: (chunk + 1) * _CHUNK].T)
        return self._block[1][row - chunk * _CHUNK]

    def _find(self, name: int) -> int:
        while self._root[name] != name:
            self._root[name] = self._root[self._root[name]]
            name = self._root[name]
        return name

    def _unite(self, left: int, right: int) -> None:
        first, second = sorted((self._find(left), self._find(right)))
        self._root[second] = first
