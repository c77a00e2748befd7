"""Accuracy by inclusion: the normal form of the answer stands inside the prediction's.

BookRAG appendix A.1.2, equation 17; for short answers with aliases the same is called EM recall. A list of
alternatives needs one of them, a list answer all of its items.
"""

from __future__ import annotations

from octavo.evaluation.metrics.normal import items, normalize, references


def includes(prediction: str, answer: str) -> bool:
    """Return whether the answer stands in the prediction; an answer without words only in one without words."""
    wanted, given = normalize(answer), normalize(prediction)
    return wanted in given if wanted else not given


def score(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 1.0 or 0.0."""
    if answer_format == "List":
        return float(all(includes(prediction, item) for item in items(answer)))
    return float(any(includes(prediction, wanted) for wanted in references(answer, answer_format)))
