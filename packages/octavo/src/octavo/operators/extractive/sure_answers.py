"""Which of several short answers leads, and the chance that it is right: two small models over named figures.

Where a scorer reads passages, it also reads the likeliest answers, each as a line of its own: a cell with what its row
and column are called, or its sentence. `python benchmarks/short_answers.py` fits the weights, and measures them with
the documents of each question left out.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from octavo.evidence import View
from octavo.models.ports import PassageScorer
from octavo.operators.extractive.fits import ShortAnswer
from octavo.operators.extractive.matching import grounding
from octavo.operators.extractive.short_answers import may_lead
from octavo.question import Question
from octavo_documents.document import PICTURED
from octavo_documents.text.lines import on_one_line

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Weights:
    """What the signs of short answers weigh beside each other, and the odds of the leading one.

    Signs, of each short answer of a question:

    margin: the score of its unit less that of the best unit;
    near: how near the question's words stand to it, 0..1;
    fit: how well its form answers the question, 0..1;
    near_cell: `near` of a table's cell, 0 elsewhere: there it is the match of row and column;
    pieces: the unit's likeness with the question, word piece by word piece;
    length: log(1 + words);
    unsaid: of a table's cell, the share of the words its row is called by that the question does not say;
    bound: whether what the question says is bound to it, and to nothing beside it;
    line: what the scorer says of it as a line of its own, in tens.

    Odds, of the leading one, are some of these and

    score: its score by the signs;
    lead: what that is ahead of the next other answer, at most 3;
    picture: whether it was read in a picture;
    known: the share of the question's names and numbers that the documents know.
    """

    signs: Mapping[str, float]
    odds: Mapping[str, float]
    base: float


def _weights(**named: float) -> Mapping[str, float]:
    return MappingProxyType(named)


# Both are fitted to short answers that were right or wrong; `benchmarks/short_answers.py` says how, and what they are
# worth with the documents of each question left out.
BY_RULE = Weights(
    _weights(margin=0.44, near=4.25, fit=1.48, near_cell=-0.41, pieces=4.11, length=0.61, unsaid=-1.51),
    _weights(score=0.48, lead=0.66, near=-0.31, fit=0.9, pieces=4.1, picture=-1.24, known=0.84, unsaid=-1.74),
    -8.1,
)
BY_SCORER = Weights(
    _weights(near=3.8, fit=1.41, length=0.47, unsaid=-1.65, bound=0.62, line=1.11),
    _weights(score=0.68, lead=0.42),
    -3.59,
)
"""The base is 0.4 above the fitted one: from a fitted chance of 0.4 on, 0.88 or more were right, documents left out."""
LEAST_LEAD = 0.25
"""What a short answer must be ahead of the next other one: two that are as good disagree."""
_NEAR_LEAD = 0.5
"""A lead below which the next other short answer is told beside the one that is stated; chosen by hand."""
_MOST_LEAD = 3.0
"""A lead over this counts as this: the odds were fitted with it cut so."""
_READ = 6
"""Short answers that the scorer reads."""
_UNREAD = -11.0
"""What counts as the scorer's word on those it does not read: about as low as it goes."""
_LONGEST_LINE = 300
"""Characters of a sentence that is read, and of a heading before a cell."""
_LONGEST_HEADING = 50


def read_alone(
    scorer: PassageScorer, question: Question, view: View, found: Sequence[ShortAnswer]
) -> list[ShortAnswer]:
    """Return short answers with what a scorer says of the likeliest of them, each as a line of its own."""
    likely = sorted(range(len(found)), key=lambda at: -_likely(found[at]))[:_READ]
    said = dict(zip(likely, scorer.scores(question.text, [line_of(view, found[at]) for at in likely]), strict=True))
    return [dataclasses.replace(one, told=float(said.get(at, _UNREAD))) for at, one in enumerate(found)]


def _likely(one: ShortAnswer) -> float:
    return 0.3 * one.source.score + 4 * one.near + 1.5 * one.fit


