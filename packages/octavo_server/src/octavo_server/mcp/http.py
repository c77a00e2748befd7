"""The tools at `/mcp` of the server, over streamable HTTP without sessions; who may call is checked before."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
from anyio.abc import TaskGroup, TaskStatus
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from octavo.corpus.reports import Removal
from octavo.corpus.store.paths import name_of_address
from octavo.errors import UnbuiltError
from octavo_server.api.jobs import queued, remove
from octavo_server.mcp.tool import ToolContext, ToolFailure
from octavo_server.mcp.writing import Roots, kept_text
from octavo_server.problems import Problem
from octavo_server.scopes import GRANTED, WRITE, allows, can_write, holder_of
from octavo_server.services import Services
from octavo_server.uploads import Upload

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
CONNECTOR_PATH = "/mcp/connector"


class Endpoint:
    """The tools as an ASGI application. What carries the protocol takes a second to load, which the first call pays."""

    def __init__(self, services: Services, *, is_connector: bool = False) -> None:
        self._services, self._is_connector = services, is_connector
        self._tasks: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None
        self._starting = anyio.Lock()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Hold what serves calls for as long as the block runs."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        manager = await self._started()
        if manager is None:
            refused = Problem(503, "busy", "The server is starting or ending; try again in a moment.")
            await refused.response()(scope, receive, send)
            return
        await manager.handle_request(scope, receive, send)

    async def _started(self) -> StreamableHTTPSessionManager | None:
        async with self._starting:
            if self._manager is None and self._tasks is not None:
                self._manager = await self._tasks.start(self._hold)
            return self._manager

    async def _hold(self, *, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        manager = await anyio.to_thread.run_sync(lambda: _manager(self._services, is_connector=self._is_connector))
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()


class QueuedAdditions:
    """Adds and removes documents by the jobs of the server, so that people see them too."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def add(self, source: Path | str) -> dict[str, Any]:
        """Queue a file, or what is at an address. Raises ToolFailure where a file cannot be read."""
        if isinstance(source, str):
            digest = hashlib.sha256(source.encode()).hexdigest()
            return self._queued(Upload(source, name_of_address(source), digest))
        try:
            with source.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ToolFailure(f"the file cannot be read: {error.strerror}") from error
        return self._queued(Upload(source, source.name, digest))

    def add_text(self, name: str, text: str) -> dict[str, Any]:
        """Queue a text, which is kept as files that are sent are. Raises ToolFailure where it cannot be kept."""
        return self._queued(kept_text(self._services.uploads, name, text))

    def _queued(self, upload: Upload) -> dict[str, Any]:
        job, _ = queued(self._services, upload)
        if self._services.runner is not None:
            self._services.runner.notice()
        return job.to_json()

    def job(self, identity: str) -> dict[str, Any] | None:
        """Return a job, None for one that there is not."""
        found = self._services.jobs.job(identity)
        return None if found is None else found.to_json()

    def cancel(self, identity: str) -> None:
        """Cancel a job."""
        self._services.jobs.cancel(identity)
        if self._services.runner is not None:
            self._services.runner.notice()

    def remove(self, identity: str) -> Removal:
        """Remove a document with all its files, and all that the server kept of it."""
        return remove(self._services, identity)


def _manager(services: Services, *, is_connector: bool) -> StreamableHTTPSessionManager:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from octavo_server.mcp.server import server_of

    context, settings = ToolContext(services.library), services.settings
    if settings.agents_write and services.runner is not None:
        context.additions, context.roots = QueuedAdditions(services), Roots(settings.roots)

    async def build(lacking: UnbuiltError, request: object) -> None:
        caller: Request | None = cast("Request", request) if isinstance(request, Request) else None
        may_write = caller is not None and can_write(caller, services)
        await services.layers.build(lacking, may_write=may_write)

    server = server_of(
        context,
        runner=services.searches.run_with_slot,
        asks=services.asks.run_with_slot,
        may_write=_may_write,
        base_of=_address,
        owner_of=_owner,
        build=build,
        is_connector=is_connector,
    )
    return StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=services.settings.max_body)


def _may_write(request: object) -> bool:
    return isinstance(request, Request) and allows(request.scope.get(GRANTED), WRITE)


def _owner(request: object) -> str:
    return holder_of(request.scope) if isinstance(request, Request) else ""


def _address(request: object) -> str:
    """Return the address of the server as the caller wrote it; the name of the host was checked before."""
    return str(request.base_url).rstrip("/") if isinstance(request, Request) else ""


def routes(services: Services) -> list[BaseRoute]:
    """Return the routes of the tools; none where the extra `octavo[mcp]` is not installed."""
    if importlib.util.find_spec("mcp") is None:
        return []
    connector = Endpoint(services, is_connector=True)
    return [Route(PATH, Endpoint(services), name="mcp"), Route(CONNECTOR_PATH, connector, name="connector")]


@contextlib.asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    """Hold the tools of an application for as long as it runs."""
    async with contextlib.AsyncExitStack() as held:
        for route in app.routes:
            if isinstance(endpoint := getattr(route, "endpoint", None), Endpoint):
                await held.enter_async_context(endpoint.running())
        yield
