"""What went wrong with a call, told from the errors of pydantic-ai: a kind of fault and one line on it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping

from pydantic_ai import exceptions as errors

from octavo.models.language import FaultKind, ModelFault

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
    said = " ".join(_text(error).split())
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
