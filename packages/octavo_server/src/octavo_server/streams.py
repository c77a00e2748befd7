"""Server-sent events: what a worker thread says goes to one reader, who may be slow, or go."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from octavo_server.routes import encoded

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

EVENTS_TYPE = "text/event-stream"
_MOST_PENDING = 1000
"""Events that wait for a reader; the oldest are dropped when more come."""
_TOKEN = "token"  # noqa: S105  (the name of an event)
_TOKEN_SECONDS = 0.03
"""Least time between two texts of an answer that is being written: each has the whole text."""
_STALLED_SECONDS = 60.0
"""How long a reader may take nothing at all before it counts as gone."""


class Feed:
    """Events on their way from a thread to the event loop. `put` and `end` may be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pending = deque[tuple[str, object]](maxlen=_MOST_PENDING)
        self._lock = threading.Lock()
        self._news = asyncio.Event()
        self._is_told = False
        self._is_over = False

    def put(self, name: str, value: object) -> None:
        """Add an event. A text of the answer takes the place of one that the reader has not taken yet."""
        with self._lock:
            if name == _TOKEN and self._pending and self._pending[-1][0] == _TOKEN:
                self._pending[-1] = (name, value)
            else:
                self._pending.append((name, value))
            self._tell()

    def end(self) -> None:
        """End the stream: no more events come."""
        with self._lock:
            self._is_over = True
            self._tell()

    def _tell(self) -> None:
        if not self._is_told and not self._loop.is_closed():
            self._is_told = True
            self._loop.call_soon_threadsafe(self._news.set)

    def _take(self) -> tuple[list[tuple[str, object]], bool]:
        with self._lock:
            taken = [*self._pending]
            self._pending.clear()
            self._is_told = False
            return taken, self._is_over

    def wire(self, name: str, value: Any) -> bytes:
        """Return an event as it goes over the wire."""
        return b"event: " + name.encode() + b"\ndata: " + encoded(value) + b"\n\n"

    async def events(self, heartbeat: float) -> AsyncIterator[bytes]:
        """Yield the events as they go over the wire, and a comment where nothing happens for `heartbeat` seconds."""
        while True:
            try:
                await asyncio.wait_for(self._news.wait(), heartbeat)
            except TimeoutError:
                yield b": waiting\n\n"
                continue
            self._news.clear()
            taken, is_over = self._take()
            for name, value in taken:
                yield self.wire(name, value)
            if is_over:
                return
            if taken and taken[-1][0] == _TOKEN:
                await asyncio.sleep(_TOKEN_SECONDS)


class EventStream(Response):
    """A response of server-sent events. `leave` is called once when it ends, however it ends."""

    def __init__(self, feed: Feed, heartbeat: float, leave: Callable[[], None]) -> None:
        super().__init__(media_type=EVENTS_TYPE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._feed, self._heartbeat, self._leave = feed, heartbeat, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the reader goes."""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            sending = asyncio.ensure_future(self._send(send))
            gone = asyncio.ensure_future(_gone(receive))
            try:
                await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
            finally:
                sending.cancel()
                gone.cancel()
                await asyncio.gather(sending, gone, return_exceptions=True)
        finally:
            self._leave()

    async def _send(self, send: Send) -> None:
        async for event in self._feed.events(self._heartbeat):
            part = send({"type": "http.response.body", "body": event, "more_body": True})
            await asyncio.wait_for(part, _STALLED_SECONDS)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    """Return when the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
