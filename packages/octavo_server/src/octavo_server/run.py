"""Running a server: the application over one corpus, on one address through uvicorn, until a signal ends it.

The application is the routes of the API, the pages and the tools of agents. Who sends a request too slowly is hung up
on, so that nobody holds connections for nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import dataclasses
import functools
import importlib
import logging
import os
import signal
import socket
import threading
from collections.abc import AsyncGenerator, Callable
from types import FrameType, ModuleType
from typing import Any, TypeVar, cast

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from uvicorn.protocols.http.h11_impl import H11Protocol

from octavo.corpus import Corpus
from octavo.errors import OctavoError, UsageError
from octavo_server import ServerSettings, api
from octavo_server.guard import Guard, is_loopback
from octavo_server.problems import Problem
from octavo_server.routes import answered, starlette_routes
from octavo_server.services import Services
from octavo_server.sessions import kept_token
from octavo_server.store import Store

_T = TypeVar("_T")


def application(corpus: Corpus, settings: ServerSettings | None = None) -> Starlette:
    """Return the server over a corpus. `state.services` of the application is what its handlers share."""
    services = Services.of(corpus, settings or ServerSettings())
    table, pages, mcp = api.ROUTES, _room("pages"), _room("mcp")
    starts = frozenset("/".join(route.path.split("/")[:2]) for route in table)
    app = Starlette(
        routes=[*starlette_routes(table, services), *_routes(pages), *_routes(mcp, services)],
        middleware=[Middleware(Guard, services, starts, getattr(pages, "refused", None))],
        lifespan=functools.partial(_lifespan, services, mcp),
        exception_handlers={HTTPException: _refused, OctavoError: _failed, Exception: _failed},
    )
    app.state.services, app.state.library = services, services.library

    async def work(function: Callable[..., _T], *args: Any, **kwargs: Any) -> _T:
        return await services.searches.run(lambda: function(*args, **kwargs))

    app.state.work = work
    return app


def _room(name: str) -> ModuleType | None:
    """Return a package of the server that may not be there, or needs what is not installed."""
    try:
        return importlib.import_module(f"octavo_server.{name}")
    except ImportError:
        return None


def _routes(room: ModuleType | None, *arguments: object) -> list[BaseRoute]:
    """Return the routes that a package brings with its function `routes`."""
    make: Callable[..., list[BaseRoute]] | None = getattr(room, "routes", None)
    return [] if make is None else [*make(*arguments)]


@contextlib.asynccontextmanager
async def _lifespan(services: Services, mcp: ModuleType | None, app: Starlette) -> AsyncGenerator[None]:
    async with contextlib.AsyncExitStack() as stack:
        services.start()
        stack.push_async_callback(asyncio.to_thread, services.close)
        enter = getattr(mcp, "lifespan", None)
        if enter is not None:
            await stack.enter_async_context(enter(app))
        yield


async def _refused(request: Request, error: Exception) -> Response:
    """Answer what Starlette refuses, no such route, no such method: with a page for people, a problem for programs."""
    assert isinstance(error, HTTPException)
    page = getattr(_room("pages"), "refused", None)
    if (
        page is not None
        and "text/html" in request.headers.get("accept", "")
        and not request.url.path.startswith("/v1/")
    ):
        return page(request, error.status_code)
    told = {
        404: ("unknown", "There is nothing at this address; /openapi.json lists what there is."),
        405: ("method", "This address does not take this method; /openapi.json says which it takes."),
    }
    reason, detail = told.get(error.status_code, ("refused", error.detail))
    return Problem(error.status_code, reason, detail, headers=error.headers).response()


async def _failed(_request: Request, error: Exception) -> Response:
    return answered(error)


# pyright: reportUnknownMemberType=false


HEADER_SECONDS = 20.0
"""From a connection, or the first byte of another request on it, until the headers are there."""


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with an end to how long the headers of a request may take."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request; a connection too many is closed."""
        if len(self.connections) >= _MOST_CONNECTIONS:
            cast("asyncio.Transport", transport).abort()
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


_MOST_CONNECTIONS = 4096
"""Open at once; more are closed as they come. Each may hold headers of 64 KB before anybody knows who sends them."""


class FewLines(logging.Filter):
    """Lets few lines through in a minute: what strangers send is logged, and must not fill a disk."""

    def __init__(self, most: int = 20, seconds: float = 60.0) -> None:
        """Take how many lines pass in so many seconds."""
        super().__init__()
        self._most, self._seconds = most, seconds
        self._began, self._count = -seconds, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; errors always are."""
        if record.levelno > logging.WARNING:
            return True
        if record.created - self._began >= self._seconds:
            self._began, self._count = record.created, 0
        self._count += 1
        return self._count <= self._most


_MARGIN_SECONDS = 0.5
"""Before the end of the grace, in which the process ends for good."""


def serve(corpus: Corpus, settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Serve a corpus until SIGINT or SIGTERM; `announce` is told the link once the server listens there.

    On loopback the link holds a token that opens everything; elsewhere keys alone do. Raises UsageError where there
    are none then, and OctavoError where the address is taken.
    """
    _share_heaps()
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
    logging.getLogger("uvicorn.error").addFilter(FewLines())
    server = _Server(config, services.ending, settings.grace)
    before = {number: signal.signal(number, server.end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        announce(f"http://{shown}:{port}/" + (f"?token={settings.token}" if settings.token else ""))
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_ARENA_MAX = -8
"""M_ARENA_MAX of mallopt(3)."""


def _share_heaps() -> None:
    """Have threads share two heaps where the C library is glibc; elsewhere nothing happens.

    By itself it makes up to eight for each core, and what one thread let go of is of no use to another: 200 open
    answers took 750 MB so, 610 with two.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_ARENA_MAX, 2)


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
    """Return the settings with the corpus's token on loopback. Raises UsageError elsewhere without keys."""
    if is_loopback(settings.host):
        return settings if settings.token else dataclasses.replace(settings, token=kept_token(corpus.path))
    if not Store.beside(corpus.path, read_only=settings.read_only).all_keys():
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
