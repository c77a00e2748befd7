"""A document as HTML: one page without scripts or styles, in which each block says the page and box it stands on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from octavo_documents.document.blocks import FURNITURE, PICTURED, Kind
from octavo_documents.document.grid import Grid

if TYPE_CHECKING:
    from octavo_documents.document.document import Document, Section

_DEEPEST = 6
_ELEMENTS = {
    Kind.TITLE: "h1",
    Kind.LIST_ITEM: "li",
    Kind.CODE: "pre",
    Kind.CAPTION: "figcaption",
    Kind.FOOTNOTE: "aside",
}


def html(document: Document) -> str:
    """Return a document as HTML, in reading order; running heads and feet of pages are left out."""
    body = "\n".join(_blocks(document))
    return (
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{escape(document.called)}</title>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def outline_html(document: Document) -> str:
    """Return what notebooks show of a document: its name, its size, and its sections with their pages."""
    size = (
        f"{len(document.pages)} {document.unit}{'' if len(document.pages) == 1 else 's'}, {len(document.blocks)} blocks"
    )
    about = f"<p><b>{escape(document.called)}</b> ({escape(document.name)}; {size})</p>"
    return f"<div>{about}{_sections(document.outline)}</div>"


def _sections(sections: Sequence[Section]) -> str:
    rows = "".join(
        f"<li>{escape(' '.join(one.title.split()))} ({one.page}){_sections(one.sections)}</li>" for one in sections
    )
    return f"<ul>{rows}</ul>" if rows else ""


def _blocks(document: Document) -> Iterator[str]:
    blocks, below_title = document.blocks, 1 if bool((document.blocks.kind == Kind.TITLE).any()) else 0
    in_list = False
    for row in np.flatnonzero(~np.isin(blocks.kind, FURNITURE)).tolist():
        kind = blocks.kind_of(row)
        if in_list != (kind == Kind.LIST_ITEM):
            in_list = not in_list
            yield "<ul>" if in_list else "</ul>"
        box = [float(value) for value in blocks.box[row]]
        sides = " ".join(f"{value:.1f}" for value in box)
        where = f' id="b{row}" data-page="{int(blocks.page[row])}"' + (
            f' data-box="{sides}"' if document.has_pages or box[2] > box[0] else ""
        )
        depth = min(int(blocks.level[row]) + below_title, _DEEPEST)
        yield _block(kind, blocks.text[row], blocks.grid[row], where, depth)
    if in_list:
        yield "</ul>"


def _block(kind: Kind, text: str, grid: str, where: str, depth: int) -> str:
    if grid and (cells := Grid.from_json(grid)).cells:
        return f"<table{where}>\n{''.join(_rows(cells))}</table>"
    if kind in PICTURED:
        return f"<figure{where}>{escape(text)}</figure>"
    element = f"h{max(depth, 1)}" if kind == Kind.HEADING else _ELEMENTS.get(kind, "p")
    return f"<{element}{where}>{escape(text)}</{element}>"


def _rows(grid: Grid) -> Iterator[str]:
    """Yield the rows of a table; a cell over several rows or columns is one."""
    covered = {
        (row, column)
        for cell in grid.cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    at = {(cell.row, cell.column): cell for cell in grid.cells}
    for row in range(grid.height):
        yield "<tr>"
        for column in range(grid.width):
            cell = at.get((row, column))
            if cell is None:
                yield "" if (row, column) in covered else "<td></td>"
                continue
            name = "th" if grid.is_header(cell) else "td"
            spans = (f' rowspan="{cell.rows}"' if cell.rows > 1 else "") + (
                f' colspan="{cell.columns}"' if cell.columns > 1 else ""
            )
            yield f"<{name}{spans}>{escape(cell.text)}</{name}>"
        yield "</tr>\n"
