"""From an extraction to the graph: names are keyed, searched, scored, adjudicated and united.

Which names are one thing is told by gradient (BookRAG section 4.3.2, Algorithm 1). The paper's test `S > score / g` can
keep nothing for g below 1; it is read as `S[i] >= g * S[i - 1]`, a fall by less than the share that g leaves. A best
score below `low` is no evidence for any candidate, so the name is new whatever comes after it. What has to be
adjudicated stands as a new entity until the verdicts are in, so that they can be asked for many at a time; entities
found to be one are united then.
"""

from __future__ import annotations

import dataclasses
import enum
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Graph
from octavo.layers.entities.extraction import (
    DATE,
    ELEMENTS,
    LABEL,
    NAME,
    PERSON,
    QUANTITY,
    TERM,
    EntityExtraction,
    Named,
    assembled,
    statistics_of,
)
from octavo.layers.entities.names import value_key
from octavo.layers.entities.words import is_capital, is_shouted
from octavo.models.ports import TextEmbedder
from octavo_documents.text.names import is_short_for, likeness, name_words, normal_form

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

    def outcome(self, scores: Sequence[float]) -> tuple[MergeOutcome, int]:
        """Return what scores, best first, say of a name, and how many of the first candidates it may be.

        A single candidate shows no fall: it is taken only after adjudication.
        """
        if not scores or scores[0] < self.low:
            return MergeOutcome.NEW, 0
        leading = self.leading(scores)
        if leading == 1 < len(scores):
            return MergeOutcome.MERGE, 1
        return MergeOutcome.ADJUDICATE, leading


class MergeOutcome(enum.Enum):
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
        if outcome is MergeOutcome.MERGE and self._is_sure(name, scored[0][1]):
            self._root[name] = scored[0][1]
            self._merged += 1
            return
        self._accepted[row] = True
        if outcome is not MergeOutcome.NEW:
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


GRADIENT = Gradient()
_MOST_SEARCHED = 6000
"""Names that are compared with others; those after them are united by rule alone."""
_UNRELATED = 0.4
"""Cosine of the meanings of names that have nothing to do with each other, at most."""
_FAR = 0.25
"""Letter vectors less similar than this are of names that are not alike."""
_DIMENSION = 512
_EVERYWHERE = {
    "us": "unitedstate",
    "usa": "unitedstate",
    "unitedstatesofamerica": "unitedstate",
    "uk": "unitedkingdom",
    "eu": "europeanunion",
    "un": "unitednation",
}
"""Normal forms of short names that need no introduction."""


def resolved(
    extraction: EntityExtraction, judge: Judge, embedder: Callable[[], TextEmbedder], title: str = ""
) -> Graph:
    """Return the graph of an extraction; with a model to adjudicate, names are searched by what they mean as well."""
    resolution = resolution_of(extraction, judge, embedder, title)
    graph = assembled(extraction, resolution.entity)
    basic = assembled(extraction, exact_names(extraction.names))
    return dataclasses.replace(graph, statistics=_report(extraction, resolution, graph, basic))


def resolution_of(
    extraction: EntityExtraction, judge: Judge, embedder: Callable[[], TextEmbedder], title: str = ""
) -> Resolution:
    """Return which names of an extraction are one entity."""
    names = extraction.names
    keys = keys_of(names, extraction.acronyms)
    searched = _searched(names, keys)
    chosen = [names[at].name for at in np.flatnonzero(searched).tolist()]
    is_adjudicated = bool(chosen) and judge.has_model(ADJUDICATE_ENTITIES.name)
    letters = letter_vectors(chosen)
    meanings = embedder().embed(chosen) if is_adjudicated else None
    scorer = _Scorer(names, np.cumsum(searched) - 1, letters, meanings)
    vectors = letters if meanings is None else np.concatenate([letters, meanings], axis=1) * np.float32(0.5**0.5)
    adjudicate = partial(_adjudicated, names, judge, title)
    return resolve(keys, vectors, searched, scorer.scores, adjudicate, is_sure=scorer.is_sure, gradient=GRADIENT)


def _adjudicated(
    names: Sequence[Named], judge: Judge, title: str, pending: Sequence[tuple[int, tuple[int, ...]]]
) -> list[int]:
    """Return which candidate each pending name is another name of, -1 for none; one that was not shown is none."""
    asked = [NewName(_card(names[name]), tuple(_card(names[at]) for at in among)) for name, among in pending]
    decided = judge.decide_items(ADJUDICATE_ENTITIES, Adjudication(title), asked)
    return [
        among[one.output.match - 1] if 0 < one.output.match <= len(among) else -1
        for (_, among), one in zip(pending, decided, strict=True)
    ]


def exact_names(names: Sequence[Named]) -> npt.NDArray[np.int32]:
    """Return (n_names,) int32: entities when only names that are the same to the letter are one."""
    numbers: dict[tuple[str, int], int] = {}
    return np.array([numbers.setdefault((named.name, named.element), len(numbers)) for named in names], np.int32)


