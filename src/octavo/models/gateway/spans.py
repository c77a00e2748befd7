"""OpenTelemetry spans of model calls, by its conventions for generative AI (gen_ai.*).

They tell names and numbers, never the words of a request or reply. Where no tracer provider is configured nothing is
made, and OpenTelemetry is not even imported.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator
from typing import Any
from urllib.parse import urlsplit

from octavo.models.language import ModelFault, Request

_SCOPE = "octavo"
Tell = Callable[[dict[str, Any]], None]
"""Adds attributes to the span under way."""


def _nothing(_attributes: dict[str, Any]) -> None:
    """Add to no span."""


@contextlib.contextmanager
def span(model: str, request: Request) -> Generator[Tell]:
    """Record one call as a span, and how it ended; yields what adds attributes."""
    tracer = _tracer()
    if tracer is None:
        yield _nothing
        return
    from opentelemetry.trace import SpanKind, Status, StatusCode

    attributes = describe(model, request)
    name = f"chat {attributes['gen_ai.request.model']}"
    with tracer.start_as_current_span(
        name, kind=SpanKind.CLIENT, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as made:
        try:
            yield made.set_attributes
        except BaseException as error:
            made.set_attribute("error.type", _kind(error))
            made.set_status(Status(StatusCode.ERROR))
            raise


def _kind(error: BaseException) -> str:
    return error.kind.value if isinstance(error, ModelFault) else type(error).__name__


def _tracer() -> Any:
    """Return a tracer; None when nobody who wants spans has set OpenTelemetry up in this process."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
        return None
    return provider.get_tracer(_SCOPE)


def describe(model: str, request: Request) -> dict[str, Any]:
    """Return the attributes known before the call. A `model` is written "provider:name@url", the url may be missing."""
    short, _, url = model.partition("@")
    provider, _, name = short.partition(":")
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name or short,
        "gen_ai.request.max_tokens": request.max_output_tokens,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.output.type": "json" if request.schema else "text",
        "octavo.decision": request.decision,
        "octavo.decision.version": request.version,
    }
    return attributes | _server(url)


def _server(url: str) -> dict[str, Any]:
    address = urlsplit(url)
    known = {"server.address": address.hostname, "server.port": address.port}
    return {name: value for name, value in known.items() if value}
