"""The tools behind the protocol: one table in a fixed order, and what of it a caller may use."""

from __future__ import annotations

import dataclasses
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from octavo.errors import UnbuiltError
from octavo_server.mcp import asking, chat_page, chat_resources, connector, reading, tables, writing
from octavo_server.mcp.calls import Runner, Threads, called, failure, result_of, telling
from octavo_server.mcp.fencing import NOTICE
from octavo_server.mcp.tasks import Tasks, as_task, knows_tasks, of_job, serve_tasks
from octavo_server.mcp.tool import Tool, ToolCall, ToolContext

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

LIST, OUTLINE, READ, CITATION, SHOW = reading.TOOLS
READING: tuple[Tool[Any], ...] = (
    *(LIST, OUTLINE, asking.SEARCH, READ, CITATION, SHOW, asking.VERIFY, asking.ASK, tables.TABLE),
)
"""The tools that everybody has, in the order in which they are listed."""
WRITING = ADD, JOB, REMOVE = writing.TOOLS
"""The tools where the library may be changed."""
VALUES = "octavo/values"
"""In `_meta` of a call, true: the values of the result are wanted too. Programs ask for them. A model is given all
once, as text: some programs show it both, and some the values alone, without marks around words of documents."""
INSTRUCTIONS = f"""Octavo answers from the user's own documents and shows page, box and quote for everything.
Start with search or ask; list_documents and get_outline show what there is. Read before you claim: read, show_page.
Before you quote, verify_quote; cite by the id and link that tools give. Say so where the documents do not tell.
Pages are physical, from 1. {NOTICE}"""


def server_of(
    context: ToolContext,
    *,
    runner: Runner | None = None,
    asks: Runner | None = None,
    may_write: Callable[[Any], bool] = lambda _request: True,
    base_of: Callable[[Any], str] | None = None,
    owner_of: Callable[[Any], str] = lambda _request: "",
    build: Callable[[UnbuiltError, Any], Awaitable[None]] | None = None,
    is_connector: bool = False,
) -> Server[Any]:
    """Return a server of the tools over a context; those that write are there where the context has additions.

    Args:
        context: What the tools work with.
        runner: Runs tools that read; None for threads of its own.
        asks: Runs tools that ask models; None for `runner`.
        may_write: Says whether the sender of an HTTP request (None over stdio) may write.
        base_of: Gives the address that an HTTP request was sent to, for links; None for that of the context.
        owner_of: Says whose the answers are that the sender of a request is given.
        build: Builds the layers that a tool lacked for the sender of a request, or says why not; None: it is an error.
        is_connector: Whether it has the two tools of a connector in the place of all others (`connector`).
    """
    return _ToolServer(
        context,
        reads := runner or Threads(),
        asks or reads,
        may_write=may_write,
        base_of=base_of or (lambda _request: context.base),
        owner_of=owner_of,
        build=build,
        is_connector=is_connector,
    ).server()


