"""M3DocVQA's list EM and list F1, those of MultimodalQA and, before it, DROP.

Cho et al., "M3DocRAG", 2024 (arXiv 2411.04952); Talmor et al., "MultimodalQA", ICLR 2021; Dua et al., "DROP", NAACL
2019. Answers are lists of spans. Words are split at blanks and hyphens, numbers (also "three") written alike; spans
are paired one to one so that the sum of bag F1 is highest, and a pair with different numbers counts nothing.
"""

from __future__ import annotations

import re

from octavo.evaluation.metrics.alignment import best_alignment
from octavo.evaluation.metrics.mmlongbench import is_number
from octavo.evaluation.metrics.normal import items, normalize
from octavo.text.values import word_value

_ARTICLE = {"a", "an", "the"}


def score(answer: object, prediction: object, answer_format: str = "List") -> float:
    """Return list F1 in 0..1, rounded to hundredths as published."""
    del answer_format
    wanted, given = [_bag(item) for item in items(answer)], [_bag(item) for item in items(prediction)]
    if not wanted or not given:
        return float(wanted == given)
    table = [[_bag_f1(left, right) for right in given] for left in wanted]
    return round(sum(best_alignment(table)) / max(len(wanted), len(given)), 2)


def exact(answer: object, prediction: object, answer_format: str = "List") -> float:
    """Return list EM: 1.0 for the same spans, else 0.0."""
    del answer_format
    wanted, given = [_span(item) for item in items(answer)], [_span(item) for item in items(prediction)]
    return float(set(wanted) == set(given) and len(wanted) == len(given))


def _span(text: str) -> str:
    words = (_word(word) for word in re.split("[ -]", text.lower()))
    return " ".join(word for word in words if word and word not in _ARTICLE)


def _word(word: str) -> str:
    plain = word if is_number(word) else normalize(word)
    value = float(plain) if is_number(plain) else word_value(plain)
    return plain if value is None else str(value)


def _bag(text: str) -> frozenset[str]:
    return frozenset(_span(text).split())


def _bag_f1(wanted: frozenset[str], given: frozenset[str]) -> float:
    numbers = {word for word in wanted if is_number(word)}
    if numbers and not numbers & given:
        return 0.0
    if not wanted or not given:
        return float(wanted == given)
    return 2 * len(wanted & given) / (len(wanted) + len(given))
