"""How much of some wanted terms texts have, rare terms counting more."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from octavo.text.analyzer import analyze


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
