"""What people see: pages that read without scripts, and the viewer that takes them over where scripts run.

What a page tells is gathered here as JSON values, `templates` print it as HTML, escaped throughout, and `static` holds
the viewer, built from `web/` (`npm run build`), which starts from the same values (`assets`). Passages are printed with
the words that matter marked (`printed_text`). Each page is a permalink.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import re
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, parse_qsl, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from octavo.errors import OctavoError, UsageError
from octavo.evidence import NO_SHORT_ANSWER
from octavo.evidence.citation_ids import document_digits
from octavo.evidence.meant_documents import preferred_in_words
from octavo.evidence.own_words import page_told
from octavo_documents import wording
from octavo_documents.wording import counted, t
from octavo_server.api import ROUTES
from octavo_server.guard import give_cookie
from octavo_server.library import Library
from octavo_server.pages.api_page import api_view
from octavo_server.pages.assets import assets, assets_by_file
from octavo_server.pages.printed_text import parts, runs, spans, standing, unstruck
from octavo_server.problems import Problem, problem_of
from octavo_server.questions import QuestionOptions
from octavo_server.routes import read_body
from octavo_server.scopes import holder_of
from octavo_server.sessions import way_back

if TYPE_CHECKING:
    from octavo.evidence.answer_shapes import Box
    from octavo_server.responses import AnswerShape, CitationShape, CitedShape, PageShape, PassageShape

View = dict[str, Any]
_LISTED = 50
_SURE, _LIKELY = 0.75, 0.5
_HAN = re.compile(r"[\u4e00-\u9fff][^\w]*$")
"""What a sentence ends with that has a full stop of its own."""
_NOTHING = "nothing"


def _library_view(library: Library, match: str | None = None, cursor: str | None = None) -> View:
    """Return the page of all documents, or of those `match` means."""
    view = _shell(library, "library", t("Library"))
    if match or cursor:
        view["documents"] = library.documents(match or None, limit=_LISTED, cursor=cursor, sort="title")
    return {**view, "match": match or ""}


def _page_view(library: Library, reference: str, number: int) -> View:
    """Return the page of a document's page `number` (1-based)."""
    return _opened(library, "page", "", library.page(reference, number))


def _citation_view(library: Library, reference: str) -> View:
    """Return the page of a citation: its document's page with the words marked."""
    citation = library.citation(reference)
    page = library.page(citation["document_id"], citation["page"])
    return {**_opened(library, "citation", "", page), "citation": citation, "marked": marked(citation)}


def _answer_view(library: Library, reference: str, owner: str) -> View:
    """Return the page of an answer, with the page of its first citation or passage."""
    answer = library.answer(reference, owner)
    places = [] if answer["outcome"] == _NOTHING else [*answer["citations"], *answer["passages"]]
    title = answer["question"]
    if not places:
        return {**_shell(library, "answer", title), "answer": answer}
    page = library.page(places[0]["document_id"], places[0]["page"])
    return {**_opened(library, "answer", title, page), "answer": answer, "marked": _marked_at(library, places[0])}


def _message_view(status: int, title: str, told: str, back: str = "") -> View:
    """Return the page of an error: what is the matter and what to do.

    With `back` it has a form that lets a browser in, and leads there.
    """
    problem = {"status": status, "title": title, "detail": told}
    return {"view": "message", "title": title, "problem": problem, "back": back}


def marked(citation: CitedShape) -> list[Box]:
    """Return the boxes of a citation on its first page (points): those of its words, or its block's."""
    boxes = [spot["box"] for spot in citation["boxes"] if spot["page"] == citation["page"]]
    return boxes or [citation["box"]]


def _marked_at(library: Library, place: CitationShape | PassageShape) -> list[Box]:
    with contextlib.suppress(OctavoError):  # its words have gone, or its file cannot be read
        return marked(library.citation(place["id"]))
    return [place["box"]]


def considered(answer: AnswerShape) -> list[PassageShape]:
    """Return the passages of an answer that it does not cite."""
    cited = {(one["document_id"], one["block"]) for one in answer["citations"]}
    return [one for one in answer["passages"] if (one["document_id"], one["block"]) not in cited]


def sureness(answer: AnswerShape) -> str:
    """Return how sure an answer is, in a word."""
    confidence = float(answer.get("confidence") or 0.0)
    return t("sure" if confidence >= _SURE else "likely" if confidence >= _LIKELY else "uncertain: read the page")


