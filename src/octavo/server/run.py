"""Running a server: uvicorn on one address, until a signal ends it.

Who sends a request too slowly is hung up on, so that nobody holds connections for nothing.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from octavo.corpus import Corpus
from octavo.errors import OctavoError, UsageError
from octavo.server import ServerSettings
from octavo.server.access import is_loopback
from octavo.server.store import Store

if TYPE_CHECKING:
    from octavo.server.services import Services

# pyright: reportUnknownMemberType=false


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


_MARGIN_SECONDS = 0.5
"""Before the end of the grace, in which the process ends for good."""


def serve(corpus: Corpus, settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Serve a corpus until SIGINT or SIGTERM; `announce` is told the link once the server listens there.

    On loopback the link holds a token that opens everything; elsewhere keys alone do. Raises UsageError where there
    are none then, and OctavoError where the address is taken.
    """
    from octavo.server.app import application

    settings = _opened(corpus, settings)

    listening = _bound(settings.host, settings.port)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    app = application(corpus, settings)
    services: Services = app.state.services
    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(settings.grace) - 2,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 << 10,
    )
    announce(f"http://{shown}:{port}/" + (f"?token={settings.token}" if settings.token else ""))
    server = _Server(config, services.ending, settings.grace)
    before = {number: signal.signal(number, server.end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server(uvicorn.Server):
    """A server that ends in time: what still runs when its grace is over is left, which a corpus bears."""

    def __init__(self, config: uvicorn.Config, ending: threading.Event, grace: float) -> None:
        super().__init__(config)
        self._ending, self._grace = ending, grace

    def end(self, _number: int, _frame: FrameType | None) -> None:
        """End soon. Heard before the server has begun, and again after it has ended, when it passes signals on."""
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end at the first signal, and end at the second."""
        self._ending.set()
        ending = threading.Timer(self._grace - _MARGIN_SECONDS, os._exit, (0,))
        ending.daemon = True
        ending.start()
        super().handle_exit(sig, frame)


def _opened(corpus: Corpus, settings: ServerSettings) -> ServerSettings:
    """Return the settings with a token on loopback. Raises UsageError elsewhere without keys."""
    if is_loopback(settings.host):
        return settings if settings.token else dataclasses.replace(settings, token=secrets.token_urlsafe(24))
    if not Store.beside(corpus.path).all_keys():
        raise UsageError(
            f"{settings.host} can be reached from other machines, and there is no key yet: make one with "
            "'octavo key add NAME --scope read', or serve on 127.0.0.1"
        )
    return dataclasses.replace(settings, token="")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends at once on these
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise OctavoError(f"{host}:{port}: {why}; choose another port with --port") from error
    return listening
