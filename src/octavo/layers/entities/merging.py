"""From an extraction to the graph: names are keyed, searched, scored, adjudicated and united.

Owns how resolution is fed and what is reported of it. Knows nothing about extraction.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.decisions.engine.judge import Judge
from octavo.document import Graph
from octavo.layers.entities.assembly import assembled
from octavo.layers.entities.extraction import Extraction, Named
from octavo.layers.entities.keys import is_searched, keys_of, letter_vectors
from octavo.layers.entities.resolution import Gradient, Resolution, Vectors, resolve
from octavo.layers.entities.statistics import statistics_of
from octavo.models.ports import TextEmbedder
from octavo.text.names import likeness

GRADIENT = Gradient()
_MOST_SEARCHED = 6000
"""Names that are compared with others; those after them are united by rule alone."""
_UNRELATED = 0.4
"""Cosine of the meanings of names that have nothing to do with each other, at most."""
_FAR = 0.25
"""Letter vectors less similar than this are of names that are not alike."""


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
