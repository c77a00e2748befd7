"""From an extraction to the graph: names are keyed, searched, scored, adjudicated and united.

Names are one by rule where their normal forms are equal, one is the acronym of the other, or one is the surname of the
only person who has it. Others are searched by vectors of their letters and, with a model, of their meaning.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.decisions.engine.judge import Judge
from octavo.document import Graph
from octavo.layers.entities.extraction import (
    DATE,
    ELEMENTS,
    LABEL,
    NAME,
    PERSON,
    QUANTITY,
    TERM,
    Extraction,
    Named,
    assembled,
    statistics_of,
)
from octavo.layers.entities.names import value_key
from octavo.layers.entities.resolution import Gradient, Resolution, Vectors, resolve
from octavo.layers.entities.words import is_capital, is_shouted
from octavo.models.ports import TextEmbedder
from octavo.text.names import is_short_for, likeness, name_words, normal_form

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


def resolved(extraction: Extraction, judge: Judge, embedder: Callable[[], TextEmbedder], title: str = "") -> Graph:
    """Return the graph of an extraction; with a model to adjudicate, names are searched by what they mean as well."""
    resolution = resolution_of(extraction, judge, embedder, title)
    graph = assembled(extraction, resolution.entity)
    basic = assembled(extraction, exact_names(extraction.names))
    return dataclasses.replace(graph, statistics=_report(extraction, resolution, graph, basic))


def resolution_of(
    extraction: Extraction, judge: Judge, embedder: Callable[[], TextEmbedder], title: str = ""
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
        """Tell whether letters alone support that two names are one."""
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


def _report(extraction: Extraction, resolution: Resolution, graph: Graph, basic: Graph) -> dict[str, Any]:
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
    """Tell a name that may be alike another without being equal by rule: no element, value or table header."""
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
