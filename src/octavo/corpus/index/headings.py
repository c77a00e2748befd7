"""The doubtful headings of a document that was just read, put to a model where one is named for that decision itself.

A model named for everything is not asked: files are added without cost unless layers or this decision are asked for by
name. A model that mostly fails changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.corpus.judges import fell_back

if TYPE_CHECKING:
    from octavo.decisions.engine.judge import Judge
    from octavo.document import Document

DECISION = "level_headings"


def model_of(judge: Judge) -> str:
    """Return the id of the model that doubtful headings are put to, "" for none."""
    model = judge.models.get(DECISION)
    return "" if model is None else model.id


def judged(document: Document, judge: Judge) -> Document | None:
    """Return the document with its headings decided, None where the model failed or a cap was met.

    Raises ModelError where the provider refuses the key or does not know the model.
    """
    from octavo.structuring.headings.model_review import with_judged_headings

    asked = judge.branch()
    try:
        decided = with_judged_headings(document, asked)
    finally:
        for record in asked.records:
            judge.record(record)
    return None if asked.stopped or fell_back(asked) else decided