def says_more(answer: AnswerShape) -> bool:
    """Whether the text of passages tells what their first words do not: why, or what a model knows."""
    said = (*wording.every(NO_SHORT_ANSWER), answer.get("lead") or ".")
    return bool(answer["answer"]) and not answer["answer"].startswith(said)


def sentence(text: str) -> str:
    """Return a sentence with its full stop."""
    return text if text.endswith((".", "!", "?", "…", "。", "？")) else f"{text}{'。' if _HAN.search(text) else '.'}"


def _shell(library: Library, view: str, title: str) -> View:
    """Return what every page shows: the state of things and the first documents."""
    return {
        "view": view,
        "title": title,
        "status": library.status(),
        "documents": library.documents(limit=_LISTED, sort="title"),
    }


def _opened(library: Library, view: str, title: str, page: PageShape) -> View:
    """Return what every page with an open document shows; without a title of its own it is called by that page."""
    reference = page["document_id"]
    document = library.document(reference)
    called = f"{unstruck(document['title']) or document['name']}, {page_told(page['page'], page['page_label'])}"
    return {
        **_shell(library, view, title or called),
        "document": document,
        "outline": library.outline(reference),
        "page": page,
    }


_THEMES = ("light", "dark")
_TAKEN_OVER = ("view", "title", "status", "documents", "match", "document", "page", "citation", "answer", "problem")
"""What the viewer starts from; the rest it asks for."""


def _html(view: View, *, theme: str | None = None) -> str:
    """Return a view as a page; `theme` is the one a visitor chose."""
    template = _environment().get_template(f"{view['view']}.html")
    data = {name: view[name] for name in _TAKEN_OVER if name in view}
    return template.render(**view, data=data, theme=theme if theme in _THEMES else None)


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("octavo_server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    functions = {
        "assets": assets,
        "parts": parts,
        "spans_of": spans,
        "page_name": page_told,
        "t": t,
        "language": wording.language,
        "words": _words,
        "standing": standing,
        "considered": considered,
        "says_more": says_more,
        "preferred": preferred_in_words,
        "unquoted": _unquoted,
        "sure": sureness,
    }
    cast("dict[str, Any]", environment.globals).update(functions)
    cast("dict[str, Any]", environment.filters).update(
        {"short": document_digits, "plural": counted, "unstruck": unstruck, "sentence": sentence, "runs": runs}
    )
    return environment


def _words() -> dict[str, Any]:
    """Return what the viewer speaks by: the texts of the language, which languages there are, and how texts begin."""
    known = wording.catalogue(wording.language())
    return {
        "languages": wording.names(),
        "unsure": [*wording.every(NO_SHORT_ANSWER)],
        **({"texts": known.page} if known else {}),
    }


_LONGEST_FORM = 64 * 1024
_FOR_GOOD = "public, max-age=31536000, immutable"
_Handler = Callable[[Request], Awaitable[Response]]
_TITLES = {
    401: "This server does not know this browser yet, or no longer",
    403: "Not allowed",
    404: "Not in the library",
    410: "No longer here",
    422: "That cannot be asked",
    503: "The server cannot answer now",
}
_MENDS = {
    401: "Open the link that octavo serve printed when it started: it lets this browser in. Or sign in with a key, "
    "or with what stands behind token= in that link.",
    503: "More is asked at once than it can do. Wait a few seconds and load the page again.",
}
_GONE = "What this link leads to is not in the library. It may have been removed, or the link may have been cut short."
_MEND = "Load the page again, or go back to the library."


def routes() -> list[Route]:
    """Return the routes of the pages; they look for `services` in the application's state."""
    return [
        Route("/", _with_error_page(_library)),
        Route("/d/{id}", _with_error_page(_page)),
        Route("/d/{id}/{n:int}", _with_error_page(_page)),
        Route("/c/{id}", _with_error_page(_citation)),
        Route("/a/{id}", _with_error_page(_answer)),
        Route("/t", _with_error_page(_table)),
        Route("/api", _with_error_page(_api)),
        Route("/ask", _with_error_page(_ask), methods=["POST"]),
        Route("/sign-in", _with_error_page(_sign_in), methods=["GET", "POST"]),
        Route("/static/{file}", _static),
    ]


