"""The tool that asks each of many documents by itself, as a table: row by row, so that others come between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from octavo.evidence.citation_ids import document_digits
from octavo.models.gateway import Caps
from octavo_server.mcp import results
from octavo_server.mcp.asking import Documents, System, Where
from octavo_server.mcp.fencing import Fence, Said
from octavo_server.mcp.tool import Arguments, Reply, Steps, Tool, ToolCall, ToolContext

if TYPE_CHECKING:
    from octavo.corpus.tables.answer_table import AnswerTable, TableRow
    from octavo.corpus.tables.cell import AnswerCellShape
    from octavo.corpus.tables.filling import CellFilled, TableFilling

_LONGEST_CELL = 400
_LONGEST_TEXT = 24_000
"""Characters of a table in one result."""
_PATIENCE, _LONG_PATIENCE = 120.0, 3600.0
"""Seconds of a call whose caller waits for it, and of a task."""


class TableArguments(Arguments):
    """Arguments of `answer_table`."""

    questions: Annotated[list[Annotated[str, Field(min_length=1, max_length=2000)]], Field(min_length=1, max_length=20)]
    documents: Documents = None
    where: Where = None
    max_seconds: Annotated[
        float | None, Field(gt=0, le=86_400, description="What is left goes on in another call.")
    ] = None
    system: System = "auto"


def _steps(context: ToolContext, call: ToolCall, given: TableArguments) -> Steps:
    seconds = given.max_seconds or (_LONG_PATIENCE if call.is_task else _PATIENCE)
    filling = context.library.table_filling(
        given.questions,
        context.documents(given.documents),
        may_write=context.may_write,
        where=given.where,
        system=given.system,
        caps=Caps(seconds=seconds),
    )
    call.on_cancel(filling.cancel)

    def tell(filled: CellFilled) -> None:
        call.tell(f"{filled.done} of {filled.due} cells are filled")

    def step(row: int) -> None:
        filling.fill_row(row, tell)

    return Steps([lambda at=row: step(at) for row in filling.rows_due], lambda: _reply(context, filling))


def _reply(context: ToolContext, filling: TableFilling) -> Reply:
    table = filling.table
    counts = table.counts()
    steps = ["get_citation(id) or verify_quote before an answer is relied on"]
    if counts["empty"]:
        steps.insert(0, "Call it again with the same arguments to go on: what is filled is kept")
    if counts["passages"]:
        steps.append("Where a cell has passages alone: read(citation=id)")
    rows = [_row(context, row) for row in table.rows]
    result = results.TableFound(
        rows=rows,
        answers=counts["answers"],
        passages=counts["passages"],
        nothing=counts["nothing"],
        empty=counts["empty"],
        next=steps,
    )
    fence = Fence()
    lines, left = _lines(table, rows)
    cut = f" {left} rows more were left out here: name fewer documents." if left else ""
    head = f"{table.summary()}. A row a document, a line a question.{cut} {fence.rule()}"
    return Reply(result, "\n".join([head, fence.lines(lines), f"Next: {'; '.join(steps)}."]))


def _row(context: ToolContext, row: TableRow) -> results.RowFound:
    cells = [_cell(context, cell) for cell in row.cells]
    return results.RowFound(document=Said(row.document), document_id=document_digits(row.document_id), cells=cells)


def _cell(context: ToolContext, cell: AnswerCellShape | None) -> results.CellFound:
    if cell is None:
        return results.CellFound(outcome=None)
    places = cell["citations"] or cell["passages"]
    first = places[0] if places else None
    return results.CellFound(
        outcome=cell["outcome"],
        text=Said(cell["text"], _LONGEST_CELL),
        id=first["id"] if first is not None else "",
        page=first["page"] if first is not None else None,
        link=context.link(f"/c/{first['id']}") if first is not None else "",
    )


def _lines(table: AnswerTable, rows: list[results.RowFound]) -> tuple[list[str], int]:
    """Return rows as lines, as many as there is room for, and how many are left."""
    lines = [f"{number}. {question}" for number, question in enumerate(table.questions, 1)]
    size = sum(map(len, lines))
    for at, row in enumerate(rows):
        told = [f"{row.document_id} {row.document.line}"]
        told += [f"  {number}. {_told(cell)}" for number, cell in enumerate(row.cells, 1)]
        size += sum(map(len, told))
        if at and size > _LONGEST_TEXT:
            return lines, len(rows) - at
        lines += told
    return lines, 0


def _told(cell: results.CellFound) -> str:
    where = f" [{cell.id}] page {cell.page}" if cell.id else ""
    said = {"answer": cell.text.bare, "passages": "passages alone", "nothing": "not stated", None: "not asked yet"}
    return f"{said[cell.outcome]}{where}"


TABLE: Tool[Any] = Tool(
    name="answer_table",
    title="Answer a table",
    description="Answer questions of each of many documents: a row a document, a column a question. Takes long.",
    arguments=TableArguments,
    result=results.TableFound,
    run=_steps,
    asks_models=True,
    is_long=True,
)
