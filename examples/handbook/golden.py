"""The handbook's true structure, read off its source and off what layout drew where, as plain data for JSON.

Pages are physical, from 1; boxes are left, top, right, bottom in points from the page's top left corner. Knows
nothing about how a PDF is read: nothing here has passed through one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .blocks import Block, Code, Command, Figure, Formula, Grid, Heading, Item
from .build import Built
from .flow import heading_text
from .pages import TITLE
from .record import Piece

CHARTS = ("energy", "load", "surge", "maxima", "crossings", "sea")
TEXT_START = 120


@dataclass(frozen=True)
class _Placed:
    """A source block, the names its drawn pieces go by, and the headings it stands under."""

    block: Block
    key: str
    section: tuple[Heading, ...]
    pieces: tuple[Piece, ...]

    @property
    def span(self) -> dict[str, Any]:
        return {"page": self.pieces[0].page, "end_page": self.pieces[-1].page}

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


def golden(built: Built) -> dict[str, Any]:
    """Return the structure: pages, labels, sections, blocks, tables, figures, footnotes, references and furniture."""
    placed = list(_placed(built))
    pages = range(1, built.record.page_count + 1)
    return {
        "title": TITLE,
        "pages": len(pages),
        "labels": [built.plan.label(page) for page in pages],
        "sections": _sections(placed, built),
        "blocks": [*_cover(built), *(row for item in placed for row in _block(item, built))],
        "tables": [_table(item, built) for item in placed if isinstance(item.block, Grid)],
        "figures": [_figure(item, built) for item in placed if isinstance(item.block, Figure)],
        "captions": [_caption(item, built) for item in placed if isinstance(item.block, Figure | Grid)],
        "footnotes": _footnotes(built),
        "contents": [{"page": p.page, "text": p.text} for p in built.record.pieces if p.kind == "contents"],
        "references": _references(built),
        "hyphenated": [{"page": page, "word": word} for page, word in built.record.hyphenated],
        "furniture": [{"page": page, "place": place, "text": text} for page, place, text in built.record.furniture],
        "two_column_pages": _two_column_pages(placed),
    }


def _placed(built: Built) -> Iterator[_Placed]:
    pieces: dict[str, list[Piece]] = {}
    for piece in built.record.pieces:
        pieces.setdefault(piece.key, []).append(piece)
    path: list[Heading] = []
    for index, block in enumerate(built.blocks):
        if isinstance(block, Heading):
            path = [*path[: block.level - 1], block]
        if not isinstance(block, Command):
            key = getattr(block, "key", f"block:{index}")
            yield _Placed(block, key, tuple(path), tuple(pieces[key]))


def _sections(placed: list[_Placed], built: Built) -> list[dict[str, Any]]:
    contents = {piece.page for piece in built.record.pieces if piece.kind == "contents"}
    rows: list[dict[str, Any]] = []
    for item in placed:
        if isinstance(item.block, Heading):
            inside = [other.pieces[-1].page for other in placed if item.block in other.section]
            last = max(contents) if item.block.title == "Contents" else max(inside)
            row = {"title": item.block.title, "number": built.labels[item.key].number, "level": item.block.level}
            rows.append(row | {"page": item.pieces[0].page, "end_page": last})
    return rows


def _cover(built: Built) -> list[dict[str, Any]]:
    lines = [piece for piece in built.record.pieces if piece.key.startswith("cover:")]
    title = " ".join(piece.text for piece in lines if piece.kind == "title")
    others = [piece.text for piece in lines if piece.kind != "title"]
    kinds = ["title"] + ["paragraph"] * len(others)
    return [
        {"kind": kind, "page": 1, "end_page": 1, "section": [], "text": text}
        for kind, text in zip(kinds, [title, *others], strict=True)
    ]


def _block(item: _Placed, built: Built) -> list[dict[str, Any]]:
    """Return the rows of one source block: a table has its caption before it, a figure after it."""
    row = {"kind": _kind(item.block), **item.span, "section": _path(item, built), "text": item.text[:TEXT_START]}
    row["box"] = list(item.pieces[0].box)
    if isinstance(item.block, Item):
        row |= {"marker": item.block.marker, "depth": item.block.depth}
    if not isinstance(item.block, Figure | Grid):
        return [row]
    caption = _caption(item, built)
    also = {"kind": "caption", "page": caption["page"], "end_page": caption["page"], "section": row["section"]}
    also["text"] = caption["text"][:TEXT_START]
    row["text"] = " ".join(item.block.header) if isinstance(item.block, Grid) else ""
    return [also, row] if isinstance(item.block, Grid) else [row, also]


def _kind(block: Block) -> str:
    if isinstance(block, Figure):
        return "chart" if block.drawing in CHARTS else "figure"
    names = {Heading: "heading", Item: "list_item", Grid: "table", Code: "code", Formula: "formula"}
    return names.get(type(block), "paragraph")


def _path(item: _Placed, built: Built) -> list[str]:
    return [_printed(heading, built) for heading in item.section]


def _printed(heading: Heading, built: Built) -> str:
    return heading_text(heading, built.labels).replace("  ", " ")


def _caption(item: _Placed, built: Built) -> dict[str, Any]:
    piece = next(piece for piece in built.record.pieces if piece.key == f"{item.key}/caption")
    return {"page": piece.page, "text": " ".join(piece.text.split()), "of": built.labels[item.key].number}


def _table(item: _Placed, built: Built) -> dict[str, Any]:
    block = item.block
    assert isinstance(block, Grid)
    texts = {piece.key: piece.text for piece in built.record.pieces if piece.kind == "cell"}
    rows = [[texts[f"{item.key}/{row}/{column}"] for column in range(len(block.header))]
            for row in range(len(block.rows) + 1)]  # fmt: skip
    head = {"number": built.labels[item.key].number, "caption": block.caption, **item.span}
    boxes = [{"page": piece.page, "box": list(piece.box)} for piece in item.pieces]
    cells = {"header": rows[0], "rows": rows[1:]}
    return head | {"look": block.look, "boxes": boxes, "section": _path(item, built)} | cells


def _figure(item: _Placed, built: Built) -> dict[str, Any]:
    assert isinstance(item.block, Figure)
    head = {"number": built.labels[item.key].number, "caption": item.block.caption, "kind": _kind(item.block)}
    return head | {"page": item.pieces[0].page, "box": list(item.pieces[0].box), "section": _path(item, built)}


def _footnotes(built: Built) -> list[dict[str, Any]]:
    drawn = {piece.key: piece for piece in built.record.pieces if piece.kind == "footnote"}
    marks = [mark for mark in built.record.sightings if mark.kind == "footnote"]
    texts = [drawn[f"note:{mark.target}"] for mark in marks]
    return [
        {"number": int(mark.target), "page": piece.page, "text": piece.text.split(" ", 1)[1]}
        for mark, piece in zip(marks, texts, strict=True)
    ]


def _references(built: Built) -> list[dict[str, Any]]:
    """Return each printed reference and the page on which what it names begins."""
    return [
        {"page": mark.page, "text": mark.text, "target_page": built.record.pages[mark.target]}
        for mark in built.record.sightings
        if mark.kind == "reference"
    ]


def _two_column_pages(placed: list[_Placed]) -> list[int]:
    narrow = [item for item in placed if item.section and item.section[0].columns == 2]
    return sorted({piece.page for item in narrow for piece in item.pieces})
