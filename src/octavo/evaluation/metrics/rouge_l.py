"""ROUGE-L of long answers, summary level: sentences matched by their longest common subsequences.

Lin, "ROUGE", 2004, section 3.2, equations 5 to 8, with F1 for F-beta; stemmed words as in the published figures. With
several references the best one counts (ALCE).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

from octavo.evaluation.metrics.normal import references, without_citations

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"[a-z0-9]+")


def score(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return F1 in 0..1."""
    del answer_format
    given = _sentences(without_citations(prediction))
    return max((_f1(_sentences(wanted), given) for wanted in references(answer, "")), default=0.0)


def _f1(wanted: list[list[str]], given: list[list[str]]) -> float:
    left, right = Counter(word for part in wanted for word in part), Counter(word for part in given for word in part)
    total = left.total() + right.total()
    if not left or not right:
        return 0.0
    hits = 0
    for sentence in wanted:
        for word in _union_subsequence(sentence, given):
            if left[word] and right[word]:
                hits, left[word], right[word] = hits + 1, left[word] - 1, right[word] - 1
    return 2 * hits / total


def _union_subsequence(sentence: list[str], others: list[list[str]]) -> list[str]:
    """Return the words of a sentence that are in its longest common subsequence with any other sentence."""
    found = {at for other in others for at in common_positions(sentence, other)}
    return [sentence[at] for at in sorted(found)]


def common_positions(left: list[str], right: list[str]) -> list[int]:
    """Return the positions in `left` of a longest common subsequence of two lists of words."""
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for row, word in enumerate(left, start=1):
        for column, other in enumerate(right, start=1):
            before = lengths[row - 1][column - 1] + 1 if word == other else 0
            lengths[row][column] = max(before, lengths[row - 1][column], lengths[row][column - 1])
    found: list[int] = []
    row, column = len(left), len(right)
    while row and column:
        if left[row - 1] == right[column - 1]:
            row, column = row - 1, column - 1
            found.append(row)
        elif lengths[row - 1][column] >= lengths[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return found[::-1]


def _sentences(text: str) -> list[list[str]]:
    parts = (_WORD.findall(part) for part in _SENTENCE_END.split(text.lower()))
    return [[_stem(word) for word in words] for words in parts if words]


def _stem(word: str) -> str:
    return _porter()(word) if len(word) > 3 else word


@cache
def _porter() -> Callable[[str], str]:
    import Stemmer  # pyright: ignore[reportMissingTypeStubs]

    return Stemmer.Stemmer("porter").stemWord  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
