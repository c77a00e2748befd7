"""A chat completions server on loopback that replies from a function and fails on purpose, in every way known.

Owns the faults, how each looks on the wire, and what a caller has to make of it. Knows nothing about Octavo's models
but their kinds of faults.
"""

from __future__ import annotations

import enum
import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

from octavo.models.language import FaultKind

Body = dict[str, Any]
"""A request to /v1/chat/completions, as it came."""
Script = Callable[[Body], str | list[Body]]
"""What the model says to a request: a text, or tool calls as the protocol writes them."""
Remedy = Literal["retry", "repair", "give up", "use"]
"""Retry: the gateway calls again. Repair: a reply came, but the decision has to ask for a better one once, then its
rule decides. Give up: calling again is of no use, the rule decides. Use: the reply is good."""


class Fault(enum.Enum):
    """A way to fail. The value says how it looks."""

    RATE_LIMIT = "429 without Retry-After"
    RATE_LIMIT_SECONDS = "429 with Retry-After in seconds"
    RATE_LIMIT_DATE = "429 with Retry-After as a date"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502 with an HTML page"
    UNAVAILABLE = "503"
    OVERLOADED = "529"
    RESET_BEFORE_HEADERS = "connection reset before the headers"
    RESET_AFTER_HEADERS = "connection reset after the headers"
    SLOW_HEADERS = "headers that come too late"
    SLOW_STREAM = "a body that drips too slowly"
    CUT_STREAM = "connection closed in the middle of the body"
    ENDED_STREAM = "a stream that ends properly, but without its end"
    TRUNCATED_BODY = "a body whose JSON is cut"
    TRUNCATED_REPLY = "a reply cut by the limit on tokens"
    FENCED_REPLY = "a reply in a code fence, with words around it"
    WRONG_SCHEMA = "a reply that is JSON of another shape"
    EMPTY = "an empty reply"
    NULL = "a reply that is null"
    REFUSAL = "a refusal"
    ENDLESS = "the same words over and over, up to the limit on tokens"
    CONTEXT = "400, input too long"
    USAGE_ZERO = "a token count of 0"
    USAGE_NEGATIVE = "a negative token count"
    USAGE_HUGE = "a token count beyond reason"
    INVALID_UTF8 = "a body that is no UTF-8"
    HTML_PAGE = "an HTML page with status 200"
    UNAUTHORISED = "401"
    UNKNOWN_MODEL = "404"
    WRONG_CONTENT_TYPE = "a good body said to be plain text"


@dataclass(frozen=True, slots=True)
class Expected:
    """What has to become of a fault: the kind that is raised, None when a reply comes, and what helps."""

    remedy: Remedy
    kind: FaultKind | None = None
    retry_after: float | None = None


RETRY_AFTER = 2
"""Seconds said in Retry-After; a date is rounded to seconds."""

EXPECTED: Mapping[Fault, Expected] = {
    Fault.RATE_LIMIT: Expected("retry", FaultKind.RATE_LIMIT),
    Fault.RATE_LIMIT_SECONDS: Expected("retry", FaultKind.RATE_LIMIT, RETRY_AFTER),
    Fault.RATE_LIMIT_DATE: Expected("retry", FaultKind.RATE_LIMIT, RETRY_AFTER),
    Fault.SERVER_ERROR: Expected("retry", FaultKind.SERVER),
    Fault.BAD_GATEWAY: Expected("retry", FaultKind.SERVER),
    Fault.UNAVAILABLE: Expected("retry", FaultKind.OVERLOADED),
    Fault.OVERLOADED: Expected("retry", FaultKind.OVERLOADED),
    Fault.RESET_BEFORE_HEADERS: Expected("retry", FaultKind.CONNECTION),
    Fault.RESET_AFTER_HEADERS: Expected("retry", FaultKind.CONNECTION),
    Fault.SLOW_HEADERS: Expected("retry", FaultKind.TIMEOUT),
    Fault.SLOW_STREAM: Expected("retry", FaultKind.TIMEOUT),
    Fault.CUT_STREAM: Expected("retry", FaultKind.CONNECTION),
    Fault.ENDED_STREAM: Expected("retry", FaultKind.MALFORMED),
    Fault.TRUNCATED_BODY: Expected("retry", FaultKind.MALFORMED),
    Fault.TRUNCATED_REPLY: Expected("repair"),
    Fault.FENCED_REPLY: Expected("use"),
    Fault.WRONG_SCHEMA: Expected("repair"),
    Fault.EMPTY: Expected("retry", FaultKind.EMPTY),
    Fault.NULL: Expected("retry", FaultKind.EMPTY),
    Fault.REFUSAL: Expected("give up"),
    Fault.ENDLESS: Expected("repair"),
    Fault.CONTEXT: Expected("give up", FaultKind.CONTEXT),
    Fault.USAGE_ZERO: Expected("use"),
    Fault.USAGE_NEGATIVE: Expected("use"),
    Fault.USAGE_HUGE: Expected("use"),
    Fault.INVALID_UTF8: Expected("retry", FaultKind.MALFORMED),
    Fault.HTML_PAGE: Expected("retry", FaultKind.MALFORMED),
    Fault.UNAUTHORISED: Expected("give up", FaultKind.AUTH),
    Fault.UNKNOWN_MODEL: Expected("give up", FaultKind.UNKNOWN_MODEL),
    Fault.WRONG_CONTENT_TYPE: Expected("use"),
}

