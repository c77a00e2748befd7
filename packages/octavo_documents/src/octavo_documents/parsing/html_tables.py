"""The tables of HTML: rows and cells with their spans, and which tables only lay out a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from octavo_documents.document.grid import Grid
from octavo_documents.parsing.cell_places import GridBuilder, span
from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.looks import Look, Looks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_CELLS = ("td", "th")
_GROUPS = ("tbody", "thead", "tfoot")
_SHORT = 200
"""Characters of a cell of data."""
_WORD, _TEXT = 20, 60
"""Characters of a word beside a text, at most, and of the text, at least."""
_MOSTLY = 0.6
"""Share of the cells of a table of data that are short and hold no table; chosen by hand."""


def lays_out(table: LexborNode) -> bool:
    """Whether a table only places what it holds on a page: tables, or beside a sign or word the text of a note.

    A table of data has two rows and two columns or more, whose cells are mostly short and hold no table.
    """
    rows = [held for row in _rows_of(table) if (held := [one for one in row.iter() if one.tag in _CELLS])]
    if all(one.mem_id == table.mem_id for one in table.css("table")):  # a node is among what it is searched for
        return len(rows) == 1 and _is_boxed(rows[0])
    cells = [cell for row in rows for cell in row]
    plain = [cell for cell in cells if cell.css_first("table") is None and 0 < len(cell.text().strip()) <= _SHORT]
    return len(rows) < 2 or max(map(len, rows)) < 2 or len(plain) < _MOSTLY * len(cells)


def _is_boxed(cells: Sequence[LexborNode]) -> bool:
    """Whether a table's only row is a box around a text, beside a word or a sign at most: "Note", "Warning"."""
    lengths = sorted(len(cell.text().strip()) for cell in cells)
    is_text = len(cells) == 1 or (len(cells) == 2 and lengths[0] <= _WORD and lengths[1] >= _TEXT)
    return is_text and all(cell.tag == "td" for cell in cells)


def _rows_of(table: LexborNode) -> Iterator[LexborNode]:
    """Yield the rows of a table, without those of tables in it."""
    for one in table.iter():
        if one.tag == "tr":
            yield one
        elif one.tag in _GROUPS:
            yield from (row for row in one.iter() if row.tag == "tr")


def grid_of(node: LexborNode, looks: Looks, look: Look, around: Callable[[LexborNode, Looks], str]) -> Grid:
    """Return the cells of a table with their spans; rows of `th` alone, and those of `thead`, are header rows.

    `around` gives the words of a cell that holds tables.
    """
    rows = [
        (row, held, own)
        for row in _rows_of(node)
        if (held := [one for one in row.iter() if one.tag in _CELLS])
        and (own := _row_look(row, looks, look)) is not None
    ]
    builder = GridBuilder(len(rows))
    for at, (row, held, own) in enumerate(rows):
        cells, names = list[tuple[str, int, int]](), set[str]()
        for found in held:
            inside = looks.of(found, found.tag or "", own)
            if inside is None:
                looks.hide(found)
                continue
            attributes = found.attributes
            down, across = span(attributes.get("rowspan"), len(rows) - at), span(attributes.get("colspan"), 1000)
            names.add(found.tag or "")
            is_plain = found.css_first("table") is None
            text = looks.text(found, inside, gap=" ") if is_plain else around(found, looks)
            cells.append((collapse_whitespace(text) or _said_of_pictures(found), down, across))
        builder.add(cells, is_header=names == {"th"} or (row.parent is not None and row.parent.tag == "thead"))
    body = [held[0].tag for _, held, _ in rows[builder.header_rows :]]
    return builder.grid(header_columns=int(bool(body) and {*body} == {"th"}))


def _said_of_pictures(cell: LexborNode) -> str:
    """Return what stands for the pictures of a cell without words, such as ticks."""
    return collapse_whitespace(" ".join(one.attributes.get("alt") or "" for one in cell.css("img")))


def _row_look(row: LexborNode, looks: Looks, look: Look) -> Look | None:
    """Return how the words of a row look, by the row and the group it stands in; None where it is not shown."""
    group = row.parent
    if group is not None and group.tag in ("tbody", "thead", "tfoot"):
        inside = looks.of(group, group.tag, look)
        if inside is None:
            looks.hide(row)
            return None
        look = inside
    own = looks.of(row, "tr", look)
    if own is None:
        looks.hide(row)
    return own
