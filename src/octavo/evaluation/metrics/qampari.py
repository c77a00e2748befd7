"""QAMPARI's precision, recall, recall-5, F1 and F1-5 for answers that are lists.

Amouyal et al., "QAMPARI", 2022, as measured by ALCE (Gao et al., EMNLP 2023, section 4): the response is a list
separated by commas; the gold is a list of answers, each a list of its aliases. Recall-5 is full at five answers.
"""

from __future__ import annotations

from octavo.evaluation.metrics.literals import parse_list
from octavo.evaluation.metrics.normal import normalize, without_citations
from octavo.evaluation.metrics.string_match import aliases

ENOUGH = 5


def score(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return F1-5 in 0..1."""
    del answer_format
    return _harmonic(precision(answer, prediction), recall(answer, prediction, enough=ENOUGH))


def f1(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return F1 of precision and recall over all answers, in 0..1."""
    del answer_format
    return _harmonic(precision(answer, prediction), recall(answer, prediction))


def precision(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return the share of predicted items that are an alias of a gold answer."""
    del answer_format
    given, known = _given(prediction), {name for group in _groups(answer) for name in group}
    return sum(item in known for item in given) / len(given) if given else 0.0


def recall(answer: object, prediction: str, answer_format: str = "", *, enough: int | None = None) -> float:
    """Return the share of gold answers predicted; with `enough`, full once that many are found."""
    del answer_format
    groups, given = _groups(answer), set(_given(prediction))
    if not groups:
        return 0.0
    limit = len(groups) if enough is None else min(enough, len(groups))
    return min(limit, sum(bool(group & given) for group in groups)) / limit


def recall_5(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return recall that is full at five answers."""
    return recall(answer, prediction, answer_format, enough=ENOUGH)


def _groups(answer: object) -> list[set[str]]:
    return [{normalize(name) for name in group} for group in aliases(answer)]


def _given(prediction: str) -> list[str]:
    listed = parse_list(prediction)
    parts = prediction.rstrip().rstrip(".,").split(",") if listed is None else map(str, listed)
    return [plain for plain in (normalize(without_citations(part)) for part in parts) if plain]


def _harmonic(left: float, right: float) -> float:
    return 2 * left * right / (left + right) if left + right else 0.0
