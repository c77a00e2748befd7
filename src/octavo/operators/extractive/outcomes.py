"""What is said where no short answer is sure: that passages fit, or that nothing does.

Owns the words of both outcomes. Knows nothing about who gives up or why.
"""

from __future__ import annotations

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
    part_label,
)
from octavo.operators.keep.pages import RELEVANCE

_MOST_DOCUMENTS = 3


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
    """Return the page something stands on, or the part of text that has no pages."""
    return where.page_label if where.page_label == part_label(where.page) else f"page {where.page}"
