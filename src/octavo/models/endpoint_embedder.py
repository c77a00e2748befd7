"""Text embedding by a server that speaks OpenAI's /embeddings.

Owns the batches and the check of what comes back. Knows nothing about passages or search.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from octavo.errors import ModelError
from octavo.models.http_json import post
from octavo.models.ports import Vectors
from octavo.models.spec import ModelSpec

_OPENAI = "https://api.openai.com/v1"
_BATCH_TEXTS = 64
_MOST_CHARACTERS = 24_000
"""Of a text; usual servers take 8192 tokens and refuse more."""


class EndpointEmbedder:
    """A TextEmbedder. Asks nothing before the first text; may be shared by threads.

    What is past 24,000 characters of a text is not sent.
    """

    def __init__(self, spec: ModelSpec, key: str = "", *, timeout: float = 60.0) -> None:
        self.name = str(spec)
        self._url = f"{spec.base_url or _OPENAI}/embeddings"
        self._model, self._key, self._timeout = spec.name, key, timeout
        self._dimension: int | None = None
        self._asking = threading.Lock()

    @property
    def dimension(self) -> int:
        """Length of a vector; the server is asked when no text was embedded before."""
        with self._asking:
            found = self._dimension or self._embed(["dimension"]).shape[1]
            self._dimension = found
            return found

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
        """Return (len(texts), dimension) float32, rows of length 1. Raises ModelError."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        parts: list[Vectors] = []
        for start in range(0, len(texts), _BATCH_TEXTS):
            parts.append(self._embed(texts[start : start + _BATCH_TEXTS]))
            if progress:
                progress(min(start + _BATCH_TEXTS, len(texts)))
        return np.concatenate(parts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        # Most servers refuse an empty text.
        sent = [text[:_MOST_CHARACTERS] or " " for text in texts]
        asked = {"model": self._model, "input": sent, "encoding_format": "float"}
        found = _rows(post(self._url, asked, key=self._key, timeout=self._timeout), len(texts))
        if found is None:
            raise ModelError(f"{self._url} does not answer with one vector for each text: check the model's name")
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), np.float32(1e-12))


def _rows(reply: Any, count: int) -> Vectors | None:
    """Return the vectors in the order of the texts, None when the reply is of another shape."""
    try:
        rows = {int(row["index"]): row["embedding"] for row in reply["data"]}
        found = np.array([rows[number] for number in range(count)], dtype=np.float32)
    except (LookupError, TypeError, ValueError):
        return None
    return found if found.ndim == 2 and found.shape[1] > 0 and np.isfinite(found).all() else None
