"""Which rerankers there are, and how one is named and made. Loads no model.

rule                                       similarity and shared words, with the embedding model in use
cross-encoder:NAME                         with the extra sentence-transformers
jina:NAME, cohere:NAME                     their /rerank
endpoint:NAME@BASE_URL                     any server with a /rerank like theirs
"""

from __future__ import annotations

import math
import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from octavo.errors import ModelError, UsageError
from octavo.models.embedders import embedder
from octavo.models.ports import Scores, TextEmbedder
from octavo.models.providers import OWN_KEY
from octavo.models.spec import ModelSpec, parse_spec
from octavo_documents.text.analyzer import analyze

if TYPE_CHECKING:
    from octavo.models.ports import Reranker


RULE = "rule"
KEYS: Mapping[str, str] = {"jina": "JINA_API_KEY", "cohere": "COHERE_API_KEY", "endpoint": OWN_KEY}
_URLS: Mapping[str, str] = {"jina": "https://api.jina.ai/v1", "cohere": "https://api.cohere.com/v2"}
_making = threading.RLock()


def _rule(_spec: ModelSpec, _key_env: str, embedding: str) -> Reranker:
    return RuleReranker(embedder(embedding))


def _cross_encoder(spec: ModelSpec, _key_env: str, _embedding: str) -> Reranker:
    from octavo.models.sentence_transformers_models import CrossEncoderReranker

    return CrossEncoderReranker(spec.name)


def _endpoint(spec: ModelSpec, key_env: str, _embedding: str) -> Reranker:
    from octavo.models.endpoint_models import EndpointReranker

    # A provider's key goes to that provider only.
    variable = key_env or (OWN_KEY if spec.base_url else KEYS[spec.provider])
    key = os.environ.get(variable, "").strip()
    if not key and (key_env or not spec.base_url):
        raise ModelError(f"{spec} needs a key: set the environment variable {variable}")
    return EndpointReranker(str(spec), spec.name, spec.base_url or _URLS[spec.provider], key)


RERANKERS: dict[str, Callable[[ModelSpec, str, str], Reranker]] = {
    RULE: _rule,
    "cross-encoder": _cross_encoder,
    "jina": _endpoint,
    "cohere": _endpoint,
    "endpoint": _endpoint,
}
"""What makes a reranker from its spec, the variable with its key and the embedding model's spec, by kind."""


def parse_reranker(text: str) -> ModelSpec:
    """Return what a text names. Raises UsageError."""
    if text.strip() == RULE:
        return ModelSpec(RULE, "")
    spec = parse_spec(text, RERANKERS)
    if spec.provider == "endpoint" and not spec.base_url:
        raise UsageError("a reranking endpoint needs its address: endpoint:NAME@http://127.0.0.1:8080/v1")
    return spec


def reranker(spec: str = RULE, *, key_env: str = "", embedding: str = "minilm") -> Reranker:
    """Return the reranker a text names, the same object each time; it is loaded when first used.

    Raises UsageError for a text that names none, ModelError when what it needs is not there.
    """
    parsed = parse_reranker(spec)
    with _making:
        return _reranker(parsed, key_env, embedding)


@cache
def _reranker(spec: ModelSpec, key_env: str, embedding: str) -> Reranker:
    return RERANKERS[spec.provider](spec, key_env, embedding)


_K1, _B = 1.2, 0.75
"""The usual constants of BM25."""


class RuleReranker:
    """A Reranker: the mean of the cosine of the embeddings and of BM25 divided by the most it could be."""

    def __init__(self, embedder: TextEmbedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """Names the rule and the embedding model."""
        return f"rule-1-{self._embedder.name}"

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        vectors = self._embedder.embed([question, *texts])
        similarity = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
        return ((similarity + shared_words(question, texts)) / 2).astype(np.float32)


def shared_words(question: str, texts: Sequence[str]) -> Scores:
    """Return BM25 of each text among these texts, as a share of what a text full of the question's terms would get."""
    wanted = sorted(set(analyze(question)))
    counts = [Counter(analyze(text)) for text in texts]
    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    scores, most = np.zeros(len(texts)), 0.0
    for term in wanted:
        found = np.array([count[term] for count in counts], dtype=np.float64)
        holding = int(np.count_nonzero(found))
        weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
        scores += weight * found * (_K1 + 1) / np.maximum(found + norms, 1e-9)
        most += weight * (_K1 + 1)
    return (scores / most if most else scores).astype(np.float32)
