"""The resources of the tools: the page for chats, and the places that it reads."""

from __future__ import annotations

import base64
import logging
from typing import TYPE_CHECKING, TypeAlias

import mcp_types as types
from mcp.shared.exceptions import MCPError

from octavo_server.mcp import chat_page
from octavo_server.mcp.tool import ToolContext, ToolFailure
from octavo_server.problems import Problem

if TYPE_CHECKING:
    from octavo_server.mcp.calls import Runner

_LOG = logging.getLogger("octavo.mcp")
Contents: TypeAlias = list[types.TextResourceContents | types.BlobResourceContents]


def listed() -> types.ListResourcesResult:
    """Return the resources that are listed: the page alone."""
    page = types.Resource(
        uri=chat_page.URI,
        name="pages",
        title="Cited pages",
        description="Shows cited pages beside an answer, what is cited marked.",
        mime_type=chat_page.MEDIA_TYPE,
        _meta=chat_page.RESOURCE_META,
    )
    return types.ListResourcesResult(resources=[page])


async def contents_of(context: ToolContext, uri: str, runner: Runner) -> Contents:
    """Return the page, or a place and its picture. Raises MCPError in a line for the person who looks at it."""
    if uri == chat_page.URI:
        text, meta = chat_page.html(), chat_page.RESOURCE_META
        return [types.TextResourceContents(uri=uri, mime_type=chat_page.MEDIA_TYPE, text=text, _meta=meta)]
    if not uri.startswith(chat_page.PLACE):
        known = f"{chat_page.URI} and {chat_page.PLACE}ID"
        raise MCPError(types.INVALID_PARAMS, f"There is no such resource: {known} are here.")
    try:
        place, picture = await runner(lambda _slot: chat_page.read_place(context, uri.removeprefix(chat_page.PLACE)))
    except ToolFailure as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error
    except Problem as problem:
        raise MCPError(types.INTERNAL_ERROR, problem.detail) from problem
    except Exception as error:
        _LOG.exception("a page for a chat failed")
        raise MCPError(types.INTERNAL_ERROR, "The page cannot be shown; the log of the server says why.") from error
    found: Contents = [types.TextResourceContents(uri=uri, mime_type="application/json", text=place.model_dump_json())]
    if picture is not None:
        data, media = picture
        found.append(types.BlobResourceContents(uri=uri, mime_type=media, blob=base64.b64encode(data).decode()))
    return found
