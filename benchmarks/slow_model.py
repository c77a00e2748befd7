"""A model that takes its time: a chat completions endpoint on loopback that writes each reply a piece at a time."""

from __future__ import annotations

import asyncio
import json
import re
from types import TracebackType
from typing import Any, Self

PIECES = 20


class SlowModel:
    """The endpoint, an async context manager; `url` is its base URL. Replies take `seconds`, in `PIECES` pieces."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = self.open = self.most_open = 0
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=1024)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                found = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                body = json.loads(await reader.readexactly(int(found[1]))) if found else {}
                await self._reply(body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _reply(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if not body:
            _send(writer, json.dumps({"object": "list", "data": []}))
            return
        self.calls += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            text = _reply_to(body)
            if body.get("stream"):
                await self._streamed(text, writer)
            else:
                await asyncio.sleep(self.seconds)
                message = {"role": "assistant", "content": text}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                _send(writer, json.dumps(_object("chat.completion") | {"choices": [choice], "usage": _USAGE}))
            await writer.drain()
        finally:
            self.open -= 1

    async def _streamed(self, text: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        size = max(1, -(-len(text) // PIECES))
        for start in range(0, len(text), size):
            choice = {"index": 0, "delta": {"role": "assistant", "content": text[start : start + size]}}
            _chunk(writer, _object("chat.completion.chunk") | {"choices": [choice]})
            await writer.drain()
            await asyncio.sleep(self.seconds / PIECES)
        last = {"index": 0, "delta": {}, "finish_reason": "stop"}
        _chunk(writer, _object("chat.completion.chunk") | {"choices": [last], "usage": _USAGE})
        writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")


_USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}


def _object(kind: str) -> dict[str, Any]:
    return {"id": "slow", "object": kind, "created": 0, "model": "slow"}


def _reply_to(body: dict[str, Any]) -> str:
    """Return an answer that quotes the first passage shown; what else is asked gets the same, which no rule takes."""
    text = str(body["messages"][-1]["content"])
    found = re.search(r"<passage id=(\d+)>\n(.*?)\n</passage>", text, re.DOTALL)
    number, words = (int(found[1]), found[2]) if found else (1, "nothing")
    quote = next((line for line in reversed(words.splitlines()) if len(line) > 20), words)
    return json.dumps({"evidence": [{"id": number, "quote": quote}], "answerable": True, "answer": quote[:400]})


def _chunk(writer: asyncio.StreamWriter, value: dict[str, Any]) -> None:
    data = f"data: {json.dumps(value)}\n\n".encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _send(writer: asyncio.StreamWriter, text: str) -> None:
    data = text.encode()
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(data), data)
    )
