"""`language_model`: the model of a provider, or of files, that a text names. No provider is imported for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from octavo.errors import ModelError, UsageError
from octavo.models.language import LanguageModel
from octavo.models.providers import PROVIDERS, SMALL_CONTEXT, Opening, key_of, missing_package, resolved
from octavo.models.spec import LOCAL, NONE, ModelSpec, parse_spec


def _pydantic_ai(opening: Opening) -> LanguageModel:
    from octavo.models.pydantic_ai_model import PydanticAIModel

    return PydanticAIModel(opening)


def _local(opening: Opening) -> LanguageModel:
    from octavo.models.open_local import open_local

    return open_local(Path(opening.spec.name).expanduser(), context_tokens=opening.context_tokens)


LANGUAGE_MODELS: dict[str, Callable[[Opening], LanguageModel]] = dict.fromkeys(PROVIDERS, _pydantic_ai) | {
    LOCAL: _local
}
"""What opens a model, by provider."""

_opening = threading.RLock()


def language_model(
    spec: str, *, context_tokens: int | None = None, key_env: str = "", sees: bool | None = None
) -> LanguageModel:
    """Return the model a text such as "openai:gpt-5-mini" names, the same object each time. Sends nothing.

    Args:
        spec: PROVIDER:NAME, PROVIDER:NAME@BASE_URL, or local:PATH.
        context_tokens: What fits into it; by default what is usual for the provider, and 8192 for own endpoints and
            for models in files, unless these say less.
        key_env: Environment variable with the key, when it is not the usual one.
        sees: Whether it takes pictures; by default what is known of the provider's models.

    Raises UsageError for a spec that names no model, ModelError when the provider's package or key is missing.
    """
    if spec.strip() == NONE:
        raise UsageError("no model is configured: name one with --model PROVIDER:NAME")
    with _opening:
        return _language_model(parse_spec(spec, LANGUAGE_MODELS), context_tokens, key_env, sees)


@cache
def _language_model(spec: ModelSpec, context_tokens: int | None, key_env: str, sees: bool | None) -> LanguageModel:  # noqa: FBT001
    provider = PROVIDERS[spec.provider]
    if spec.provider != LOCAL and not provider.is_installed:  # what a local model needs depends on its files
        raise ModelError(missing_package(spec.provider))
    at = resolved(spec)
    known = context_tokens or (min(SMALL_CONTEXT, provider.context_tokens) if at.base_url else provider.context_tokens)
    seeing = any(fnmatchcase(spec.name, pattern) for pattern in provider.seeing) if sees is None else sees
    return LANGUAGE_MODELS[spec.provider](Opening(at, key_of(spec, key_env), known, seeing))
