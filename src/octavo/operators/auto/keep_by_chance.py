"""How many pages a question needs, by a calibrated chance that a page or a later one holds evidence.

Owns that chance and what is kept by it (LAD-RAG section 2.2: never a fixed k). Knows nothing about where scores come
from.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence
from octavo.operators.auto.add_best_section import UNIT
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import on_pages, pages_with, ranked_pages

Floats = npt.NDArray[np.float64]

# Fitted by `python benchmarks/page_counts.py FOLDER --corpus INDEX`, which prints them with their figures on documents
# left out: ridge logistic regression of "this page or one further down is evidence" over the first 30 pages.
_ALWAYS, _BEHIND, _FURTHER_DOWN, _IN_UNIT, _FOR_EVERY = 1.56, -1.07, -1.39, 0.65, 2.06
_LOOKED_AT = 30
"""Pages down the ranking that the chance was fitted on."""


@dataclasses.dataclass(frozen=True)
class KeepByChance(Step[Evidence, Evidence]):
    """Keep the best pages by `relevance`, down to the last whose chance of being needed is `chance` or more.

    The chance (0..1) falls with the rank and with how far a page's score is behind the best one's; it is higher for a
    page of the unit of the best block (column `unit`), and for a question that goes through `every` thing of a kind.
    Where all pages are alike, many are kept. There are at least `least` and at most `most`, and never more than the
    question's limit.
    """

    every: bool = False
    chance: float = 0.12
    least: int = 4
    most: int = 20

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the blocks of the kept pages."""
        score, order = ranked_pages(value)
        in_unit = pages_with(value, UNIT)[order]
        chances = chance_of_need(score[order], in_unit, every=self.every)
        needed = np.flatnonzero(chances >= self.chance)
        count = int(np.clip(needed[-1] + 1 if len(needed) else 0, self.least, self.most))
        return on_pages(value, order[: min(count, max(using.query.limit, 0))])


def chance_of_need(scores: Floats, in_unit: npt.NDArray[np.bool_], *, every: bool) -> Floats:
    """Return for pages, best first, the chance (0..1) that one of them or a later one is needed.

    Args:
        scores: Their relevance, descending.
        in_unit: Whether each is of the unit of the best block.
        every: Whether the question goes through all things of a kind.
    """
    rank = np.arange(min(len(scores), _LOOKED_AT))
    behind = scores[:1] - scores[: len(rank)]
    odds = _ALWAYS + _BEHIND * behind + _FURTHER_DOWN * np.log1p(rank) + _IN_UNIT * in_unit[: len(rank)]
    return 1.0 / (1.0 + np.exp(-odds - _FOR_EVERY * every))
