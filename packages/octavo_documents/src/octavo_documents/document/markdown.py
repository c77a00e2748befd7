"""A document as Markdown: headings by level, lists, tables with pipes, and a mark where each page begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from octavo_documents.document.blocks import FURNITURE, PICTURED, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.document.links import LinkKind

if TYPE_CHECKING:
    from octavo_documents.document.document import Document

_DEEPEST = 6
_BEGINS = re.compile(r"^(\s*)([#>+*-]|\d+[.)])(?=\s)", re.M)
"""What a line of a paragraph may begin with that Markdown would take for a heading, a quotation or an item."""
_ITEM = re.compile(r"^(?:[-*+•‣▪◦●○–—·]|\(?[0-9a-z]{1,3}[.)])\s+", re.I)


def _as_it_is(text: str) -> str:
    return text


def markdown(
    document: Document,
    *,
    pages: bool | Callable[[int], str] = False,
    shown: Callable[[str], str] = _as_it_is,
) -> str:
    """Return a document as Markdown (GitHub's), in reading order; running heads and feet of pages are left out.

    A paragraph or table that goes on over a page is one. With `pages` a comment says where each page begins
    (`<!-- page 12 -->`), or what a function returns for its number, and these are two. `shown` makes a line
    of the document safe for whoever shows the Markdown; code is left as it is.
    """
    blocks = document.blocks
    below_title = 1 if bool((blocks.kind == Kind.TITLE).any()) else 0
    goes_on = frozenset[int]() if pages else _goes_on(document)
    tables = {} if pages else {table.row: table for table in document.tables if len(table.parts) > 1}
    later_parts = {part.row for table in tables.values() for part in table.parts[1:]}
    parts, page, was_item = list[str](), 0, False
    for row in np.flatnonzero(~np.isin(blocks.kind, FURNITURE)).tolist():
        if row in later_parts:
            continue
        grid = tables[row].grid.to_json() if row in tables else blocks.grid[row]
        kind = blocks.kind_of(row)
        if pages and int(blocks.page[row]) != page:
            page = int(blocks.page[row])
            parts.append(f"\n{pages(page) if callable(pages) else f'<!-- {document.unit} {page} -->'}")
        depth = int(blocks.level[row]) + (below_title if kind == Kind.HEADING else 0)
        text = "\n".join(_block(kind, blocks.text[row], grid, depth, shown))
        if row in goes_on and parts:
            parts[-1] += f" {text}"
        elif text:
            is_item = kind == Kind.LIST_ITEM
            parts.append(text if is_item and was_item else f"\n{text}")
            was_item = is_item
    return "\n".join(parts).strip() + "\n" if parts else ""


def _goes_on(document: Document) -> frozenset[int]:
    """Return the rows of paragraphs that go on with the paragraph before them."""
    links, blocks = document.links, document.blocks
    rows = links.source[links.kind == LinkKind.CONTINUES]
    before = links.target[links.kind == LinkKind.CONTINUES]
    is_text = (blocks.kind[rows] == Kind.PARAGRAPH) & (blocks.kind[before] == Kind.PARAGRAPH)
    apart = np.isin(blocks.kind, (*FURNITURE, Kind.FOOTNOTE))
    follows = [bool(apart[low + 1 : row].all()) for low, row in zip(before.tolist(), rows.tolist(), strict=True)]
    return frozenset(rows[is_text & np.array(follows, np.bool_)].tolist())


def _block(kind: Kind, text: str, grid: str, depth: int, shown: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a block."""
    if kind == Kind.TITLE:
        yield f"# {shown(_line(text))}"
    elif kind == Kind.HEADING:
        yield f"{'#' * min(depth, _DEEPEST)} {shown(_line(text))}"
    elif kind == Kind.LIST_ITEM:
        yield _item(text, max(depth, 1), shown)
    elif kind == Kind.CODE:
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
        yield from (fence, text, fence)
    elif grid and (rows := Grid.from_json(grid)).cells:
        yield from _table(rows.filled() if rows.header_rows > 1 else rows.rows(), rows.header_rows, shown)
    elif kind in PICTURED:
        yield f"*[{kind.label.capitalize()}{': ' + shown(_line(text)) if text.strip() else ''}]*"
    elif kind == Kind.CAPTION:
        yield f"*{shown(_line(text))}*"
    else:
        yield _BEGINS.sub(r"\1\\\2", _lines(text, shown))


def _lines(text: str, shown: Callable[[str], str]) -> str:
    return "\n".join(map(shown, text.split("\n")))


def _line(text: str) -> str:
    return " ".join(text.split())


def _item(text: str, level: int, shown: Callable[[str], str]) -> str:
    """Return an item of a list, indented by its depth; a number that it bears stays its own."""
    mark = _ITEM.match(text)
    mark_text = mark[0].strip() if mark else ""
    rest = _lines(text[mark.end() :] if mark else text, shown)
    number = re.fullmatch(r"\(?(\d{1,3})[.)]", mark_text)
    is_bullet = not mark_text or (len(mark_text) == 1 and not mark_text.isalnum())
    begins = f"{number[1]}." if number else "-" if is_bullet else f"- {mark_text}"
    indent = "  " * (level - 1)
    return f"{indent}{begins} " + rest.replace("\n", f"\n{indent}  ")


def _table(rows: Sequence[Sequence[str]], header_rows: int, shown: Callable[[str], str]) -> Iterator[str]:
    """Yield a table with pipes; the rows of its head become one, for Markdown has no more."""
    width = max(map(len, rows))
    heads = [dict.fromkeys(row[at] for row in rows[:header_rows] if at < len(row) and row[at]) for at in range(width)]
    yield _cells((" ".join(texts) for texts in heads), shown)
    yield _cells(("---" for _ in range(width)), _as_it_is)
    for row in rows[header_rows:]:
        yield _cells([*row, *[""] * (width - len(row))], shown)


def _cells(texts: Iterator[str] | Sequence[str], shown: Callable[[str], str]) -> str:
    return "| " + " | ".join(shown(_line(text)).replace("|", "\\|") for text in texts) + " |"