def line_of(view: View, one: ShortAnswer) -> str:
    """Return a short answer as a line of its own: a cell with what its row and column are called, or its sentence."""
    unit = one.source.unit
    if not one.called:
        return unit.text[:_LONGEST_LINE]
    path = view.blocks.section_path(unit.row)
    over = f"{path[-1][:_LONGEST_HEADING]}: " if path else ""
    return f"{over}{', '.join(filter(None, one.called))}: {one.text}"


def signs_of(found: Sequence[ShortAnswer], best: float, names: Sequence[str]) -> Floats:
    """Return (n, len(names)) what speaks for each short answer; `best` is the best unit's score."""
    signs = [_signs(one, best) for one in found]
    return np.array([[own[name] for name in names] for own in signs], np.float64).reshape(-1, len(names))


def _signs(one: ShortAnswer, best: float) -> dict[str, float]:
    return {
        "margin": one.source.score - best,
        "near": one.near,
        "fit": one.fit,
        "near_cell": one.near * one.is_cell,
        "pieces": one.source.pieces,
        "length": math.log1p(len(one.text.split())),
        "unsaid": one.unsaid,
        "bound": float(one.is_bound),
        "line": (one.told or 0.0) / 10,
    }


def leading(found: Sequence[ShortAnswer], scores: Floats) -> tuple[int, float]:
    """Return which short answer has the best score, and what it is ahead of the next with another text, at most 3."""
    first = int(np.argmax(scores))
    others = [score for one, score in zip(found, scores, strict=True) if _plain(one.text) != _plain(found[first].text)]
    return first, float(min(scores[first] - max(others), _MOST_LEAD)) if others else _MOST_LEAD


def _plain(text: str) -> str:
    return on_one_line(text.lower())


def odds_of(
    question: Question, view: View, one: ShortAnswer, names: Sequence[str], *, score: float, lead: float
) -> Floats:
    """Return (len(names),) what the chance of a short answer depends on."""
    # Of several documents the one that the answer stands in has to know what is asked about.
    known = grounding(question, view.parts[int(view.document[one.source.unit.row])])
    figures = _signs(one, one.source.score) | {
        "score": score,
        "lead": lead,
        "picture": float(view.blocks.kind_of(one.source.unit.row) in PICTURED),
        "known": min(known.names, known.numbers),
    }
    return np.array([figures[name] for name in names])


@dataclasses.dataclass(frozen=True)
class Surest:
    """The short answer that leads, the chance (0..1) that it is right, and the next other one where that is near."""

    answer: ShortAnswer
    chance: float
    rival: ShortAnswer | None = None
    is_clear: bool = True
    """Whether it leads by enough to be stated: two that are as good disagree."""


def surest(
    question: Question, view: View, found: Sequence[ShortAnswer], best: float, scorer: PassageScorer | None = None
) -> Surest | None:
    """Return the short answer that leads, None where none does or what leads is not bound to what is asked."""
    found = may_lead(question, view, found)
    if not found:
        return None
    weights = BY_RULE
    if scorer is not None and found[0].source.answers is not None:
        weights, found = BY_SCORER, read_alone(scorer, question, view, found)
    scores = signs_of(found, best, tuple(weights.signs)) @ np.array(tuple(weights.signs.values()))
    first, lead = leading(found, scores)
    if not found[first].is_bound:
        return None
    odds = odds_of(question, view, found[first], tuple(weights.odds), score=float(scores[first]), lead=lead)
    chance = float(odds @ np.array(tuple(weights.odds.values()))) + weights.base
    rival = _next_other(found, scores, first) if lead < _NEAR_LEAD else None
    return Surest(found[first], 1 / (1 + math.exp(-chance)), rival, is_clear=lead >= LEAST_LEAD)


def _next_other(found: Sequence[ShortAnswer], scores: Floats, first: int) -> ShortAnswer | None:
    """Return the best short answer with another text that is bound to what is asked; None where there is none."""
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    others = (found[at] for at in order if _plain(found[at].text) != _plain(found[first].text))
    return next((one for one in others if one.is_bound), None)
