"""The extractive reader: an answer in the document's own words, without a model.

Owns the step from evidence to answer.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, AnswerFormat, Citation, Evidence
from octavo.operators.base import Step
from octavo.operators.pages import RELEVANCE
from octavo.operators.run import Run


@dataclasses.dataclass(frozen=True)
class ExtractiveReader(Step[Evidence, Answer]):
    """Answer with the best stretch of text of the evidence."""

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the answer, its citations verbatim."""
        using.decided_by["rule"] += 1
        ranked = value.ranked(RELEVANCE)
        row = next((int(row) for row in ranked if value.view.blocks.text[int(row)].strip()), None)
        cited = None if row is None else Citation.of(value.view, row, value.view.blocks.text[row])
        text = cited.quote if cited else "Not answerable"
        return Answer(
            question=using.query.question,
            system="",
            text=text,
            answerable=cited is not None,
            evidence=value,
            by=RELEVANCE,
            value=text if cited else None,
            format=AnswerFormat.STR if cited else AnswerFormat.NONE,
            citations=(cited,) if cited else (),
        )
