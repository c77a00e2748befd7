"""Work beside the event loop: pools of threads that take a bounded number of tasks and refuse more at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from octavo.server.problems import Problem

_T = TypeVar("_T")


@dataclass
class Load:
    """What a pool has to do at one moment: tasks that run, and tasks that wait for a thread."""

    running: int = 0
    waiting: int = 0


class Pool:
    """Threads for one kind of work. `run` is called on the event loop."""

    def __init__(self, name: str, *, running: int, waiting: int) -> None:
        """Take how many tasks may run at once, and how many more may wait for it."""
        self.name, self.running, self.most = name, running, running + waiting
        self._taken = 0
        self._refused = 0
        self._threads = ThreadPoolExecutor(running, f"octavo-{name}")

    @property
    def load(self) -> Load:
        """What is being done now."""
        return Load(min(self._taken, self.running), max(0, self._taken - self.running))

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
        future = self._threads.submit(task)
        future.add_done_callback(lambda _done: _told(loop, self._leave))
        return asyncio.wrap_future(future)

    def _leave(self) -> None:
        self._taken -= 1

    def close(self) -> None:
        """Take no more tasks; those that wait are dropped, those that run are left to end."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _told(loop: asyncio.AbstractEventLoop, action: Callable[[], None]) -> None:
    """Run an action on the loop, unless the loop is over."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(action)
