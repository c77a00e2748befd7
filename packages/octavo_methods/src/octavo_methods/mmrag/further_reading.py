"""What a second reading of `mmrag` gets: what the first one said is missing, looked for once.

Pages, figures and tables that are asked for by their places are shown and looked at; other phrases are searched.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.evidence import Evidence, Query
from octavo.operators.core import Operator, Run
from octavo.operators.keep import LISTED, BestPassages
from octavo.operators.read.image_evidence import Spot
from octavo.operators.read.material import Material
from octavo.operators.read.wanted import to_search, wanted_of
from octavo.operators.score.fuse import FUSED
from octavo.systems.baselines import SCORED

_SEARCHED: Operator[Query, Evidence] = SCORED >> BestPassages(FUSED, 3)
"""What is found for a phrase: at most three phrases come from a reading."""


@dataclasses.dataclass(frozen=True, slots=True)
class Further:
    """The places to look at and the rows to read, each new to the reader."""

    spots: tuple[Spot, ...] = ()
    rows: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spots or self.rows)


def further(material: Material, missing: Sequence[str], using: Run) -> Further:
    """Return what phrases for what is missing come to, without what was shown."""
    timer, view = using.timer(), material.evidence.view
    wanted = wanted_of(view, missing, material.pages, using)
    phrases = to_search(view, missing)
    before = {row for one in material.packed for row in one.rows}
    found = dict.fromkeys([*wanted.rows, *(row for phrase in phrases for row in _searched(phrase, using))])
    new = Further(wanted.spots, tuple(row for row in found if row not in before))
    told = {"missing": list(missing), "pictures": len(new.spots)}
    using.note(timer.step("LookForMissing", told, (len(view), len(new.rows))))
    return new


def _searched(phrase: str, using: Run) -> Iterator[int]:
    """Yield the rows of the passages that are nearest to a phrase."""
    yield from _SEARCHED(Query(phrase), using.branch(Query(phrase))).rows.tolist()


def read_again(material: Material, taken: Sequence[int], rows: Sequence[int], using: Run) -> Material:
    """Return what a second reading is shown: the rows that the first took, and new ones.

    Of what was read and not taken only the pages are told; neither is anything else sure to be read.
    """
    evidence = material.evidence
    listed = {**evidence.sources, LISTED: np.isin(evidence.rows, [*taken])}
    return dataclasses.replace(material, evidence=dataclasses.replace(evidence, sources=listed)).again(
        taken, (), rows, using
    )
