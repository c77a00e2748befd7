"""How much of a question's words a text has, rare words counting more.

Owns the weights of terms and the share that is covered. Knows nothing about what the texts are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from octavo.decisions.rules.question import read_question
from octavo.models.analyzer import analyze


def terms_of(question: str) -> tuple[str, ...]:
    """Return the terms an answer to a question stands near, each once."""
    return read_question(question).terms


def coverages(wanted: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Return for each text the share (0..1) of the wanted terms it has, weighted by how few of the texts have them.

    0 for every text when nothing is wanted.
    """
    terms = frozenset(wanted)
    found = [terms.intersection(analyze(text)) for text in texts]
    weights = _weights(terms, found)
    total = sum(weights.values())
    return [sum(sorted(weights[term] for term in one)) / total if total else 0.0 for one in found]


def _weights(terms: frozenset[str], found: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the inverse document frequency of each term, 1 at least."""
    counts = Counter(term for one in found for term in one)
    return {term: 1.0 + math.log((1 + len(found)) / (1 + counts[term])) for term in sorted(terms)}
