"""Tools for agents over the Model Context Protocol: find, read, show and check what documents say.

`tool` says what a tool is, `reading`, `asking` and `writing` have the tools, `server` puts them behind the protocol, on
`http` or standard input and output. The words of documents are data in every result, which `results` fences.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from octavo_server.services import Services


def routes(services: Services) -> list[BaseRoute]:
    """Return the route of the tools; none where the extra `octavo[mcp]` is not installed."""
    from octavo_server.mcp import http

    return http.routes(services)


def lifespan(app: Starlette) -> AbstractAsyncContextManager[None]:
    """Return what holds the tools of an application for as long as it runs."""
    from octavo_server.mcp import http

    return http.lifespan(app)
