"""What layers of vectors share: texts to vectors, these to packed half floats, and telling of progress.

Owns the form in which vectors are stored. Knows nothing about what the texts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document.columns import pack
from octavo.layers.base import LayerInputs
from octavo.models.ports import Vectors


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
