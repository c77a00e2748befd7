"""Clients of pydantic-ai, by provider: each imports its provider's package and no other.

Owns how a provider's client is made and what is said of endpoints nothing is known of. Sends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from octavo.models.language_models import Opening

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_NO_KEY = "none"
_OLLAMA = "http://127.0.0.1:11434/v1"
_REASONING = re.compile(r"(?:.*/)?(?:o[1-9]|gpt-[5-9])(?![a-z0-9])")
"""OpenAI's models that take `max_completion_tokens` and refuse `max_tokens`."""


def client(opening: Opening) -> Model:
    """Return a client whose connections belong to the event loop it is first used in."""
    return CLIENTS[opening.spec.provider](opening)


def _openai(opening: Opening) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel

    if opening.spec.base_url:
        return _endpoint(opening)
    from pydantic_ai.providers.openai import OpenAIProvider

    # Said outright, or the SDK would look into the environment once more.
    provider = OpenAIProvider(base_url="https://api.openai.com/v1", api_key=opening.key)
    return OpenAIChatModel(opening.spec.name, provider=provider)


def _endpoint(opening: Opening) -> Model:
    """Return a client of some other server that speaks OpenAI's protocol."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    profile = OpenAIModelProfile(
        # Every server takes `max_tokens`; one that ignored the newer name would write without end.
        openai_chat_supports_max_completion_tokens=_REASONING.match(opening.spec.name) is not None,
        # Without this a stream cut off between two pieces would pass for a whole reply.
        openai_chat_streaming_requires_finish_reason=True,
        openai_supports_strict_tool_definition=False,
    )
    provider = OpenAICompatibleProvider(
        "endpoint", base_url=opening.spec.base_url, api_key=opening.key or _NO_KEY, profile=profile
    )
    return OpenAIChatModel(opening.spec.name, provider=provider)


def _ollama(opening: Opening) -> Model:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(base_url=opening.spec.base_url or _OLLAMA, api_key=opening.key or _NO_KEY)
    return OllamaModel(opening.spec.name, provider=provider)


def _anthropic(opening: Opening) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=opening.key or _NO_KEY, base_url=opening.spec.base_url or None)
    return AnthropicModel(opening.spec.name, provider=provider)


def _google(opening: Opening) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=opening.key or _NO_KEY, base_url=opening.spec.base_url or None)
    return GoogleModel(opening.spec.name, provider=provider)


def _groq(opening: Opening) -> Model:
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    provider = GroqProvider(api_key=opening.key or _NO_KEY, base_url=opening.spec.base_url or "https://api.groq.com")
    return GroqModel(opening.spec.name, provider=provider)


def _mistral(opening: Opening) -> Model:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    provider = MistralProvider(api_key=opening.key or _NO_KEY, base_url=opening.spec.base_url or None)
    return MistralModel(opening.spec.name, provider=provider)


def _openrouter(opening: Opening) -> Model:
    if opening.spec.base_url:
        return _endpoint(opening)
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    return OpenRouterModel(opening.spec.name, provider=OpenRouterProvider(api_key=opening.key))


CLIENTS: dict[str, Callable[[Opening], Model]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
    "groq": _groq,
    "mistral": _mistral,
    "openrouter": _openrouter,
}
