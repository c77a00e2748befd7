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
from json_server import JsonServer
from octavo.errors import ModelError, UsageError
from octavo.models.language import (
    FaultKind,
    LanguageModel,
    ModelFault,
    Picture,
    Reply,
    Request,
    Turn,
    estimate_tokens,
    is_small,
    probability,
    tells_chances,
)
from octavo.models.language_models import language_model
from octavo.models.providers import PROVIDERS, key_of, resolved
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
        ("gpt-5-mini", "the providers are openai, anthropic"),
        ("acme:gpt", "no model provider 'acme'; the providers are openai"),
        ("openai:", "PROVIDER:NAME"),
        ("openai:a b", "PROVIDER:NAME"),
        ("openai:a@http://", "has no host"),
        ("openai:a@http://h:99999", "cannot be read"),
        ("openai:a@http://me:hush@h/v1", "no user, password"),
        ("openai:a@http://h/v1?key=hush", "no user, password"),
        ("none", "no model is configured"),
    ],
)
def test_a_text_that_names_none_is_said_in_one_line_without_its_secrets(text: str, said: str) -> None:
    with pytest.raises(UsageError) as wrong:
        language_model(text)
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert "hush" not in str(wrong.value)


# Packages, keys and endpoints


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setattr("octavo.models.providers.find_spec", lambda _name: None)
    with pytest.raises(ModelError, match=r"run `pip install 'octavo\[anthropic\]'`"):
        language_model("anthropic:missing-package")


def test_a_missing_key_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match="set the environment variable OPENAI_API_KEY"):
        language_model("openai:missing-key")
    with pytest.raises(ModelError, match="MY_KEY"):
        language_model("openai:missing-key@http://127.0.0.1:1/v1", key_env="MY_KEY")


def test_the_key_of_a_provider_goes_to_nobody_else() -> None:
    environment = {"OPENAI_API_KEY": "theirs", "OCTAVO_API_KEY": "mine", "OTHER": "other"}
    own = ModelSpec("openai", "a", "http://127.0.0.1:1/v1")
    assert key_of(ModelSpec("openai", "a"), environment=environment) == "theirs"
    assert key_of(own, environment=environment) == "mine"
    assert key_of(own, environment={"OPENAI_API_KEY": "theirs"}) == ""
    assert key_of(own, "OTHER", environment) == "other"


def test_a_key_that_cannot_be_sent_is_an_error_that_does_not_show_it() -> None:
    with pytest.raises(ModelError) as wrong:
        key_of(ModelSpec("openai", "a"), environment={"OPENAI_API_KEY": "hush\u20ac"})
    assert "hush" not in str(wrong.value)


def test_a_base_url_in_the_environment_is_part_of_the_name_of_what_is_cached() -> None:
    environment = {"OPENAI_BASE_URL": "https://proxy.example/v1/"}
    at = resolved(ModelSpec("openai", "a"), environment)
    assert str(at) == "openai:a@https://proxy.example/v1"
    assert resolved(ModelSpec("openai", "a", "http://h"), environment).base_url == "http://h"


def test_what_is_not_known_of_an_endpoint_is_assumed_to_be_small_and_blind() -> None:
    own = language_model("openai:gpt-5@http://127.0.0.1:1/v1")
    assert (own.context_tokens, own.sees) == (8192, True)
    assert not language_model("openai:local@http://127.0.0.1:1/v1").sees
    told = language_model("openai:local@http://127.0.0.1:1/v1", context_tokens=32_000, sees=True)
    assert (told.context_tokens, told.sees) == (32_000, True)


def test_ollama_is_not_sent_more_than_it_takes_by_default() -> None:
    assert language_model("ollama:qwen3").context_tokens == 4096
    assert language_model("ollama:qwen3@http://127.0.0.1:1/v1").context_tokens == 4096


@loopback
def test_an_address_is_asked_whatever_the_provider(clean: FaultServer) -> None:
    for provider in ("openai", "ollama", "openrouter"):
        assert language_model(f"{provider}:at@{clean.url}").generate(request(), timeout=20).text == ANSWER
    assert len(clean.bodies) == 3


def test_a_model_is_opened_once() -> None:
    assert language_model("openai:once@http://h/v1") is language_model("openai:once@http://h/v1")


