"""Work beside the event loop: pools of threads that do so many tasks at once and refuse more than can wait; streams.

A stream hands what a worker thread tells to one reader, who may be slow, or go, as server-sent events.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.responses import Response

from octavo_server.problems import Problem
from octavo_server.routes import encoded
from octavo_server.turns import Turn, here

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_T = TypeVar("_T")


@dataclass
class Load:
    """What a pool has to do at one moment: tasks that run, and tasks that wait for their turn."""

    running: int = 0
    waiting: int = 0


class Pool:
    """Threads for one kind of work. `run` and `start` are called on the event loop.

    A task that waits for its turn has no thread: to start hundreds would keep the event loop from its own work.
    """

    def __init__(self, name: str, *, running: int, waiting: int) -> None:
        """Take how many tasks may run at once, and how many more may wait for it or have ended their turn."""
        self.name, self.most = name, running + waiting
        self._free = running
        self._taken = 0
        self._refused = 0
        self._queue = deque[tuple[Future[Any], Callable[[], Any]]]()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(self.most, f"octavo-{name}")

    @property
    def load(self) -> Load:
        """What is being done now."""
        waiting = len(self._queue)
        return Load(max(0, self._taken - waiting), waiting)

    @property
    def refused(self) -> int:
        """How many tasks were refused so far."""
        return self._refused

    async def run(self, task: Callable[[], _T]) -> _T:
        """Return what the task returns, or raise what it raises; Problem 503 as `start` does.

        A caller that is cancelled does not stop a task that has begun; the task keeps its place until it is over.
        """
        return await self.start(task)

    def start(self, task: Callable[[], _T]) -> asyncio.Future[_T]:
        """Begin a task and return its outcome to come. Raises Problem 503 where too many wait already."""
        if self._taken >= self.most:
            self._refused += 1
            raise Problem(
                503,
                "busy",
                f"The server has as many {self.name} to do as it takes at once; try again in a moment.",
                headers={"Retry-After": "1"},
            )
        self._taken += 1
        loop = asyncio.get_running_loop()
        future = Future[_T]()
        future.add_done_callback(lambda _done: _told(loop, self._leave))
        self._queue.append((future, task))
        self._begin()
        return asyncio.wrap_future(future)

    def _begin(self) -> None:
        """Begin the next tasks, as many as may run."""
        with self._lock:
            while self._free and self._queue:
                self._free -= 1
                self._threads.submit(self._do, *self._queue.popleft())

    def _do(self, future: Future[Any], task: Callable[[], Any]) -> None:
        own = here.turn = Turn(self._next)
        try:
            if future.set_running_or_notify_cancel():
                future.set_result(task())
        except BaseException as error:  # noqa: BLE001  (raised again where the outcome is awaited)
            future.set_exception(error)
        finally:
            own.end()

    def _next(self) -> None:
        with self._lock:
            self._free += 1
        self._begin()

    def _leave(self) -> None:
        self._taken -= 1

    def close(self) -> None:
        """Take no more tasks; those that wait are dropped, those that run are left to end."""
        with self._lock:
            dropped = [*self._queue]
            self._queue.clear()
        for future, _ in dropped:
            future.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _told(loop: asyncio.AbstractEventLoop, action: Callable[[], None]) -> None:
    """Run an action on the loop, unless the loop is over."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(action)


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
        """Say that no more events come."""
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
                yield b"event: " + name.encode() + b"\ndata: " + encoded(value) + b"\n\n"
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
