"""Documents: the list, one, its outline and its layers; pages: blocks, words, pictures, where texts stand."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from starlette.responses import Response

from octavo.corpus.store.catalogue import Sort
from octavo.errors import CorpusError
from octavo_server.folders import folders
from octavo_server.layer_responses import GraphShape, LayerShape
from octavo_server.library import CURSOR, MOST_ROWS, USUAL_ROWS
from octavo_server.pictures import Wanted
from octavo_server.responses import (
    DocumentShape,
    DocumentsShape,
    FirstLookShape,
    FoldersShape,
    MarksShape,
    OutlineShape,
    PageShape,
    WordsShape,
)
from octavo_server.routes import Body, Call, Query, Route, file_response, read
from octavo_server.scopes import WRITE


class Listing(Query):
    """Which rows of a list."""

    match: str | None = Field(
        None, max_length=500, description="A name or title, a part of one, or a pattern with *.", examples=["*2023*"]
    )
    folder: str | None = Field(None, max_length=500, description="The `pattern` of a folder; all where none is given.")
    where: str | None = Field(
        None,
        max_length=2_000,
        description="A filter of documents by what they are about; all where it is not given.",
        examples=["date >= 2024 and type = report"],
    )
    limit: int = Field(USUAL_ROWS, ge=1, le=MOST_ROWS)
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of the page before, of the same order.")
    sort: Sort = Field("path", description="Where they were found, what they are called, the newest or longest first.")


class Blocks(Query):
    """Whether blocks are wanted too."""

    blocks: bool = Field(default=False, description="Add every block, not the headings alone.")


class AboutBody(Body):
    """What a document is about, set by hand."""

    about: dict[str, str | int | float | list[str] | None] = Field(
        min_length=1,
        max_length=100,
        description="Fields by name: title, issuer, kind, date, period, version, language, tags, names, former, "
        "or your own; null or an empty value takes back what was set.",
        examples=[{"issuer": "Norwick Ferries Ltd", "date": "2023-08", "tags": ["board"]}],
    )


class Look(Query):
    """How far a first look goes."""

    questions: bool = Field(default=True, description="Try which questions the document answers: a second or more.")


class LayerRows(Query):
    """Which rows of a layer."""

    limit: int | None = Field(None, ge=1, le=10_000, description="Rows; all where it is not given.")
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of the page before.")


class Around(Query):
    """How much around an entity."""

    limit: int = Field(30, ge=1, le=200, description="Relations, the strongest first.")


async def documents(call: Call) -> Response:
    """List documents."""
    wanted = call.query_of(Listing)
    library = call.services.library
    return await read(
        call,
        lambda: library.documents(
            wanted.match,
            folder=wanted.folder,
            where=wanted.where,
            limit=wanted.limit,
            cursor=wanted.cursor,
            sort=wanted.sort,
        ),
    )


async def folders_of(call: Call) -> Response:
    """List folders."""
    return await read(call, lambda: {"items": folders(call.services.library.corpus)})


async def document(call: Call) -> Response:
    """Return one document."""
    return await read(call, lambda: call.services.library.document(call.path["id"]))


async def describe(call: Call) -> Response:
    """Set what a document is about."""
    fields = call.body_of(AboutBody).about
    return await read(call, lambda: call.services.library.describe(call.path["id"], fields))


async def outline(call: Call) -> Response:
    """Return the section tree."""
    blocks = call.query_of(Blocks).blocks
    return await read(call, lambda: call.services.library.outline(call.path["id"], blocks=blocks))


async def first_look(call: Call) -> Response:
    """Return a first look."""
    wanted, library = call.query_of(Look), call.services.library
    return await read(call, lambda: library.first_look(call.path["id"], asks=wanted.questions))


async def layer(call: Call) -> Response:
    """Return the rows of a layer."""
    wanted = call.query_of(LayerRows)
    library, path = call.services.library, call.path
    return await read(call, lambda: library.layer(path["id"], path["layer"], limit=wanted.limit, cursor=wanted.cursor))


async def entity_graph(call: Call) -> Response:
    """Return what is around an entity."""
    limit = call.query_of(Around).limit
    library, path = call.services.library, call.path
    return await read(call, lambda: library.entity_graph(path["id"], path["entity"], limit=limit))


_FOREVER = "private, max-age=86400, immutable"
_ASK_AGAIN = "private, no-cache"


class PictureQuery(Query):
    """How a picture is drawn."""

    width: int = Field(900, ge=50, le=3000, description="Pixels.")
    boxes: str = Field("", max_length=2000, description="Blocks to mark, as b12,b13.", examples=["b12,b13"])
    format: Literal["png", "webp"] = "png"
    v: str = Field("", max_length=80, description="Digits of the document's id: the picture may then be kept.")


class MarkQuery(Query):
    """Texts in a block."""

    block: str = Field(max_length=20, description="The block, as b12.", examples=["b12"])
    text: list[str] = Field(
        min_length=1, max_length=50, description="Words of the block; several times.", examples=[["1.2"]]
    )


def number_of(call: Call) -> int:
    """Return the page number of a path. Raises CorpusError (`unknown`) where it is none."""
    text = call.path["page"]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise CorpusError("unknown", f"{text!r} is no page: pages are numbered from 1")
    return int(text)


async def page(call: Call) -> Response:
    """Return a page."""
    number = number_of(call)
    return await read(call, lambda: call.services.library.page(call.path["id"], number))


async def words(call: Call) -> Response:
    """Return the words of a page."""
    number = number_of(call)
    return await read(call, lambda: call.services.library.words(call.path["id"], number))


async def marks(call: Call) -> Response:
    """Return where texts stand."""
    wanted = call.query_of(MarkQuery)
    return await read(call, lambda: call.services.library.marks(call.path["id"], wanted.block, wanted.text))


async def picture(call: Call) -> Response:
    """Return a picture of a page."""
    query, number, services = call.query_of(PictureQuery), number_of(call), call.services
    info = await services.searches.run(lambda: services.library.info(call.path["id"]))
    boxes = tuple(filter(None, query.boxes.split(",")))
    wanted = Wanted(info.id, number, query.width, boxes, query.format)
    found = services.pictures.kept(wanted) or await services.drawing.run(lambda: services.pictures.draw(wanted))
    is_same = query.v != "" and info.id.removeprefix("sha256:").startswith(query.v.removeprefix("sha256:"))
    headers = {"ETag": found.etag, "Cache-Control": _FOREVER if is_same else _ASK_AGAIN}
    if found.etag in call.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return file_response(call, found.data, f"image/{query.format}", headers)


ROUTES = (
    Route(
        method="GET",
        path="/v1/documents",
        name="list_documents",
        summary="Documents in the order of their paths, or another.",
        handler=documents,
        response=DocumentsShape,
        query=Listing,
    ),
    Route(
        method="GET",
        path="/v1/folders",
        name="list_folders",
        summary="The folders that documents came from, each with a pattern that names its documents.",
        handler=folders_of,
        response=FoldersShape,
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}",
        name="get_document",
        summary="One document.",
        handler=document,
        response=DocumentShape,
        errors=(404,),
    ),
    Route(
        method="PATCH",
        path="/v1/documents/{id}",
        name="describe_document",
        summary="Set by hand what a document is about.",
        handler=describe,
        response=DocumentShape,
        scope=WRITE,
        body=AboutBody,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/outline",
        name="get_outline",
        summary="The section tree of a document.",
        handler=outline,
        response=OutlineShape,
        query=Blocks,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/first-look",
        name="get_first_look",
        summary="A first look at a document: sections in brief, tables and figures, three questions that it answers.",
        handler=first_look,
        response=FirstLookShape,
        query=Look,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/layers/{layer}",
        name="get_layer",
        summary="What indexing added to a document, or what would build it.",
        handler=layer,
        response=LayerShape,
        query=LayerRows,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/layers/entities/{entity}/graph",
        name="get_entity_graph",
        summary="An entity with those it is related to.",
        handler=entity_graph,
        response=GraphShape,
        query=Around,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/pages/{page}",
        name="get_page",
        summary="A page with its blocks in reading order.",
        handler=page,
        response=PageShape,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/pages/{page}/words",
        name="get_words",
        summary="The words of a page and where they stand.",
        handler=words,
        response=WordsShape,
        errors=(404, 409, 410),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/pages/{page}/image",
        name="get_page_image",
        summary="A page as a picture, with blocks marked where asked.",
        handler=picture,
        query=PictureQuery,
        files=("image/png", "image/webp"),
        statuses=(304,),
        errors=(404, 409, 410),
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}/marks",
        name="get_marks",
        summary="Where texts stand in a block, a box for each line of print.",
        handler=marks,
        response=MarksShape,
        query=MarkQuery,
        errors=(404, 409, 410),
    ),
)
