"""The extractive reader: an answer in the document's own words, without a model.

Owns the step from evidence to answer: what is asked, what could answer it, which of that is best, and whether it is
good enough. Nothing is written that is not in the evidence, but yes, no, and what is counted or worked out of it.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.base import DecisionRecord
from octavo.decisions.rules.question import Expects, Question, read_question
from octavo.document import Answer, Citation, Evidence, Outcome
from octavo.operators.base import Step
from octavo.operators.nearest import nearest_to, refusal
from octavo.operators.pages import RELEVANCE
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.answerability import answerability, confidence, signs_of
from octavo.operators.reading.candidate import Candidate
from octavo.operators.reading.choose import lead_of, ranked
from octavo.operators.reading.finding import candidates_in
from octavo.operators.reading.judging import ENOUGH_FOR_YES
from octavo.operators.reading.trends import NO, YES
from octavo.operators.reading.typing_answers import typed
from octavo.operators.run import Run

_NEGATIONS = frozenset({"not", "no", "never", "none", "neither", "nor", "without", "cannot"})


@dataclasses.dataclass(frozen=True)
class ExtractiveReader(Step[Evidence, Answer]):
    """Answer with the sentence, value, name, cell or list of the evidence that fits the question best.

    `compare` is how many statements are compared with the question by meaning, 0 for none. A question whose signs of an
    answer make one less likely than `least` (0..1) is given up as not answerable: at 0.5, one in seven of those that
    have an answer. An answer's confidence is another thing: how likely it is the right one.
    """

    compare: int = 6
    least: float = 0.5

    def needs(self) -> frozenset[str]:
        """Return the layers that weigh the question's terms."""
        return frozenset({"passages", "terms"})

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the answer with a verbatim citation for each quote, or one that says there is none."""
        using.judge.record(DecisionRecord("read", "rule"))
        return self.read(value, using)

    def read(self, value: Evidence, using: Run) -> Answer:
        """Return the same, noting nothing: for a reader that falls back on this one."""
        question = read_question(using.query.question)
        matcher = Matcher.of(question, value.view)
        candidates = candidates_in(matcher, value, RELEVANCE)
        leading = ranked(candidates, question.text, compare=self.compare, embed=using.vectors)
        if not leading:
            return refusal(value, question.text)
        signs = signs_of(question, value.view, candidates)
        sure = confidence(leading[0], lead_of(leading), signs, is_compared=self.compare > 0)
        citations = _citations(value, leading[0])
        if answerability(signs) < self.least or not citations:
            near = citations or nearest_to(question.text, value)
            return dataclasses.replace(refusal(value, question.text, near), confidence=sure)
        return _answer(question, value, leading[0], citations, sure)


def _answer(
    question: Question, evidence: Evidence, best: Candidate, citations: tuple[Citation, ...], sure: float
) -> Answer:
    text, (value, form) = best.text, typed(question, best)
    if question.expects is Expects.YES_NO and text not in (YES, NO) and best.coverage >= ENOUGH_FOR_YES:
        text = value = _yes_or_no(question.text, best.statement)
    return Answer(
        question=question.text,
        system="",
        text=text,
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=form,
        citations=citations,
        confidence=sure,
    )


def _citations(evidence: Evidence, best: Candidate) -> tuple[Citation, ...]:
    cited = (Citation.of(evidence.view, quote.row, quote.text) for quote in best.quotes)
    return tuple(citation for citation in cited if citation is not None)


def _yes_or_no(question: str, statement: str) -> str:
    """Return "No" when either the question or the statement is negated, "Yes" when both or neither are."""
    return NO if _is_negated(question) != _is_negated(statement) else YES


def _is_negated(text: str) -> bool:
    words = text.lower().replace("’", "'").split()
    return any(word.strip(".,;:!?") in _NEGATIONS or word.strip(".,;:!?").endswith("n't") for word in words)
