"""Documents with their layers, built in memory, and a view over them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import Document, Query, View
from octavo.layers import LAYERS, LayerInputs
from octavo.operators import Run


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


class MemoryLayers:
    """The layers of some documents, built when asked for; vectors by the fake embedder."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = {document.id: document for document in documents}
        self._built: dict[tuple[str, str], bytes] = {}

    def load(self, document_id: str, layer: str) -> bytes | None:
        key = (document_id, layer)
        if key not in self._built:
            reads = {name: self.load(document_id, name) or b"" for name in LAYERS[layer].reads}
            self._built[key] = LAYERS[layer].build(LayerInputs(self._documents[document_id], reads))
        return self._built[key]


def view_of(*documents: Document) -> View:
    return View(documents, MemoryLayers(documents))


def run_over(*documents: Document, question: str = "", limit: int = 10) -> Run:
    return Run(view_of(*documents), embedder=FakeEmbedder, query=Query(question, limit=limit))
