"""Long calls as tasks: begun, looked at, ended, cancelled; and for programs that know none, done while they wait."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError

import octavo
from octavo.corpus import Corpus
from octavo.corpus.tables.filling import TableFilling
from octavo_server.library import Library
from octavo_server.mcp import tasks
from octavo_server.mcp.server import server_of
from octavo_server.mcp.tool import ToolContext
from octavo_server.mcp.writing import Indexer, Roots

QUESTIONS = ["When was the pier built?", "Who keeps the light?"]


class Created(types.Result):
    """What a server gives in the place of a result."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str
    poll_interval_ms: int


class Look(types.Request[Any, str]):
    """A request about a task."""


class Found(types.Result):
    """What a server tells of a task."""

    status: str = ""
    status_message: str = ""
    result: dict[str, Any] | None = None
    ttl_ms: int | None = None


Settle = Callable[[Created, ClaimContext], Awaitable[types.CallToolResult]]


class KnowsTasks(ClientExtension):
    """A client that knows tasks."""

    identifier = tasks.EXTENSION

    def __init__(self, settle: Settle) -> None:
        self._settle = settle

    def claims(self) -> list[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Created, resolve=self._settle)]


async def about(session: Any, method: str, task: str) -> Found:
    return await session.send_request(Look(method=f"tasks/{method}", params={"taskId": task}), Found)


async def polled(created: Created, context: ClaimContext) -> types.CallToolResult:
    while (found := await about(context.session, "get", created.task_id)).status == "working":
        await anyio.sleep(0.05)
    assert found.status == "completed" and found.result is not None
    return types.CallToolResult.model_validate(found.result)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    for place, year in (("Norrick", 1899), ("Hollow Quay", 1921), ("Skerry", 1950)):
        (folder / f"{place}.md").write_text(
            f"# {place}\n\nThe pier of {place} was built in {year}.\n\nIt has one lamp.\n"
        )
    with octavo.open(folder / "library") as opened:
        opened.add(sorted(folder.glob("*.md")))
    return folder


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Iterator[Corpus]:
    with octavo.open(shutil.copytree(made / "library", tmp_path / "library")) as opened:
        yield opened


def served(corpus: Corpus, *roots: Path) -> Any:
    return server_of(ToolContext(Library(corpus, can_write=True), additions=Indexer(corpus), roots=Roots(roots)))


def words(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


def test_a_table_is_a_task_whose_result_is_waited_for(corpus: Corpus) -> None:
    seen = list[Created]()

    async def settle(created: Created, context: ClaimContext) -> types.CallToolResult:
        seen.append(created)
        return await polled(created, context)

    async def go() -> None:
        async with Client(served(corpus), extensions=[KnowsTasks(settle)]) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "answer_table" in names and "add_document" in names and "job_status" not in names
            table = await client.call_tool("answer_table", {"questions": QUESTIONS})
            assert [words(table).count(year) for year in ("1899", "1921", "1950")] == [1, 1, 1]
            assert table.structured_content is None
            assert words(table).startswith("3 documents by 2 questions")
            (created,) = seen
            assert created.status == "working" and created.poll_interval_ms > 0
            done = await about(client.session, "get", created.task_id)
            assert done.status == "completed" and done.ttl_ms is not None
            kept = await client.call_tool("answer_table", {"questions": QUESTIONS}, meta={"octavo/values": True})
            assert kept.structured_content is not None and kept.structured_content["answers"] == 3

    anyio.run(go)


def test_a_task_that_is_cancelled_stops_and_keeps_what_is_filled(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first row is filled, the second waits until the task was cancelled, the third is never begun."""
    begun, goes_on = threading.Event(), threading.Event()
    rows, fill_row = list[int](), TableFilling.fill_row

    def slow(filling: TableFilling, row: int, tell: Any = None) -> None:
        rows.append(row)
        if len(rows) == 2:
            begun.set()
            assert goes_on.wait(60)
        fill_row(filling, row, tell)

    monkeypatch.setattr(TableFilling, "fill_row", slow)

    async def settle(created: Created, context: ClaimContext) -> types.CallToolResult:
        await anyio.to_thread.run_sync(begun.wait, 60)
        far = await about(context.session, "get", created.task_id)
        assert (far.status, far.status_message) == ("working", "2 of 6 cells are filled")
        await about(context.session, "cancel", created.task_id)
        goes_on.set()
        found = await about(context.session, "get", created.task_id)
        assert found.status == "cancelled" and found.result is None
        with pytest.raises(MCPError, match="no such task here"):
            await about(context.session, "get", "another")
        return types.CallToolResult(content=[])

    async def go() -> None:
        async with Client(served(corpus), extensions=[KnowsTasks(settle)]) as client:
            await client.call_tool("answer_table", {"questions": QUESTIONS})

    anyio.run(go)
    assert len(rows) == 2
    filling = Library(corpus, can_write=True).table_filling(QUESTIONS, None, may_write=True)
    assert filling.due == 4


def test_who_knows_no_tasks_waits_and_is_told_how_far_it_is(corpus: Corpus) -> None:
    told = list[str]()

    async def heard(_progress: float, _total: float | None, message: str | None) -> None:
        told.append(str(message))

    async def go() -> None:
        async with Client(served(corpus)) as client:
            assert "job_status" in [tool.name for tool in (await client.list_tools()).tools]
            asked = {"questions": QUESTIONS, "documents": ["Norrick.md"]}
            table = await client.call_tool("answer_table", asked, progress_callback=heard)
            assert "1899" in words(table) and "1921" not in words(table)
            cut = {"questions": ["Why is the lamp green?"], "max_seconds": 1e-9}
            left = await client.call_tool("answer_table", cut)
            assert "not asked yet" in words(left) and "go on: what is filled is kept" in words(left)

    anyio.run(go)
    assert told == ["1 of 2 cells are filled", "2 of 2 cells are filled"]


def test_a_file_that_is_added_is_a_task(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "new.md").write_text("# Berth\n\nThe berth is 41 metres long.\n")
    (tmp_path / "inbox" / "new.meta.json").write_text("{title: no JSON")
    (tmp_path / "inbox" / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")

    async def go() -> None:
        async with Client(served(corpus, tmp_path / "inbox"), extensions=[KnowsTasks(polled)]) as client:
            added = await client.call_tool("add_document", {"path": "new.md"})
            assert ": done" in words(added)
            found = await client.call_tool("search", {"query": "How long is the berth?"})
            assert "41 metres" in words(found)
            assert "meta.json is not used: " in words(added) and str(tmp_path) not in words(added)
            bad = await client.call_tool("add_document", {"path": "bad.pdf"})
            assert ": failed" in words(bad) and "document-words" in words(bad)
            refused = await client.call_tool("add_document", {"path": "../library/corpus.db"})
            assert refused.is_error

    anyio.run(go)
