"""The providers of language and vision models: what packages and keys they need, and what their models can do.

No provider is imported.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit

from octavo.errors import ModelError
from octavo.models.spec import LOCAL, ModelSpec, parse_spec

OWN_KEY = "OCTAVO_API_KEY"
"""The variable with the key for an endpoint named by its base URL: a provider's own key goes to nobody else."""
SMALL_CONTEXT = 8192
"""Tokens of context assumed of a model nothing is known of; `context_tokens` in the settings says better."""
_LARGE_CONTEXT = 128_000
"""Tokens of context that the current models of the large providers have at least."""
_OLLAMA_CONTEXT = 4096
"""Ollama cuts what is longer without a word, unless OLLAMA_CONTEXT_LENGTH says otherwise."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: what has to be there to ask it, and what its models can do when nothing better is said."""

    package: str
    """Import name of its client."""
    extra: str = ""
    """The extra of Octavo that installs the client; "" when Octavo itself does."""
    keys: tuple[str, ...] = ()
    """Environment variables that may hold the key, the first one set counts; () when it asks for none."""
    base_url: str = ""
    """Variable that may hold another base URL."""
    context_tokens: int = _LARGE_CONTEXT
    seeing: tuple[str, ...] = ()
    """Patterns of the names of models that take pictures."""
    is_local: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether the client is there; it is not imported."""
        try:
            return find_spec(self.package) is not None
        except ModuleNotFoundError:
            return False


PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        "openai",
        "",
        ("OPENAI_API_KEY",),
        "OPENAI_BASE_URL",
        seeing=("gpt-4o*", "gpt-4.1*", "gpt-5*", "gpt-6*", "o3*", "o4*"),
    ),
    "anthropic": Provider("anthropic", "anthropic", ("ANTHROPIC_API_KEY",), context_tokens=200_000, seeing=("*",)),
    "google": Provider(
        "google.genai", "google", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), context_tokens=1_000_000, seeing=("*",)
    ),
    "ollama": Provider("openai", base_url="OLLAMA_BASE_URL", context_tokens=_OLLAMA_CONTEXT, is_local=True),
    "groq": Provider("groq", "groq", ("GROQ_API_KEY",), context_tokens=32_000),
    "mistral": Provider("mistralai", "mistral", ("MISTRAL_API_KEY",), context_tokens=32_000),
    "openrouter": Provider("openai", "", ("OPENROUTER_API_KEY",), context_tokens=32_000),
    LOCAL: Provider("openvino_genai", "local", context_tokens=SMALL_CONTEXT, is_local=True),
}


@dataclass(frozen=True, slots=True)
class Opening:
    """All that is needed to ask a model: it holds a key, so it is never shown or stored."""

    spec: ModelSpec
    """With the base URL in force; "" for the provider's own."""
    key: str
    """ "" when there is none."""
    context_tokens: int
    sees: bool

    def __repr__(self) -> str:
        return f"Opening({self.spec})"


def missing_package(provider: str) -> str:
    """Return the line that says how to install a provider's client."""
    extra = PROVIDERS[provider].extra
    wanted = f"octavo[{extra}]" if extra else "octavo"
    return f"models of {provider} need another package: run `pip install '{wanted}'`"


def resolved(spec: ModelSpec, environment: Mapping[str, str] | None = None) -> ModelSpec:
    """Return the spec with the base URL that is in force: its own, or that of the provider's variable."""
    variables = os.environ if environment is None else environment
    variable = PROVIDERS[spec.provider].base_url
    found = "" if spec.base_url or not variable else variables.get(variable, "")
    return parse_spec(f"{spec}@{found}", PROVIDERS) if found else spec


def is_here(text: str) -> bool:
    """Whether the model that a text names runs on this machine, as far as its address tells. Raises UsageError."""
    spec = resolved(parse_spec(text, PROVIDERS))
    if not spec.base_url:
        return PROVIDERS[spec.provider].is_local
    host = urlsplit(spec.base_url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def key_of(spec: ModelSpec, key_env: str = "", environment: Mapping[str, str] | None = None) -> str:
    """Return the key to send, "" for none. Raises ModelError that names the variable when one is needed and not set."""
    variables = os.environ if environment is None else environment
    names = key_variables(spec, key_env)
    found = next((variables[name].strip() for name in names if variables.get(name, "").strip()), "")
    if not found and (key_env or (names and not spec.base_url)):
        raise ModelError(f"{spec} needs a key: set the environment variable {' or '.join(names)}")
    if not (found.isascii() and found.isprintable()):
        raise ModelError(f"the key in {' or '.join(names)} holds characters that no key has: set it anew")
    return found


def key_variables(spec: ModelSpec, key_env: str = "") -> tuple[str, ...]:
    """Return the environment variables a model's key may be in, the first one set counts."""
    if key_env:
        return (key_env,)
    return (OWN_KEY,) if spec.base_url else PROVIDERS[spec.provider].keys
