"""Whether the models that settings name can be asked: their packages, keys and, on request, endpoints.

Keys are looked for and never shown; nothing is sent unless asked for, and then only to endpoints the settings name or
that lie on this machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.cli.models_from_settings import key_env_of, model_of
from octavo.errors import ModelError, UsageError
from octavo.models.language_models import PROVIDERS, key_of, key_variables, resolved
from octavo.models.spec import NONE, ModelSpec, parse_spec

if TYPE_CHECKING:
    from octavo.cli.settings import Settings

_OLLAMA = "http://127.0.0.1:11434/v1"
_SECONDS = 3.0
"""How long an endpoint may take to answer `doctor --online`."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A model that settings name. `wrong` says what keeps it from being used, "" when nothing does."""

    role: str
    spec: str
    detail: str = ""
    wrong: str = ""


def configured(settings: Settings, *, is_online: bool) -> Iterator[Configured]:
    """Yield every model that settings name by role and decision, the language model first."""
    if settings.model == NONE:
        yield Configured("language model", NONE, "rules decide; name one with --model PROVIDER:NAME")
    else:
        yield _language("language model", settings.model, settings, is_online)
    for role, spec in settings.models.items():
        if role == "vision":
            yield _language("vision model", spec, settings, is_online)
        elif spec != NONE:
            yield _other(role, spec, settings)
    if settings.layer_model:
        yield _language("model for layers", settings.layer_model, settings, is_online)
    if settings.router:
        yield _language("router", settings.router, settings, is_online)
    for name, spec in settings.decisions.items():
        yield _language(f"model for {name}", spec, settings, is_online)


def _language(role: str, spec: str, settings: Settings, is_online: bool) -> Configured:  # noqa: FBT001
    if spec == NONE:
        return Configured(role, NONE)
    parsed, key_env = parse_spec(spec, PROVIDERS), key_env_of(spec, settings)
    try:
        model = model_of(spec, settings)
    except (ModelError, UsageError) as error:
        return Configured(role, spec, wrong=str(error))
    found = Configured(role, spec, f"{_key(parsed, key_env)}; {model.context_tokens} tokens of context")
    return _asked(found, resolved(parsed), key_env) if is_online else found


def _key(spec: ModelSpec, key_env: str) -> str:
    names = [name for name in key_variables(spec, key_env) if os.environ.get(name, "").strip()]
    return f"key in {names[0]}" if names else "no key"


def _asked(found: Configured, at: ModelSpec, key_env: str) -> Configured:
    """Add whether the endpoint answers; a provider's own one is not asked."""
    url = at.base_url or (_OLLAMA if PROVIDERS[at.provider].base_url and PROVIDERS[at.provider].is_local else "")
    if not url:
        return found
    from octavo.models.http_json import get

    try:
        get(f"{url}/models", key=key_of(at, key_env), timeout=_SECONDS)
    except ModelError as error:
        return replace(found, wrong=f"{error}: start the server, or correct the address")
    return replace(found, detail=f"{found.detail}; its endpoint answers")


def _other(role: str, spec: str, settings: Settings) -> Configured:
    """Make an embedder, reranker or image model without loading it: that looks for folders, packages and keys."""
    name = f"{role.replace('_', '-')} model"
    try:
        _MAKERS[role](spec, settings.key_env.get(spec.partition(":")[0], ""))
    except (ModelError, UsageError) as error:
        return Configured(name, spec, wrong=str(error))
    return Configured(name, spec)


def _embedding(spec: str, key_env: str) -> None:
    from octavo.models.embedders import embedder

    embedder(spec, key_env=key_env)


def _reranking(spec: str, key_env: str) -> None:
    from octavo.models.rerankers import reranker

    reranker(spec, key_env=key_env)


def _image_text(spec: str, _key_env: str) -> None:
    from octavo.models.embedders import image_text_embedder

    image_text_embedder(spec)


_MAKERS: dict[str, Callable[[str, str], None]] = {
    "embedding": _embedding,
    "reranking": _reranking,
    "image_text": _image_text,
}


def providers() -> str:
    """Return one line on every provider: whether its package is there, and which variable holds a key."""
    return "; ".join(f"{name}: {_state(name)}" for name in PROVIDERS)


def _state(name: str) -> str:
    provider = PROVIDERS[name]
    if not provider.is_installed:
        return f"pip install 'octavo[{provider.extra}]'" if provider.extra else "pip install octavo"
    if not provider.keys:
        return "needs no key"
    found = next((key for key in provider.keys if os.environ.get(key, "").strip()), None)
    return f"key in {found}" if found else f"no key in {' or '.join(provider.keys)}"
