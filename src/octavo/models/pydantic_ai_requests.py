"""Requests as pydantic-ai sends them, whole or as a stream, and its responses as replies.

Token counts that a provider reports are believed where they can be true.
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn, estimate_tokens

SchemaMode = Literal["native", "guided", "prompted", "text"]
"""How a reply is held to a schema: by the provider, by llama.cpp's older way of naming one, by a promise of some JSON
object, or by asking only. In all but the first the schema stands in the instructions too."""

# What is made of such counts is said here; a line on the terminal for every call would help nobody.
warnings.filterwarnings("ignore", message="Failed to extract usage")

_ASK_FOR_JSON = (
    "\n\nReply with one JSON object and nothing else: no explanation, no code fence. "
    "It must be valid against this JSON schema:\n"
)
_PICTURE_TOKENS = 20_000
"""More than any provider counts for a picture."""
_OVERHEAD_TOKENS = 4_000
"""More than any provider adds around messages and tools."""


def _messages_of(request: Request, mode: SchemaMode) -> list[ModelMessage]:
    """Return the conversation; the instructions go with its last message, where pydantic-ai looks for them."""
    instructions = request.instructions
    if request.schema and mode != "native":
        instructions += _ASK_FOR_JSON + request.schema
    messages = list(map(_message, request.turns))
    last = messages[-1] if messages else None
    if isinstance(last, ModelRequest):
        last.instructions = instructions or None
    else:
        messages.append(ModelRequest(parts=[], instructions=instructions or None))
    return messages


def _message(turn: Turn) -> ModelMessage:
    if turn.role == "assistant":
        return ModelResponse(parts=[TextPart(turn.text)] if turn.text else [])
    pictures = [BinaryContent(picture.data, media_type=picture.media_type) for picture in turn.pictures]
    return ModelRequest(parts=[UserPromptPart([turn.text, *pictures] if pictures else turn.text)])


def _parameters_of(request: Request, mode: SchemaMode) -> ModelRequestParameters:
    """Return the schema as the client takes it. Raises ModelFault when it is no JSON object."""
    if not request.schema or mode == "text":
        return ModelRequestParameters()
    return ModelRequestParameters(
        output_mode="native" if mode == "native" else "prompted",
        output_object=OutputObjectDefinition(json_schema=_object(request.schema), name=request.decision),
        # The schema stands in the instructions already, in the same words for every provider.
        prompted_output_template=False,
    )


def _body_of(request: Request, mode: SchemaMode) -> ModelSettings:
    """Return what has to be written over in the body that pydantic-ai sends."""
    if not request.schema or mode != "guided":
        return {}
    return {"extra_body": {"response_format": {"type": "json_object", "schema": _object(request.schema)}}}


def _object(schema: str) -> dict[str, Any]:
    try:
        found = json.loads(schema)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ModelFault(FaultKind.REQUEST, "a schema of the request is no JSON object")
    return found  # pyright: ignore[reportUnknownVariableType]


def _reply_of(response: ModelResponse, request: Request) -> Reply:
    """Return the reply. Raises ModelFault of kind EMPTY when it says nothing at all and was not cut short."""
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    finish = _finish(response)
    if finish == "refusal":
        text = text or str((response.provider_details or {}).get("refusal", ""))
    elif finish != "length" and not text.strip():
        raise ModelFault(FaultKind.EMPTY, "the reply is empty")
    return Reply(text, _input_tokens(response, request), _output_tokens(response, request, text), finish)


def _finish(response: ModelResponse) -> Literal["stop", "length", "refusal"]:
    if response.finish_reason == "content_filter":
        return "refusal"
    return "length" if response.finish_reason == "length" else "stop"


def _input_tokens(response: ModelResponse, request: Request) -> int:
    """Return the provider's count when it can be true: every tokenizer in use makes a token of a byte at least."""
    sent = list(_sent(request))
    pictures = sum(len(turn.pictures) for turn in request.turns)
    most = sum(len(text.encode("utf-8", "surrogatepass")) for text in sent)
    counted = response.usage.input_tokens
    if 0 < counted <= most + pictures * _PICTURE_TOKENS + _OVERHEAD_TOKENS:
        return counted
    return sum(map(estimate_tokens, sent)) + pictures * _PICTURE_TOKENS // 10


def _output_tokens(response: ModelResponse, request: Request, text: str) -> int:
    counted = response.usage.output_tokens
    written = len(text.encode("utf-8", "surrogatepass"))
    if 0 < counted <= max(request.max_output_tokens, written) + _OVERHEAD_TOKENS:
        return counted
    return max(1, estimate_tokens(text))


def _sent(request: Request) -> Iterator[str]:
    yield from (request.instructions, request.schema)
    yield from (turn.text for turn in request.turns)


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
    messages = _messages_of(request, mode)
    settings: ModelSettings = {**_settings(client, request, timeout), **_body_of(request, mode)}
    parameters = _parameters_of(request, mode)
    if tell is None:
        whole = await model_request(client, messages, model_settings=settings, model_request_parameters=parameters)
        return _reply_of(whole, request)
    async with model_request_stream(
        client, messages, model_settings=settings, model_request_parameters=parameters
    ) as stream:
        told = ""
        async for _ in stream:
            text = stream.get().text or ""
            if text != told:
                tell(told := text)
            if len(text) > _ENDLESS * request.max_output_tokens:
                return dataclasses.replace(_reply_of(stream.get(), request), finish="length")
        return _reply_of(stream.get(), request)


def _settings(client: Model, request: Request, timeout: float) -> ModelSettings:
    """Return what is asked of the model, without what it would ignore with a warning."""
    wanted: ModelSettings = {
        "max_tokens": request.max_output_tokens,
        "temperature": 0.0,
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
