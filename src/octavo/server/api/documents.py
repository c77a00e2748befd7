"""Documents: the list, one, its outline and its layers."""

from __future__ import annotations

from pydantic import Field
from starlette.responses import Response

from octavo.corpus.store.catalogue import Sort
from octavo.server.library import CURSOR, MOST_ROWS, USUAL_ROWS
from octavo.server.responses import DocumentShape, DocumentsShape, GraphShape, LayerShape, OutlineShape
from octavo.server.routes import Call, Query, Route, read


class Listing(Query):
    """Which rows of a list."""

    match: str | None = Field(None, max_length=500, description="A name, a part of one, or a pattern with *.")
    limit: int = Field(USUAL_ROWS, ge=1, le=MOST_ROWS)
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of the page before, of the same order.")
    sort: Sort = Field("path", description="Where they were found, what they are called, the newest or longest first.")


class Blocks(Query):
    """Whether blocks are wanted too."""

    blocks: bool = Field(default=False, description="Add every block, not the headings alone.")


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
        call, lambda: library.documents(wanted.match, limit=wanted.limit, cursor=wanted.cursor, sort=wanted.sort)
    )


async def document(call: Call) -> Response:
    """Return one document."""
    return await read(call, lambda: call.services.library.document(call.path["id"]))


async def outline(call: Call) -> Response:
    """Return the section tree."""
    blocks = call.query_of(Blocks).blocks
    return await read(call, lambda: call.services.library.outline(call.path["id"], blocks=blocks))


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
        path="/v1/documents/{id}",
        name="get_document",
        summary="One document.",
        handler=document,
        response=DocumentShape,
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
)
