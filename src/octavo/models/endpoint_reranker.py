"""Reranking by a server with a /rerank such as Jina's, Cohere's and llama.cpp's.

Owns what is sent and the check of what comes back. Knows nothing about passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.http_json import post
from octavo.models.ports import Scores
from octavo.models.sentence_transformers_models import logistic

_MOST_CHARACTERS = 24_000


class EndpointReranker:
    """A Reranker. What is past 24,000 characters of a text is not sent."""

    def __init__(self, name: str, model: str, base_url: str, key: str = "", *, timeout: float = 60.0) -> None:
        self.name = name
        self._url = f"{base_url}/rerank"
        self._model, self._key, self._timeout = model, key, timeout

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1; the logistic function of the scores of a server without bounds.

        Raises ModelError.
        """
        if not texts:
            return np.zeros(0, dtype=np.float32)
        sent = [text[:_MOST_CHARACTERS] or " " for text in texts]
        asked = {"model": self._model, "query": question, "documents": sent, "top_n": len(sent)}
        found = _scores(post(self._url, asked, key=self._key, timeout=self._timeout), len(texts))
        if found is None:
            raise ModelError(f"{self._url} does not answer with one score for each text: check the model's name")
        return found.astype(np.float32) if found.min() >= 0 and found.max() <= 1 else logistic(found)


def _scores(reply: Any, count: int) -> npt.NDArray[np.float64] | None:
    """Return the scores in the order of the texts, None when the reply is of another shape."""
    try:
        by_text = {int(row["index"]): float(row["relevance_score"]) for row in reply["results"]}
        found = np.array([by_text[number] for number in range(count)])
    except (LookupError, TypeError, ValueError):
        return None
    return found if np.isfinite(found).all() else None
