"""The first stage: from many documents to the few that are opened for a question.

Owns the fusion of both rankings. Knows nothing about what is done with the documents it picks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from octavo.corpus import vectors
from octavo.corpus.reading import Changed, fetch
from octavo.corpus.store import Store
from octavo.document.view import vectors_of_bytes

if TYPE_CHECKING:
    from octavo.models.ports import TextEmbedder

OPENED_DOCUMENTS = 24
"""The most documents one question looks into."""
_LEXICAL_PASSAGES = 1000
_SMOOTHING = 60
"""The constant of reciprocal rank fusion (Cormack et al., 2009)."""


def choose(store: Store, folder: Path, embedder: TextEmbedder, question: str, ids: Sequence[str] | None) -> list[str]:
    """Return the ids of up to 24 documents that fit a question best, best first; of all documents or of some.

    A document ranks by its best passage, once by BM25 and once by vector; the two rankings are fused.
    """
    from octavo.models.analyzer import analyze

    hits = store.match(analyze(question), ids, limit=_LEXICAL_PASSAGES)
    lexical = list(dict.fromkeys(hit.document_id for hit in hits))
    query = embedder.embed([question])[0]
    dense = [document for document, _ in matrix(store, folder).best(query, ids)]
    return fuse([lexical, dense])[:OPENED_DOCUMENTS]


def fuse(rankings: Iterable[Sequence[str]]) -> list[str]:
    """Return all documents of some rankings by the sum of 1 / (60 + rank), best first; ties go by id."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (_SMOOTHING + rank)
    return sorted(scores, key=lambda document: (-scores[document], document))


def matrix(store: Store, folder: Path) -> vectors.Matrix:
    """Return the vectors of all documents, from the file when it is up to date. Raises CorpusError (`full`)."""
    stamp = vectors.Stamp(store.identity(), store.generation())
    found = vectors.load(folder, stamp)
    return found if found is not None else vectors.save(folder, stamp, _stored(store))


def _stored(store: Store) -> Iterable[tuple[str, np.ndarray]]:
    for key in sorted(store.published(), key=lambda key: key.document_id):
        if key.name == "vectors":
            try:
                yield key.document_id, vectors_of_bytes(fetch(store, key))
            except Changed:
                continue  # removed since: the next question's stamp is another one
