"""Tables as wholes: the blocks of a document that are parts of one table, put together.

A sheet of many rows is stored as a block for each page of it, and a table that goes on over pages likewise. Of a long
table a question that looks a row up needs those parts alone that have its words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.evidence import View
from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.units import caption_of
from octavo_documents.document.found_tables import chains
from octavo_documents.document.grid import Grid
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.marks import readable

_LONG = 10
"""Parts of a table above which a look-up reads only those that have the question's rarest word."""


@dataclasses.dataclass(frozen=True)
class OneTable:
    """A table of one of several documents, and the row of the view at which that document begins."""

    table: WholeTable
    first: int


def whole_table(document: View, row: int, words: Sequence[str] = ()) -> WholeTable | None:
    """Return the table that a block of a document is a part of; None for one without heads.

    With `words`, of which a row that is looked up has some, a long table may come in part: all rows with the word among
    them that stands in the fewest of its parts.
    """
    parts = parts_of_table(document, row)
    if words and len(parts) > _LONG:
        return _put_together(document, _with_rarest(document, parts, words))
    return document.derived(_put_together, parts)


def parts_of_table(document: View, row: int) -> tuple[int, ...]:
    """Return the rows of the blocks of a document that are one table with a block, in order."""
    return document.derived(_parts).get(row, (row,))


def _parts(document: View) -> dict[int, tuple[int, ...]]:
    return {row: tuple(rows) for rows in chains(document.documents[0]) for row in rows}


def _with_rarest(document: View, parts: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
    """Return the parts that have the word which the fewest have, words of heads left out; none where none has any."""
    heads = " ".join(Grid.from_json(document.blocks.grid[parts[0]]).headers()).lower()
    texts = [document.blocks.text[row].lower() for row in parts]
    told = [word for word in words if word not in heads]
    held = [[row for row, text in zip(parts, texts, strict=True) if word in text] for word in told]
    return tuple(min(filter(None, held), key=len, default=()))


def _put_together(document: View, parts: tuple[int, ...]) -> WholeTable | None:
    grids = [(row, Grid.from_json(document.blocks.grid[row])) for row in parts]
    if not grids or not any(grids[0][1].headers()):
        return None
    heads = grids[0][1].headers()
    rows: list[list[str]] = []
    places: list[tuple[int, int]] = []
    for row, grid in grids:
        if grid.width != len(heads):
            continue
        for at, cells in enumerate(grid.rows_apart()):
            if at >= max(grid.header_rows, grid.repeated):
                rows.append([on_one_line(readable(cell)) for cell in cells])
                places.append((row, at))
    is_of_sheet = grids[0][1].origin is not None
    return WholeTable.of(heads, rows, places, over_table(document, parts[0]), is_of_sheet=is_of_sheet)


def over_table(document: View, row: int) -> str:
    """Return what stands over a table: headings, caption, and what its document is called."""
    source, caption = document.documents[0], caption_of(document, row)
    told = [*document.blocks.section_path(row), source.name, source.title]
    return "\n".join((*told, *([document.blocks.text[caption]] if caption >= 0 else [])))
