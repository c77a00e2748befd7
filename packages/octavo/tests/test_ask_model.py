"""`octavo ask --model` from end to end: a real adapter, a scripted endpoint on loopback, a real corpus."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import octavo
from fault_server import Body, Fault, FaultServer
from octavo.corpus import streaming
from octavo.corpus.streaming import AnswerText, Ending, Event, Listen, PassagesRead, PendingAnswer, events
from octavo.evidence import Answer, TraceStep
from octavo.models.gateway import Cancelled, Caps
from pdfs import say, write

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.filterwarnings("ignore:Failed to extract usage"),
]
QUESTION = "How many keepers live on the island?"
SENTENCE = "Three keepers live on the island from May to October."


def answering(body: Body) -> str:
    """Answer with the passage that speaks of keepers."""
    text = str(body["messages"][-1]["content"])
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", text, re.DOTALL)
    number = next(int(number) for number, passage in passages if "keepers" in passage)
    return json.dumps({"evidence": [{"id": number, "quote": SENTENCE}], "answerable": True, "answer": "Three keepers"})


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer(answering, slow=1.0) as running:
        yield running


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("island")
    return write(folder / "island.pdf", say("The light was built in 1871.", "", SENTENCE, "", "Boats come on Mondays."))


@pytest.fixture(scope="module")
def indexed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    with octavo.open(folder) as corpus:
        corpus.add(source)
    return folder


def run(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    import os

    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OCTAVO_", "OPENAI_"))}
    return subprocess.run(
        [sys.executable, "-m", "octavo", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**kept, **(environment or {})},
        check=False,
    )


def test_a_model_answers_with_a_checked_citation_and_is_paid_once(server: FaultServer, indexed: Path) -> None:
    with octavo.open(indexed, models=f"openai:island@{server.url}") as corpus:
        first, again = corpus.ask(QUESTION), corpus.ask(QUESTION)
    assert (first.text, first.citations[0].quote, first.citations[0].page) == ("Three keepers", SENTENCE, 1)
    assert (first.decided_by, again.decided_by) == ({"model": 1}, {"cache": 1})
    assert len(server.bodies) == 1
    assert first.usage.input_tokens > 0


def test_the_command_line_prints_the_same_and_status_shows_what_was_used(server: FaultServer, indexed: Path) -> None:
    model = f"openai:shown@{server.url}"
    options = ("--corpus", str(indexed), "--model", model)
    done = run("ask", QUESTION, *options, "--json")
    assert done.returncode == 0, done.stderr
    value = json.loads(done.stdout)
    assert (value["answer"], value["usage"]["calls"], value["decided_by"]) == ("Three keepers", 1, {"model": 1})
    traced = run("ask", QUESTION, *options, "--trace")
    assert re.search(r"└ answer_from_evidence\(decided_by=cache, times=1\)", traced.stdout)
    status = run("status", "--corpus", str(indexed))
    assert "answer_from_evidence" in status.stdout


def test_a_cap_ends_it_with_the_best_answer_so_far(server: FaultServer, indexed: Path) -> None:
    model = f"openai:capped@{server.url}"
    done = run("ask", QUESTION, "--corpus", str(indexed), "--model", model, "--max-calls", "0", "--json")
    value = json.loads(done.stdout)
    assert (done.returncode, value["stopped"], value["usage"]["calls"]) == (3, "max_calls", 0)
    assert "answer" in value
    assert not server.bodies


def test_an_endpoint_that_is_not_there_leaves_it_to_the_rules_and_says_so(indexed: Path) -> None:
    done = run("ask", QUESTION, "--corpus", str(indexed), "--model", "openai:gone@http://127.0.0.1:9/v1")
    assert done.returncode == 0
    assert done.stderr.startswith("octavo: decided by rule: answer_from_evidence: connection")
    with octavo.open(indexed, models="openai:gone@http://127.0.0.1:9/v1") as corpus:
        assert corpus.ask(QUESTION).usage.calls == 0
        assert not [row for row in corpus.status().models if row.model.startswith("openai:gone")]
    assert done.stderr.count("\n") == 1


def test_a_wrong_key_is_one_line_and_no_answer(server: FaultServer, indexed: Path) -> None:
    server.choose = lambda _number, _body: Fault.UNAUTHORISED
    model = f"openai:locked@{server.url}"
    secret = "sk-very-secret-0123456789"
    done = run("ask", QUESTION, "--corpus", str(indexed), "--model", model, environment={"OCTAVO_API_KEY": secret})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert secret not in done.stderr


def test_a_stream_yields_steps_text_and_the_answer(server: FaultServer, indexed: Path) -> None:
    with octavo.open(indexed, models=f"openai:stream@{server.url}") as corpus:
        told = list(corpus.stream(QUESTION))
    assert isinstance(told[-1], Answer)
    assert any(isinstance(event, TraceStep) for event in told)
    assert [event.text for event in told if isinstance(event, AnswerText)][-1] == "Three keepers"
    shown = next(at for at, event in enumerate(told) if isinstance(event, PassagesRead))
    assert "keepers" in told[shown].passages[0].text
    assert shown < next(at for at, event in enumerate(told) if isinstance(event, AnswerText))


def test_a_stream_that_is_left_ends_what_it_began(server: FaultServer, indexed: Path) -> None:
    with octavo.open(indexed, models=f"openai:left@{server.url}") as corpus:
        stream = corpus.stream(QUESTION, caps=Caps(calls=5))
        next(stream)
        stream.close()
        assert corpus.ask(QUESTION).answerable


def test_without_a_model_nothing_of_a_provider_is_loaded(indexed: Path) -> None:
    code = (
        "import sys, octavo\n"
        f"print(octavo.open({str(indexed)!r}).ask({QUESTION!r}).decided_by)\n"
        "print([name for name in ('pydantic_ai', 'openai', 'httpx', 'opentelemetry') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ["{'rule': 1}", "[]"]


@pytest.mark.needs("octavo_methods")
def test_a_decision_that_there_is_not_is_named(indexed: Path, tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text("[decisions]\nplan_questions = 'openai:x'\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "octavo", "ask", QUESTION, "--corpus", str(indexed)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'plan_question'?" in done.stderr


def test_ctrl_c_says_that_a_reply_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # What is waited for is interrupted, as Python does it where a signal comes in while it waits.
    class Interrupted(queue.SimpleQueue[Event | BaseException]):
        waits = 0

        def get(self) -> Event | BaseException:  # pyright: ignore[reportIncompatibleMethodOverride]
            self.waits += 1
            if self.waits == 2:
                raise KeyboardInterrupt
            return super().get()

    monkeypatch.setattr(streaming, "queue", SimpleNamespace(SimpleQueue=Interrupted))
    goes_on, told = threading.Event(), list[Event]()

    def answer(listen: Listen) -> Answer:
        listen(AnswerText("Three"))
        goes_on.wait()
        raise Cancelled

    cancelled: list[bool] = []
    with pytest.raises(KeyboardInterrupt):
        for event in events(lambda listen: PendingAnswer(lambda: answer(listen), lambda: cancelled.append(True))):
            told.append(event)
            if isinstance(event, Ending):
                assert cancelled
                goes_on.set()
    assert told == [AnswerText("Three"), Ending()]


def test_status_shows_attempts_that_may_have_been_billed(server: FaultServer, indexed: Path) -> None:
    server.choose = lambda number, _body: Fault.EMPTY if number == 0 else None
    question, model = "How many keepers are there in May?", f"openai:odd@{server.url}"
    done = run("ask", question, "--corpus", str(indexed), "--model", model)
    assert done.returncode == 0
    assert done.stderr == ""
    shown = run("status", "--corpus", str(indexed)).stdout
    assert "failed" in shown.split("model", 1)[1].splitlines()[0]
    rows = [line for line in shown.splitlines() if "openai:odd" in line]
    assert len(rows) == 1
    assert re.search(r"\b1 \([\d,]+ tokens\)", rows[0])
