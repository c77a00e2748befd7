"""A document's section tree and blocks as JSON values. Their shapes are a contract others rely on."""

from __future__ import annotations

from typing import Any

from octavo.document.blocks import FigureKind, Kind
from octavo.document.document import Document


def outline_json(document: Document, *, blocks: bool) -> dict[str, Any]:
    """Return the object that `octavo outline --json` prints."""
    value: dict[str, Any] = {
        "document": document.name,
        "document_id": document.id,
        "pages": len(document.pages),
        "sections": _sections(document),
    }
    if blocks:
        value["blocks"] = [block_json(document, row) for row in range(len(document.blocks))]
    return value


def _sections(document: Document) -> list[dict[str, Any]]:
    table, top = document.blocks, list[dict[str, Any]]()
    nodes: dict[int, dict[str, Any]] = {}
    for row in table.headings().tolist():
        nodes[row] = {
            "title": table.text[row],
            "level": int(table.level[row]),
            "page": int(table.page[row]),
            "page_label": document.pages.label[int(table.page[row]) - 1],
            "end_page": int(table.page[int(table.end[row]) - 1]),
            "block": f"b{row}",
            "sections": [],
        }
        parent = int(table.parent[row])
        (nodes[parent]["sections"] if parent >= 0 else top).append(nodes[row])
    return top


def block_json(document: Document, row: int) -> dict[str, Any]:
    """Return a block as it stands in an outline."""
    table = document.blocks
    page = int(table.page[row])
    return {
        "block": f"b{row}",
        "kind": Kind(int(table.kind[row])).label,
        "figure": FigureKind(int(table.figure[row])).label or None,
        "page": page,
        "page_label": document.pages.label[page - 1],
        "box": [round(float(value), 1) for value in table.box[row]],
        "level": int(table.level[row]),
        "section": list(table.section_path(row)),
        "text": table.text[row],
        "confidence": round(float(table.confidence[row]), 3),
    }
