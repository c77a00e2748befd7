"""A short sentence that says or denies in so many words what a question for yes or no asks comes before others."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.evidence import Evidence
from octavo.operators.extractive.unit_scores import QuestionTerms, ScoredUnit, weighed_by
from octavo.question import Expects, Question
from octavo_documents.text.analyzer import analyze

_MOST_WORDS = 20
"""Words of a sentence that says one thing; chosen by hand."""
_LEAST_TERMS = 3
_ALL = 0.98
"""Share of the question's terms, by how rare they are, that is as good as all: a document's own name counts nothing."""


def said_first(question: Question, evidence: Evidence, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return units with the best one first that has all the words of a question for yes or no; others as they are.

    Whether the sentence says so or denies it is not told: it is only shown first. A question itself says neither.
    """
    if question.expects is not Expects.YES_NO or len(question.terms) < _LEAST_TERMS:
        return [*units]
    words = QuestionTerms.of(question, weighed_by(evidence))
    found = next((one for one in units if _says_all(words, one)), None)
    return [found, *(one for one in units if one is not found)] if found is not None else [*units]


def _says_all(words: QuestionTerms, one: ScoredUnit) -> bool:
    unit = one.unit
    is_sentence = not (unit.is_table_row or unit.is_heading) and unit.text.endswith((".", "!"))
    if not is_sentence or unit.words > _MOST_WORDS:
        return False
    return words.share(words.held(analyze(unit.text, unit.language))) >= _ALL
