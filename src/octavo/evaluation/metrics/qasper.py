"""Qasper's answer F1: token F1 against each annotator's answer, the best one counting.

Dasigi et al., "A Dataset of Information-Seeking Questions and Answers Anchored in Research Papers", NAACL 2021. The
annotators' words for no answer are "Unanswerable"; any refusal is read as that word.
"""

from __future__ import annotations

from octavo.evaluation.metrics import token_f1
from octavo.evaluation.metrics.normal import is_refusal

UNANSWERABLE = "Unanswerable"


def score(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return 0..1; `answer` is one text or a list with one text per annotator."""
    return token_f1.score(answer, UNANSWERABLE if is_refusal(prediction) else prediction, answer_format)
