"""The vectors layer: one vector per passage, of its text with document title and heading path before it.

Owns what is embedded. Knows nothing about search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document import PassageTable
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.embedding import embedded
from octavo.layers.passages import search_texts


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_passages, dimension) float16 matrix named "vectors", rows of length 1."""
    return embedded(inputs, _texts(inputs))


def build_many(inputs: Sequence[LayerInputs]) -> list[bytes]:
    """Return what `build` does for each document, from one call of the model, which fills its batches across them."""
    texts = [_texts(one) for one in inputs]
    if not any(texts):
        return [build(one) for one in inputs]
    vectors = inputs[0].embedder().embed([text for found in texts for text in found]).astype(np.float16)
    ends = np.cumsum([len(found) for found in texts])[:-1]
    return [pack({"vectors": own}, {}) for own in np.split(vectors, ends)]


def _texts(inputs: LayerInputs) -> list[str]:
    return search_texts(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))


VECTORS = Layer(
    name="vectors", version=1, reads=("passages",), build=build, model=text_embedding, build_many=build_many
)
