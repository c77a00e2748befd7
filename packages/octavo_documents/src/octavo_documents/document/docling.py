"""A document as a DoclingDocument: the JSON that Docling and what is built on it read, with pages and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo_documents.document.blocks import FURNITURE, Kind
from octavo_documents.document.found_tables import FoundTable
from octavo_documents.document.grid import Cell, CellBox, Grid
from octavo_documents.document.links import LinkKind

if TYPE_CHECKING:
    from octavo_documents.document.document import Document

SCHEMA, VERSION = "DoclingDocument", "1.7.0"
_LABELS = {
    Kind.TITLE: "title",
    Kind.HEADING: "section_header",
    Kind.PARAGRAPH: "text",
    Kind.LIST_ITEM: "list_item",
    Kind.TABLE: "table",
    Kind.FIGURE: "picture",
    Kind.CHART: "chart",
    Kind.FORMULA: "formula",
    Kind.CAPTION: "caption",
    Kind.FOOTNOTE: "footnote",
    Kind.CODE: "code",
    Kind.PAGE_HEADER: "page_header",
    Kind.PAGE_FOOTER: "page_footer",
}
"""What Docling calls each kind of block."""
_DEEPEST = 100


def docling_json(document: Document) -> dict[str, Any]:
    """Return a document as a DoclingDocument, as an object for JSON."""
    return _Writer(document).value()


class _Writer:
    """Puts blocks one after another into the lists of a DoclingDocument, and references to them into its body."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._body = list[dict[str, str]]()
        self._items: dict[str, list[dict[str, Any]]] = {"groups": [], "texts": [], "pictures": [], "tables": []}
        self._references = dict[int, str]()
        self._tables = {table.row: table for table in document.tables}
        self._later_parts = {part.row: table.row for table in document.tables for part in table.parts[1:]}

    def value(self) -> dict[str, Any]:
        document = self._document
        for row in range(len(document.blocks)):
            if row not in self._later_parts:
                self._put(row)
        for row, first in self._later_parts.items():
            self._references[row] = self._references[first]
        self._put_captions()
        name = document.name
        return {
            "schema_name": SCHEMA,
            "version": VERSION,
            "name": document.title or name,
            "origin": {
                "mimetype": "application/pdf" if name.lower().endswith(".pdf") else "application/octet-stream",
                "binary_hash": int(document.id.removeprefix("sha256:")[:16] or "0", 16),
                "filename": name,
            },
            "furniture": _root("#/furniture", "furniture", []),
            "body": _root("#/body", "body", self._body),
            **self._items,
            "key_value_items": [],
            "form_items": [],
            "pages": {
                str(page): {"size": {"width": float(width), "height": float(height)}, "page_no": page}
                for page, (width, height) in enumerate(
                    zip(document.pages.width, document.pages.height, strict=True), start=1
                )
                if document.has_pages
            },
        }

    def _put(self, row: int) -> None:
        blocks = self._document.blocks
        kind, text, grid = blocks.kind_of(row), blocks.text[row], blocks.grid[row]
        is_table = kind == Kind.TABLE and bool(grid)
        held = "tables" if is_table else "pictures" if kind in (Kind.FIGURE, Kind.CHART) else "texts"
        reference = f"#/{held}/{len(self._items[held])}"
        parent = self._list_of(row) if kind == Kind.LIST_ITEM else "#/body"
        item: dict[str, Any] = {
            "self_ref": reference,
            "parent": {"$ref": parent},
            "children": [],
            "content_layer": "furniture" if kind in FURNITURE else "body",
            "label": _LABELS[kind] if is_table or kind != Kind.TABLE else "text",
            "prov": self._provenance(row, text),
        }
        if held == "texts":
            item |= {"orig": text, "text": text}
            if kind == Kind.HEADING:
                item["level"] = min(max(int(blocks.level[row]), 1), _DEEPEST)
            if kind == Kind.LIST_ITEM:
                item |= {"enumerated": False, "marker": "-"}
        else:
            item |= {"captions": [], "references": [], "footnotes": []}
            item |= {"data": _table(self._tables[row])} if is_table else {"annotations": []}
            if is_table:
                item["prov"] += [
                    one for part in self._tables[row].parts[1:] for one in self._provenance(part.row, text)
                ]
        self._items[held].append(item)
        self._references[row] = reference
        (self._children(parent)).append({"$ref": reference})

    def _children(self, parent: str) -> list[dict[str, str]]:
        return self._body if parent == "#/body" else self._items["groups"][int(parent.rpartition("/")[2])]["children"]

    def _list_of(self, row: int) -> str:
        """Return the list that an item belongs to: that of the item just before it, else a new one."""
        blocks, groups = self._document.blocks, self._items["groups"]
        if not (row and blocks.kind_of(row - 1) == Kind.LIST_ITEM):
            reference = f"#/groups/{len(groups)}"
            groups.append(
                _root(reference, "body", []) | {"parent": {"$ref": "#/body"}, "name": "list", "label": "list"}
            )
            self._body.append({"$ref": reference})
        return f"#/groups/{len(groups) - 1}"

    def _put_captions(self) -> None:
        links = self._document.links
        for source, target, kind in zip(links.source, links.target, links.kind, strict=True):
            caption, of = self._references[int(source)], self._references[int(target)]
            _, held, at = of.split("/")
            if kind == LinkKind.CAPTION_OF and held in ("tables", "pictures"):
                self._items[held][int(at)]["captions"].append({"$ref": caption})

    def _provenance(self, row: int, text: str) -> list[dict[str, Any]]:
        blocks, page = self._document.blocks, int(self._document.blocks.page[row])
        left, top, right, bottom = (float(value) for value in blocks.box[row])
        if not self._document.has_pages:
            told = self._document.pages.label[page - 1].removeprefix("page ")  # of a document that had pages elsewhere
            if not (told.isdecimal() and right > left):
                return []
            page = int(told)
        return [{"page_no": page, "bbox": _box((left, top, right, bottom)), "charspan": [0, len(text)]}]


def _root(reference: str, layer: str, children: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "self_ref": reference,
        "children": children,
        "content_layer": layer,
        "name": "_root_",
        "label": "unspecified",
    }


def _box(box: tuple[float, ...]) -> dict[str, Any]:
    left, top, right, bottom = (round(value, 2) for value in box)
    return {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": "TOPLEFT"}


def _table(table: FoundTable) -> dict[str, Any]:
    """Return the cells of a table; a box has no page of its own there, so those on later pages have none."""
    grid, first = table.grid, table.page
    return {
        "table_cells": [_cell(grid, one.cell, one.box if one.page == first else None) for one in table.places()],
        "num_rows": grid.height,
        "num_cols": grid.width,
    }


def _cell(grid: Grid, cell: Cell, box: CellBox | None) -> dict[str, Any]:
    return {
        "row_span": cell.rows,
        "col_span": cell.columns,
        "start_row_offset_idx": cell.row,
        "end_row_offset_idx": cell.row + cell.rows,
        "start_col_offset_idx": cell.column,
        "end_col_offset_idx": cell.column + cell.columns,
        "text": cell.text,
        "column_header": cell.row < grid.header_rows,
        "row_header": cell.row >= grid.header_rows and cell.column < grid.header_columns,
        "row_section": False,
        **({"bbox": _box(box)} if box else {}),
    }
