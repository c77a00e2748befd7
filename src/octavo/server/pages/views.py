"""What each page tells, gathered from the library as JSON values: the template prints it, the viewer starts from it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from octavo.errors import OctavoError
from octavo.server.library import Library

View = dict[str, Any]
_LISTED = 50
_SURE, _LIKELY = 0.75, 0.5


def library_view(library: Library, match: str | None = None, cursor: str | None = None) -> View:
    """Return the page of all documents, or of those `match` means."""
    view = _shell(library, "library", "Library")
    if match or cursor:
        view["documents"] = library.documents(match or None, limit=_LISTED, cursor=cursor, sort="title")
    return {**view, "match": match or ""}


def page_view(library: Library, reference: str, number: int) -> View:
    """Return the page of a document's page `number` (1-based)."""
    return _opened(library, "page", "", library.page(reference, number))


def citation_view(library: Library, reference: str) -> View:
    """Return the page of a citation: its document's page with the words marked."""
    citation = library.citation(reference)
    page = library.page(citation["document_id"], citation["page"])
    return {**_opened(library, "citation", "", page), "citation": citation, "marked": marked(citation)}


def answer_view(library: Library, reference: str) -> View:
    """Return the page of an answer, with the page of its first citation or passage."""
    answer = library.answer(reference)
    places = [*answer["citations"], *answer["passages"]]
    title = answer["question"]
    if not places:
        return {**_shell(library, "answer", title), "answer": answer}
    page = library.page(places[0]["document_id"], places[0]["page"])
    return {**_opened(library, "answer", title, page), "answer": answer, "marked": _marked_at(library, places[0])}


def message_view(status: int, title: str, told: str) -> View:
    """Return the page of an error: what is the matter and what to do."""
    return {"view": "message", "title": title, "problem": {"status": status, "title": title, "detail": told}}


def marked(citation: View) -> list[Sequence[float]]:
    """Return the boxes of a citation on its first page (points): those of its words, or its block's."""
    boxes = [spot["box"] for spot in citation["boxes"] if spot["page"] == citation["page"]]
    return boxes or [citation["box"]]


def _marked_at(library: Library, place: View) -> list[Sequence[float]]:
    with contextlib.suppress(OctavoError):  # its words have gone, or its file cannot be read
        return marked(library.citation(place["id"]))
    return [place["box"]]


def considered(answer: View) -> list[View]:
    """Return the passages of an answer that it does not cite."""
    cited = {(one["document_id"], one["block"]) for one in answer["citations"]}
    return [one for one in answer["passages"] if (one["document_id"], one["block"]) not in cited]


def sureness(answer: View) -> str:
    """Return how sure an answer is, in a word."""
    confidence = float(answer.get("confidence") or 0.0)
    return "sure" if confidence >= _SURE else "likely" if confidence >= _LIKELY else "uncertain: read the page"


def _shell(library: Library, view: str, title: str) -> View:
    """Return what every page shows: the state of things and the first documents."""
    return {
        "view": view,
        "title": title,
        "status": library.status(),
        "documents": library.documents(limit=_LISTED, sort="title"),
    }


def _opened(library: Library, view: str, title: str, page: View) -> View:
    """Return what every page with an open document shows; without a title of its own it is called by that page."""
    reference = page["document_id"]
    document = library.document(reference)
    called = f"{document['title'] or document['name']}, page {page['page']}"
    return {
        **_shell(library, view, title or called),
        "document": document,
        "outline": library.outline(reference),
        "page": page,
    }
