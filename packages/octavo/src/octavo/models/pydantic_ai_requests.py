"""Requests as pydantic-ai sends them, whole or as a stream, its responses as replies, and its errors as faults."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import json
import re
import warnings
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from pydantic_ai import exceptions as errors
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import BinaryContent, ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from octavo.models.language import FaultKind, ModelFault, Reply, Request, Turn, estimate_tokens, probability
from octavo_documents.text.lines import on_one_line

KINDS: tuple[tuple[type[BaseException], FaultKind], ...] = (
    (errors.ModelRateLimitError, FaultKind.RATE_LIMIT),
    # Waiting does not fill an account.
    (errors.ModelQuotaExceededError, FaultKind.AUTH),
    (errors.ModelUnavailableError, FaultKind.OVERLOADED),
    (errors.ModelServerError, FaultKind.SERVER),
    (errors.ModelRequestTimeout, FaultKind.TIMEOUT),
    (errors.ModelTimeoutError, FaultKind.TIMEOUT),
    (errors.ModelConnectionError, FaultKind.CONNECTION),
    (errors.ModelContextWindowExceededError, FaultKind.CONTEXT),
    (errors.ModelAuthenticationError, FaultKind.AUTH),
    (errors.ModelNotFoundError, FaultKind.UNKNOWN_MODEL),
    (errors.ModelRequestRejectedError, FaultKind.REQUEST),
    (errors.ContentFilterError, FaultKind.REFUSED),
    (errors.UnexpectedModelBehavior, FaultKind.MALFORMED),
    (errors.UserError, FaultKind.REQUEST),
    (asyncio.CancelledError, FaultKind.CONNECTION),
    (TimeoutError, FaultKind.TIMEOUT),
    (OSError, FaultKind.CONNECTION),
)
"""The first that fits counts."""

_STATUS = {408: FaultKind.TIMEOUT, 409: FaultKind.SERVER, 413: FaultKind.CONTEXT, 425: FaultKind.SERVER}
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|too many (?:input )?tokens|(?:prompt|input) (?:is|was) too long"
    r"|exceed\w* (?:the )?(?:maximum|available|model'?s?) (?:context|number of tokens|input)",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content[ _](?:filter|policy|management)", re.IGNORECASE)
_SCHEMA = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)
"""Said of a schema by servers that do not refuse it as they should, with a status from 400 on."""
_TRANSPORT = re.compile(r"^httpx2?$|^httpcore2?$|^anyio$|^h11$")
_UNCONNECTED = {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror"}
"""Names of what the libraries under it raise before anything is sent."""
_LONGEST = 300
"""Characters told of what a provider said."""


def fault_of(error: BaseException, model: str, secrets: Iterable[str]) -> ModelFault:
    """Return the fault an error amounts to, as one line that names the model and holds none of the secrets."""
    if isinstance(error, ModelFault):
        return ModelFault(error.kind, f"{model}: {error}", retry_after=error.retry_after)
    kind = _kind(error)
    said = f"{model}: {kind.value}{_detail(error, secrets)}"
    return ModelFault(kind, said, retry_after=_retry_after(error), is_sent=not _is_unconnected(error))


def may_mind_schema(error: Exception) -> bool:
    """Whether the same request could be accepted without a schema: it was refused, and not for another known reason."""
    if isinstance(error, errors.ModelServerError):
        return _SCHEMA.search(_text(error)) is not None
    return isinstance(error, errors.ModelRequestRejectedError) and _kind(error) is FaultKind.REQUEST


def _kind(error: BaseException) -> FaultKind:
    found = next((kind for type_, kind in KINDS if isinstance(error, type_)), None)
    if found in {FaultKind.REQUEST, FaultKind.SERVER, None} and _TOO_LONG.search(_text(error)):
        return FaultKind.CONTEXT
    if found is FaultKind.REQUEST and _FILTERED.search(_text(error)):
        return FaultKind.REFUSED
    return found or _odd_kind(error)


def _odd_kind(error: BaseException) -> FaultKind:
    """Return the kind of an error that pydantic-ai does not tell apart, or lets through from the libraries under it."""
    if isinstance(error, errors.ModelHTTPError):
        return _STATUS.get(error.status_code, FaultKind.REQUEST)
    if isinstance(error, errors.ModelAPIError):
        return FaultKind.SERVER if error.in_stream else FaultKind.MALFORMED
    module = type(error).__module__.partition(".")[0]
    return FaultKind.CONNECTION if _TRANSPORT.match(module) else FaultKind.MALFORMED


def _detail(error: BaseException, secrets: Iterable[str]) -> str:
    """Return what the provider said, in one line; an error of no library that is known gives its name alone."""
    status = f" (HTTP {error.status_code})" if isinstance(error, errors.ModelHTTPError) else ""
    said = on_one_line(_text(error))
    for secret in secrets:
        said = said.replace(secret, "[secret]")
    if len(said) > _LONGEST:
        said = said[:_LONGEST].rstrip() + "..."
    return status + (f": {said}" if said else "")


def _text(error: BaseException) -> str:
    if isinstance(error, errors.ModelHTTPError):
        return _message_in(error.body)
    if isinstance(error, errors.ModelConnectionError):
        return _first_cause(error)
    if isinstance(error, (errors.AgentRunError, errors.UserError)):
        return error.message
    return type(error).__name__


def _first_cause(error: BaseException) -> str:
    """Return what the library that was the first to notice said: those above it say "Connection error" only."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return str(error) or type(error).__name__


