"""The vectors layer: one vector per passage, of its text with document title and heading path before it.

The functions by which texts become vectors, and these stored bytes, are shared by the other layers of vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import PassageTable
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.passages import search_texts
from octavo.models.ports import Vectors


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


def embedded(inputs: LayerInputs, texts: Sequence[str]) -> bytes:
    """Return the packed (n_texts, dimension) float16 matrix named "vectors", rows of length 1."""
    return packed(embed(inputs, texts))


def embed(inputs: LayerInputs, texts: Sequence[str]) -> Vectors:
    """Return (n_texts, dimension) float32, rows of length 1."""
    report = inputs.progress

    def advance(done: int) -> None:
        if report:
            report(done, len(texts))

    return inputs.embedder().embed(texts, progress=advance)


def packed(vectors: Vectors) -> bytes:
    """Return (n, dimension) vectors as they are stored."""
    return pack({"vectors": vectors.astype(np.float16)}, {})


def unit(vectors: npt.NDArray[np.floating[Any]]) -> Vectors:
    """Return vectors scaled to length 1; those of length 0 stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
