"""One event loop in one background thread, for clients that only speak asynchronously.

An interrupt or a deadline of whoever waits for work in it ends the work; a fork gets a loop of its own.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_GRACE = 5.0
"""Seconds past its own timeout after which work that does not end is given up by whoever waits for it."""


class _Loop:
    """The loop of this process, None before the first work and in a child that was forked."""

    running: asyncio.AbstractEventLoop | None = None
    starting = threading.Lock()


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the running loop, started on first use. A forked child gets one of its own."""
    with _Loop.starting:
        if _Loop.running is None:
            _Loop.running = _start()
        return _Loop.running


def _start() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="octavo-models", daemon=True).start()
    return loop


def _forget() -> None:
    """Forget the parent's loop: its thread does not live on in a forked child."""
    _Loop.running = None
    _Loop.starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def carry_out(
    work: Callable[[Callable[[str], None]], Coroutine[Any, Any, _Result]],
    *,
    timeout: float,
    on_text: Callable[[str], None] | None = None,
) -> _Result:
    """Run `work` in the background loop and return what it returns, or raise what it raises.

    `work` is handed a function that passes text on to `on_text`, which runs in the thread that waits here. The work is
    cancelled when that thread is interrupted, `on_text` raises, or `timeout` seconds have passed: then TimeoutError.
    """
    texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    future = asyncio.run_coroutine_threadsafe(_in_time(work(texts.put), timeout), event_loop())
    future.add_done_callback(lambda _: texts.put(None))
    deadline = time.monotonic() + timeout + _GRACE
    try:
        while (text := texts.get(timeout=max(0.0, deadline - time.monotonic()))) is not None:
            if on_text:
                on_text(text)
        return future.result()
    except queue.Empty:
        raise TimeoutError from None
    finally:
        future.cancel()


async def _in_time(work: Coroutine[Any, Any, _Result], timeout: float) -> _Result:
    async with asyncio.timeout(timeout):
        return await work
