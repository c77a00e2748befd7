"""Reranking without a model of its own: half what texts mean, half the words they share with the question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from octavo.models.ports import Scores, TextEmbedder
from octavo.text.analyzer import analyze

_K1, _B = 1.2, 0.75
"""The usual constants of BM25."""


class RuleReranker:
    """A Reranker: the mean of the cosine of the embeddings and of BM25 divided by the most it could be."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """Names the rule and the embedding model."""
        return f"rule-1-{self._embedder.name}"

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        vectors = self._embedder.embed([question, *texts])
        similarity = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
        return ((similarity + shared_words(question, texts)) / 2).astype(np.float32)


def shared_words(question: str, texts: Sequence[str]) -> Scores:
    """Return BM25 of each text among these texts, as a share of what a text full of the question's terms would get."""
    wanted = sorted(set(analyze(question)))
    counts = [Counter(analyze(text)) for text in texts]
    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    scores, most = np.zeros(len(texts)), 0.0
    for term in wanted:
        found = np.array([count[term] for count in counts], dtype=np.float64)
        holding = int(np.count_nonzero(found))
        weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
        scores += weight * found * (_K1 + 1) / np.maximum(found + norms, 1e-9)
        most += weight * (_K1 + 1)
    return (scores / most if most else scores).astype(np.float32)
