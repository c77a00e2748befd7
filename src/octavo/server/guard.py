"""The outermost layer of the server: it checks where a request comes from and who sends it, and counts it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from octavo.server.access import HEADERS
from octavo.server.problems import Problem
from octavo.server.routes import GRANTED, answered, unknown_caller

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from octavo.server.services import Services

_OPEN = ("/static/", "/favicon.ico")
"""Paths that nobody needs a key for; those of the route table say themselves what they need."""
_TOKEN = "token"  # noqa: S105  (the name of a parameter)
_UPLOADS = "/v1/documents"
"""Where bodies larger than JSON may go; the handler counts them itself."""
_BODY_SECONDS = 60.0
"""From the headers of a request until the whole of its body is there, but for uploads."""
Refused = Callable[[Request, int, str], Response]
"""Makes the page for people who are refused, by the status and the reason in words."""


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, services: Services, table: frozenset[str], refused: Refused | None) -> None:
        """Take what is guarded, the services, the beginnings of paths in the route table, and pages for the refused."""
        self._app, self._services, self._refused = app, services, refused
        self._table = table

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, begun = time.perf_counter(), list[tuple[int, float]]()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append((message["status"], time.perf_counter() - started))
                _secure(message)
            await send(message)

        request = Request(scope)
        try:
            found = self._checked(request)
            if found is not None:
                await found(scope, receive, sending)
            else:
                await self._app(scope, self._counted(request, receive), sending)
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            if not begun:
                await answered(error)(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            status, seconds = begun[0] if begun else (499, time.perf_counter() - started)
            self._services.metrics.request(scope["method"], route, status, seconds)

    def _checked(self, request: Request) -> Response | None:
        """Return the response to a request that is not passed on, None for one that is."""
        access, path = self._services.access, request.url.path
        try:
            access.check_origin(request.headers)
            is_in_table = any(path == start or path.startswith(f"{start}/") for start in self._table)
            if _TOKEN in request.query_params and not is_in_table:
                return self._enter(request)
            granted = request.scope[GRANTED] = access.granted(request.headers, request.cookies)
            if granted is None and not is_in_table and not path.startswith(_OPEN):
                raise unknown_caller()
        except Problem as problem:
            return self._told(request, problem)
        return None

    def _enter(self, request: Request) -> Response:
        """Turn the secret of a link into a cookie, and lead to the same address without it."""
        secret = request.query_params[_TOKEN]
        if self._services.access.scope_of(secret) is None:
            raise unknown_caller()
        rest = urlencode([(name, value) for name, value in parse_qsl(request.url.query) if name != _TOKEN])
        path = "/" + request.url.path.lstrip("/\\")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        is_secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
        response.set_cookie(
            self._services.access.cookie, secret, httponly=True, samesite="strict", secure=is_secure, path="/"
        )
        return response

    def _told(self, request: Request, problem: Problem) -> Response:
        is_page = "text/html" in request.headers.get("accept", "")
        if self._refused is not None and is_page and not request.url.path.startswith("/v1/"):
            return self._refused(request, problem.status, problem.detail)
        return problem.response()

    def _counted(self, request: Request, receive: Receive) -> Receive:
        """Return `receive` with an end to how much a body has and how long it takes.

        Uploads are counted and timed where they are kept.
        """
        if request.method == "POST" and request.url.path == _UPLOADS:
            return receive
        most, size, is_whole = self._services.settings.max_body, 0, False
        until = asyncio.get_running_loop().time() + _BODY_SECONDS

        async def counted() -> Message:
            nonlocal size, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise Problem(408, "timeout", "The body did not come within a minute; send it again.") from None
            is_whole = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > most:
                raise Problem(413, "too_large", f"The body is larger than {most:,} bytes, the most that is taken here.")
            return message

        return counted


def _secure(message: Message) -> None:
    """Add the headers that every response carries, but for those it has."""
    headers = MutableHeaders(raw=list[tuple[bytes, bytes]](message["headers"]))
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    message["headers"] = headers.raw
