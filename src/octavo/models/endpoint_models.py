"""Text embedding and reranking by a server: OpenAI's /embeddings, and a /rerank such as Jina's, Cohere's, llama.cpp's.

What comes back is checked. A reranker also is a model behind the gateway, whose replies are scores.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.http_json import attempt, post
from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn, estimate_tokens
from octavo.models.ports import Scores, Vectors
from octavo.models.sentence_transformers_models import logistic
from octavo.models.spec import ModelSpec

_OPENAI = "https://api.openai.com/v1"
_BATCH_TEXTS = 64
"""Texts sent at once; some servers take no more."""
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


_ENDLESS_CONTEXT = 1_000_000
"""Tokens: texts are read one by one, and each is cut where it has to be."""


class EndpointReranker:
    """A Reranker, and a LanguageModel whose replies are scores.

    What is past 24,000 characters of a text is not sent.
    """

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
        found = _scores(post(self._url, self._body(question, texts), key=self._key, timeout=self._timeout), len(texts))
        if found is None:
            raise ModelError(f"{self._url} does not answer with one score for each text: check the model's name")
        return _bounded(found)

    def request(self, question: str, texts: Sequence[str]) -> Request:
        """Return what the gateway is asked with, the same for the same texts."""
        return Request("rerank", "1", "", (Turn("user", json.dumps(self._body(question, texts))),), max_output_tokens=0)

    def read(self, reply: Reply) -> Scores:
        """Return (len(texts),) float32 from 0 to 1 of a reply that came through the gateway."""
        return _bounded(np.array(json.loads(reply.text), dtype=np.float64))

    # As a LanguageModel: what the gateway counts, keeps and tries again.

    @property
    def id(self) -> str:
        """PROVIDER:NAME, with the endpoint unless it is the provider's own."""
        return self.name

    @property
    def context_tokens(self) -> int:
        """How much text may be sent at once: no less than there is."""
        return _ENDLESS_CONTEXT

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent: no."""
        return False

    @property
    def secrets(self) -> tuple[str, ...]:
        """The key, when there is one."""
        return (self._key,) if self._key else ()

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return the scores as a JSON list, in one attempt. Raises ModelFault."""
        asked = json.loads(request.turns[0].text)
        said = attempt(self._url, asked, key=self._key, timeout=timeout)
        found = _scores(said, len(asked["documents"]))
        if found is None:
            raise ModelFault(FaultKind.MALFORMED, f"{self._url} does not answer with one score for each text")
        return Reply(json.dumps(found.tolist()), _tokens(said, request), 0)

    def _body(self, question: str, texts: Sequence[str]) -> dict[str, Any]:
        sent = [text[:_MOST_CHARACTERS] or " " for text in texts]
        return {"model": self._model, "query": question, "documents": sent, "top_n": len(sent)}


def _bounded(found: npt.NDArray[np.float64]) -> Scores:
    return found.astype(np.float32) if found.min() >= 0 and found.max() <= 1 else logistic(found)


def _tokens(said: Any, request: Request) -> int:
    """Return the tokens the server says it read, else the estimate."""
    try:
        return int(said["usage"]["total_tokens"])
    except (LookupError, TypeError, ValueError):
        return estimate_tokens(request.turns[0].text)


def _scores(reply: Any, count: int) -> npt.NDArray[np.float64] | None:
    """Return the scores in the order of the texts, None when the reply is of another shape."""
    try:
        by_text = {int(row["index"]): float(row["relevance_score"]) for row in reply["results"]}
        found = np.array([by_text[number] for number in range(count)])
    except (LookupError, TypeError, ValueError):
        return None
    return found if np.isfinite(found).all() else None
