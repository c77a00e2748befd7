"""What stands near the beginning first: an operator, and a system that has it between its search and its reader."""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.evidence import Evidence
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RankPages
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.search import Search
from octavo.operators.sentence_forms import always
from octavo.systems import System


@dataclasses.dataclass(frozen=True)
class PreferEarly(Step[Evidence, Evidence]):
    """Write the column `early`: the scores by words, less by the share `most` at the end of what was asked."""

    declares = Columns(reads={"bm25"}, writes={"early"})
    sentence = always("Preferred what stands near the beginning")

    most: float = 0.5

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows with the column."""
        place = value.rows / max(len(value.view) - 1, 1)
        return value.with_score("early", np.nan_to_num(value.scores["bm25"]) * (1 - self.most * place))


ABOUT = "words, and what stands near the beginning first"
_RETRIEVE = Search("bm25") >> PreferEarly() >> RankPages("early")
EARLY = System("early", _RETRIEVE, _RETRIEVE >> DirectReader(by_meaning=False), about=ABOUT)
