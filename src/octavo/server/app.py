"""The application: the routes of the API, the pages and the tools of agents over one corpus."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
from collections.abc import AsyncGenerator, Callable
from types import ModuleType
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from octavo.corpus import Corpus
from octavo.errors import OctavoError
from octavo.server import ServerSettings, api
from octavo.server.guard import Guard
from octavo.server.problems import Problem
from octavo.server.routes import answered, starlette_routes
from octavo.server.services import Services

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
        return importlib.import_module(f"octavo.server.{name}")
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
