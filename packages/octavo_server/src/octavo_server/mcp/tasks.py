"""Long calls as tasks (MCP's extension for them): a caller that knows tasks is given one at once and looks at it later.

A table is a task of this process: it ends with the server, and what it filled is kept. The indexing of a file is a task
that is a job, which outlives the server where jobs do.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from octavo_server.mcp.fencing import Said
from octavo_server.mcp.tool import ToolCall

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import Server

EXTENSION = "io.modelcontextprotocol/tasks"
POLL_MS = 1_000
KEPT_SECONDS = 3_600.0
"""How long the result of a task is kept after its end."""
_MOST = 200
_ENDED = {"done": "completed", "failed": "completed", "cancelled": "cancelled"}
"""What jobs that have ended are called as tasks. A file that cannot be read is a result, which says why."""


class TaskParams(types.RequestParams):
    """What names a task."""

    task_id: str = Field(alias="taskId", max_length=100)


def knows_tasks(asked: ServerRequestContext[Any]) -> bool:
    """Whether a caller knows tasks and may be given one."""
    capabilities = asked.session.client_capabilities
    named = (capabilities.extensions if capabilities is not None else None) or {}
    return asked.protocol_version in MODERN_PROTOCOL_VERSIONS and EXTENSION in named


def as_task(told: dict[str, Any]) -> dict[str, Any]:
    """Return what is said of a task as what stands in the place of a result."""
    return {"resultType": "task", **{name: value for name, value in told.items() if name != "result"}}


class Task:
    """A call that runs on without its caller, whose result is waited for."""

    def __init__(self, call: ToolCall, owner: str) -> None:
        self.id, self.call, self.owner = secrets.token_urlsafe(16), call, owner
        self.status, self.message = "working", "It has begun"
        self.result: types.CallToolResult | None = None
        self.created = self.updated = time.time()

    def tell(self, message: str) -> None:
        """Note how far it is; from any thread."""
        self.message, self.updated = message, time.time()

    def end(self, result: types.CallToolResult) -> None:
        """Note its result, unless it was cancelled."""
        self.updated = time.time()
        if self.status == "working":
            self.status, self.message, self.result = "completed", "It is done", result

    def cancel(self) -> None:
        """Have it stop; what it had done stays."""
        if self.status == "working":
            self.status, self.message, self.updated = (
                "cancelled",
                "It was cancelled; what was done is kept",
                time.time(),
            )
            self.call.cancel()

    def to_json(self) -> dict[str, Any]:
        """Return the task as the extension has it."""
        told = state_of(self.id, self.status, self.message, self.created, self.updated, KEPT_SECONDS)
        return told if self.result is None else told | {"result": as_json(self.result)}


class Tasks:
    """The tasks of this process, the last so many. Used on the event loop."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._working = set[asyncio.Future[None]]()

    def start(self, call: ToolCall, owner: str, work: Callable[[], Awaitable[types.CallToolResult]]) -> Task:
        """Begin a task."""
        task = Task(call, owner)
        call.tell = task.tell

        async def run() -> None:
            task.end(await work())

        self._forget()
        self._tasks[task.id] = task
        running = asyncio.ensure_future(run())
        self._working.add(running)
        running.add_done_callback(self._working.discard)
        return task

    def task(self, identity: str, owner: str) -> Task | None:
        """Return a task of an owner, None for one that there is not."""
        found = self._tasks.get(identity)
        return found if found is not None and found.owner == owner else None

    def _forget(self) -> None:
        ended = [one for one in self._tasks.values() if one.status != "working"]
        old = [one for one in ended if time.time() - one.updated > KEPT_SECONDS]
        for one in (*old, *ended[: max(0, len(self._tasks) - _MOST)]):
            self._tasks.pop(one.id, None)


def as_json(result: types.CallToolResult) -> dict[str, Any]:
    """Return a result as it stands within a task."""
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


def state_of(
    identity: str, status: str, message: str, created: float, updated: float, kept: float | None
) -> dict[str, Any]:
    """Return what is said of every task."""
    return {
        "taskId": identity,
        "status": status,
        "statusMessage": message,
        "createdAt": _moment(created),
        "lastUpdatedAt": _moment(updated),
        "ttlMs": None if kept is None else round((updated - created + kept) * 1000),
        "pollIntervalMs": POLL_MS,
    }


def of_job(job: dict[str, Any], result: Callable[[], types.CallToolResult]) -> dict[str, Any]:
    """Return a job as a task; of one that has ended with its result."""
    created = _seconds(job.get("created"))
    status = _ENDED.get(job["state"], "working")
    far = f"{job['stage']}, {job['done']} of {job['total']}" if job["total"] else job["stage"]
    message = Said(f"{job['state']}: {far}" if far else job["state"], 200).bare
    told = state_of(job["id"], status, message, created, _seconds(job.get("heartbeat"), created), None)
    return told if status != "completed" else told | {"result": as_json(result())}


def unknown() -> MCPError:
    """Return the error about a task that there is not, as after a restart."""
    return MCPError(
        types.INVALID_PARAMS,
        "There is no such task here: it was forgotten, or the server was started anew since. What it had done is kept; "
        "call the tool again to go on.",
    )


def _moment(seconds: float) -> str:
    return (
        datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def _seconds(moment: object, otherwise: float | None = None) -> float:
    with contextlib.suppress(ValueError):
        if isinstance(moment, str):
            return datetime.datetime.fromisoformat(moment).timestamp()
    return time.time() if otherwise is None else otherwise


def serve_tasks(
    server: Server[Any],
    tasks: Tasks,
    owner_of: Callable[[Any], str],
    job_of: Callable[[str, Any], dict[str, Any] | None],
    cancel_job: Callable[[str], None],
) -> None:
    """Have a server answer about tasks: to their owners, and about jobs as tasks what `job_of` gives for a request."""
    in_thread = anyio.to_thread.run_sync

    async def get(asked: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
        task = tasks.task(params.task_id, owner_of(asked.request))
        found = task.to_json() if task is not None else await in_thread(lambda: job_of(params.task_id, asked.request))
        if found is None:
            raise unknown()
        return found

    async def cancel(asked: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
        task = tasks.task(params.task_id, owner_of(asked.request))
        if task is not None:
            task.cancel()
        elif await in_thread(lambda: job_of(params.task_id, asked.request)) is None:
            raise unknown()
        else:
            await in_thread(lambda: cancel_job(params.task_id))
        return {}

    async def update(asked: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
        await get(asked, params)  # no task of ours asks for anything, so that there is nothing to take
        return {}

    server.extensions[EXTENSION] = {}
    for name, handler in (("get", get), ("cancel", cancel), ("update", update)):
        server.add_request_handler(f"tasks/{name}", TaskParams, handler)
