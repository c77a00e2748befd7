"""Whether a question has an answer in the documents at all, by signs that need no model.

Owns the signs, what each adds to the odds, and the odds of an answer being right. Knows nothing about how candidates
are found or chosen.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from octavo.decisions.rules.question import Question
from octavo.document import View
from octavo.operators.reader.grounding import grounding
from octavo.operators.reading.candidate import Candidate

# Both fitted by benchmarks/answerability.py: logistic regression over questions with an answer and without.
_ANSWERABLE = {"support": 1.6, "together": 3.0, "names": 2.7, "numbers": 2.5}
_ANSWERABLE_ODDS = -6.7
"""Log odds with no sign, were there as many questions with an answer as without."""
_RIGHT = {"nearness": 0.9, "fit": 3.1, "similarity": 1.9, "lead": 6.7, "together": 0.7}
_RIGHT_ODDS = -7.1
_USUAL_SIMILARITY = 0.5
"""What similarity counts as where nothing was compared."""


@dataclasses.dataclass(frozen=True)
class Signs:
    """What speaks for an answer being there, each 0..1.

    `support` is the most of the question that any candidate speaks of, times how well its form fits; `together` is the
    share of the question's terms that one page has. `names` is 1 where all names of the question occur somewhere,
    `numbers` where all its numbers and labels do, else 0.
    """

    support: float
    together: float
    names: float
    numbers: float


def signs_of(question: Question, view: View, candidates: Sequence[Candidate]) -> Signs:
    """Return the signs for a question, given all candidates for an answer; the view needs the layer `terms`."""
    known = grounding(question, view)
    return Signs(
        support=min(max((one.coverage * one.fit for one in candidates), default=0.0), 1.0),
        together=known.together,
        names=float(known.names == 1.0),
        numbers=float(known.numbers == 1.0),
    )


def answerability(signs: Signs) -> float:
    """Return how likely the documents answer, 0..1, where as many questions have an answer as have none."""
    return _chance(_ANSWERABLE_ODDS, _ANSWERABLE, dataclasses.asdict(signs))


def confidence(best: Candidate, lead: float, signs: Signs, *, is_compared: bool) -> float:
    """Return how likely an answer is right, 0..1; `lead` is what its score is ahead of the next other answer."""
    figures = {
        "nearness": best.nearness,
        "fit": best.fit,
        "similarity": max(best.similarity, 0.0) if is_compared else _USUAL_SIMILARITY,
        "lead": lead,
        "together": signs.together,
    }
    return _chance(_RIGHT_ODDS, _RIGHT, figures)


def _chance(odds: float, weights: dict[str, float], figures: dict[str, float]) -> float:
    return 1 / (1 + math.exp(-odds - sum(weight * figures[name] for name, weight in weights.items())))