def _is_unconnected(error: BaseException) -> bool:
    """Whether there was no connection that the request could have gone through."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__name__ in _UNCONNECTED:
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _message_in(body: object) -> str:
    """Return the message in an error's body: {"error": {"message": ...}}, {"message": ...}, {"detail": ...} or text."""
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else body
    if isinstance(body, Mapping):
        for key in ("error", "message", "detail"):
            if body.get(key):  # pyright: ignore[reportUnknownMemberType]
                return _message_in(body[key])  # pyright: ignore[reportUnknownArgumentType]
    return ""


def _retry_after(error: BaseException) -> float | None:
    if not isinstance(error, errors.ModelAPIError):
        return None
    if error.retry_after is not None:
        return error.retry_after
    headers = error.headers if isinstance(error, errors.ModelHTTPError) else None
    try:
        # Some providers say "1.5", which is neither of the two forms of the standard.
        seconds = float((headers or {}).get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


_LIKELIHOODS: Any = {"openai_logprobs": True}
"""Asks how likely the tokens of a reply were; other providers do not look at it."""
_NOT_TAKEN = (400, 422, 500, 501)
"""How servers refuse a parameter that they do not know; llama-cpp-python fails over this one."""

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
    tokens = _input_tokens(response, request), _output_tokens(response, request, text)
    return Reply(text, *tokens, finish, None if request.schema else _chance(response, text))


def _chance(response: ModelResponse, text: str) -> float | None:
    """Return the probability of a reply's first token; None where none is told, or that of thoughts before it."""
    told: Any = (response.provider_details or {}).get("logprobs")
    token, likelihood = (told[0].get("token"), told[0].get("logprob")) if told else ("", None)
    is_first = isinstance(token, str) and bool(token) and text.startswith(token)
    return probability(likelihood) if is_first and isinstance(likelihood, int | float) else None


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
    """Return the reply; `tell`, when given, receives the text so far as it grows. Raises what the client raises.

    A plain reply that comes as a whole tells how likely its first token was, where the server takes the question.
    """
    messages = _messages_of(request, mode)
    settings: ModelSettings = {**_settings(client, request, timeout), **_body_of(request, mode)}
    parameters = _parameters_of(request, mode)
    if tell is None:
        ask = functools.partial(model_request, client, messages, model_request_parameters=parameters)
        # A model that thinks takes no temperature, and tells of its thoughts alone.
        tells = not request.schema and "temperature" in settings
        return _reply_of(await _whole(ask, settings, tells=tells), request)
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


async def _whole(
    ask: Callable[..., Awaitable[ModelResponse]], settings: ModelSettings, *, tells: bool
) -> ModelResponse:
    """Return a response; with `tells` the server is asked how likely its tokens were, if it takes that."""
    if tells:
        try:
            return await ask(model_settings=settings | _LIKELIHOODS)
        except errors.ModelHTTPError as error:
            if error.status_code not in _NOT_TAKEN:
                raise
    return await ask(model_settings=settings)


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
