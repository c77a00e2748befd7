"""Connections of the server: who sends a request too slowly is hung up on, so that nobody holds them for nothing."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 20.0
"""From a connection, or the first byte of another request on it, until the headers are there."""


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with an end to how long the headers of a request may take."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(cast("asyncio.Transport", transport))  # pyright: ignore[reportArgumentType]
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes; the waiting ends with the headers of a request and begins with the first byte of the next."""
        super().data_received(data)
        if getattr(self.cycle, "response_complete", True):  # there is no cycle before the first request
            self._wait()
        else:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the waiting with the connection."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
