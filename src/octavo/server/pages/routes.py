"""The addresses of pages. Each page is a permalink and can be read without scripts."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from octavo.errors import OctavoError, UsageError
from octavo.server.pages import rendering
from octavo.server.pages.rendering import by_file, html
from octavo.server.problems import problem_of

_LONGEST_FORM = 64 * 1024
_FOR_GOOD = "public, max-age=31536000, immutable"
_Handler = Callable[[Request], Awaitable[Response]]
_TITLES = {
    401: "This server does not know this browser yet, or no longer",
    403: "Not allowed",
    404: "Not in the library",
    410: "No longer here",
    422: "That cannot be asked",
    503: "The server is busy",
}
_MENDS = {
    401: "Open the link that octavo serve printed when it started: it lets this browser in. A key works too, as "
    "?token=KEY at the end of this address.",
    503: "More is asked at once than it can do. Wait a few seconds and load the page again.",
}
_GONE = "What this link leads to is not in the library. It may have been removed, or the link may have been cut short."
_MEND = "Load the page again, or go back to the library."


def routes() -> list[Route]:
    """Return the routes of the pages; they look for `services` in the application's state."""
    return [
        Route("/", _told(_library)),
        Route("/d/{id}", _told(_page)),
        Route("/d/{id}/{n:int}", _told(_page)),
        Route("/c/{id}", _told(_citation)),
        Route("/a/{id}", _told(_answer)),
        Route("/ask", _told(_ask), methods=["POST"]),
        Route("/static/{file}", _static),
    ]


def refused(request: Request, status: int, detail: str = "") -> Response:
    """Return the page that says why a request got no further, and what to do about it."""
    title = _TITLES.get(status, "That did not work")
    told = _MENDS.get(status) or detail or (_GONE if status == 404 else _MEND)
    return _response(request, rendering.message_view(status, title, told), status)


def _told(handler: _Handler) -> _Handler:
    @wraps(handler)
    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except OctavoError as error:
            problem = problem_of(error)
            title = _TITLES.get(problem.status, "That did not work")
            told = _GONE if problem.status == 404 else problem.detail
            return _response(request, rendering.message_view(problem.status, title, told), problem.status)

    return answered


async def _library(request: Request) -> Response:
    query = request.query_params
    return await _shown(request, rendering.library_view, query.get("match"), query.get("cursor"))


async def _page(request: Request) -> Response:
    return await _shown(request, rendering.page_view, request.path_params["id"], request.path_params.get("n", 1))


async def _citation(request: Request) -> Response:
    return await _shown(request, rendering.citation_view, request.path_params["id"])


async def _answer(request: Request) -> Response:
    return await _shown(request, rendering.answer_view, request.path_params["id"])


async def _ask(request: Request) -> Response:
    form = parse_qs((await _body(request)).decode("utf-8", "replace"))
    question = " ".join(form.get("question", [])).strip()
    if not question:
        raise UsageError("nothing was asked: write a question")
    services = request.app.state.services
    answer = await services.asks.run(partial(services.library.ask, question, documents=form.get("document")))
    return RedirectResponse(str(answer["link"]), 303)


async def _body(request: Request) -> bytes:
    """Return the body of a form; UsageError where it is longer than a question can be."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_FORM:
            raise UsageError("the question is too long")
    return body


async def _static(request: Request) -> Response:
    asset = by_file().get(request.path_params["file"])
    if asset is None:
        return Response("not found", 404)
    packs = _packs(request)
    headers = {"Cache-Control": _FOR_GOOD, "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packs else {})}
    return Response(asset.packed if packs else asset.content, headers=headers, media_type=asset.media_type)


async def _shown(request: Request, view: Callable[..., rendering.View], *arguments: Any) -> Response:
    services = request.app.state.services
    made = await services.searches.run(partial(view, services.library, *arguments))
    return _response(request, made, 200)


def _response(request: Request, view: rendering.View, status: int) -> Response:
    """Return a view as HTML, packed where the browser takes that."""
    text = html(view, theme=request.cookies.get("theme")).encode("utf-8", "replace")
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if _packs(request):
        text, headers["Content-Encoding"] = gzip.compress(text, 5, mtime=0), "gzip"
    return HTMLResponse(text, status, headers)


def _packs(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