Choose = Callable[[int, Body], Fault | None]
"""Says how the call of a number (from 0) fails, None for not at all."""


def at_rate(rate: float, seed: int = 0, faults: tuple[Fault, ...] = tuple(Fault)) -> Choose:
    """Return a choice that fails so many calls of 1, in ways drawn from `faults`; the same for the same seed."""

    def choose(number: int, _body: Body) -> Fault | None:
        draw = random.Random(f"{seed}:{number}")
        return draw.choice(faults) if draw.random() < rate else None

    return choose


class FaultServer:
    """The server, a context manager; `url` is the base URL to give to a client.

    `refused` holds types of response_format that are answered with 400, `slow` is how long slow faults wait in seconds.
    """

    def __init__(
        self,
        script: Script = lambda _body: "yes",
        choose: Choose = lambda _number, _body: None,
        *,
        refused: frozenset[str] = frozenset(),
        slow: float = 5.0,
    ) -> None:
        self.script = script
        self.choose = choose
        self.refused = refused
        self.slow = slow
        self.bodies: list[Body] = []
        """Every request, in the order they came."""
        self.headers: list[dict[str, str]] = []
        self.listings = 0
        """How often the models were asked for."""
        self.disconnected = threading.Event()
        """Set once a client went away in the middle of a slow reply."""
        self.stopping = threading.Event()
        self._counting = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def count(self, body: Body, headers: dict[str, str]) -> int:
        with self._counting:
            self.bodies.append(body)
            self.headers.append(headers)
            return len(self.bodies) - 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Of connections that wait to be taken up; beyond them the system resets.
    request_queue_size = 128
    block_on_close = False
    owner: FaultServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        return

    def do_GET(self) -> None:
        self.server.owner.listings += 1
        self._send(b'{"object": "list", "data": [{"id": "test", "object": "model"}]}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner = self.server.owner
        number = owner.count(body, {key.lower(): value for key, value in self.headers.items()})
        wanted = (body.get("response_format") or {}).get("type", "")
        if wanted in owner.refused:
            self._error(400, f"response_format of type {wanted} is not supported")
        elif not self.path.endswith("/chat/completions"):
            self._error(404, "no such path")
        elif fault := owner.choose(number, body):
            self._fail(fault, body)
        else:
            self._reply(body, owner.script(body))

    def _fail(self, fault: Fault, body: Body) -> None:
        if fault in _STATUS:
            status, message, code = _STATUS[fault]
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self._error(status, message.format(key=key), code, _retry_after(fault))
        elif fault in _REPLIES:
            _REPLIES[fault](self, body)
        else:
            _WIRE[fault](self, body)

    def _error(self, status: int, message: str, code: str = "", headers: Mapping[str, str] = {}) -> None:
        error = {"message": message, "type": "error", "code": code or None}
        self._send(json.dumps({"error": error}).encode(), status=status, headers=headers)

    def _reply(self, body: Body, said: str | list[Body], **others: Any) -> None:
        if body.get("stream"):
            events = [_event(chunk) for chunk in _chunks(body, said, **others)]
            self._send(b"".join([*events, b"data: [DONE]\n\n"]), "text/event-stream")
        else:
            self._send(json.dumps(_completion(body, said, **others)).encode())

    def _send(
        self,
        content: bytes,
        media_type: str = "application/json",
        *,
        status: int = 200,
        headers: Mapping[str, str] = {},
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def _whole(self, body: Body) -> tuple[bytes, str]:
        """Return the bytes and media type of a good reply."""
        said = self.server.owner.script(body)
        if body.get("stream"):
            events = [_event(chunk) for chunk in _chunks(body, said)]
            return b"".join([*events, b"data: [DONE]\n\n"]), "text/event-stream"
        return json.dumps(_completion(body, said)).encode(), "application/json"

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._close()

    def _close(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        for end in (self.rfile, self.wfile, self.connection):
            end.close()

    def _reset_after_headers(self, body: Body) -> None:
        content, media_type = self._whole(body)
        self._send(b"", media_type, length=len(content))
        self._reset()

    def _slow_headers(self, body: Body) -> None:
        self.server.owner.stopping.wait(self.server.owner.slow)
        self._reply(body, self.server.owner.script(body))

    def _slow_stream(self, body: Body) -> None:
        content, media_type = self._whole(body)
        self._send(b"", media_type, length=len(content))
        pause = self.server.owner.slow / 20
        size = max(1, len(content) // 20)
        for start in range(0, len(content), size):
            if self.server.owner.stopping.wait(pause):
                return
            try:
                self.wfile.write(content[start : start + size])
            except OSError:
                self.server.owner.disconnected.set()
                raise

    def _cut_stream(self, body: Body) -> None:
        content, media_type = self._whole(body)
        self._send(content[: len(content) // 2], media_type, length=len(content))
        self._close()

    def _ended_stream(self, body: Body) -> None:
        """End after half of the reply, properly: a body that is no stream lacks its choices."""
        if body.get("stream"):
            chunks = list(_chunks(body, "half of a reply that"))[:2]
            self._send(b"".join(map(_event, chunks)) + b"data: [DONE]\n\n", "text/event-stream")
        else:
            self._send(json.dumps({**_completion(body, ""), "choices": []}).encode())

    def _truncated_body(self, body: Body) -> None:
        content, media_type = self._whole(body)
        self._send(content[: len(content) * 2 // 3] + (b"\n\n" if body.get("stream") else b""), media_type)

    def _invalid_utf8(self, body: Body) -> None:
        content, media_type = self._whole(body)
        where = content.rindex(b'"object"')
        self._send(content[:where] + b'"note": "\xff\xfe\xc3", ' + content[where:], media_type)

    def _html_page(self, _body: Body) -> None:
        self._send(_PAGE, "text/html")

    def _bad_gateway(self, _body: Body) -> None:
        self._send(_PAGE, "text/html", status=502)

    def _wrong_content_type(self, body: Body) -> None:
        content, _ = self._whole(body)
        self._send(content, "text/plain")


_PAGE = b"<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>"

_STATUS: Mapping[Fault, tuple[int, str, str]] = {
    Fault.RATE_LIMIT: (429, "Rate limit reached", "rate_limit_exceeded"),
    Fault.RATE_LIMIT_SECONDS: (429, "Rate limit reached", "rate_limit_exceeded"),
    Fault.RATE_LIMIT_DATE: (429, "Rate limit reached", "rate_limit_exceeded"),
    Fault.SERVER_ERROR: (500, "The server had an error", ""),
    Fault.UNAVAILABLE: (503, "Service unavailable", ""),
    Fault.OVERLOADED: (529, "Overloaded", "overloaded_error"),
    Fault.CONTEXT: (400, "This model's maximum context length is 4096 tokens", "context_length_exceeded"),
    Fault.UNAUTHORISED: (401, "Incorrect API key provided: {key}", "invalid_api_key"),
    Fault.UNKNOWN_MODEL: (404, "The model does not exist", "model_not_found"),
}

_WIRE: Mapping[Fault, Callable[[_Handler, Body], None]] = {
    Fault.BAD_GATEWAY: _Handler._bad_gateway,
    Fault.RESET_BEFORE_HEADERS: lambda handler, _body: handler._reset(),
    Fault.RESET_AFTER_HEADERS: _Handler._reset_after_headers,
    Fault.SLOW_HEADERS: _Handler._slow_headers,
    Fault.SLOW_STREAM: _Handler._slow_stream,
    Fault.CUT_STREAM: _Handler._cut_stream,
    Fault.ENDED_STREAM: _Handler._ended_stream,
    Fault.TRUNCATED_BODY: _Handler._truncated_body,
    Fault.INVALID_UTF8: _Handler._invalid_utf8,
    Fault.HTML_PAGE: _Handler._html_page,
    Fault.WRONG_CONTENT_TYPE: _Handler._wrong_content_type,
}


def _usage(prompt: int, completion: int) -> Body:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _said(change: Callable[[str], str], **others: Any) -> Callable[[_Handler, Body], None]:
    def reply(handler: _Handler, body: Body) -> None:
        said = handler.server.owner.script(body)
        handler._reply(body, change(said) if isinstance(said, str) else said, **others)

    return reply


_REPLIES: Mapping[Fault, Callable[[_Handler, Body], None]] = {
    Fault.TRUNCATED_REPLY: _said(lambda text: text[: len(text) // 2], finish="length"),
    Fault.FENCED_REPLY: _said(lambda text: f"Here is the answer:\n```json\n{text}\n```\nI hope this helps."),
    Fault.WRONG_SCHEMA: _said(lambda _: '{"unasked": [1, 2, {"for": null}]}'),
    Fault.EMPTY: _said(lambda _: ""),
    Fault.NULL: lambda handler, body: handler._reply(body, "", content=None),
    Fault.REFUSAL: lambda handler, body: handler._reply(body, "", content=None, refusal="I cannot help with that."),
    Fault.ENDLESS: lambda handler, body: handler._reply(body, "again and " * (_limit(body) // 2), finish="length"),
    Fault.USAGE_ZERO: _said(lambda text: text, usage=_usage(0, 0)),
    Fault.USAGE_NEGATIVE: _said(lambda text: text, usage=_usage(-7, -1)),
    Fault.USAGE_HUGE: _said(lambda text: text, usage=_usage(10**15, 10**12)),
}


def _limit(body: Body) -> int:
    return int(body.get("max_tokens") or body.get("max_completion_tokens") or 64)


def _retry_after(fault: Fault) -> dict[str, str]:
    if fault is Fault.RATE_LIMIT_SECONDS:
        return {"Retry-After": str(RETRY_AFTER)}
    if fault is Fault.RATE_LIMIT_DATE:
        return {"Retry-After": formatdate(time.time() + RETRY_AFTER, usegmt=True)}
    return {}


def _completion(
    body: Body, said: str | list[Body], finish: str = "", usage: Body | None = None, **message: Any
) -> Body:
    content: Body = {"content": None, "tool_calls": said} if isinstance(said, list) else {"content": said}
    choice = {
        "index": 0,
        "message": {"role": "assistant", **content, **message},
        "finish_reason": finish or ("tool_calls" if isinstance(said, list) else "stop"),
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", ""),
        "choices": [choice],
        "usage": usage or _usage(_words(body), len(str(said).split()) + 1),
    }


def _words(body: Body) -> int:
    return len(json.dumps(body["messages"]).split())


def _chunks(
    body: Body, said: str | list[Body], finish: str = "", usage: Body | None = None, **message: Any
) -> Iterator[Body]:
    """Yield what a stream sends: the role, the text word by word, the end, the usage."""
    whole = _completion(body, said, finish, usage)
    base = {"id": whole["id"], "object": "chat.completion.chunk", "created": 1, "model": whole["model"]}

    def chunk(delta: Body, finish_reason: str | None = None) -> Body:
        return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}

    yield chunk({"role": "assistant", "content": "", **message})
    if isinstance(said, list):
        yield chunk({"tool_calls": [{"index": at, **call} for at, call in enumerate(said)]})
    else:
        words = said.split(" ") if said else []
        yield from (chunk({"content": word if at == 0 else " " + word}) for at, word in enumerate(words))
    yield chunk({}, whole["choices"][0]["finish_reason"])
    yield {**base, "choices": [], "usage": whole["usage"]}


def _event(chunk: Body) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
