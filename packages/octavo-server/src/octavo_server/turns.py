"""Turns: what a task holds of the room that a pool of threads has. Knows nothing of HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Turn:
    """A task's share of what a pool does at once. Where a task ends its turn early, what is left of it mostly waits."""

    def __init__(self, give_back: Callable[[], None] = lambda: None) -> None:
        self._given_back = give_back
        self._is_over = threading.Lock()

    def end(self) -> None:
        """Let the next task begin; only the first time counts. May be called from any thread."""
        if self._is_over.acquire(blocking=False):
            self._given_back()


here = threading.local()
"""Its `turn` is that of the task that the thread does."""


def turn() -> Turn:
    """Return the turn of the task that this thread does; one that means nothing where it does none."""
    return getattr(here, "turn", None) or Turn()