def test_opening_a_model_imports_no_provider() -> None:
    code = (
        "import sys; from octavo.models.language_models import language_model as m; m('openai:a@http://h/v1');"
        "raise SystemExit(' '.join(sys.modules.keys() & {'pydantic_ai', 'openai', 'httpx2'}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "")


# One attempt


@loopback
def test_a_reply_has_text_tokens_and_finish(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda _body: "Paris, of course"
    assert model.generate(request(), timeout=20) == Reply("Paris, of course", 10, 4)
    (body,) = clean.bodies
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("test", 50, 0.0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


@loopback
def test_text_grows_as_it_is_streamed_and_the_reply_is_the_same(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda _body: "one two three"
    grown: list[str] = []
    reply = model.generate(request(), timeout=5, on_text=grown.append)
    assert grown == ["one", "one two", "one two three"]
    assert reply == model.generate(request(), timeout=20)
    assert [body.get("stream", False) for body in clean.bodies] == [True, False]


@loopback
@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("fault", Fault)
def test_every_fault_becomes_its_kind_in_one_attempt(
    model: LanguageModel, clean: FaultServer, fault: Fault, is_streamed: bool
) -> None:
    clean.choose = lambda _number, _body: fault
    expected = EXPECTED[fault]
    on_text = (lambda _text: None) if is_streamed else None
    timeout = 0.5 if expected.kind is FaultKind.TIMEOUT else 20
    started = time.monotonic()
    if expected.kind is None:
        reply = model.generate(request(schema=SCHEMA), timeout=timeout, on_text=on_text)
        assert 0 < reply.input_tokens < 1000
        assert 0 < reply.output_tokens < 1000
        assert (reply.finish == "refusal") == (fault is Fault.REFUSAL)
        assert (reply.text == ANSWER) == (expected.remedy == "use" and fault is not Fault.FENCED_REPLY)
    else:
        with pytest.raises(ModelFault) as failed:
            model.generate(request(schema=SCHEMA), timeout=timeout, on_text=on_text)
        assert failed.value.kind is expected.kind
        assert failed.value.kind.is_transient == (expected.remedy == "retry")
        assert "\n" not in str(failed.value)
        assert failed.value.retry_after == pytest.approx(expected.retry_after, abs=1.1)
    assert len(clean.bodies) == 1
    assert time.monotonic() - started < 15


def test_every_fault_has_an_expected_outcome_and_there_are_enough() -> None:
    assert set(EXPECTED) == set(Fault)
    assert len(Fault) >= 24


def test_faults_at_a_rate_are_the_same_for_the_same_seed() -> None:
    drawn = [at_rate(0.3, seed=5)(number, {}) for number in range(400)]
    assert drawn == [at_rate(0.3, seed=5)(number, {}) for number in range(400)]
    assert 90 < sum(fault is not None for fault in drawn) < 150


@loopback
def test_a_server_that_is_not_there_is_a_connection_fault() -> None:
    with pytest.raises(ModelFault, match=r"refused|failed") as failed:
        language_model("openai:gone@http://127.0.0.1:9/v1").generate(request(), timeout=20)
    assert failed.value.kind is FaultKind.CONNECTION


@loopback
def test_a_key_is_sent_and_never_said(clean: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_API_KEY", "sk-hush-hush")
    model = language_model(f"openai:keyed@{clean.url}")
    clean.script = lambda _body: "fine"
    model.generate(request(), timeout=20)
    assert clean.headers[0]["authorization"] == "Bearer sk-hush-hush"
    assert model.secrets == ("sk-hush-hush",)
    clean.choose = lambda _number, _body: Fault.UNAUTHORISED
    with pytest.raises(ModelFault, match=r"\[secret\]") as failed:
        model.generate(request(), timeout=20)
    assert "hush" not in str(failed.value) + model.id + repr(model)


@loopback
def test_no_key_of_openai_is_sent_to_another_endpoint(clean: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    monkeypatch.delenv("OCTAVO_API_KEY", raising=False)
    language_model(f"openai:unkeyed@{clean.url}").generate(request(), timeout=20)
    assert "sk-theirs" not in json.dumps(clean.headers)


@loopback
def test_a_conversation_with_pictures_is_sent_whole(model: LanguageModel, clean: FaultServer) -> None:
    pictured = Turn("user", "See:", pictures=(Picture(b"\x89PNG", "image/png"),))
    turns = (pictured, Turn("assistant", "page one"), Turn("user", "And?"))
    for on_text in (None, lambda _text: None):
        assert model.generate(request(turns=turns), timeout=5, on_text=on_text).finish == "stop"
    system, user, assistant, _ = clean.bodies[0]["messages"]
    assert system["content"] == "Be brief."
    assert user["content"][1]["image_url"]["url"] == "data:image/png;base64,iVBORw=="
    assert assistant["content"] == "page one"


@loopback
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "limit", "has_temperature"),
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
    language_model(f"openai:{name}@{clean.url}").generate(request(), timeout=20)
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
    model.generate(request(schema=SCHEMA), timeout=20)
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
    assert model.generate(request(schema=SCHEMA), timeout=20).text == ANSWER
    assert formats(clean) == tried
    assert SCHEMA in clean.bodies[-1]["messages"][0]["content"]
    model.generate(request("Another?", schema=SCHEMA.replace("city", "town")), timeout=20)
    assert formats(clean) == [*tried, tried[-1]]


@loopback
def test_a_request_refused_in_every_way_says_the_first_reason(clean: FaultServer) -> None:
    model = language_model(f"openai:refuses-all@{clean.url}")
    clean.refused = frozenset({"json_schema", "json_object", ""})
    with pytest.raises(ModelFault, match="type json_schema is not supported") as failed:
        model.generate(request(schema=SCHEMA), timeout=20)
    assert failed.value.kind is FaultKind.REQUEST
    clean.refused = frozenset()
    clean.bodies.clear()
    model.generate(request(schema=SCHEMA), timeout=20)
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
        model.generate(request(max_output_tokens=500), timeout=20, on_text=stop)
    assert clean.disconnected.wait(15)


@loopback
def test_many_threads_ask_at_once(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda body: body["messages"][-1]["content"]
    replies: dict[int, str] = {}

    def ask(number: int) -> None:
        replies[number] = model.generate(request(f"number {number}"), timeout=30).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == {number: f"number {number}" for number in range(16)}


@loopback
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_asks_over_connections_of_its_own(model: LanguageModel, clean: FaultServer) -> None:
    model.generate(request(), timeout=20)
    child = os.fork()
    if child == 0:
        os._exit(0 if model.generate(request(), timeout=20).text == ANSWER else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert model.generate(request(), timeout=20).text == ANSWER


def test_a_probability_is_told_by_its_logarithm() -> None:
    assert probability(-0.5) == pytest.approx(0.607, abs=0.001)
    assert (probability(0.1), probability(float("-inf")), probability(float("nan"))) == (1.0, 0.0, None)


def completion(text: str, logprobs: object = None) -> dict[str, object]:
    """Return what a server of OpenAI's protocol says."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": logprobs}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def first_token(token: str) -> dict[str, object]:
    return {"content": [{"token": token, "logprob": -0.5, "bytes": None, "top_logprobs": []}]}


@loopback
@pytest.mark.parametrize(
    ("logprobs", "chance"), [(first_token("five"), 0.607), (first_token("<think>"), None), (None, None)]
)
def test_a_plain_reply_tells_how_likely_its_first_token_was(logprobs: object, chance: float | None) -> None:
    with JsonServer(lambda _path, _body: (200, completion("five metres", logprobs))) as server:
        reply = language_model(f"openai:chances@{server.url}").generate(request(), timeout=10)
    assert server.asked[0][1]["logprobs"] is True
    assert reply.chance == (None if chance is None else pytest.approx(chance, abs=0.001))


@loopback
@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_refuses_to_tell_it_is_asked_without(status: int) -> None:
    def answer(_path: str, body: dict[str, object]) -> tuple[int, object]:
        if "logprobs" in body:
            return status, {"error": {"message": "logprobs is not supported"}}
        return 200, completion("five metres")

    with JsonServer(answer) as server:
        model = language_model(f"openai:silent-{status}@{server.url}")
        assert tells_chances(model)
        reply = model.generate(request(), timeout=10)
        assert (reply.text, reply.chance, len(server.asked)) == ("five metres", None, 2)
        assert not tells_chances(model)


@loopback
def test_it_is_not_asked_of_a_reply_in_json(model: LanguageModel, clean: FaultServer) -> None:
    model.generate(request(schema=SCHEMA), timeout=10)
    assert "logprobs" not in clean.bodies[-1]


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("qwen2.5:1.5b", True),
        ("Llama-3.2-3B-Instruct", True),
        ("gemma3:270m", True),
        ("qwen3:4b", False),
        ("qwen3:30b-a3b", False),
        ("gpt-5-mini", False),
        ("phi3.5", False),
        ("model-b2", False),
        ("gemini-1.5-pro-1m", False),
    ],
)
def test_a_model_is_small_where_its_name_says_so(name: str, small: bool) -> None:
    assert is_small(language_model(f"openai:{name}@http://127.0.0.1:9/v1")) is small


@loopback
def test_an_endless_stream_is_cut_and_said_to_be(model: LanguageModel, clean: FaultServer) -> None:
    clean.script = lambda _body: "again and " * 20_000
    reply = model.generate(request(max_output_tokens=10), timeout=20, on_text=lambda _text: None)
    assert reply.finish == "length"
    assert len(reply.text) < 1000


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
    _, said = child.communicate(timeout=25)
    clean.slow = 1.0
    assert child.returncode != 0
    assert said.strip().endswith("KeyboardInterrupt")
    assert "Task" not in said
    assert "never awaited" not in said


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
