"""One request sent through pydantic-ai, whole or as a stream.

Owns the settings of a request and the end of a stream that has none. Knows nothing about threads, keys or faults.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from octavo.models.language import Reply, Request
from octavo.models.pydantic_ai_values import SchemaMode, body_of, messages_of, parameters_of, reply_of

_ENDLESS = 16
"""Characters for a token of output that was asked for, past which a stream is ended: tokens are shorter."""


async def attempt(
    client: Model,
    request: Request,
    mode: SchemaMode,
    *,
    timeout: float,
    tell: Callable[[str], None] | None,
) -> Reply:
    """Return the reply; `tell`, when given, receives the text so far as it grows. Raises what the client raises."""
    messages = messages_of(request, mode)
    settings: ModelSettings = {**_settings(client, request, timeout), **body_of(request, mode)}
    parameters = parameters_of(request, mode)
    if tell is None:
        whole = await model_request(client, messages, model_settings=settings, model_request_parameters=parameters)
        return reply_of(whole, request)
    async with model_request_stream(
        client, messages, model_settings=settings, model_request_parameters=parameters
    ) as stream:
        told = ""
        async for _ in stream:
            text = stream.get().text or ""
            if text != told:
                tell(told := text)
            if len(text) > _ENDLESS * request.max_output_tokens:
                return dataclasses.replace(reply_of(stream.get(), request), finish="length")
        return reply_of(stream.get(), request)


def _settings(client: Model, request: Request, timeout: float) -> ModelSettings:
    """Return what is asked of the model, without what it would ignore with a warning."""
    wanted: ModelSettings = {
        "max_tokens": request.max_output_tokens,
        "temperature": request.temperature,
        "timeout": timeout,
        "max_retries": 0,
        # Thoughts count as output: a reply of a hundred tokens would end before it began.
        "thinking": False,
    }
    profile: Any = client.profile
    ignored: set[str] = set(client.unsupported_settings)
    if profile.get("openai_supports_reasoning") and not profile.get("openai_supports_reasoning_effort_none"):
        ignored.add("temperature")
    for name in ignored & wanted.keys():
        del wanted[name]
    return wanted
