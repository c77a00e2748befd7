"""Token F1: how far the bags of words of answer and prediction overlap.

Rajpurkar et al., "SQuAD", EMNLP 2016; BookRAG appendix A.1.2, equation 19. A list of alternatives counts its best one.
"""

from __future__ import annotations

from collections import Counter

from octavo.evaluation.metrics.normal import references, tokens


def overlap(wanted: list[str], given: list[str]) -> float:
    """Return the harmonic mean of precision and recall of two bags; two empty bags agree."""
    if not wanted or not given:
        return float(wanted == given)
    return 2 * (Counter(wanted) & Counter(given)).total() / (len(wanted) + len(given))


def score(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 0..1."""
    given = tokens(prediction)
    return max((overlap(tokens(wanted), given) for wanted in references(answer, answer_format)), default=0.0)
