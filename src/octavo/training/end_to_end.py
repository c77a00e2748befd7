"""What a router does for answers: the system is run with it, and its passages are looked through for the gold answer.

Owns the run over questions and its means. Knows nothing about examples or training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from octavo.corpus import Corpus
from octavo.evaluation.metrics import passages
from octavo.evaluation.question import Question
from octavo.models.gateway import Budget


@dataclass(frozen=True, slots=True)
class Outcome:
    """Means over questions: string EM of the passages read (0..1), and their tokens, estimated."""

    questions: int
    passage_em: float
    passage_hit: float
    passage_tokens: float
    routed_by_model: float
    """Decisions per question that a model took."""

    def to_json(self) -> dict[str, float]:
        """Return the figures by name, to four digits."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def run(
    corpus: Corpus,
    questions: Sequence[Question],
    system: str,
    *,
    budget: Budget | None = None,
    advance: Callable[[], None] | None = None,
) -> Outcome:
    """Return how a system does on at least one question, with the models the corpus was opened with."""
    em = hit = tokens = decided = 0.0
    for question in questions:
        found = corpus.search(question.question, documents=question.documents or None, system=system, caps=budget)
        evidence = found.evidence
        texts = [evidence.view.blocks.text[int(row)] for row in evidence.rows]
        score = passages.score(question.answer, texts, question.answer_format)
        em, hit, tokens = em + score, hit + (score == 1), tokens + passages.tokens(texts)
        decided += sum(count for who, count in found.decided_by.items() if who != "rule")
        if advance:
            advance()
    count = len(questions)
    return Outcome(count, em / count, hit / count, tokens / count, decided / count)
