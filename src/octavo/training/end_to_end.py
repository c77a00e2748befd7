"""What a router does for answers: the system is run with it, and the gold answer looked for in its passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from octavo.corpus import Corpus
from octavo.evaluation.metrics.overlap import string_em, string_hit
from octavo.evaluation.question import Question
from octavo.models.gateway import Budget
from octavo.models.language import estimate_tokens


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
    scope: Callable[[Question], Sequence[str] | None],
    system: str,
    *,
    budget: Budget | None = None,
    advance: Callable[[], None] | None = None,
) -> Outcome:
    """Return how a system does on at least one question, with the models the corpus was opened with.

    `scope` gives the ids of the documents a question is about, None for the whole corpus; where there are none nothing
    is read, and nothing found.
    """
    em = hit = tokens = decided = 0.0
    for question in questions:
        texts, by_model = _read(corpus, question, scope(question), system, budget)
        em += string_em(question.answer, "\n".join(texts))
        hit += string_hit(question.answer, "\n".join(texts))
        tokens += sum(map(estimate_tokens, texts))
        decided += by_model
        if advance:
            advance()
    count = len(questions)
    return Outcome(count, em / count, hit / count, tokens / count, decided / count)


def _read(
    corpus: Corpus, question: Question, scope: Sequence[str] | None, system: str, budget: Budget | None
) -> tuple[list[str], int]:
    """Return the passages a reader would get, and how many decisions a model took on the way to them."""
    if scope is not None and not scope:
        return [], 0
    found = corpus.search(question.question, documents=scope, system=system, caps=budget)
    evidence = found.evidence
    texts = [evidence.view.blocks.text[int(row)] for row in evidence.rows]
    return texts, sum(count for who, count in found.decided_by.items() if who != "rule")
