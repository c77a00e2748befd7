"""Renewing leases while work under them lasts."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from octavo.corpus.store import Store
from octavo.errors import CorpusError

_BEATS = 0.25
"""Of the time a lease lasts, after which it is renewed."""


class Heartbeat:
    """Renews the leases of a store while a run lasts, and while it works where `is_at_work` tells that.

    A lease that nobody works under any more, though its process lives, so ends while a run waits for others.
    """

    def __init__(self, store: Store, is_at_work: Callable[[], bool] = lambda: True) -> None:
        self._store, self._is_at_work = store, is_at_work
        self._seconds = store.lease_seconds * _BEATS
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="octavo-heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(self._seconds):
            with contextlib.suppress(CorpusError):  # the next beat comes before the lease ends, or publishing says so
                self.beat()

    def beat(self) -> None:
        """Renew the leases, unless nothing is at work."""
        if self._is_at_work():
            self._store.renew()
