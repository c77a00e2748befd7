"""Text embedding and reranking by a server: OpenAI's /embeddings, and a /rerank such as Jina's, Cohere's, llama.cpp's.

JSON is sent to the server and JSON read back. Redirects are refused: they would carry a key to another host.
"""

from __future__ import annotations

import http.client
import json
import math
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn, estimate_tokens
from octavo.models.ports import Scores, Vectors
from octavo.models.sentence_transformers_models import logistic
from octavo.models.spec import ModelSpec

ATTEMPTS = 4
"""As often as the gateway tries (`gateway.Limits`)."""
_SECONDS = 60.0
"""For one attempt."""
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_MOST_BYTES = 256_000_000
"""Of a reply: more than the vectors of any batch, and what memory stands."""
_LONGEST_WAIT = 30.0
"""Seconds between two attempts, whatever the server asks for."""
_SERVER_ERRORS = 500
_KINDS = {
    401: FaultKind.AUTH,
    403: FaultKind.AUTH,
    404: FaultKind.UNKNOWN_MODEL,
    408: FaultKind.TIMEOUT,
    413: FaultKind.CONTEXT,
    429: FaultKind.RATE_LIMIT,
    503: FaultKind.OVERLOADED,
    529: FaultKind.OVERLOADED,
}
"""What a status means; others from 500 on are the server's fault, the rest that of the request."""


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses, by HTTP alone and without what follows redirects."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def post(url: str, body: object, *, key: str = "") -> Any:
    """Return what a server answers to `body`, after up to 4 attempts. Raises ModelError, without the key."""
    wrong = ""
    for attempt in range(ATTEMPTS):
        try:
            return _once(url, json.dumps(body).encode("utf-8"), key, _SECONDS)
        except urllib.error.HTTPError as error:
            wrong = f"HTTP {error.code}"
            if error.code not in _AGAIN:
                break
            wait = _wait(error.headers.get("Retry-After"), attempt)
        except (OSError, http.client.HTTPException) as error:
            wrong = str(getattr(error, "reason", "") or error) or type(error).__name__
            wait = _wait(None, attempt)
        except ValueError:
            wrong, wait = "no JSON in the reply", _wait(None, attempt)
        if attempt + 1 < ATTEMPTS:
            time.sleep(wait)
    said = f"{url} does not answer as it should ({wrong}): check the address, the model's name and the key"
    raise ModelError(said.replace(key, "[secret]") if key else said)


def attempt(url: str, body: object, *, key: str = "", timeout: float) -> Any:
    """Return what a server answers to `body`, after one attempt. Raises ModelFault, without the key."""
    try:
        return _once(url, json.dumps(body).encode("utf-8"), key, timeout)
    except urllib.error.HTTPError as error:
        kind = _KINDS.get(error.code, FaultKind.SERVER if error.code >= _SERVER_ERRORS else FaultKind.REQUEST)
        raise ModelFault(
            kind, f"{url}: HTTP {error.code}", retry_after=_asked(error.headers.get("Retry-After"))
        ) from None
    except TimeoutError:
        raise ModelFault(FaultKind.TIMEOUT, f"{url}: no reply within {timeout:g} seconds") from None
    except (OSError, http.client.HTTPException) as error:
        late = isinstance(getattr(error, "reason", None), TimeoutError)
        said = str(getattr(error, "reason", "") or error) or type(error).__name__
        said = said.replace(key, "[secret]") if key else said
        is_sent = not isinstance(getattr(error, "reason", None), ConnectionRefusedError | socket.gaierror)
        kind = FaultKind.TIMEOUT if late else FaultKind.CONNECTION
        raise ModelFault(kind, f"{url}: {said}", is_sent=is_sent) from None
    except ValueError:
        raise ModelFault(FaultKind.MALFORMED, f"{url}: no JSON in the reply") from None


def get(url: str, *, key: str = "", timeout: float) -> Any:
    """Return what a server answers, after one attempt. Raises ModelError, without the key."""
    try:
        return _once(url, None, key, timeout)
    except urllib.error.HTTPError as error:
        wrong = f"HTTP {error.code}"
    except (OSError, http.client.HTTPException) as error:
        wrong = str(getattr(error, "reason", "") or error) or type(error).__name__
    except ValueError:
        wrong = "no JSON in the reply"
    raise ModelError(f"{url} does not answer as it should ({wrong})")


def _once(url: str, body: bytes | None, key: str, timeout: float) -> Any:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "octavo"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    # The scheme is http or https: base URLs are checked where they are named.
    asked = urllib.request.Request(url, body, headers)  # noqa: S310
    with _opener().open(asked, timeout=timeout) as reply:
        content = reply.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError("too long")
    return json.loads(content)


def _wait(said: str | None, attempt: int) -> float:
    wanted = _asked(said)
    return min(max(0.5 * 2**attempt if wanted is None else wanted, 0.0), _LONGEST_WAIT)


def _asked(said: str | None) -> float | None:
    """Return the seconds a server asks to wait, None when it says none."""
    try:
        wanted = float(said or "")
    except ValueError:
        return None
    return wanted if math.isfinite(wanted) else None


_OPENAI = "https://api.openai.com/v1"
_BATCH_TEXTS = 64
"""Texts sent at once; some servers take no more."""
_MOST_CHARACTERS = 24_000
"""Of a text; usual servers take 8192 tokens and refuse more."""


class EndpointEmbedder:
    """A TextEmbedder. Asks nothing before the first text; may be shared by threads.

    What is past 24,000 characters of a text is not sent.
    """

    def __init__(self, spec: ModelSpec, key: str = "") -> None:
        self.name = str(spec)
        self._url = f"{spec.base_url or _OPENAI}/embeddings"
        self._model, self._key = spec.name, key
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
        found = _rows(post(self._url, asked, key=self._key), len(texts))
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

    def __init__(self, name: str, model: str, base_url: str, key: str = "") -> None:
        self.name = name
        self._url = f"{base_url}/rerank"
        self._model, self._key = model, key

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1; the logistic function of the scores of a server without bounds.

        Raises ModelError.
        """
        if not texts:
            return np.zeros(0, dtype=np.float32)
        found = _scores(post(self._url, self._body(question, texts), key=self._key), len(texts))
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
