"""Language models: how they are named and opened, and what is made of every way a provider can fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from fault_server import EXPECTED, Fault, FaultServer, at_rate
from octavo.errors import ModelError, UsageError
from octavo.models.language import (
    FaultKind,
    LanguageModel,
    ModelFault,
    Picture,
    Reply,
    Request,
    Tool,
    ToolCall,
    Turn,
    estimate_tokens,
)
from octavo.models.language_models import PROVIDERS, key_of, language_model, resolved
from octavo.models.scripted import ScriptedModel
from octavo.models.spec import ModelSpec, parse_spec

# Libraries warn of token counts that cannot be; what becomes of them is tested here.
pytestmark = pytest.mark.filterwarnings("ignore:Failed to extract usage")
loopback = pytest.mark.allow_hosts(["127.0.0.1"])

SCHEMA = json.dumps({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
ANSWER = '{"city": "Paris by the river"}'


def request(text: str = "Which city?", **others: object) -> Request:
    values = {"decision": "name_city", "version": "1", "instructions": "Be brief.", "turns": (Turn("user", text),)}
    return Request(**{**values, "max_output_tokens": 50, **others})  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with FaultServer(slow=1.0) as running:
        yield running


@pytest.fixture
def clean(server: FaultServer) -> FaultServer:
    server.script = lambda _body: ANSWER
    server.choose = lambda _number, _body: None
    server.refused = frozenset()
    server.bodies.clear()
    server.headers.clear()
    return server


@pytest.fixture
def model(clean: FaultServer) -> LanguageModel:
    return language_model(f"openai:test@{clean.url}")


# Names


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("openai:gpt-5-mini", ModelSpec("openai", "gpt-5-mini")),
        (" OpenAI:gpt-5-mini ", ModelSpec("openai", "gpt-5-mini")),
        ("ollama:qwen2.5:0.5b@http://host:11434/v1/", ModelSpec("ollama", "qwen2.5:0.5b", "http://host:11434/v1")),
        ("openai:a@b@https://[::1]:80", ModelSpec("openai", "a@b", "https://[::1]:80")),
    ],
)
def test_a_text_names_a_model(text: str, spec: ModelSpec) -> None:
    assert parse_spec(text, PROVIDERS) == spec
    assert parse_spec(str(spec), PROVIDERS) == spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gpt-5-mini", "max_completion_tokens", False),
        ("o3", "max_completion_tokens", False),
        ("gpt-5.1", "max_completion_tokens", True),
        ("gpt-4o", "max_tokens", True),
        ("qwen3", "max_tokens", True),
    ],
)
def test_models_that_think_are_asked_to_think_little_and_without_a_warning(
    clean: FaultServer, name: str, limit: str, has_temperature: bool
) -> None:
    language_model(f"openai:{name}@{clean.url}").generate(request(), timeout=5)
    (body,) = clean.bodies
    assert body[limit] == 50
    assert ("temperature" in body) == has_temperature
    assert body.get("reasoning_effort") in {None, "none", "minimal", "low"}
    assert ("reasoning_effort" in body) == name.startswith(("gpt-5", "o3"))


# Schemas


def formats(server: FaultServer) -> list[str]:
    return [(body.get("response_format") or {}).get("type", "text") for body in server.bodies]


@loopback
def test_the_provider_holds_the_reply_to_the_schema_where_it_can(model: LanguageModel, clean: FaultServer) -> None:
    model.generate(request(schema=SCHEMA), timeout=5)
    assert clean.bodies[0]["response_format"]["json_schema"]["schema"]["required"] == ["city"]
    assert clean.bodies[0]["messages"][0]["content"] == "Be brief."


@loopback
@pytest.mark.parametrize(
    ("refused", "tried"),
    [
        ({"json_schema"}, ["json_schema", "json_object"]),
        ({"json_schema", "json_object"}, ["json_schema", "json_object", "json_object", "text"]),
    ],
)
def test_a_refused_schema_is_asked_for_in_words_and_the_refusal_remembered(
    clean: FaultServer, refused: set[str], tried: list[str]
) -> None:
    model = language_model(f"openai:refuses-{len(refused)}@{clean.url}")
    clean.refused = frozenset(refused)
    assert model.generate(request(schema=SCHEMA), timeout=5).text == ANSWER
    assert formats(clean) == tried
    assert SCHEMA in clean.bodies[-1]["messages"][0]["content"]
    model.generate(request("Another?", schema=SCHEMA.replace("city", "town")), timeout=5)
    assert formats(clean) == [*tried, tried[-1]]


@loopback
def test_a_request_refused_in_every_way_says_the_first_reason(clean: FaultServer) -> None:
    model = language_model(f"openai:refuses-all@{clean.url}")
    clean.refused = frozenset({"json_schema", "json_object", ""})
    with pytest.raises(ModelFault, match="type json_schema is not supported") as failed:
        model.generate(request(schema=SCHEMA), timeout=5)
    assert failed.value.kind is FaultKind.REQUEST
    clean.refused = frozenset()
    clean.bodies.clear()
    model.generate(request(schema=SCHEMA), timeout=5)
    assert formats(clean) == ["json_schema"]


# Waiting


@loopback
def test_what_on_text_raises_ends_the_request_and_passes_through(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda _body: "word " * 400
    clean.choose = lambda _number, _body: Fault.SLOW_STREAM
    clean.disconnected.clear()

    def stop(_text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.generate(request(max_output_tokens=500), timeout=5, on_text=stop)
    assert clean.disconnected.wait(3)


@loopback
def test_many_threads_ask_at_once(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda body: body["messages"][-1]["content"]
    replies: dict[int, str] = {}

    def ask(number: int) -> None:
        replies[number] = model.generate(request(f"number {number}"), timeout=10).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == {number: f"number {number}" for number in range(16)}


@loopback
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_asks_over_connections_of_its_own(model: LanguageModel, clean: FaultServer) -> None:
    model.generate(request(), timeout=5)
    child = os.fork()
    if child == 0:
        os._exit(0 if model.generate(request(), timeout=5).text == ANSWER else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert model.generate(request(), timeout=5).text == ANSWER


@loopback
def test_an_endless_stream_is_cut_and_said_to_be(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda _body: "again and " * 20_000
    reply = model.generate(request(max_output_tokens=10), timeout=20, on_text=lambda _text: None)
    assert reply.finish == "length"
    assert len(reply.text) < 1000


# Scripted models


def test_a_script_is_a_function_or_one_line_after_the_other() -> None:
    fault = ModelFault(FaultKind.SERVER, "down")
    model = ScriptedModel(["yes", Reply("no", 1, 2), fault])
    assert model.generate(request("abc"), timeout=1) == Reply("yes", estimate_tokens("Be brief.\nabc"), 1)
    assert model.generate(request(), timeout=1) == Reply("no", 1, 2)
    with pytest.raises(ModelFault, match="down"):
        model.generate(request(), timeout=1)
    with pytest.raises(AssertionError, match="ends after 3 requests"):
        model.generate(request(), timeout=1)
    assert (model.calls, model.requests[0].turns[0].text) == (4, "abc")
    asked = ScriptedModel(lambda request: request.turns[-1].text.upper())
    assert asked.generate(request("abc"), timeout=1).text == "ABC"


def test_a_scripted_text_grows_by_words() -> None:
    grown: list[str] = []
    ScriptedModel(["one two  three"]).generate(request(), timeout=1, on_text=grown.append)
    assert grown == ["one", "one two", "one two ", "one two  three"]


@loopback
def test_ctrl_c_ends_a_call_at_once_and_quietly(clean: FaultServer) -> None:
    clean.choose = lambda _number, _body: Fault.SLOW_HEADERS
    code = (
        "import sys; from octavo.models.language import Request, Turn;"
        "from octavo.models.language_models import language_model as m;"
        "r = Request('d', '1', '', (Turn('user', 'x'),));"
        f"m('openai:test@{clean.url}').generate(r, timeout=60)"
    )
    clean.slow = 30.0
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not clean.bodies and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=5)
    clean.slow = 1.0
    assert child.returncode != 0
    assert said.strip().endswith("KeyboardInterrupt")
    assert "Task" not in said
    assert "never awaited" not in said
