"""Tables of answers: filled cell by cell, told as they fill, corrected by hand, written as files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from starlette.responses import Response

from octavo.corpus.tables import MOST_QUESTIONS
from octavo.corpus.tables.filling import CellFilled, TableFilling
from octavo.exports.tables import TABLE_MEDIA, export_table
from octavo.models.gateway import Caps
from octavo_server.api.questions import WHERE
from octavo_server.problems import Problem, problem_of
from octavo_server.routes import Body, Call, Route, encoded, file_response, json_response, read, whole
from octavo_server.scopes import WRITE
from octavo_server.shapes import answer_cell, answer_table
from octavo_server.streams import EventStream, Feed
from octavo_server.table_responses import (
    AnswerTableShape,
    CorrectedShape,
    TableCellEvent,
    TableEvents,
    TablePlanEvent,
    TablePlanShape,
)

_AT_ONCE = 2
"""Documents of one table that are asked at once."""
_PAUSE_SECONDS = 1.0
"""How long a table waits where the server has as much to answer as it takes."""
_BUSY = 503
_Count = Annotated[int, Field(ge=0, le=1_000_000_000), BeforeValidator(whole)]


class TableBody(Body):
    """The questions and documents of a table."""

    questions: list[str] = Field(min_length=1, max_length=MOST_QUESTIONS, examples=[["What does a berth cost?"]])
    documents: list[str] | None = Field(None, max_length=1_000, description="Ids, names or patterns; null: all.")
    where: str | None = Field(None, max_length=2_000, description=WHERE, examples=["date >= 2024 and type = report"])
    system: str = Field("auto", max_length=100)


class TableFillBody(TableBody):
    """A table that is to be filled."""

    again: bool = Field(default=False, description="Ask anew what was found before; corrections stay.")
    max_calls: _Count | None = Field(None, description="Cap on calls of models.")
    max_tokens: _Count | None = Field(None, description="Cap on tokens of models.")
    max_seconds: float | None = Field(None, gt=0, le=86_400, description="Cap on the seconds it may take.")

    def caps(self) -> Caps:
        """Return the caps for the whole table."""
        return Caps(self.max_calls, self.max_tokens, self.max_seconds)


class TableFileBody(TableBody):
    """A table that is to be written as it stands."""

    format: Literal["xlsx", "csv", "json", "html"] = Field(examples=["xlsx"])


class CorrectionBody(Body):
    """What is to stand in a cell."""

    document: str = Field(max_length=300, description="The id of the document.")
    question: str = Field(min_length=1, max_length=2_000)
    text: str | None = Field(
        max_length=2_000, description='"": the document does not state it; null: what was found again.'
    )
    citation: str | None = Field(None, max_length=200, description="The id of a citation or passage it stands on.")


def _filling(call: Call, body: TableBody, **how: Any) -> TableFilling:
    """Return a table as it stands; where the caller may not write, new cells are kept in memory alone."""
    return call.services.library.table_filling(
        body.questions, body.documents, may_write=call.may_write(), where=body.where, system=body.system, **how
    )


async def plan(call: Call) -> Response:
    """Return what filling a table takes, about."""
    body = call.body_of(TableFillBody)
    return await read(
        call, lambda: call.services.library.table_plan(_filling(call, body, again=body.again, caps=body.caps()))
    )


async def table_file(call: Call) -> Response:
    """Return a table as it stands, as a file."""
    body, base = call.body_of(TableFileBody), str(call.request.base_url)
    file = await call.services.searches.run(lambda: export_table(_filling(call, body).table, body.format, base))
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Content-Type-Options": "nosniff"}
    return file_response(call, file.data, file.media_type, headers)


async def correct(call: Call) -> Response:
    """Put a text in the place of what was found."""
    body = call.body_of(CorrectionBody)

    def corrected() -> CorrectedShape:
        library = call.services.library
        info = library.meant(body.document)
        cell = library.corpus.correct(info.id, body.question, body.text, citation=body.citation)
        return {"cell": answer_cell(cell)}

    return await read(call, corrected)


async def fill(call: Call) -> Response:
    """Fill a table; where server-sent events are accepted, tell each cell as it is filled."""
    body, services = call.body_of(TableFillBody), call.services
    filling = await services.searches.run(lambda: _filling(call, body, again=body.again, caps=body.caps()))
    if not call.wants_events():
        await _filled(call, filling, None)
        return json_response(await services.searches.run(lambda: encoded(answer_table(filling.table))))
    feed = Feed(asyncio.get_running_loop())
    standing: TablePlanEvent = {"due": filling.due, "table": answer_table(filling.table)}
    feed.put("plan", standing)
    working = asyncio.ensure_future(_told(call, filling, feed))

    def leave() -> None:
        filling.cancel()
        working.cancel()

    return EventStream(feed, services.settings.heartbeat, services.metrics.stream(leave))


async def _told(call: Call, filling: TableFilling, feed: Feed) -> None:
    """Fill a table and tell each cell, then the whole; an error is an event too."""

    def tell(filled: CellFilled) -> None:
        event: TableCellEvent = {
            "row": filled.row,
            "column": filled.column,
            "cell": answer_cell(filled.cell),
            "done": filled.done,
            "due": filled.due,
        }
        feed.put("cell", event)

    try:
        await _filled(call, filling, tell)
        feed.put("done", answer_table(filling.table))
    except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
        feed.put("error", problem_of(error).to_json())
    finally:
        feed.end()


async def _filled(call: Call, filling: TableFilling, tell: Callable[[CellFilled], None] | None) -> None:
    """Fill the rows of a table; each is a task of its own, so that questions of others come between them."""
    services, rows = call.services, iter(filling.rows_due)

    async def work() -> None:
        for row in rows:
            await services.layers.with_layers(lambda at=row: _row(call, filling, at, tell), may_write=call.may_write())

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))


async def _row(call: Call, filling: TableFilling, row: int, tell: Callable[[CellFilled], None] | None) -> None:
    while True:
        try:
            await call.services.asks.run(lambda: filling.fill_row(row, tell))
            return
        except Problem as problem:
            if problem.status != _BUSY:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)


ROUTES = (
    Route(
        method="POST",
        path="/v1/table",
        name="fill_table",
        summary="Answer questions of each document by itself, as a table; with server-sent events, cell by cell.",
        handler=fill,
        response=AnswerTableShape,
        body=TableFillBody,
        events=TableEvents,
        errors=(404, 409, 502),
    ),
    Route(
        method="POST",
        path="/v1/table/plan",
        name="plan_table",
        summary="What filling a table takes, about; no model is asked.",
        handler=plan,
        response=TablePlanShape,
        body=TableFillBody,
        errors=(404, 409),
    ),
    Route(
        method="POST",
        path="/v1/table/file",
        name="export_table",
        summary="A table as it stands, as a file.",
        handler=table_file,
        body=TableFileBody,
        files=TABLE_MEDIA,
        errors=(404,),
    ),
    Route(
        method="PUT",
        path="/v1/table/cell",
        name="correct_cell",
        summary="Put a text in the place of what was found in a document for a question.",
        handler=correct,
        scope=WRITE,
        response=CorrectedShape,
        body=CorrectionBody,
        errors=(404,),
    ),
)
