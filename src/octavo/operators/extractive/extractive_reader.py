"""The reader without a model: a short answer where it is sure, else the passages that fit, else that nothing does.

Nothing is written that is not in the evidence.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.engine.base import DecisionRecord
from octavo.document import Answer, Citation, Evidence, Outcome
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.extractive.certainty import surest
from octavo.operators.extractive.first_questions import about_documents
from octavo.operators.extractive.matching import unknown_names
from octavo.operators.extractive.passages import MOST_PASSAGES, apart, nothing, passage_of, passages_only
from octavo.operators.extractive.short_answers import ShortAnswer, short_answers
from octavo.operators.extractive.typed_values import typed
from octavo.operators.extractive.unit_scores import ScoredUnit, scored_units
from octavo.operators.keep.pages import RELEVANCE
from octavo.question import understand


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
