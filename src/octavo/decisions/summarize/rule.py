"""A summary without a model: the sentences nearest to the centre of the text, in their order, under the heading path.

Owns the choice of sentences: each is scored by how much of the text's vocabulary it carries (cosine of term counts with
the whole, as in centroid-based summarisation), early ones a little more, and one that repeats another is passed over.
"""

from __future__ import annotations

import math
from collections import Counter

from octavo.models.analyzer import analyze
from octavo.models.sentences import sentence_spans

SENTENCES = 2
LONGEST = 260
"""Characters of a sentence that are kept."""
_LEAST_TERMS = 3
_READ = 200
"""Sentences looked at, the first ones."""
_FIRST = 0.15
"""What the first sentence gains; later ones gain less, none after the tenth."""
_SAME = 0.8
"""Cosine from which a sentence repeats another."""


def summary(where: str, text: str, sentences: int = SENTENCES) -> str:
    """Return the path and the most central sentences of a text; the path alone when there is none."""
    chosen = central(text, sentences)
    body = " ".join(one if len(one) <= LONGEST else one[: LONGEST - 1].rsplit(" ", 1)[0] + "…" for one in chosen)
    return ": ".join(part for part in (where, body) if part)


def central(text: str, count: int = SENTENCES) -> list[str]:
    """Return the `count` sentences that stand for a text best, in their order."""
    found = [" ".join(text[start:stop].split()) for start, stop in sentence_spans(text)][:_READ]
    terms = [Counter(analyze(one)) for one in found]
    whole = Counter[str]()
    for own in terms:
        whole.update(own)
    length = _length(whole)
    scores = [
        _cosine(own, whole, length) + _FIRST * max(0.0, 1 - at / 10) if _is_worded(own) else -1.0
        for at, own in enumerate(terms)
    ]
    chosen: list[int] = []
    for at in sorted(range(len(found)), key=lambda one: (-scores[one], one)):
        if len(chosen) == count or scores[at] < 0:
            break
        if all(_cosine(terms[at], terms[other], _length(terms[other])) < _SAME for other in chosen):
            chosen.append(at)
    return [found[at] for at in sorted(chosen)] or found[:1]


def _is_worded(terms: Counter[str]) -> bool:
    """Tell a sentence from a row of numbers or a word or two."""
    return sum(1 for term in terms if not term[0].isdigit()) >= _LEAST_TERMS


def _cosine(left: Counter[str], right: Counter[str], right_length: float) -> float:
    shared = sum(count * right[term] for term, count in left.items())
    return shared / (_length(left) * right_length) if shared else 0.0


def _length(terms: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in terms.values()))
