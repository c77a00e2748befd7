"""List F1: how many items of a list answer the predicted list has, and the other way round.

An item counts when its normal form is in the other list; repeats count as often as they stand in both.
"""

from __future__ import annotations

from octavo.evaluation.metrics.normal import items, normalize
from octavo.evaluation.metrics.token_f1 import overlap


def score(answer: object, prediction: object, answer_format: str = "List") -> float:
    """Return 0..1; two empty lists agree, whatever the format."""
    del answer_format
    return overlap([normalize(item) for item in items(answer)], [normalize(item) for item in items(prediction)])
