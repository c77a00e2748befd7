"""The tools behind the protocol: one table in a fixed order, calls in threads, errors that say what to do."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import logging
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from pydantic import ValidationError

from octavo.errors import OctavoError, UnbuiltError
from octavo_documents.text.lines import on_one_line
from octavo_server.mcp import asking, connector, reading, writing
from octavo_server.mcp.fencing import NOTICE, Fence, Said
from octavo_server.mcp.tool import Reply, Tool, ToolCall, ToolContext, ToolFailure, advice, tool_message
from octavo_server.pools import PoolSlot

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_T = TypeVar("_T")
_LOG = logging.getLogger("octavo.mcp")
_AT_ONCE = 4
_MOST_TOLD = 600
_MOST_SAID = 400

LIST, OUTLINE, READ, CITATION, SHOW = reading.TOOLS
READING: tuple[Tool[Any], ...] = (LIST, OUTLINE, asking.SEARCH, READ, CITATION, SHOW, asking.VERIFY, asking.ASK)
"""The tools that everybody has, in the order in which they are listed."""
WRITING = writing.TOOLS
"""The tools where the library may be changed."""
INSTRUCTIONS = f"""Octavo answers from the user's own documents and shows page, box and quote for everything.
Start with search or ask; list_documents and get_outline show what there is. Read before you claim: read, show_page.
Before you quote, verify_quote; cite by the id and link that tools give. Say so where the documents do not tell.
Pages are physical, from 1. {NOTICE}"""


class Runner(Protocol):
    """Runs a task in a thread, one of a bounded number; the task goes on where nobody waits for it any longer."""

    def __call__(self, task: Callable[[PoolSlot], _T], /) -> Awaitable[_T]:
        """Return what the task returns."""
        ...


class Threads:
    """A runner of its own: so many tasks at once, the others wait."""

    def __init__(self, at_once: int = _AT_ONCE) -> None:
        self._most = at_once
        self._limiter: anyio.CapacityLimiter | None = None

    async def __call__(self, task: Callable[[PoolSlot], _T], /) -> _T:
        """Return what the task returns."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(self._most)
        return await anyio.to_thread.run_sync(task, PoolSlot(), abandon_on_cancel=True, limiter=self._limiter)


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
    reads = runner or Threads()
    answers = asks or reads

    def tools(request: Any) -> Sequence[Tool[Any]]:
        if is_connector:
            return connector.TOOLS
        return (*READING, *WRITING) if context.additions is not None and may_write(request) else READING

    async def list_tools(
        asked: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in tools(asked.request)])

    async def call_tool(asked: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        allowed = tools(asked.request)
        tool = next((tool for tool in allowed if tool.name == params.name), None)
        if tool is None:
            return failure(f"there is no tool {params.name[:60]!r} here; there are {_names(allowed)}")
        base = context.base if base_of is None else base_of(asked.request)
        here = dataclasses.replace(context, base=base, owner=owner_of(asked.request))
        run = answers if tool.asks_models else reads

        async def build_here(lacking: UnbuiltError) -> None:
            if build is None:
                raise lacking
            await build(lacking, asked.request)

        call = ToolCall()
        async with _telling(call, asked.session.report_progress):
            return await _called(tool, here, params.arguments or {}, run, build_here, call)

    return Server(
        "octavo",
        version=metadata.version("octavo"),
        title="Octavo",
        instructions=connector.INSTRUCTIONS if is_connector else INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells whoever watches a call how far it is; does nothing where nobody does."""


@contextlib.asynccontextmanager
async def _telling(call: ToolCall, report: Report) -> AsyncGenerator[None]:
    """Pass on what a call tells, from whichever thread, as notifications of progress."""
    loop, told = asyncio.get_running_loop(), asyncio.Queue[str]()

    def tell(line: str) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(told.put_nowait, line)

    async def pass_on() -> None:
        count = 0
        while True:
            line = await told.get()
            count += 1
            await report(float(count), None, line)

    call.tell = tell
    passing = asyncio.ensure_future(pass_on())
    try:
        yield
    finally:
        passing.cancel()


async def _called(
    tool: Tool[Any],
    context: ToolContext,
    given: dict[str, Any],
    runner: Runner,
    build: Callable[[UnbuiltError], Awaitable[None]],
    call: ToolCall,
) -> types.CallToolResult:
    """Run a tool in a thread; what goes wrong comes back as an error of the tool, for the model to read."""

    def work(slot: PoolSlot) -> Reply:
        call.slot = slot
        return tool.reply(context, call, given)

    try:
        try:
            return result_of(await runner(work))
        except UnbuiltError as lacking:
            await build(lacking)
            return result_of(await runner(work))
    except ValidationError as error:
        return failure(_misfit(tool, error))
    except ToolFailure as error:
        return failure(str(error), error.said)
    except OctavoError as error:
        return failure(f"{tool.name} could not do it. {advice(error)}".rstrip(), [tool_message(error)])
    except Exception:  # noqa: BLE001  (what nobody expected is logged, not told)
        _LOG.exception("the tool %s failed", tool.name)
        return failure(f"{tool.name} failed for a reason that Octavo did not expect; the log of the server says more")
    finally:
        call.cancel()


def result_of(reply: Reply) -> types.CallToolResult:
    """Return a reply as the protocol has it: text and picture for models, values for programs."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
    if reply.picture is not None:
        data, media = reply.picture
        content.append(types.ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=media))
    return types.CallToolResult(content=content, structured_content=reply.result.model_dump(mode="json"))


def failure(message: str, said: Sequence[str] = ()) -> types.CallToolResult:
    """Return a result that says what went wrong, as an error of the tool; `said` may hold words of documents."""
    text = Said(on_one_line(message), _MOST_TOLD).bare
    if said:
        fence = Fence()
        lines = [Said(on_one_line(line), _MOST_SAID).bare for line in said]
        text = f"{text} {fence.rule()}\n{fence.lines(lines)}"
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _misfit(tool: Tool[Any], error: ValidationError) -> str:
    """Return what does not fit in the arguments, without repeating values, and what the tool takes."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    wrong = "; ".join(f"{'.'.join(map(str, one['loc']))[:60]}: {one['msg']}" for one in found[:3])
    return f"{wrong}. {tool.name} takes {', '.join(tool.arguments.model_fields)}"


def _names(tools: Sequence[Tool[Any]]) -> str:
    return ", ".join(tool.name for tool in tools)


def described(tool: Tool[Any]) -> types.Tool:
    """Return a tool as it is listed, without a schema of what it gives: that would take as much as all the rest."""
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=not tool.writes,
        destructive_hint=tool.destroys,
        idempotent_hint=True,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=_plain(tool.arguments.model_json_schema()),
        annotations=hints,
    )


def _plain(schema: Any) -> Any:
    """Return a schema without the titles and docstrings that pydantic makes of names, which only cost tokens."""
    if isinstance(schema, list):
        return [_plain(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in cast("dict[str, Any]", schema).items() if key != "title"}
    inner: dict[str, Any] | None = kept.pop("properties", None)
    if inner is not None:
        kept.pop("description", None)
    plain = {key: _plain(value) for key, value in kept.items()}
    return plain if inner is None else plain | {"properties": {name: _plain(one) for name, one in inner.items()}}


def serve(context: ToolContext, *, is_connector: bool = False) -> None:
    """Answer until standard input ends. Only the protocol goes to standard output; all else goes to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="octavo: %(message)s")
    anyio.run(_serve, server_of(context, is_connector=is_connector))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
