"""Language and vision models of many providers, asked through pydantic-ai.

One attempt at a request: its timeout, its stream, and how the reply is held to a schema. Retries, budgets and caches
are the gateway's. pydantic-ai is imported at the first request, and of providers' packages the one that is asked. It
only speaks asynchronously: one event loop runs in a background thread, an interrupt or a deadline of whoever waits ends
the work, and a fork gets a loop of its own.
"""

from __future__ import annotations

import asyncio
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from octavo.models.language import SMALL, FaultKind, ModelFault, Reply, Request
from octavo.models.providers import SMALL_CONTEXT, Opening
from octavo.models.spec import ModelSpec, billions_of_parameters

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from octavo.models.pydantic_ai_requests import SchemaMode

MODES: tuple[SchemaMode, ...] = ("native", "guided", "prompted", "text")
"""The strictest first."""
_Result = TypeVar("_Result")
_GRACE = 5.0
"""Seconds past its own timeout after which work that does not end is given up by whoever waits for it."""


class PydanticAIModel:
    """A LanguageModel. Sends nothing before the first request; may be shared by threads and lives on in a fork."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._using = threading.Lock()
        self._client: tuple[asyncio.AbstractEventLoop, Model] | None = None
        self._modes: dict[str, SchemaMode] = {}
        self.tells_chances = True
        """False once a plain reply told no probability."""

    @property
    def id(self) -> str:
        """PROVIDER:NAME, with the endpoint unless it is the provider's own."""
        return str(self._opening.spec)

    @property
    def context_tokens(self) -> int:
        """How many tokens instructions, input and output may have together."""
        return self._opening.context_tokens

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent."""
        return self._opening.sees

    @property
    def is_small(self) -> bool:
        """Whether its name tells that it has fewer than 4 billion parameters."""
        return 0 < billions_of_parameters(self._opening.spec.name) < SMALL

    @property
    def secrets(self) -> tuple[str, ...]:
        """The key, when there is one."""
        return (self._opening.key,) if self._opening.key else ()

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return the reply to a request, within `timeout` seconds, in one attempt.

        A provider that refuses a schema is asked again without: the refused request costs nothing. An interrupt of the
        calling thread, or an exception of `on_text`, cancels the request and passes through.
        """
        from octavo.models.pydantic_ai_requests import fault_of

        try:
            client = self._opened()
            return carry_out(
                lambda tell: self._reply(client, request, timeout, tell if on_text else None),
                timeout=timeout,
                on_text=on_text,
            )
        except _Failed as failed:
            raise fault_of(failed.error, self.id, self.secrets) from None
        except TimeoutError:
            raise ModelFault(FaultKind.TIMEOUT, f"{self.id}: no reply within {timeout:g} seconds") from None

    def _opened(self) -> Model:
        """Return the client of this process's loop: connections of another loop are of no use."""
        loop = event_loop()
        with self._using:
            if self._client is None or self._client[0] is not loop:
                self._client = loop, self._made()
            return self._client[1]

    def _made(self) -> Model:
        # All that is needed is imported here: in the loop it would hold up what else runs there.
        from octavo.models import pydantic_ai_requests

        del pydantic_ai_requests
        try:
            return CLIENTS[self._opening.spec.provider](self._opening)
        except Exception as error:
            raise _Failed(error) from error

    async def _reply(
        self,
        client: Model,
        request: Request,
        timeout: float,
        tell: Callable[[str], None] | None,
    ) -> Reply:
        from octavo.models.pydantic_ai_requests import attempt, may_mind_schema

        refused: list[Exception] = []
        for mode in self._modes_for(client, request.schema):
            try:
                reply = await attempt(client, request, mode, timeout=timeout, tell=tell)
            except Exception as error:
                if not request.schema or not may_mind_schema(error):
                    raise _Failed(error) from error
                refused.append(error)
            else:
                self._remember(request.schema, mode)
                self.tells_chances = self.tells_chances and (bool(request.schema) or reply.chance is not None)
                return reply
        # Refused in every way: it was not the schema then, and the first refusal says best what it was.
        raise _Failed(refused[0])

    def _modes_for(self, client: Model, schema: str) -> tuple[SchemaMode, ...]:
        """Return the modes that are not known to be refused, the strictest first."""
        known = self._modes.get(schema) or self._modes.get("")
        if known is None and not client.profile.get("supports_json_schema_output", False):
            known = "prompted"
        modes = MODES[MODES.index(known) :] if known else MODES
        # Only servers of one's own are llama.cpp's.
        return tuple(mode for mode in modes if mode != "guided" or self._opening.spec.base_url)

    def _remember(self, schema: str, mode: SchemaMode) -> None:
        """Keep what was accepted: for every schema when none was accepted more strictly, else for this one."""
        if schema:
            self._modes[schema] = mode
            self._modes.setdefault("", mode)


class GivenPydanticAIModel(PydanticAIModel):
    """A model object of pydantic-ai that somebody made: asked as the others are, in the same loop.

    What is not said of it is taken to be little: 8,192 tokens of context and no pictures. Its own settings and keys
    are its own affair; keys are not known here, so they are not blotted out of messages.
    """

    def __init__(self, model: Model, *, context_tokens: int = SMALL_CONTEXT, sees: bool = False) -> None:
        super().__init__(Opening(ModelSpec(model.system, model.model_name), "", context_tokens, sees))
        self._given = model

    def _made(self) -> Model:
        return self._given


class _Failed(Exception):
    """Carries what a client raised out of the loop, apart from what `on_text` raises in the thread that waits."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


_NO_KEY = "none"
"""Sent to servers that ask for no key: the clients refuse an empty one."""
_OLLAMA = "http://127.0.0.1:11434/v1"
_REASONING = re.compile(r"(?:.*/)?(?:o[1-9]|gpt-[5-9])(?![a-z0-9])")
"""OpenAI's models that take `max_completion_tokens` and refuse `max_tokens`."""


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
"""Makes a provider's client, whose connections belong to the event loop it is first used in. Sends nothing."""


class _Loop:
    """The loop of this process, None before the first work and in a child that was forked."""

    running: asyncio.AbstractEventLoop | None = None
    starting = threading.Lock()


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the running loop, started on first use. A forked child gets one of its own."""
    with _Loop.starting:
        if _Loop.running is None:
            _Loop.running = _start()
        return _Loop.running


def _start() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="octavo-models", daemon=True).start()
    return loop


def _forget() -> None:
    """Forget the parent's loop: its thread does not live on in a forked child."""
    _Loop.running = None
    _Loop.starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def carry_out(
    work: Callable[[Callable[[str], None]], Coroutine[Any, Any, _Result]],
    *,
    timeout: float,
    on_text: Callable[[str], None] | None = None,
) -> _Result:
    """Run `work` in the background loop and return what it returns, or raise what it raises.

    `work` is handed a function that passes text on to `on_text`, which runs in the thread that waits here. The work is
    cancelled when that thread is interrupted, `on_text` raises, or `timeout` seconds have passed: then TimeoutError.
    """
    texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    future = asyncio.run_coroutine_threadsafe(_in_time(work(texts.put), timeout), event_loop())
    future.add_done_callback(lambda _: texts.put(None))
    deadline = time.monotonic() + timeout + _GRACE
    try:
        while (text := texts.get(timeout=max(0.0, deadline - time.monotonic()))) is not None:
            if on_text:
                on_text(text)
        return future.result()
    except queue.Empty:
        raise TimeoutError from None
    finally:
        future.cancel()


async def _in_time(work: Coroutine[Any, Any, _Result], timeout: float) -> _Result:
    async with asyncio.timeout(timeout):
        return await work
