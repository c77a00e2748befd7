"""The page that a chat shows beside an answer (MCP Apps): its HTML, and the cited pages that it reads.

Tools name it as `ui://` and say in `_meta` which places they are about, by their ids alone. The page then reads each
as a resource when a person looks at it, so that neither pictures nor the words on them pass through a model.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from octavo.errors import CorpusError, UnknownDocumentError, UsageError
from octavo.evidence.citation_ids import document_digits
from octavo_server.mcp import page_pictures, results
from octavo_server.mcp.fencing import Said
from octavo_server.mcp.tool import ToolContext, ToolFailure, tool_message
from octavo_server.shapes import relative

if TYPE_CHECKING:
    from octavo_documents.document import Document
    from octavo_server.responses import CitedShape

EXTENSION = "io.modelcontextprotocol/ui"
MEDIA_TYPE = "text/html;profile=mcp-app"
URI = "ui://octavo/pages.html"
TOOL_META: dict[str, Any] = {"ui": {"resourceUri": URI}}
"""What a tool says of itself whose result the page shows."""
RESOURCE_META: dict[str, Any] = {"ui": {"csp": {}, "prefersBorder": True}}
"""That the page asks nobody for anything, so that a host need not let it."""
PLACE = "octavo://page/"
"""What the address of a place begins with: the id of a citation follows, or DOCUMENT/PAGE."""
SHOWN, PAGE = "octavo/shown", "octavo/page"
"""Names in `_meta` of results: the places one is about, and the page that its picture shows."""
_WIDTH = 1400
_LONGEST_TEXT = 4_000


@functools.cache
def html() -> str:
    """Return the page."""
    return (resources.files("octavo_server.pages") / "static" / "chat.html").read_text("utf-8")


def place_of_page(document_id: str, page: int) -> str:
    """Return what names a page as a place."""
    return f"{document_digits(document_id)}/{page}"


def read_place(context: ToolContext, identity: str) -> tuple[results.PlaceShown, tuple[bytes, str] | None]:
    """Return a place and the picture of its page, None where it has none. Raises ToolFailure in words for people."""
    try:
        place, document = _place(context, identity)
        if not document.is_drawn(place.page):
            return place, None
        picture = page_pictures.for_browser(context.library.picture(document.id, place.page, width=_WIDTH))
    except UnknownDocumentError as error:
        raise ToolFailure("The document is no longer in the library.") from error
    except ToolFailure:
        raise
    except (CorpusError, UsageError) as error:
        raise ToolFailure(f"It cannot be shown: {Said(tool_message(error), 300).bare}") from error
    return place, picture


def _place(context: ToolContext, identity: str) -> tuple[results.PlaceShown, Document]:
    if "/" not in identity:
        cited = context.library.citation(identity)
        document = context.library.read(cited["document_id"])
        return place_shown(context, document, cited["page"], cited), document
    name, _, number = identity.partition("/")
    document = context.library.read(name)
    page = int(number) if number.isdecimal() and len(number) < 8 else 0
    if not 1 <= page <= len(document.pages):
        raise ToolFailure(f"The document has {len(document.pages)} pages.")
    return place_shown(context, document, page), document


def place_shown(
    context: ToolContext, document: Document, page: int, cited: CitedShape | None = None, boxes: Sequence[Any] = ()
) -> results.PlaceShown:
    """Return a page as it is shown, with what is cited on it or with boxes, in points, that were asked for."""
    digits = document_digits(document.id)
    text = "" if document.is_drawn(page) else _text_of(document, page, cited)
    return results.PlaceShown(
        id=cited["id"] if cited is not None else place_of_page(document.id, page),
        document=Said(document.name),
        document_id=digits,
        page=page,
        page_label=Said(document.pages.label[page - 1]),
        pages=len(document.pages),
        section=[Said(title, 300) for title in cited["section"]] if cited is not None else [],
        quote=Said(cited["quote"] if cited is not None else "", _LONGEST_TEXT),
        state=cited["state"] if cited is not None else "same",
        text=Said(text, _LONGEST_TEXT),
        link=context.link(cited["link"] if cited is not None else f"/d/{digits}/{page}"),
        boxes=_parts(document, page, _block_box(document, page, cited) if cited is not None else boxes),
        marks=_parts(document, page, [box["box"] for box in cited["boxes"] if box["page"] == page] if cited else []),
    )


def _text_of(document: Document, page: int, cited: CitedShape | None) -> str:
    if cited is not None:
        return cited["text"]
    starts = document.page_starts
    return "\n".join(document.blocks.text[row] for row in range(int(starts[page - 1]), int(starts[page])))


def _block_box(document: Document, page: int, cited: CitedShape) -> list[Any]:
    """Return the box of the cited block where it is on a page."""
    row = int(str(cited["block"]).removeprefix("b"))
    blocks = document.blocks
    return [[float(side) for side in blocks.box[row]]] if int(blocks.page[row]) == page else []


def _parts(document: Document, page: int, boxes: Sequence[Any]) -> list[list[float]]:
    return [[*part] for box in boxes if (part := relative(document, page, box)) is not None]
