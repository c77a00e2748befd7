"""The passages a person is shown, and the two outcomes without a short answer: passages that fit, or nothing.

Passages are what the best units grow into, none overlapping another.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from octavo.document import (
    NO_SHORT_ANSWER,
    Answer,
    AnswerFormat,
    Citation,
    Evidence,
    Outcome,
    Passage,
    View,
    is_no_page,
)
from octavo.operators.core import Run
from octavo.operators.extractive.unit_scores import ScoredUnit, scored_units
from octavo.operators.extractive.units import grown, stream_of, written
from octavo.operators.keep import RELEVANCE
from octavo.question import understand
from octavo.text.analyzer import analyze

MOST_PASSAGES = 3
"""Passages that are shown with an answer."""
# From one run of `octavo evaluate natural`, no documents left out: how often the first passage holds an answer, by the
# score of its unit. A rough guide.
_SCALE, _BASE = 0.36, -3.94
_MOST_DOCUMENTS = 3
"""Documents that are named one by one where nothing was found."""


def best_passages(question: str, evidence: Evidence, using: Run, count: int = MOST_PASSAGES) -> tuple[Passage, ...]:
    """Return the passages of the evidence's best pages that fit a question best, the best first."""
    units = scored_units(understand(question), evidence, using)
    return tuple(passage_of(evidence.view, one) for one in apart(units, count))


def shown_with(answer: Answer, using: Run) -> Answer:
    """Return an answer with the passages that a person is shown beside it, where its reader gave none.

    Those of its citations or, where there are none, the nearest ones.
    """
    if answer.passages or not len(answer.evidence):
        return answer
    view = answer.evidence.view
    documents = {document.id: at for at, document in enumerate(view.documents)}
    rows = [int(view.row_starts[documents[one.document_id]]) + int(one.block[1:]) for one in answer.citations]
    around = [passage_around(view, row, one.quote) for row, one in zip(rows, answer.citations, strict=True)]
    distinct = tuple(dict.fromkeys(one for one in around if one is not None))[:MOST_PASSAGES]
    found = distinct or best_passages(using.query.question, answer.evidence, using)
    return dataclasses.replace(answer, passages=found)


def passage_around(view: View, row: int, quote: str = "") -> Passage | None:
    """Return the passage around a block, or around the part of it that has a quote; None for a block without words."""
    stream = stream_of(view, int(view.page_index[row]))
    own = [at for at, unit in enumerate(stream.units) if unit.row == row]
    if not own:
        return None
    wanted = set(analyze(quote))
    best = max(own, key=lambda at: (len(wanted & set(analyze(stream.units[at].text))), -at))
    text, emphasis = written(view, stream, grown(view, stream, best), best)
    return Passage.at(view, row, text, emphasis=emphasis if quote else ())


def apart(units: Sequence[ScoredUnit], count: int = MOST_PASSAGES) -> list[ScoredUnit]:
    """Return the first units whose passages share nothing, `count` at most."""
    chosen: list[ScoredUnit] = []
    for one in units:
        if len(chosen) == count:
            break
        if not any(one.overlaps(other) for other in chosen):
            chosen.append(one)
    return chosen


def passage_of(view: View, one: ScoredUnit) -> Passage:
    """Return the passage of a unit, the unit itself marked."""
    text, emphasis = written(view, one.stream, one.span, one.at)
    return Passage.at(view, one.unit.row, text, emphasis=emphasis, score=round(chance(one.score), 3))


def chance(score: float) -> float:
    """Return how likely the passage of a unit with this score holds the answer, 0..1."""
    return 1 / (1 + math.exp(-_SCALE * score - _BASE))


# Outcomes


def passages_only(
    question: str, evidence: Evidence, passages: Sequence[Passage], text: str = "", *, confidence: float = 0.0
) -> Answer:
    """Return the outcome that these passages fit; `text` says why in place of the usual words."""
    said = text or f"{NO_SHORT_ANSWER} are {places(evidence.view, passages)}."
    return _unanswered(question, evidence, Outcome.PASSAGES, said, passages, confidence)


def nothing(question: str, evidence: Evidence, *, missing: Sequence[str] = ()) -> Answer:
    """Return the outcome that the documents do not say; `missing` are names that were looked for and stand nowhere.

    What comes nearest is shown beside it once the answer is complete (`extractive.passages.shown_with`).
    """
    return _unanswered(question, evidence, Outcome.NOTHING, _speaks_of_nothing(evidence.view, missing), (), 0.0)


def _unanswered(
    question: str, evidence: Evidence, outcome: Outcome, text: str, passages: Sequence[Passage], confidence: float
) -> Answer:
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=outcome,
        evidence=evidence,
        by=RELEVANCE,
        format=AnswerFormat.NONE,
        passages=tuple(passages),
        confidence=confidence,
    )


def _speaks_of_nothing(view: View, missing: Sequence[str]) -> str:
    names = [document.name for document in view.documents]
    where = ", ".join(names) if len(names) <= _MOST_DOCUMENTS else f"these {len(names)} documents"
    what = " or ".join(f"“{name}”" for name in missing) if missing else "this"
    return f"Nothing in {where or 'these documents'} speaks of {what}."


def places(view: View, passages: Sequence[Passage]) -> str:
    """Return where passages stand: "on page 2, page 5", of several documents "on page 2 of notes.pdf"."""
    several = len(view.documents) > 1
    told = [f"{place(one)} of {one.document}" if several else place(one) for one in passages]
    before = "on" if told and told[0].startswith("page") else "in"
    return f"{before} {', '.join(dict.fromkeys(told))}"


def place(where: Passage | Citation) -> str:
    """Return the page something stands on, or the part, slide or sheet of what has no pages."""
    return where.page_label if is_no_page(where.page_label) else f"page {where.page}"
