"""From an extraction to the graph: names are keyed, searched, scored, adjudicated and united.

Owns how resolution is fed and what is reported of it. Knows nothing about extraction.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.decisions.judge import Judge
from octavo.decisions.rules.names import likeness
from octavo.document import Graph
from octavo.layers.entities.assembly import assembled
from octavo.layers.entities.extraction import Extraction, Named
from octavo.layers.entities.keys import is_searched, keys_of, letter_vectors
from octavo.layers.entities.resolution import Gradient, Resolution, Vectors, resolve
from octavo.layers.entities.statistics import statistics_of
from octavo.models.ports import TextEmbedder

GRADIENT = Gradient()
_MOST_SEARCHED = 6000
"""Names that are compared with others; those after them are united by rule alone."""
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
    letters = letter_vectors(chosen)
    meanings = None
    if chosen and judge.has_model(ADJUDICATE_ENTITIES.name):
        meanings = embedder().embed(chosen)
    scorer = _Scorer(names, searched, letters, meanings)

    def adjudicate(pending: Sequence[tuple[int, tuple[int, ...]]]) -> list[int]:
        asked = [NewName(_card(names[name]), tuple(_card(names[at]) for at in among)) for name, among in pending]
        decided = judge.decide_items(ADJUDICATE_ENTITIES, Adjudication(title), asked)
        return [
            among[one.output.match - 1] if 0 < one.output.match <= len(among) else -1
            for (_, among), one in zip(pending, decided, strict=True)
        ]

    vectors = letters if meanings is None else np.concatenate([letters, meanings], axis=1) * np.float32(0.5**0.5)
    return resolve(keys, vectors, searched, scorer.scores, adjudicate, is_sure=scorer.is_sure, gradient=GRADIENT)


def exact_names(names: Sequence[Named]) -> npt.NDArray[np.int32]:
    """Return (n_names,) int32: entities when only names that are the same to the letter are one."""
    numbers: dict[tuple[str, int], int] = {}
    return np.array([numbers.setdefault((named.name, named.element), len(numbers)) for named in names], np.int32)


@dataclasses.dataclass(frozen=True)
class _Scorer:
    """How alike names are: by letters, and where there are meanings by those as well."""

    names: Sequence[Named]
    searched: npt.NDArray[np.bool_]
    letters: Vectors
    meanings: Vectors | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rows", np.cumsum(self.searched) - 1)

    def scores(self, name: int, candidates: Sequence[int]) -> list[float]:
        """Return 0..1 for each candidate: likeness of letters, a little less where vectors differ."""
        rows: npt.NDArray[np.int64] = getattr(self, "_rows")  # noqa: B009
        near = (self.letters[rows[list(candidates)]] @ self.letters[rows[name]]).tolist()
        scores = [
            self._likeness(name, other) * (0.8 + 0.2 * close) if close >= _FAR else 0.0
            for other, close in zip(candidates, near, strict=True)
        ]
        if self.meanings is None:
            return scores
        meant = (self.meanings[rows[list(candidates)]] @ self.meanings[rows[name]] - 0.4) / 0.6
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
