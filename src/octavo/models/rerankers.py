"""Which rerankers there are, and how one is named and made. Loads no model.

rule                                       similarity and shared words, with the embedding model in use
cross-encoder:NAME                         with the extra sentence-transformers
jina:NAME, cohere:NAME                     their /rerank
endpoint:NAME@BASE_URL                     any server with a /rerank like theirs
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from octavo.errors import ModelError, UsageError
from octavo.models.language_models import OWN_KEY
from octavo.models.spec import ModelSpec, parse_spec

if TYPE_CHECKING:
    from octavo.models.ports import Reranker

RULE = "rule"
KEYS: Mapping[str, str] = {"jina": "JINA_API_KEY", "cohere": "COHERE_API_KEY", "endpoint": OWN_KEY}
_URLS: Mapping[str, str] = {"jina": "https://api.jina.ai/v1", "cohere": "https://api.cohere.com/v2"}
_making = threading.RLock()


def _rule(_spec: ModelSpec, _key_env: str, embedding: str) -> Reranker:
    from octavo.models.embedders import embedder
    from octavo.models.rule_reranker import RuleReranker

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
