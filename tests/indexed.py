"""Documents with their layers, built in memory, and a view over them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from memory_layers import MemoryLayers
from octavo import systems
from octavo.evidence import Evidence, Query, View
from octavo.operators.core import Run
from octavo_documents.document import Document


class FakeEmbedder:
    """Vectors of hashed words: texts that share words are near. No weights, the same on every machine."""

    name = "fake"
    dimension = 64

    def embed(self, texts: Sequence[str], *, progress: object = None) -> npt.NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, hashlib.md5(word.strip(".,?:").encode()).digest()[0] % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def view_of(*documents: Document) -> View:
    return View(documents, MemoryLayers(documents, FakeEmbedder))


def run_over(*documents: Document, question: str = "", limit: int = 10) -> Run:
    return Run(view_of(*documents), embedder=FakeEmbedder, query=Query(question, limit=limit))


def searched(question: str, *documents: Document) -> tuple[Run, Evidence]:
    """Return a run for a question with what the system `hybrid` finds for it."""
    run = run_over(*documents, question=question)
    return run, systems.run_search(systems.get("hybrid"), run.query, run).evidence
