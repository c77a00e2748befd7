"""The first stage: documents ranked for a question over all passages, by words and by vectors, and the two as one.

A document ranks by its best passage. Knows nothing about what is done with the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.corpus.passage_index import PassageIndex, Scope
from octavo.corpus.segments import Floats

_RANKED = 1000
"""Documents of each ranking that are fused."""
_SMOOTHING = 60
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""


def lexical(index: PassageIndex, question: str, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage fits a question's words best (BM25), best first."""
    from octavo.text.analyzer import analyze

    return index.lexical(analyze(question), scope, _RANKED)


def dense(index: PassageIndex, vector: Floats, scope: Scope) -> list[int]:
    """Return the numbers of the documents whose best passage is nearest to a question's vector, best first."""
    return index.dense(vector, scope, _RANKED)


def fuse(rankings: Iterable[Sequence[int]]) -> list[int]:
    """Return all documents of some rankings by the sum of 1 / (60 + rank), best first; ties go by number."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (_SMOOTHING + rank)
    return sorted(scores, key=lambda document: (-scores[document], document))
