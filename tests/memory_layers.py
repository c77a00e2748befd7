"""Layers of documents that are in no corpus, built when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.models.embedders import embedder
from octavo.models.ports import TextEmbedder
from octavo_documents.document import Document


class MemoryLayers:
    """A `LayerSource` for views over documents in memory."""

    def __init__(self, documents: Sequence[Document], embedding: Callable[[], TextEmbedder] | None = None) -> None:
        """Take the documents and what makes the embedding model; None: the default one."""
        self._embedding = embedding
        self._documents = {document.id: document for document in documents}
        self._built: dict[tuple[str, str], bytes] = {}

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, built now if they were not before."""
        key = (document_id, layer)
        if key not in self._built:
            builder = LAYERS.get(layer) or OPTIONAL_LAYERS[layer]
            reads = {name: self.load(document_id, name) or b"" for name in builder.reads}
            inputs = LayerInputs(self._documents[document_id], reads, embedder=self._embedding or embedder)
            self._built[key] = builder.build(inputs)
        return self._built[key]
