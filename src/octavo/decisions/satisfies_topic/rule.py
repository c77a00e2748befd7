"""Whether an item is about a topic: it has half of the topic's words, by weight. Knows nothing about documents."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.rules.overlap import coverages, terms_of
from octavo.models.analyzer import analyze

_ENOUGH = 0.5


def about(question: str, topic: str, texts: Sequence[str], scores: Sequence[float | None]) -> list[bool]:
    """Tell of each text whether it is about the topic, by its score (0..1) where it has one, else by words.

    Without a topic the question's own words are taken.
    """
    wanted = tuple(dict.fromkeys(analyze(topic))) or terms_of(question)
    shares = coverages(wanted, texts)
    return [max(share, 0.0 if score is None else score) >= _ENOUGH for share, score in zip(shares, scores, strict=True)]
