"""What layers of vectors share: texts to packed half floats, and telling of progress.

Owns the form in which vectors are stored. Knows nothing about what the texts are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document.columns import pack
from octavo.layers.base import LayerInputs


def embedded(inputs: LayerInputs, texts: Sequence[str]) -> bytes:
    """Return the packed (n_texts, dimension) float16 matrix named "vectors", rows of length 1."""
    report = inputs.progress

    def advance(done: int) -> None:
        if report:
            report(done, len(texts))

    return pack({"vectors": inputs.embedder().embed(texts, progress=advance).astype(np.float16)}, {})
