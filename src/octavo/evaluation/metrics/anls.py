"""Average normalised Levenshtein similarity (ANLS).

Biten et al., "Scene Text Visual Question Answering", ICCV 2019, and the MP-DocVQA and DUDE evaluations: one minus the
edit distance over the longer length, 0 where that is not above one half. A list of alternatives counts its best one;
a list answer is aligned one to one with the predicted list and divided by the longer length (DUDE's ANLSL).
"""

from __future__ import annotations

from octavo.evaluation.metrics.alignment import best_alignment
from octavo.evaluation.metrics.normal import is_refusal, items, references

THRESHOLD = 0.5


def distance(left: str, right: str) -> int:
    """Return the least number of insertions, deletions and replacements that turn one text into the other."""
    if len(left) < len(right):
        left, right = right, left
    row = list(range(len(right) + 1))
    for at, character in enumerate(left, start=1):
        diagonal, row[0] = row[0], at
        for other, wanted in enumerate(right, start=1):
            diagonal, row[other] = row[other], min(diagonal + (character != wanted), row[other] + 1, row[other - 1] + 1)
    return row[-1]


def similarity(left: str, right: str, *, threshold: float = THRESHOLD) -> float:
    """Return 1 - distance / longer length in 0..1, and 0 where that is not above the threshold."""
    longest = max(len(left), len(right))
    if not longest:
        return 1.0
    if 1 - abs(len(left) - len(right)) / longest <= threshold:
        return 0.0
    value = 1 - distance(left, right) / longest
    return value if value > threshold else 0.0


def score(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return the best similarity to any acceptable answer, case and white space aside, in 0..1."""
    if answer_format == "List":
        return _list_score(items(answer), items(prediction))
    if answer_format == "None":
        return float(is_refusal(prediction))
    given = _plain(prediction)
    return max((similarity(_plain(wanted), given) for wanted in references(answer, answer_format)), default=0.0)


def _list_score(wanted: list[str], given: list[str]) -> float:
    if not wanted or not given:
        return float(wanted == given)
    table = [[similarity(_plain(left), _plain(right)) for right in given] for left in wanted]
    return sum(best_alignment(table)) / max(len(wanted), len(given))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
