"""The server over real sockets: senders and readers that are slow, and models that fail in the middle."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

import octavo
from fault_server import Body, Fault, FaultServer
from octavo.corpus import Corpus
from octavo_server import ServerSettings, run
from octavo_server.run import application
from serving import TOKEN, events_of

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]
QUESTION = "What is the greatest swell height for landing at North Gut?"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LONG = "The greatest swell for a landing at North Gut is 1.2 metres, says the table. " * 60


def answering(body: Body) -> str:
    """Answer at length with the table of limits."""
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", str(body["messages"][-1]["content"]), re.DOTALL)
    number = next((int(number) for number, text in passages if "Swell height" in text), 1)
    return json.dumps({"evidence": [{"id": number, "quote": "1.2"}], "answerable": True, "answer": LONG})


@pytest.fixture(scope="module")
def indexed(examples: Path) -> Path:
    return examples


class Listening:
    """A server on a port of its own, in a thread."""

    def __init__(self, corpus: Corpus) -> None:
        app = application(corpus, ServerSettings(token=TOKEN))
        config = uvicorn.Config(app, http=run.ImpatientProtocol, ws="none", log_level="error")
        self.server = uvicorn.Server(config)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = self.socket.getsockname()
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    def __enter__(self) -> Listening:
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = self.server.force_exit = True
        self.thread.join(15)

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return httpx.Client(base_url="http://{}:{}".format(*self.address), headers=headers, timeout=60)

    def opened(self, sent: bytes, *, receives: int | None = None) -> socket.socket:
        """Return a connection on which some bytes were sent; `receives` makes the buffer of its reader small."""
        made = socket.socket()
        if receives is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        made.connect(self.address)
        made.sendall(sent)
        made.settimeout(60)
        return made


@pytest.fixture
def listening(indexed: Path) -> Iterator[Listening]:
    with octavo.open(indexed) as corpus, Listening(corpus) as running:
        yield running


def asking(accepts: str) -> bytes:
    body = json.dumps({"question": QUESTION}).encode()
    head = f"POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nAccept: {accepts}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def told(connection: socket.socket) -> bytes:
    """Return a response of /health."""
    read = b""
    while not read.endswith(b"}"):
        read += connection.recv(9999)
    return read


def test_headers_that_do_not_come_end_the_connection(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "HEADER_SECONDS", 0.5)
    for sent in (b"", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"):
        slow = listening.opened(sent)
        started = time.monotonic()
        assert slow.recv(1) == b""
        assert time.monotonic() - started > 0.3
        slow.close()
    again = listening.opened(HEALTH)
    assert told(again).startswith(b"HTTP/1.1 200")
    time.sleep(0.8)  # idle between two requests is no request that is slow
    again.sendall(HEALTH + b"GET /hea")
    assert told(again).startswith(b"HTTP/1.1 200")
    assert again.recv(9999) == b""
    again.close()


def test_a_body_that_does_not_come_is_told(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo_server.guard._BODY_SECONDS", 0.5)
    slow = listening.opened(asking("application/json")[:-5])
    assert b" 408 " in slow.recv(9999)
    slow.close()


def test_readers_that_take_nothing_hold_up_nobody(listening: Listening) -> None:
    slow = [listening.opened(asking("text/event-stream"), receives=1024) for _ in range(12)]
    try:
        with listening.client() as client:
            assert client.get("/health").status_code == 200
            assert client.post("/v1/ask", json={"question": QUESTION}).json()["answer"] == "1.2 m"
    finally:
        for one in slow:
            one.close()


@pytest.mark.parametrize("fault", [Fault.CUT_STREAM, Fault.TRUNCATED_BODY])
def test_what_a_model_wrote_comes_before_it_fails_and_the_reason_after(indexed: Path, fault: Fault) -> None:
    with (
        FaultServer(answering, lambda _number, _body: fault) as model,
        octavo.open(indexed, models=f"openai:{fault.name}@{model.url}") as corpus,
        Listening(corpus) as running,
        running.client() as client,
    ):
        accepts = {"Accept": "text/event-stream"}
        events = events_of(client.post("/v1/ask", json={"question": QUESTION}, headers=accepts).text)
        written = [value["text"] for name, value in events if name == "token"]
        done = events[-1][1]
        assert any(text and LONG.startswith(text) for text in written)
        assert (events[-1][0], done["answer"], done["decided_by"]) == ("done", "1.2 m", {"rule": 1})
        assert done["failures"] and "model" in done["failures"][0]
        assert client.get(f"/v1/answers/{done['id']}").json()["failures"] == done["failures"]
