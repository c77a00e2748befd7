"""Pools of threads beside the event loop, which do so many tasks at once and refuse more than can wait."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from octavo.models.spans import carried
from octavo_server.problems import Problem

_T = TypeVar("_T")


class PoolSlot:
    """A task's share of what a pool does at once. A task that mostly waits from here on may give it back early."""

    def __init__(self, give_back: Callable[[], None] = lambda: None) -> None:
        """Take what gives it back; where no pool gave it, nothing has to be done."""
        self._give_back = give_back
        self._is_released = threading.Lock()

    def release(self) -> None:
        """Let the next task begin; only the first time counts. May be called from any thread."""
        if self._is_released.acquire(blocking=False):
            self._give_back()


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
        """Take how many tasks may run at once, and how many more may wait for it or have given back their slot."""
        self.name, self.most = name, running + waiting
        self._free = running
        self._taken = 0
        self._refused = 0
        self._queue = deque[tuple[Future[Any], Callable[[PoolSlot], Any]]]()
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

    async def run_with_slot(self, task: Callable[[PoolSlot], _T]) -> _T:
        """Return what a task returns that may give back its slot before it is over; else as `run`."""
        return await self.start_with_slot(task)

    def start(self, task: Callable[[], _T]) -> asyncio.Future[_T]:
        """Begin a task and return its outcome to come. Raises Problem 503 where too many wait already."""
        return self.start_with_slot(lambda _slot: task())

    def start_with_slot(self, task: Callable[[PoolSlot], _T]) -> asyncio.Future[_T]:
        """Begin a task that may give back its slot before it is over; else as `start`."""
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
        future.add_done_callback(lambda done: _call_soon(loop, lambda: self._leave(done)))
        self._queue.append((future, carried(task)))
        self._begin()
        return asyncio.wrap_future(future)

    def _begin(self) -> None:
        """Begin the next tasks, as many as may run."""
        with self._lock:
            while self._free and self._queue:
                self._free -= 1
                self._threads.submit(self._do, *self._queue.popleft())

    def _do(self, future: Future[Any], task: Callable[[PoolSlot], Any]) -> None:
        slot = PoolSlot(self._next)
        try:
            if future.set_running_or_notify_cancel():
                future.set_result(task(slot))
        except BaseException as error:  # noqa: BLE001  (raised again where the outcome is awaited)
            future.set_exception(error)
        finally:
            slot.release()

    def _next(self) -> None:
        with self._lock:
            self._free += 1
        self._begin()

    def _leave(self, future: Future[Any]) -> None:
        """Note that a task is over; one that was cancelled while it waited makes room in the queue."""
        self._taken -= 1
        if future.cancelled():
            with self._lock:
                self._queue = deque(entry for entry in self._queue if entry[0] is not future)

    def close(self) -> None:
        """Take no more tasks; those that wait are dropped, those that run are left to end."""
        with self._lock:
            dropped = [*self._queue]
            self._queue.clear()
        for future, _ in dropped:
            future.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _call_soon(loop: asyncio.AbstractEventLoop, action: Callable[[], None]) -> None:
    """Run an action on the loop, unless the loop is over."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(action)
