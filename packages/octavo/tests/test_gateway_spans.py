"""A call is one span with the names of OpenTelemetry's conventions, and without a word of what was said."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from gateways import FakeClock, fault, gateway, request
from octavo.errors import BudgetError
from octavo.models.gateway import Budget, Caps
from octavo.models.language import FaultKind, ModelFault, Reply
from octavo.models.scripted import ScriptedModel

trace = pytest.importorskip("opentelemetry.trace")


class Span(trace.NonRecordingSpan):
    def __init__(self, name: str, attributes: dict[str, Any]) -> None:
        super().__init__(trace.INVALID_SPAN_CONTEXT)
        self.name = name
        self.attributes = dict(attributes)
        self.status: Any = None
        self.is_ended = False

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def set_attributes(self, attributes: dict[str, Any]) -> None:
        self.attributes.update(attributes)

    def set_status(self, status: Any, description: str | None = None) -> None:
        self.status = status


class Tracer(trace.NoOpTracer):
    def __init__(self) -> None:
        self.spans: list[Span] = []

    @contextlib.contextmanager
    def start_as_current_span(self, name: str, *, attributes: dict[str, Any], **_: Any) -> Iterator[Span]:
        span = Span(name, attributes)
        self.spans.append(span)
        yield span


class Provider(trace.TracerProvider):
    def __init__(self) -> None:
        self.tracer = Tracer()

    def get_tracer(self, *_: Any, **__: Any) -> Tracer:
        return self.tracer


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> list[Span]:
    provider = Provider()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return provider.tracer.spans


def test_a_call_is_described_by_the_conventions(spans: list[Span]) -> None:
    model = ScriptedModel([fault(), Reply("secret words", 12, 3)], id="openai:gpt-5-mini@http://10.0.0.1:8089/v1")
    gateway().call(model, request(schema="{}", max_output_tokens=77), Budget())
    (span,) = spans
    assert span.name == "chat gpt-5-mini"
    assert span.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-5-mini",
        "gen_ai.request.max_tokens": 77,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.output.type": "json",
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.response.finish_reasons": ["stop"],
        "server.address": "10.0.0.1",
        "server.port": 8089,
        "octavo.decision": "classify",
        "octavo.decision.version": "1",
        "octavo.cached": False,
        "octavo.attempts": 2,
    }


def test_no_span_holds_a_word_of_request_or_reply(spans: list[Span]) -> None:
    gateway().call(ScriptedModel(["secret words"]), request("secret question"), Budget())
    assert "secret" not in str([span.attributes for span in spans])


def test_a_kept_reply_says_so(spans: list[Span]) -> None:
    desk, model = gateway(), ScriptedModel(["yes"])
    for _ in range(2):
        desk.call(model, request(), Budget())
    assert [span.attributes["octavo.cached"] for span in spans] == [False, True]


def test_a_fault_and_a_spent_budget_end_a_span_as_errors(spans: list[Span]) -> None:
    desk = gateway(FakeClock(), attempts=1)
    with pytest.raises(ModelFault):
        desk.call(ScriptedModel([fault(FaultKind.RATE_LIMIT)]), request(), Budget())
    with pytest.raises(BudgetError):
        desk.call(ScriptedModel([]), request(), Budget(Caps(calls=0)))
    assert [span.attributes["error.type"] for span in spans] == ["rate limit", "BudgetError"]
    assert {span.status.status_code for span in spans} == {trace.StatusCode.ERROR}


def test_without_a_tracer_provider_opentelemetry_is_not_imported() -> None:
    program = """
import sys
from octavo.models.gateway import Budget, Gateway
from octavo.models.language import Request, Turn
from octavo.models.scripted import ScriptedModel
Gateway().call(ScriptedModel(["yes"]), Request("d", "1", "i", (Turn("user", "t"),)), Budget())
assert not [name for name in sys.modules if name.startswith("opentelemetry")]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
