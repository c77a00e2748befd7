"""The reader without a model: a short answer where it is sure, else the passages that fit, else that nothing does.

Nothing is written that is not in the evidence. Two small models tell which of several short answers leads, and the
chance that it is right: `python benchmarks/short_answers.py` fits their weights, and measures them with the documents of
each question left out.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine.base import DecisionRecord
from octavo.document import Answer, Citation, Evidence, Kind, Outcome, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.extractive.first_questions import about_documents
from octavo.operators.extractive.matching import grounding, unknown_names
from octavo.operators.extractive.passages import MOST_PASSAGES, apart, nothing, passage_of, passages_only
from octavo.operators.extractive.short_answers import ShortAnswer, short_answers
from octavo.operators.extractive.typed_values import typed
from octavo.operators.extractive.unit_scores import ScoredUnit, scored_units
from octavo.operators.keep.pages import RELEVANCE
from octavo.question import Question, understand

Floats = npt.NDArray[np.float64]

SIGNS = ("margin", "near", "fit", "near_cell", "pieces", "length", "unsaid")
"""What speaks for a short answer beside the others of its question:

margin: the score of its unit less that of the best unit;
near: how near the question's words stand to it, 0..1;
fit: how well its form answers the question, 0..1;
near_cell: `near` of a table's cell, 0 elsewhere: there it is the match of row and column;
pieces: the unit's likeness with the question, word piece by word piece;
length: log(1 + words);
unsaid: of a table's cell, the share of the words its row is called by that the question does not say.
"""
SIGN_WEIGHTS = np.array([0.44, 4.25, 1.48, -0.41, 4.11, 0.61, -1.51])
ODDS = ("score", "lead", "near", "fit", "pieces", "picture", "known", "unsaid")
"""What the chance of the leading one depends on: its score, and what that is ahead of the next other answer, at most 3;
`near`, `fit` and `pieces` as above; whether it was read in a picture; the share of the question's names and numbers
that the documents know; and `unsaid` as above."""
ODDS_WEIGHTS = np.array([0.48, 0.66, -0.31, 0.9, 4.1, -1.24, 0.84, -1.74])
BASE_ODDS = -8.1
LEAST_LEAD = 0.25
"""What a short answer must be ahead of the next other one: two that are as good disagree."""
_MOST_LEAD = 3.0
_PICTURES = (Kind.FIGURE, Kind.CHART)


def signs_of(found: Sequence[ShortAnswer], best: float) -> Floats:
    """Return (n, len(SIGNS)) what speaks for each short answer; `best` is the best unit's score."""
    return np.array([_signs(one, best) for one in found], np.float64).reshape(-1, len(SIGNS))


def _signs(one: ShortAnswer, best: float) -> tuple[float, ...]:
    return (
        one.source.score - best,
        one.near,
        one.fit,
        one.near * one.is_cell,
        one.source.pieces,
        math.log1p(len(one.text.split())),
        one.unsaid,
    )


def leading(found: Sequence[ShortAnswer], scores: Floats) -> tuple[int, float]:
    """Return which short answer has the best score, and what it is ahead of the next with another text, at most 3."""
    first = int(np.argmax(scores))
    others = [score for one, score in zip(found, scores, strict=True) if _plain(one.text) != _plain(found[first].text)]
    return first, float(min(scores[first] - max(others), _MOST_LEAD)) if others else _MOST_LEAD


def odds_of(question: Question, view: View, one: ShortAnswer, *, score: float, lead: float) -> Floats:
    """Return (len(ODDS),) what the chance of a short answer depends on."""
    known = grounding(question, view)
    is_picture = view.blocks.kind[one.source.unit.row] in _PICTURES
    known_share = min(known.names, known.numbers)
    return np.array([score, lead, one.near, one.fit, one.source.pieces, float(is_picture), known_share, one.unsaid])


def surest(
    question: Question, view: View, found: Sequence[ShortAnswer], best: float
) -> tuple[ShortAnswer, float] | None:
    """Return the short answer that leads and the chance (0..1) that it is right; None where none leads clearly."""
    if not found:
        return None
    scores = signs_of(found, best) @ SIGN_WEIGHTS
    first, lead = leading(found, scores)
    if lead < LEAST_LEAD:
        return None
    odds = odds_of(question, view, found[first], score=float(scores[first]), lead=lead) @ ODDS_WEIGHTS + BASE_ODDS
    return found[first], 1 / (1 + math.exp(-float(odds)))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


@dataclasses.dataclass(frozen=True)
class ExtractiveReader(Step[Evidence, Answer]):
    """Answer in the document's own words, or show the passages that fit.

    A short answer is given where the chance (0..1) that it is right is `least` or more; it is the answer's confidence.
    """

    least: float = 0.5

    def needs(self) -> frozenset[str]:
        """Return the layers that weigh the question's terms."""
        return frozenset({"passages", "terms"})

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return what comes of the question."""
        using.judge.record(DecisionRecord("read", "rule"))
        return self.read(value, using)

    def read(self, value: Evidence, using: Run) -> Answer:
        """Return the same, noting nothing: for a reader that falls back on this one."""
        view, question = value.view, understand(using.query.question)
        told = about_documents(question.text, value, using)
        if told is not None:
            return told
        missing = unknown_names(question, view)
        units = scored_units(question, value, using)
        if missing or not units:
            return nothing(question.text, value, missing=missing)
        found = short_answers(question, view, units)
        sure = surest(question, view, found, units[0].score)
        if sure is not None and sure[1] >= self.least:
            answer = self._answer(value, using.query.question, units, *sure)
            if answer is not None:
                return answer
        passages = [passage_of(view, one) for one in apart(units)]
        return passages_only(question.text, value, passages, confidence=sure[1] if sure else 0.0)

    def _answer(
        self, value: Evidence, text: str, units: list[ScoredUnit], best: ShortAnswer, chance: float
    ) -> Answer | None:
        """Return a short answer with its passage first; None where its words cannot be found in its block."""
        view = value.view
        row, unit = best.source.unit.row, best.source.unit
        cited = Citation.of(view, row, unit.shown) or Citation.of(view, row, best.quote)
        if cited is None:
            return None
        printed, form = typed(understand(text), best)
        chosen = apart([best.source, *(one for one in units if one is not best.source)], MOST_PASSAGES)
        return Answer(
            question=text,
            system="",
            text=best.text,
            outcome=Outcome.ANSWER,
            evidence=value,
            by=RELEVANCE,
            value=printed,
            format=form,
            citations=(cited,),
            confidence=round(chance, 3),
            passages=tuple(passage_of(view, one) for one in chosen),
        )
