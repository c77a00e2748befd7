"""How a model is named in options and settings: PROVIDER:NAME[@BASE_URL], or local:PATH.

No provider is known here: whoever has a table of them hands in their names.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from octavo.errors import UsageError

NONE = "none"
"""Said where a model could be named and none is wanted."""
LOCAL = "local"
"""The provider whose names are paths: these may hold spaces, and have no endpoint."""

_FORM = re.compile(r"(?P<provider>[a-z][a-z0-9_-]*):(?P<name>\S+?)(?:@(?P<base_url>https?://\S*))?", re.IGNORECASE)

_SIZE = re.compile(r"(?<![a-z0-9.])(?:(\d+(?:\.\d+)?)b|(\d{3})m)(?![a-z0-9])", re.IGNORECASE)
"""How names tell a size: "qwen2.5:1.5b", "Llama-3.2-1B-Instruct", "gemma3:270m"; "1m" is a length of context."""


def billions_of_parameters(name: str) -> float:
    """Return the size that a model's name tells, in billions of parameters, the largest of several; 0 for none."""
    return max((float(size or int(millions) / 1000) for size, millions in _SIZE.findall(name)), default=0.0)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model of a provider. `base_url` is the endpoint to ask instead of the provider's own, "" for that one.

    `name` is "" for what has no models to choose from.
    """

    provider: str
    name: str
    base_url: str = ""

    def __str__(self) -> str:
        """Return the text that `parse_spec` reads."""
        named = f"{self.provider}:{self.name}" if self.name else self.provider
        return named + (f"@{self.base_url}" if self.base_url else "")


def parse_spec(text: str, providers: Collection[str]) -> ModelSpec:
    """Return what a text such as "openai:local@http://127.0.0.1:8080/v1" names.

    The provider is one of `providers`, in any case; a base URL has no trailing slash and holds no password or query,
    where keys could hide. Raises UsageError that lists the providers. "none" names no model: ask before.
    """
    kind, _, path = text.strip().partition(":")
    if kind.lower() == LOCAL and LOCAL in providers and path.strip():
        return ModelSpec(LOCAL, path.strip())
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"a model is named PROVIDER:NAME or PROVIDER:NAME@BASE_URL, not {text!r}; {_choices(providers)}"
        )
    provider = found["provider"].lower()
    if provider not in providers:
        raise UsageError(f"there is no model provider {provider!r}; {_choices(providers)}")
    return ModelSpec(provider, found["name"], _base_url(found["base_url"] or ""))


def _choices(providers: Collection[str]) -> str:
    return f"the providers are {', '.join(providers)}"


def _base_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        wrong = text != "" and (not parts.hostname or parts.port == 0)
    except ValueError:
        raise UsageError("the base URL of a model cannot be read: write it like http://127.0.0.1:8080/v1") from None
    if wrong:
        raise UsageError("the base URL of a model has no host: write it like http://127.0.0.1:8080/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(
            f"the base URL of a model at {parts.hostname} must hold no user, password, query or fragment: "
            "put the key into an environment variable (OCTAVO_API_KEY)"
        )
    return text.rstrip("/")
