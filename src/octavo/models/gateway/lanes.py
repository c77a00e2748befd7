"""The way to one model: how many calls may be under way at once, and until when it asked to be left alone.

Owns slots and pauses. Knows nothing about requests.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator

_POLL_SECONDS = 0.05


class Lane:
    """Slots for calls to one model, shared by threads. After "too many requests" nobody calls until the pause ends."""

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self._slots = threading.BoundedSemaphore(slots)
        self._clock = clock
        self._closed_until = clock()

    def close_for(self, seconds: float) -> None:
        """Let nobody call for some seconds."""
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    def pause_left(self) -> float:
        """Return how many seconds nobody may call, 0 or less when one may."""
        return self._closed_until - self._clock()

    @contextlib.contextmanager
    def slot(self, tick: Callable[[], None]) -> Generator[None]:
        """Hold one of the slots; `tick` is called now and then while waiting and may raise to end the wait."""
        while not self._slots.acquire(timeout=_POLL_SECONDS):
            tick()
        try:
            yield
        finally:
            self._slots.release()
