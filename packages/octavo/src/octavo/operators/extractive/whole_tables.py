"""Tables as wholes: the blocks of a document that are parts of one table, put together.

A sheet of many rows is stored as a block for each page of it, and a table that goes on over pages likewise; each part
carries the heads of the first. Of a long table a question that looks a row up needs those parts alone that have its
words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.evidence import View
from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.units import caption_of
from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.marks import readable

_LONG = 10
"""Parts of a table above which a look-up reads only those that have the question's rarest word."""
_MOST_PARTS = 5_000


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
    parts = document.derived(_parts, row)
    if not parts:
        return None
    if words and len(parts) > _LONG:
        return _put_together(document, _with_rarest(document, parts, words))
    return document.derived(_put_together, parts)


def _parts(document: View, row: int) -> tuple[int, ...]:
    """Return the rows of the blocks that are one table with a block, in order."""
    blocks = document.blocks
    first = row
    while _goes_on(document, first) and first > 0 and row - first < _MOST_PARTS:
        before = _table_before(document, first)
        if before < 0:
            break
        first = before
    parts = [first]
    for at in range(first + 1, min(len(document), first + _MOST_PARTS)):
        if blocks.kind[at] == Kind.TABLE and not _goes_on(document, at):
            break
        if blocks.kind[at] == Kind.TABLE:
            parts.append(at)
        elif document.is_content[at]:
            break
    return tuple(parts) if row in parts else (row,)


def _goes_on(document: View, row: int) -> bool:
    """Return whether a table's block goes on with the table of the block before: it prints or carries its heads."""
    stored = document.blocks.grid[row]
    return '"carried":[' in stored or '"repeated":' in stored  # as keys: in a cell their quotes are escaped


def _table_before(document: View, row: int) -> int:
    """Return the block of a table right before another, furniture left out; -1 for none."""
    at = row - 1
    while at >= 0 and not document.is_content[at]:
        at -= 1
    return at if at >= 0 and document.blocks.kind[at] == Kind.TABLE else -1


def _with_rarest(document: View, parts: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
    """Return the parts that have the word which the fewest have, words of heads left out; none where none has any."""
    heads = " ".join(Grid.from_json(document.blocks.grid[parts[0]]).headers()).lower()
    texts = [document.blocks.text[row].lower() for row in parts]
    told = [word for word in words if word not in heads]
    held = [[row for row, text in zip(parts, texts, strict=True) if word in text] for word in told]
    return tuple(min(filter(None, held), key=len, default=()))


def _put_together(document: View, parts: tuple[int, ...]) -> WholeTable | None:
    grids = [(row, heads_apart(Grid.from_json(document.blocks.grid[row]))) for row in parts]
    if not grids or not any(grids[0][1].headers()):
        return None
    heads = grids[0][1].headers()
    rows: list[list[str]] = []
    places: list[tuple[int, int]] = []
    for row, grid in grids:
        if len(grid.headers()) != len(heads) or (any(grid.headers()) and grid.headers() != heads):
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


def heads_apart(grid: Grid) -> Grid:
    """Return a grid of which the first row alone is its head where that names every column: what follows is data.

    Structuring takes further rows of words for heads, too, where no column has numbers.
    """
    if grid.header_rows < 2:
        return grid
    first = [cell for cell in grid.cells if cell.row == 0]
    texts = {cell.text for cell in first if cell.text.strip()}
    is_whole = len(texts) == grid.width and all(cell.columns == 1 and cell.rows == 1 for cell in first)
    below = [cell.text for cell in grid.cells if 0 < cell.row < grid.header_rows]
    if not is_whole or all(text.startswith("(") for text in below):
        return grid
    return Grid(
        grid.height, grid.width, grid.cells, 1, grid.header_columns, min(grid.repeated, 1), grid.carried, grid.origin
    )
