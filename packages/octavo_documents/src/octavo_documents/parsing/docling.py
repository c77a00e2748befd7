"""A DoclingDocument (`NAME.docling.json`): what Docling read, taken in its own order, with its pages as parts.

Blocks and cells have the boxes that it tells, in points from the top left of their page. The pages cannot be looked at:
the file that they were read from is not there.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

from octavo_documents.document import Kind
from octavo_documents.document.docling import SCHEMA
from octavo_documents.document.grid import Cell, CellBox, Grid
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText, collapse_whitespace

_NEWEST = 1
"""The first number of the versions that are known: what changes within it adds to what there is."""
_KINDS = {
    "title": Kind.TITLE,
    "section_header": Kind.HEADING,
    "list_item": Kind.LIST_ITEM,
    "formula": Kind.FORMULA,
    "caption": Kind.CAPTION,
    "footnote": Kind.FOOTNOTE,
    "code": Kind.CODE,
}


def read(data: bytes) -> FlowContent:
    """Return the content of a file. Raises NoText for what is no DoclingDocument, or one of a newer major version."""
    try:
        value = json.loads(data)
    except ValueError as wrong:
        raise NoText("it is no JSON", "damaged") from wrong
    if not isinstance(value, dict) or cast("dict[str, Any]", value).get("schema_name") != SCHEMA:
        raise NoText("it is no DoclingDocument")
    document = cast("dict[str, Any]", value)
    version = str(document.get("version", "1"))
    if not version.partition(".")[0].isdecimal() or int(version.partition(".")[0]) > _NEWEST:
        raise NoText(f"it is a DoclingDocument of version {version}, and versions to {_NEWEST}.x are known")
    try:
        blocks = tuple(_blocks(document))
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as wrong:
        raise NoText(f"the DoclingDocument is not whole: {wrong!r}", "damaged") from wrong
    return FlowContent(blocks, title=_title(document))


def _title(document: dict[str, Any]) -> str:
    titles = [str(text["text"]) for text in document.get("texts", ()) if text.get("label") == "title"]
    return collapse_whitespace(titles[0]) if titles else ""


def _blocks(document: dict[str, Any]) -> Iterator[FlowBlock]:
    """Yield the blocks of the body in order; the first one of each page says which it is."""
    page, heights = 0, _heights(document)
    for item, depth in _items(document, document["body"], 0, set()):
        places = [(int(place["page_no"]), place.get("bbox")) for place in item.get("prov") or ()]
        at = places[0][0] if places else page
        block = _block(item, depth, heights.get(at, 0.0))
        if block is None:
            continue
        kind, text, level, grid = block
        if grid is not None and len({on for on, _ in places}) > 1:
            grid = _boxed_on_first(grid)
        box = _around([found for on, one in places if on == at and (found := _box(one, heights.get(at, 0.0)))])
        yield FlowBlock(kind, text, level, grid, part=f"page {at}" if at != page else "", box=box)
        page = at


def _heights(document: dict[str, Any]) -> dict[int, float]:
    """Return the height of each page that says it."""
    pages = cast("dict[str, Any]", document.get("pages") or {})
    return {int(number): float(page["size"]["height"]) for number, page in pages.items() if page.get("size")}


def _box(told: dict[str, Any] | None, height: float) -> CellBox | None:
    """Return a box from the top left of its page; None for one that says nothing, or counts from a bottom not known."""
    if not told:
        return None
    left, top, right, bottom = (float(told[side]) for side in ("l", "t", "r", "b"))
    if told.get("coord_origin", "TOPLEFT") == "BOTTOMLEFT":
        if height <= 0:
            return None
        top, bottom = height - top, height - bottom
    sides = (min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    return sides if all(map(math.isfinite, sides)) and sides[2] > sides[0] and sides[3] > sides[1] else None


def _boxed_on_first(grid: Grid) -> Grid:
    """Return a table over pages with boxes on its first page alone; a row above the one before begins the next page."""
    tops = dict[int, float]()
    for cell in grid.cells:
        if cell.box:
            tops[cell.row] = min(cell.box[1], tops.get(cell.row, math.inf))
    rows = sorted(tops)
    end = next((row for above, row in itertools.pairwise(rows) if tops[row] < tops[above]), grid.height)
    cells = tuple(cell if cell.row < end else dataclasses.replace(cell, box=None) for cell in grid.cells)
    return dataclasses.replace(grid, cells=cells)


def _around(boxes: Sequence[CellBox]) -> CellBox | None:
    """Return the box around several on a page."""
    if not boxes:
        return None
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _items(
    document: dict[str, Any], node: dict[str, Any], depth: int, seen: set[str]
) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield texts, tables and pictures below a node, each with how many lists it stands in.

    Raises ValueError where one stands in two places, as in a ring.
    """
    for child in node.get("children", ()):
        reference = str(child["$ref"])
        if reference in seen:
            raise ValueError(f"{reference} stands in two places")
        seen.add(reference)
        parts = reference.split("/")
        item = cast("dict[str, Any]", document[parts[1]][int(parts[2])])
        is_group = parts[1] == "groups"
        if not is_group:
            yield item, depth
        is_list = is_group and item.get("label") in ("list", "ordered_list")
        yield from _items(document, item, depth + (is_list or not is_group), seen)


def _block(item: dict[str, Any], depth: int, height: float) -> tuple[Kind, str, int, Grid | None] | None:
    if item.get("content_layer", "body") != "body":
        return None
    label = str(item.get("label", "text"))
    if "data" in item and "table_cells" in item["data"]:
        grid = _grid(item["data"], height)
        return (Kind.TABLE, grid.text(), 0, grid) if grid.cells else None
    kind = _KINDS.get(label, Kind.PARAGRAPH)
    text = str(item.get("text", ""))
    shown = text.strip("\n") if kind == Kind.CODE else collapse_whitespace(text)
    if not shown:
        return None
    levels = {Kind.HEADING: int(item.get("level") or 1), Kind.LIST_ITEM: max(depth, 1)}
    return kind, shown, levels.get(kind, 0), None


def _grid(data: dict[str, Any], height: float) -> Grid:
    found = data["table_cells"]
    cells = sorted(
        (
            Cell(
                int(cell["start_row_offset_idx"]),
                int(cell["start_col_offset_idx"]),
                collapse_whitespace(str(cell.get("text", ""))),
                max(int(cell.get("row_span", 1)), 1),
                max(int(cell.get("col_span", 1)), 1),
                _box(cell.get("bbox"), height),
            )
            for cell in found
            if str(cell.get("text", "")).strip()
        ),
        key=lambda cell: (cell.row, cell.column),
    )
    heads = [int(cell["end_row_offset_idx"]) for cell in found if cell.get("column_header")]
    sides = [int(cell["end_col_offset_idx"]) for cell in found if cell.get("row_header")]
    rows, columns = int(data["num_rows"]), int(data["num_cols"])
    if any(not (0 <= cell.row <= rows - cell.rows and 0 <= cell.column <= columns - cell.columns) for cell in cells):
        raise ValueError("a cell stands outside of its table")
    return Grid(rows, columns, tuple(cells), min(max(heads, default=0), rows), min(max(sides, default=0), columns))
