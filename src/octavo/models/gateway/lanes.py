"""The way to one model: how many calls may be under way at once, and until when it asked to be left alone.

Owns slots and pauses. Knows nothing about requests.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

_POLL_SECONDS = 0.05


class Lane:
    """Slots for calls to one model, shared by threads. After "too many requests" nobody calls until the pause ends."""

    def __init__(self, slots: int, clock: Callable[[], float]) -> None:
        self._slots = slots
        self._clock = clock
        self._closed_until = clock()
        self._inside: weakref.WeakSet[object] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._left = threading.Condition(self._lock)

    def close_for(self, seconds: float) -> None:
        """Let nobody call for some seconds; a longer pause that is under way stays."""
        with self._lock:
            self._closed_until = max(self._closed_until, self._clock() + seconds)

    def pause_left(self) -> float:
        """Return how many seconds nobody may call, 0 or less when one may."""
        return self._closed_until - self._clock()

    def enter(self, caller: object, tick: Callable[[], None]) -> None:
        """Take a slot; `tick` is called now and then while waiting and may raise to end the wait.

        A caller that is gone holds no slot: Ctrl-C at any point loses none.
        """
        while not self._admit(caller):
            tick()

    def leave(self, caller: object) -> None:
        """Give the slot back; nothing happens without one."""
        with self._lock:
            self._inside.discard(caller)
            self._left.notify()

    def _admit(self, caller: object) -> bool:
        """Take a slot that is free, or wait a moment for one."""
        with self._lock:
            if len(self._inside) >= self._slots:
                self._left.wait(_POLL_SECONDS)
            if len(self._inside) >= self._slots:
                return False
            self._inside.add(caller)
            return True
