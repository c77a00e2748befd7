"""What a metric is to the report, a name, a definition and a value per question, and what it reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property

from octavo.evaluation.question import Gold, Question, Response

NO_GOLD = Gold()
RANKED = 20
"""Pages of a ranking that are kept."""


@dataclasses.dataclass(frozen=True)
class ScoredResponse:
    """A question, what a system made of it, and the final answer read out of its response.

    `texts` are the texts of the retrieved blocks, best first; empty unless the question has gold texts or asks for
    passages.
    """

    question: Question
    response: Response
    prediction: str
    texts: tuple[str, ...] = ()
    is_right: bool | None = None
    """What the assessor says of the response; None when it was not asked."""
    gold: Gold = NO_GOLD
    """Where the evidence stands in the index; empty unless the question names the documents it is in."""

    @cached_property
    def pages(self) -> tuple[int, ...]:
        """Pages handed to the reader, best first; for questions about one document."""
        return tuple(page.page for page in self.response.pages)

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Ranked pages, best first; for questions about one document."""
        return tuple(page for _, page in self.response.ranking)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """Names of ranked documents, best first, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.response.ranking))

    @cached_property
    def read_documents(self) -> tuple[str, ...]:
        """Names of the documents of which something was handed to the reader, best first, each once."""
        return tuple(dict.fromkeys(page.document for page in self.response.pages))

    @property
    def has_gold_pages(self) -> bool:
        """Whether metrics of pages that are all needed concern the question."""
        return bool(self.question.evidence_pages) and len(self.question.documents) == 1

    @property
    def sufficient_pages(self) -> tuple[int, ...]:
        """Pages any one of which answers the question; for questions about one document."""
        return self.question.sufficient_pages if len(self.question.documents) == 1 else ()


@dataclasses.dataclass(frozen=True)
class Metric:
    """A metric: the weighted mean of a value per question.

    `value` is None for a question that the metric does not concern; `weight` is 1 except for F1 over a whole set.
    A question on which the system failed has the value `failed`, so that averages count every question.
    """

    name: str
    label: str
    definition: str
    value: Callable[[ScoredResponse], float | None]
    weight: Callable[[ScoredResponse], float] = lambda _: 1.0
    better: int = 1
    """1 when higher is better, -1 when lower is, 0 when neither."""
    failed: float | None = 0.0
    is_share: bool = True
    """Whether values lie in 0..1."""

    def of(self, scored: ScoredResponse) -> float | None:
        """Return the value of one question, None when the metric does not concern it."""
        value = self.value(scored)
        return self.failed if scored.response.error and value is not None else value
