"""The vectors layer: one vector per passage, of its text with document title and heading path before it.

Owns what is embedded and how vectors are stored (float16). Knows nothing about search.
"""

from __future__ import annotations

import numpy as np

from octavo.document import PassageTable
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.passages import search_texts


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_passages, dimension) float16 matrix named "vectors", rows of length 1."""
    texts = search_texts(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
    report = inputs.progress

    def advance(done: int) -> None:
        if report:
            report(done, len(texts))

    return pack({"vectors": inputs.embedder().embed(texts, progress=advance).astype(np.float16)}, {})


VECTORS = Layer(name="vectors", version=1, reads=("passages",), build=build, model=text_embedding)
