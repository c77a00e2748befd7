"""One call of a tool: in threads, told of as it goes on, with errors that say what to do."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from pydantic import ValidationError

from octavo.errors import OctavoError, UnbuiltError
from octavo_documents.text.lines import on_one_line
from octavo_server.mcp import chat_page
from octavo_server.mcp.fencing import Fence, Said
from octavo_server.mcp.tool import Reply, Steps, Tool, ToolCall, ToolContext, ToolFailure, advice, tool_message
from octavo_server.pools import PoolSlot
from octavo_server.problems import Problem

_T = TypeVar("_T")
_LOG = logging.getLogger("octavo.mcp")
_AT_ONCE = 4
_BUSY, _PAUSE_SECONDS = 503, 1.0
_MOST_TOLD = 600
_MOST_SAID = 400


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


Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells whoever watches a call how far it is; does nothing where nobody does."""


@contextlib.asynccontextmanager
async def telling(call: ToolCall, report: Report) -> AsyncGenerator[None]:
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


async def called(
    tool: Tool[Any],
    context: ToolContext,
    given: dict[str, Any],
    runner: Runner,
    build: Callable[[UnbuiltError], Awaitable[None]],
    call: ToolCall,
) -> types.CallToolResult:
    """Run a tool in a thread; what goes wrong comes back as an error of the tool, for the model to read."""
    try:
        return result_of(await _replied(tool, context, given, runner, build, call))
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


async def _replied(
    tool: Tool[Any],
    context: ToolContext,
    given: dict[str, Any],
    runner: Runner,
    build: Callable[[UnbuiltError], Awaitable[None]],
    call: ToolCall,
) -> Reply:
    """Run a tool, step by step where it takes long; layers that it lacks are built first."""

    async def attempt(task: Callable[[PoolSlot], _T]) -> _T:
        try:
            return await runner(task)
        except UnbuiltError as lacking:
            await build(lacking)
            return await runner(task)

    def work(slot: PoolSlot) -> Reply | Steps:
        call.slot = slot
        return tool.reply(context, call, given)

    outcome = await attempt(work)
    if isinstance(outcome, Reply):
        return outcome
    for step in outcome.steps:
        if not call.is_cancelled:
            await _in_turn(attempt, step)
    return await attempt(lambda _slot: outcome.reply())


async def _in_turn(attempt: Callable[[Callable[[PoolSlot], None]], Awaitable[None]], step: Callable[[], None]) -> None:
    """Do a step when there is room for it: a server that is busy is asked again."""
    while True:
        try:
            return await attempt(lambda _slot: step())
        except Problem as problem:
            if problem.status != _BUSY:
                raise
        await anyio.sleep(_PAUSE_SECONDS)


def result_of(reply: Reply) -> types.CallToolResult:
    """Return a reply as the protocol has it: text and picture for models, values for programs."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
    if reply.picture is not None:
        data, media = reply.picture
        content.append(types.ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=media))
    values = reply.result.model_dump(mode="json")
    return types.CallToolResult(content=content, structured_content=values, _meta=_meta_of(reply))


def _meta_of(reply: Reply) -> dict[str, Any] | None:
    """Return what the page in a chat is told beside a result: ids and pages, and of a picture whose page it is."""
    if not (reply.places or reply.verdict):
        return None
    places = [{"id": identity, "page": page} for identity, page in reply.places]
    shown = {"verdict": reply.verdict, "places": places}
    page = {} if reply.page is None else {chat_page.PAGE: reply.page.model_dump(mode="json")}
    return {chat_page.SHOWN: shown, **page}


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
