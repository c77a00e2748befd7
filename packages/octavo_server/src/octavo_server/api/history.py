"""The conversations of a key: the list, a name for one, an end to one."""

from __future__ import annotations

from pydantic import Field
from starlette.responses import Response

from octavo_server.history import MOST_NAME
from octavo_server.library import CURSOR, MOST_ROWS, USUAL_ROWS, position
from octavo_server.responses import ConversationShape, ConversationsShape
from octavo_server.routes import Body, Call, Query, Route, read


class Kept(Query):
    """Which conversations."""

    match: str = Field("", max_length=200, description="Words of the name, of what was asked or answered.")
    limit: int = Field(USUAL_ROWS, ge=1, le=MOST_ROWS)
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of the page before.")


class NameBody(Body):
    """A name."""

    name: str = Field(max_length=MOST_NAME, description='What it is called; "" for its first question.')


async def conversations(call: Call) -> Response:
    """List conversations."""
    wanted, history = call.query_of(Kept), call.services.library.history
    start = position(wanted.cursor)
    return await read(call, lambda: history.listed(call.holder(), wanted.match, limit=wanted.limit, start=start))


async def rename(call: Call) -> Response:
    """Name a conversation."""
    library, name, owner = call.services.library, call.body_of(NameBody).name, call.holder()

    def renamed() -> object:
        library.history.rename(owner, call.path["id"], name)
        return library.conversation(call.path["id"], owner)

    return await read(call, renamed)


async def forget(call: Call) -> Response:
    """Delete a conversation."""
    services, owner = call.services, call.holder()

    def forgotten() -> None:
        with services.removing():
            services.library.history.forget(owner, call.path["id"])

    await services.searches.run(forgotten)
    return Response(status_code=204)


ROUTES = (
    Route(
        method="GET",
        path="/v1/conversations",
        name="list_conversations",
        summary="The conversations of this key, the last one first.",
        handler=conversations,
        response=ConversationsShape,
        query=Kept,
    ),
    Route(
        method="PATCH",
        path="/v1/conversations/{id}",
        name="rename_conversation",
        summary="Name a conversation.",
        handler=rename,
        response=ConversationShape,
        body=NameBody,
        errors=(404,),
    ),
    Route(
        method="DELETE",
        path="/v1/conversations/{id}",
        name="delete_conversation",
        summary="Delete a conversation with its answers.",
        handler=forget,
        status=204,
        errors=(404,),
    ),
)
