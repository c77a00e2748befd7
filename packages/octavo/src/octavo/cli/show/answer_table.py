"""A table of answers, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import MARK, paragraph, table_of
from octavo.cli.terminal import draw, one_line, shorten
from octavo.exports.table_cells import page_of, shown_text

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.corpus.tables.answer_table import AnswerTable
    from octavo.corpus.tables.cell import AnswerCellShape

_LONGEST = 160
"""Characters of a cell that are shown; a file has all of them."""
_SIDE_BY_SIDE = 4
"""Questions that are shown as columns; of more, each document is a list."""


def show_answer_table(screen: Console, found: AnswerTable) -> None:
    """Print a table: a column a question where there are few, else a block a document."""
    if len(found.questions) <= _SIDE_BY_SIDE:
        table = table_of("document", *map(one_line, found.questions))
        for row in found.rows:
            table.add_row(Text(one_line(row.document)), *map(_cell, row.cells))
        draw(screen, table)
    else:
        for row in found.rows:
            paragraph(screen, Text(one_line(row.document), style="bold"))
            for question, cell in zip(found.questions, row.cells, strict=True):
                told = Text.assemble((f"{one_line(question)}  ", "dim"), _cell(cell))
                paragraph(screen, told, indent=2, hanging=2)
            draw(screen, "")
    paragraph(screen, f"{found.summary()}; --out FILE writes it with its quotes")


def _cell(cell: AnswerCellShape | None) -> Text:
    """Return what a cell says and the page it stands on."""
    said = Text(shorten(one_line(shown_text(cell)), _LONGEST))
    if cell is None or cell["outcome"] != "answer":
        said.stylize("dim")
        return said
    page = page_of(cell)
    return Text.assemble(said, (f"  {one_line(page)}", MARK)) if page else said
