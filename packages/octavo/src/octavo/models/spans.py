"""Spans for OpenTelemetry: a question, each of its steps, each call of a model, by the conventions for generative AI.

Names and numbers alone stand in them, never words of a question, a document or a reply. Where no tracer provider is set
up, OpenTelemetry is not even imported.
"""

from __future__ import annotations

import contextlib
import contextvars
import sys
from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar

_SCOPE = "octavo"
_T = TypeVar("_T")
Tell = Callable[[dict[str, Any]], None]
"""Adds attributes to the span under way."""


def _nothing(_attributes: dict[str, Any]) -> None:
    """Add to no span."""


@contextlib.contextmanager
def span(
    name: str,
    attributes: Mapping[str, Any],
    *,
    is_client: bool = False,
    kind_of: Callable[[BaseException], str] = lambda error: type(error).__name__,
) -> Generator[Tell]:
    """Record what is done as a span, and how it ended; yields what adds attributes.

    `is_client` says that another program is asked, `kind_of` names an error.
    """
    tracer = _tracer()
    if tracer is None:
        yield _nothing
        return
    from opentelemetry.trace import SpanKind, Status, StatusCode

    kind = SpanKind.CLIENT if is_client else SpanKind.INTERNAL
    with tracer.start_as_current_span(
        name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as made:
        try:
            yield made.set_attributes
        except BaseException as error:
            made.set_attribute("error.type", kind_of(error))
            made.set_status(Status(StatusCode.ERROR))
            raise


def carried(task: Callable[..., _T]) -> Callable[..., _T]:
    """Return a task that may run in another thread, where its spans are within the one that is under way here."""
    here = contextvars.copy_context()
    return lambda *given: here.copy().run(task, *given)


def _tracer() -> Any:
    """Return a tracer; None when nobody who wants spans has set OpenTelemetry up in this process."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    get_provider = getattr(trace, "get_tracer_provider", None)  # none while another thread is importing it
    if get_provider is None:
        return None
    provider = get_provider()
    if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
        return None
    return provider.get_tracer(_SCOPE)