@dataclasses.dataclass
class _ToolServer:
    """What `server_of` is told, and what it answers requests by."""

    context: ToolContext
    reads: Runner
    answers: Runner
    _: dataclasses.KW_ONLY
    may_write: Callable[[Any], bool]
    base_of: Callable[[Any], str]
    owner_of: Callable[[Any], str]
    build: Callable[[UnbuiltError, Any], Awaitable[None]] | None
    is_connector: bool
    tasks: Tasks = dataclasses.field(default_factory=Tasks)

    def server(self) -> Server[Any]:
        server = Server(
            "octavo",
            version=metadata.version("octavo"),
            title="Octavo",
            instructions=connector.INSTRUCTIONS if self.is_connector else INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        server.extensions[chat_page.EXTENSION] = {"mimeTypes": [chat_page.MEDIA_TYPE]}
        if not self.is_connector:
            serve_tasks(server, self.tasks, self.owner_of, self._job, self._cancel_job)
        return server

    def _writes(self, request: object) -> bool:
        return self.context.additions is not None and self.may_write(request)

    def _tools(self, request: object) -> Sequence[Tool[Any]]:
        if self.is_connector:
            return connector.TOOLS
        return (*READING, *WRITING) if self._writes(request) else READING

    def _here(self, request: object) -> ToolContext:
        """Return the context as it is for the sender of a request."""
        base, owner = self.base_of(request), self.owner_of(request)
        return dataclasses.replace(self.context, base=base, owner=owner, may_write=self._writes(request))

    async def _list_tools(
        self, asked: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        knows = knows_tasks(asked)
        shown = [tool for tool in self._tools(asked.request) if not (knows and tool is JOB)]
        return types.ListToolsResult(tools=[described(tool) for tool in shown])

    async def _list_resources(
        self, _asked: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return chat_resources.listed()

    async def _read_resource(
        self, asked: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = await chat_resources.contents_of(self._here(asked.request), params.uri, self.reads)
        return types.ReadResourceResult(contents=found)

    async def _call_tool(
        self, asked: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        allowed = self._tools(asked.request)
        tool = next((tool for tool in allowed if tool.name == params.name), None)
        if tool is None:
            names = ", ".join(tool.name for tool in allowed)
            return failure(f"there is no tool {params.name[:60]!r} here; there are {names}")
        call = ToolCall(is_task=tool.is_long and knows_tasks(asked))
        if call.is_task and tool is not ADD:
            task = self.tasks.start(call, self.owner_of(asked.request), lambda: self._result(asked, params, tool, call))
            return _instead(task.to_json())
        async with telling(call, asked.session.report_progress):
            result = await self._result(asked, params, tool, call)
        job = str(result.structured_content["job"]) if call.is_task and result.structured_content else ""
        found = self._job(job, asked.request) if job else None
        return result if found is None else _instead(found)

    async def _result(
        self, asked: ServerRequestContext[Any], params: types.CallToolRequestParams, tool: Tool[Any], call: ToolCall
    ) -> types.CallToolResult:
        """Return what a tool gives: its values too for who asks for them, and for us where they name a job."""

        async def build(lacking: UnbuiltError) -> None:
            if self.build is None:
                raise lacking
            await self.build(lacking, asked.request)

        run = self.answers if tool.asks_models else self.reads
        result = await called(tool, self._here(asked.request), params.arguments or {}, run, build, call)
        wants = bool(params.meta and params.meta.get(VALUES)) or self.is_connector
        return result if wants or (call.is_task and tool is ADD) else _without_values(result)

    def _job(self, identity: str, request: object) -> dict[str, Any] | None:
        """Return a job as a task, None for one that there is not for the sender of a request."""
        additions = self.context.additions if self._writes(request) else None
        job = None if additions is None else additions.job(identity)
        return None if job is None else of_job(job, lambda: _without_values(result_of(writing.job_reply(job))))

    def _cancel_job(self, identity: str) -> None:
        if self.context.additions is not None:
            self.context.additions.cancel(identity)


def _instead(task: dict[str, Any]) -> types.CallToolResult:
    """Return a task as what stands in the place of a result: of an extension a mapping is sent as it is."""
    return cast("types.CallToolResult", as_task(task))


def _without_values(result: types.CallToolResult) -> types.CallToolResult:
    result.structured_content = None
    return result


def described(tool: Tool[Any]) -> types.Tool:
    """Return a tool as it is listed, without a schema of what it gives: that would take as much as all the rest."""
    hints = types.ToolAnnotations(read_only_hint=not tool.writes, open_world_hint=False)
    if tool.writes:
        hints.destructive_hint, hints.idempotent_hint = tool.destroys, True
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=_plain(tool.arguments.model_json_schema()),
        annotations=hints,
        _meta=chat_page.TOOL_META if tool.is_shown else None,
    )


_DROPPED = ("title", "maxLength", "additionalProperties")
"""Keys of schemas that only cost tokens: what does not fit is refused with a line that says so."""


def _plain(schema: Any) -> Any:
    """Return a schema as short as it can be, without docstrings and titles that pydantic makes of names.

    A property that may be left out may be null too; to say so of each would take a tenth of the list.
    """
    if isinstance(schema, list):
        return [_plain(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in cast("dict[str, Any]", schema).items() if key not in _DROPPED}
    inner: dict[str, Any] | None = kept.pop("properties", None)
    if inner is not None:
        kept.pop("description", None)
    if "default" in kept and kept["default"] is None:
        del kept["default"]
    several = [one for one in kept.get("anyOf", []) if one != {"type": "null"}]
    if len(several) == 1:
        del kept["anyOf"]
        kept = {**several[0], **kept}
    plain = {key: _plain(value) for key, value in kept.items() if key not in _DROPPED}
    return plain if inner is None else plain | {"properties": {name: _plain(one) for name, one in inner.items()}}


def serve(context: ToolContext, *, is_connector: bool = False) -> None:
    """Answer until standard input ends. Only the protocol goes to standard output; all else goes to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="octavo: %(message)s")
    anyio.run(_serve, server_of(context, is_connector=is_connector))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