@dataclasses.dataclass(frozen=True)
class _Scorer:
    """How alike names are: by letters, and where there are meanings by those as well."""

    names: Sequence[Named]
    rows: npt.NDArray[np.int64]
    """(n_names,) the rows of searched names in the vectors."""
    letters: Vectors
    meanings: Vectors | None

    def scores(self, name: int, candidates: Sequence[int]) -> list[float]:
        """Return 0..1 for each candidate: likeness of letters, a little less where vectors differ."""
        own, others = self.rows[name], self.rows[list(candidates)]
        near = (self.letters[others] @ self.letters[own]).tolist()
        scores = [
            self._likeness(name, other) * (0.8 + 0.2 * close) if close >= _FAR else 0.0
            for other, close in zip(candidates, near, strict=True)
        ]
        if self.meanings is None:
            return scores
        meant = (self.meanings[others] @ self.meanings[own] - _UNRELATED) / (1 - _UNRELATED)
        return [max(score, float(one)) for score, one in zip(scores, meant, strict=True)]

    def is_sure(self, name: int, candidate: int) -> bool:
        """Return whether letters alone support that two names are one."""
        return self._likeness(name, candidate) >= GRADIENT.low

    def _likeness(self, name: int, other: int) -> float:
        return likeness(self.names[name].name, self.names[other].name)


def _searched(names: Sequence[Named], keys: Sequence[Sequence[Hashable]]) -> npt.NDArray[np.bool_]:
    """Return (n_names,) bool: the first name of each normal form that may be alike others, at most `_MOST_SEARCHED`."""
    seen: set[Hashable] = set()
    searched = np.zeros(len(names), np.bool_)
    left = _MOST_SEARCHED
    for at, named in enumerate(names):
        searched[at] = left > 0 and is_searched(named) and not any(key in seen for key in keys[at])
        left -= int(searched[at])
        seen.update(keys[at])
    return searched


def _card(named: Named) -> EntityCard:
    return EntityCard(named.name, named.type, named.description)


def _report(extraction: EntityExtraction, resolution: Resolution, graph: Graph, basic: Graph) -> dict[str, Any]:
    return {
        "names": len(extraction.names),
        "mentions": len(graph.mentions),
        "relations": len(graph.relations),
        "united_by_rule": resolution.by_rule,
        "united_by_gradient": resolution.merged,
        "adjudicated": resolution.adjudicated,
        "united_by_adjudication": resolution.matched,
        "exact_names": dataclasses.asdict(statistics_of(basic)),
        "resolved": dataclasses.asdict(statistics_of(graph)),
    }


def keys_of(names: Sequence[Named], acronyms: Sequence[tuple[str, str]]) -> list[list[Hashable]]:
    """Return for each name the keys that it shares with every name of the same thing, the most telling first."""
    longs = _expansions(names, acronyms)
    surnames = _surnames(names)
    return [list(_keys(named, longs, surnames)) for named in names]


def _keys(named: Named, longs: dict[str, str], surnames: dict[str, str]) -> Iterator[Hashable]:
    if named.element >= 0:
        yield "element", named.element
        return
    if named.type in (DATE, QUANTITY):
        yield named.type, value_key(named.name)
        return
    plain = normal_form(named.name) or named.name
    yield plain
    if plain in longs:
        yield longs[plain]
    if plain in surnames and named.type in (PERSON, NAME):
        yield surnames[plain]


def _expansions(names: Sequence[Named], acronyms: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the normal form of what each acronym is short for: as introduced, or the one name it can be short for."""
    longs = dict(_EVERYWHERE)
    introduced = {normal_form(short): normal_form(long) for short, long in acronyms}
    longs.update(introduced)
    by_initial: defaultdict[str, list[str]] = defaultdict(list)
    for named in names:
        if named.element < 0 and named.type not in (TERM, LABEL) and " " in named.name and is_capital(named.name):
            by_initial[name_words(named.name)[0][0] if name_words(named.name) else ""].append(named.name)
    for named in names:
        plain = normal_form(named.name)
        if plain in longs or " " in named.name or len(plain) < 3 or not is_shouted(named.name):
            continue
        found = {normal_form(name) for name in by_initial[plain[0]] if is_short_for(named.name, name)}
        if len(found) == 1:
            longs[plain] = found.pop()
    return longs


def _surnames(names: Sequence[Named]) -> dict[str, str]:
    """Return the normal form of the one person of each surname, by the surname's."""
    people: defaultdict[str, set[str]] = defaultdict(set)
    for named in names:
        words = name_words(named.name)
        if named.type == PERSON and len(words) > 1:
            people[words[-1]].add(normal_form(named.name))
    return {surname: full.pop() for surname, full in people.items() if len(full) == 1}


def is_searched(named: Named) -> bool:
    """Return whether a name may be like another without being equal by rule: no element, value or table header."""
    return named.element < 0 and named.type not in ELEMENTS and named.type not in (DATE, QUANTITY, LABEL)


def letter_vectors(names: Sequence[str]) -> Vectors:
    """Return (n, 512) float32, rows of length 1: the words of names and the runs of three letters in them, hashed."""
    rows: list[int] = []
    columns: list[int] = []
    weights: list[float] = []
    for row, name in enumerate(names):
        for part, weight in _parts(name).items():
            rows.append(row)
            columns.append(zlib.crc32(part.encode()) % _DIMENSION)
            weights.append(weight)
    vectors = np.zeros((len(names), _DIMENSION), np.float32)
    np.add.at(vectors, (np.array(rows, np.int64), np.array(columns, np.int64)), np.array(weights, np.float32))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


def _parts(name: str) -> Counter[str]:
    parts: Counter[str] = Counter()
    for word in name_words(name):
        edged = f"^{word}$"
        parts[word] += 1
        parts.update(edged[at : at + 3] for at in range(len(edged) - 2))
    return parts
