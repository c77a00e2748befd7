"""Small documents with known structure, built in memory, and hypothesis strategies for them."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from octavo_documents.document import (
    BlockTable,
    Document,
    Kind,
    LinkKind,
    LinkTable,
    Metadata,
    PageTable,
    TextColumn,
    nest,
    part_label,
)
from octavo_documents.document.grid import Grid

Row = tuple[Kind, str, int, int]
"""kind, text, page, level."""


def document(
    rows: Sequence[Row], *, pages: int | None = None, name: str = "test.pdf", scanned: bool = False
) -> Document:
    """Build a document from (kind, text, page, level) rows; boxes go down the page in order."""
    size = len(rows)
    kind = np.array([row[0] for row in rows], np.uint8)
    level = np.array([row[3] for row in rows], np.uint8)
    page = np.array([row[2] for row in rows], np.int32)
    parent, end = nest(kind, level)
    tops = 72 + 12 * np.arange(size, dtype=np.float32) % 600
    blocks = BlockTable(
        kind=kind,
        text=TextColumn.of(row[1] for row in rows),
        page=page,
        box=np.stack([np.full(size, 72), tops, np.full(size, 500), tops + 10], axis=1).reshape(size, 4),
        level=level,
        parent=parent,
        end=end,
        size=np.full(size, 10.0),
        bold=kind == Kind.HEADING,
        italic=np.zeros(size, np.bool_),
        color=np.zeros(size, np.uint32),
        confidence=np.ones(size),
        grid=TextColumn.of([""] * size),
    )
    count = pages if pages is not None else max(int(page.max()) if size else 0, 1)
    table = PageTable(
        label=TextColumn.of(str(number) for number in range(1, count + 1)),
        width=np.full(count, 595.0),
        height=np.full(count, 842.0),
        is_scanned=np.full(count, scanned),
    )
    digest = hashlib.sha256(repr((name, rows)).encode()).hexdigest()
    return Document(f"sha256:{digest}", name, table, blocks, LinkTable.empty(), Metadata(title=name))


def with_tables(
    source: Document,
    tables: Mapping[int, Grid | Sequence[Sequence[str]]],
    captions: Mapping[int, int] | None = None,
    goes_on: Mapping[int, int] | None = None,
) -> Document:
    """Return a document whose blocks in some rows are tables; plain rows of cells have one header row.

    `captions` names the row of a table's caption by the table's row, `goes_on` the part before by a part of a table.
    """
    grids = {
        row: table if isinstance(table, Grid) else Grid.of_rows(table, header_rows=1) for row, table in tables.items()
    }
    texts, stored = list(source.blocks.text), list(source.blocks.grid)
    for row, grid in grids.items():
        texts[row], stored[row] = grid.text(), grid.to_json()
    blocks = dataclasses.replace(source.blocks, text=TextColumn.of(texts), grid=TextColumn.of(stored))
    kinds = [(LinkKind.CAPTION_OF, table, caption) for table, caption in sorted((captions or {}).items())]
    kinds += [(LinkKind.CONTINUES, before, part) for part, before in sorted((goes_on or {}).items())]
    pairs = [(to, row) for _, to, row in kinds]
    links = LinkTable(
        source=np.array([caption for _, caption in pairs], np.int32),
        target=np.array([table for table, _ in pairs], np.int32),
        kind=np.array([kind for kind, _, _ in kinds], np.uint8),
        weight=np.ones(len(pairs), np.float32),
        text=TextColumn.of([""] * len(pairs)),
        origin=np.zeros(len(pairs), np.uint8),
    )
    digest = hashlib.sha256(repr((source.id, texts, stored, pairs)).encode()).hexdigest()
    return dataclasses.replace(source, id=f"sha256:{digest}", blocks=blocks, links=links)


def without_pages(source: Document) -> Document:
    """Return a document as of text that has no pages: its pages are parts."""
    labels = TextColumn.of(part_label(number) for number in range(1, len(source.pages) + 1))
    return dataclasses.replace(source, pages=dataclasses.replace(source.pages, label=labels))


KINDS = [Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE, Kind.FIGURE, Kind.PAGE_FOOTER]


@st.composite
def documents(draw: st.DrawFn, *, max_rows: int = 24) -> Document:
    """Any well-formed document: kinds, levels, pages and texts drawn at random."""
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=max_rows))
    steps = draw(st.lists(st.integers(0, 2), min_size=len(kinds), max_size=len(kinds)))
    pages = np.cumsum([1, *steps])[: len(kinds)].tolist()
    rows = [
        (kind, draw(st.text(max_size=12)), page, draw(st.integers(1, 4)) if kind == Kind.HEADING else 0)
        for kind, page in zip(kinds, pages, strict=True)
    ]
    extra = draw(st.integers(0, 2))
    return document(rows, pages=(pages[-1] if pages else 1) + extra, name=draw(st.sampled_from(["a.pdf", "b.pdf"])))