def refused(request: Request, status: int, detail: str = "") -> Response:
    """Return the page that says why a request got no further, and what to do about it."""
    title = t(_TITLES.get(status, "That did not work"))
    told = (
        (detail if status == 503 else "") or t(_MENDS.get(status, "")) or detail or t(_GONE if status == 404 else _MEND)
    )
    back = "" if status != 401 else _wanted(request) if request.method == "GET" else "/"
    return _response(request, _message_view(status, title, told, back), status)


def _wanted(request: Request) -> str:
    """Return the address that a request is for, without a token that was not known."""
    rest = urlencode([(name, value) for name, value in parse_qsl(request.url.query) if name != "token"])
    return way_back(f"{request.url.path}?{rest}" if rest else request.url.path)


async def _sign_in(request: Request) -> Response:
    """Let a browser in that sends a key or the token of the link, and lead it to where it was going."""
    if request.method != "POST":
        return _response(request, _message_view(200, t("Sign in"), t(_MENDS[401]), "/"), 200)
    access = request.app.state.services.access
    access.check_sender(request.method, request.headers)
    form = parse_qs((await _body(request)).decode("utf-8", "replace"))
    back, session = way_back("".join(form.get("next", []))), access.begin("".join(form.get("key", [])).strip())
    if session is None:
        told = f"{t('There is no such key here.')} {t(_MENDS[401])}"
        return _response(request, _message_view(401, t("That key is not known"), told, back), 401)
    response = RedirectResponse(back, 303)
    give_cookie(request, response, access, session)
    return response


def _with_error_page(handler: _Handler) -> _Handler:
    @wraps(handler)
    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except OctavoError as error:
            problem = problem_of(error)
            title = t(_TITLES.get(problem.status, "That did not work"))
            told = t(_GONE) if problem.status == 404 else problem.detail
            return _response(request, _message_view(problem.status, title, told), problem.status)

    return answered


async def _library(request: Request) -> Response:
    query = request.query_params
    return await _shown(request, _library_view, query.get("match"), query.get("cursor"))


async def _page(request: Request) -> Response:
    return await _shown(request, _page_view, request.path_params["id"], request.path_params.get("n", 1))


async def _citation(request: Request) -> Response:
    return await _shown(request, _citation_view, request.path_params["id"])


async def _table(request: Request) -> Response:
    return await _shown(request, _shell, "table", t("Table of answers"))


async def _api(request: Request) -> Response:
    return _response(request, await request.app.state.work(api_view, ROUTES), 200)


async def _answer(request: Request) -> Response:
    return await _shown(request, _answer_view, request.path_params["id"], holder_of(request.scope))


async def _ask(request: Request) -> Response:
    form = parse_qs((await _body(request)).decode("utf-8", "replace"))
    question = " ".join(form.get("question", [])).strip()
    if not question:
        raise UsageError("nothing was asked: write a question")
    services = request.app.state.services
    asked = partial(
        services.library.ask, question, QuestionOptions(documents=form.get("document"), owner=holder_of(request.scope))
    )
    answer = await services.asks.run_with_slot(asked)
    return RedirectResponse(str(answer["link"]), 303)


async def _body(request: Request) -> bytes:
    """Return the body of a form; UsageError where it is longer than a question can be."""
    try:
        return await read_body(request, _LONGEST_FORM)
    except Problem:
        raise UsageError("the question is too long") from None


async def _static(request: Request) -> Response:
    asset = assets_by_file().get(request.path_params["file"])
    if asset is None:
        return Response("not found", 404)
    packs = _packs(request)
    headers = {"Cache-Control": _FOR_GOOD, "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packs else {})}
    return Response(asset.packed if packs else asset.content, headers=headers, media_type=asset.media_type)


async def _shown(request: Request, view: Callable[..., View], *arguments: Any) -> Response:
    services = request.app.state.services
    made = await services.searches.run(partial(view, services.library, *arguments))
    return _response(request, made, 200)


def _response(request: Request, view: View, status: int) -> Response:
    """Return a view as HTML, packed where the browser takes that."""
    text = _html(view, theme=request.cookies.get("theme")).encode("utf-8", "replace")
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if _packs(request):
        text, headers["Content-Encoding"] = gzip.compress(text, 5, mtime=0), "gzip"
    return HTMLResponse(text, status, headers)


def _packs(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


__all__ = ["refused", "routes"]


def _unquoted(answer: AnswerShape) -> list[str]:
    """Return the sentences of an answer that a model wrote and no quote stands behind."""
    claims = answer.get("claims", [])
    return [answer["answer"][one["start"] : one["stop"]] for one in claims if not one["citations"]]
