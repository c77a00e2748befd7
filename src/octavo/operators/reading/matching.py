"""How well a stretch of text speaks of what a question asks.

Owns the weights of a question's terms and how much of them a text and its surroundings hold. Knows nothing about
kinds of candidates or how one is chosen.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from octavo.document import View
from octavo.models.analyzer import analyze
from octavo.operators.lexical import idf, terms_of
from octavo.operators.reading.question import Question

_CONTEXT_SHARE = 0.6
"""What a term counts when it stands in the headings, caption or header above a text instead of in it."""
_REACH = 6.0
"""Words between a term and a value at which the term's nearness has halved."""
_WORD = re.compile(r"\S+")


@dataclasses.dataclass(frozen=True)
class Matcher:
    """A question's terms with their weights (idf in the view) and the stretches of text they are looked for in."""

    question: Question
    weights: Mapping[str, float]

    @classmethod
    def of(cls, question: Question, view: View) -> Matcher:
        """Weigh the terms of a question by how rare they are in the view."""
        index = terms_of(view)
        return cls(question, {term: idf(index, term) for term in question.terms})

    @cached_property
    def total(self) -> float:
        """Sum of all weights."""
        return sum(self.weights.values())

    def share(self, terms: Iterable[str]) -> float:
        """Return the weight of the question's terms among `terms`, 0..1 of all."""
        return sum(self.weights.get(term, 0.0) for term in set(terms)) / self.total if self.total else 0.0

    def coverage(self, terms: Iterable[str], context: Iterable[str] = ()) -> float:
        """Return how much of the question is in a text, 0..1; terms only in its context count for less."""
        inside = set(terms)
        return self.share(inside) + _CONTEXT_SHARE * self.share(set(context) - inside)

    def nearness(self, text: str, start: int, stop: int) -> float:
        """Return how near the question's terms stand to characters [start, stop) of a text, 0..1.

        Each term counts with its weight, less the more words are between its nearest mention and the stretch.
        """
        if not self.total:
            return 0.0
        nearest: dict[str, float] = {}
        words = list(_WORD.finditer(text))
        first = sum(word.end() <= start for word in words)
        last = sum(word.start() < stop for word in words) - 1
        for at, word in enumerate(words):
            away = max(first - at, at - last, 0)
            for term in analyze(word.group()):
                if term in self.weights:
                    nearest[term] = min(nearest.get(term, float("inf")), away)
        return sum(self.weights[term] / (1 + away / _REACH) for term, away in nearest.items()) / self.total


def precision(terms: Sequence[str], wanted: Iterable[str]) -> float:
    """Return the share of a label's terms that the question has too, 0..1: "Total assets" before "Total net assets"."""
    known = set(wanted)
    return sum(term in known for term in terms) / len(terms) if terms else 0.0
