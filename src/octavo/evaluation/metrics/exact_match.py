"""Exact match (EM): the normal forms are the same.

Rajpurkar et al., "SQuAD", EMNLP 2016; BookRAG appendix A.1.2, equation 18. A list of alternatives needs one of them; a
list answer needs the same items in any order.
"""

from __future__ import annotations

from octavo.evaluation.metrics.normal import items, normalize, references


def score(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 1.0 or 0.0."""
    if answer_format == "List":
        return float(sorted(map(normalize, items(answer))) == sorted(map(normalize, items(prediction))))
    given = normalize(prediction)
    return float(any(normalize(wanted) == given for wanted in references(answer, answer_format)))
