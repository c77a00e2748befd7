"""What stands for the text embedding model where that cannot be used: words alone find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from octavo.models.ports import Vectors

DIMENSION = 384
"""Length of a vector of the model that comes with Octavo."""


@dataclass(frozen=True, slots=True)
class WordsAlone:
    """A TextEmbedder whose vectors are zeros, so that no similarity tells anything; it has no name in fingerprints."""

    why: str
    """What keeps the model from being used, with what mends it."""
    dimension: int = DIMENSION
    name: str = ""

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32 zeros. `progress` receives how many texts are done."""
        if progress and texts:
            progress(len(texts))
        return np.zeros((len(texts), self.dimension), np.float32)
