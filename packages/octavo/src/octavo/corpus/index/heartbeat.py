"""Renewing leases while work under them lasts."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from octavo.corpus.store import Store
from octavo.errors import CorpusError

_BEATS = 0.25
"""Of the time a lease lasts, after which it is renewed."""


class Heartbeat:
    """Renews the leases of a store while a run lasts."""

    def __init__(self, store: Store) -> None:
        self._store = store
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
            try:
                self._store.renew()
            except CorpusError:
                continue  # the next beat comes before the lease ends; if none succeeds, publishing says so
