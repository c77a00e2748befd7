"""Documents of the files in a file, set into the document that carries them.

Each comes under its heading, "Attachment: NAME", with the pages or parts it has by itself, whose labels name it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.document import Document, Kind, TextColumn, is_no_page, nest
from octavo_documents.document.columns import Rows
from octavo_documents.document.links import LinkTable

_DEEPEST_LEVEL = 255


@dataclass(frozen=True, slots=True)
class Carried:
    """A document in another one: the row of its heading there, what it is called, and its number among all there."""

    row: int
    name: str
    number: int
    document: Document


def with_carried(document: Document, carried: Sequence[Carried]) -> Document:
    """Return a document with others under their headings, each of which is alone on its part.

    Parts of headings go: a heading stands on the first page of its file.
    """
    if not carried:
        return document
    inner = [_under(one, document) for one in carried]
    pages = type(document.pages).join([document.pages, *(one.pages for one in inner)])
    order, page_order = _row_order(document, carried, inner), _page_order(document, carried, inner)
    starts = np.cumsum([0, len(document.blocks), *(len(one.blocks) for one in inner)])
    page_starts = np.cumsum([0, len(document.pages), *(len(one.pages) for one in inner)])
    blocks = type(document.blocks).join([document.blocks, *(one.blocks for one in inner)])
    page = np.concatenate([one.blocks.page + page_starts[at] for at, one in enumerate((document, *inner))])
    for at, one in enumerate(carried):
        page[one.row] = page_starts[at + 1] + 1
    new_page = np.zeros(len(pages) + 1, np.int32)
    new_page[page_order + 1] = np.arange(1, len(page_order) + 1)
    kept = blocks.take(order)
    parent, end = nest(kept.kind, kept.level)
    new_row = np.zeros(len(blocks), np.int32)
    new_row[order] = np.arange(len(order))
    links = LinkTable.join(
        [document.links, *(one.links for one in inner)], {"block": [int(start) for start in starts[:-1]]}
    )
    return dataclasses.replace(
        document,
        pages=pages.take(page_order),
        blocks=dataclasses.replace(kept, page=new_page[page[order]], parent=parent, end=end),
        links=dataclasses.replace(links, source=new_row[links.source], target=new_row[links.target]),
    )


def joined(document: Document, after: Document) -> Document:
    """Return a document with the pages and blocks of another one after its own."""
    blocks = type(document.blocks).join([document.blocks, after.blocks])
    page = np.concatenate([document.blocks.page, after.blocks.page + len(document.pages)])
    parent, end = nest(blocks.kind, blocks.level)
    links = LinkTable.join([document.links, after.links], {"block": [0, len(document.blocks)]})
    return dataclasses.replace(
        document,
        pages=type(document.pages).join([document.pages, after.pages]),
        blocks=dataclasses.replace(blocks, page=page, parent=parent, end=end),
        links=links,
    )


def _row_order(document: Document, carried: Sequence[Carried], inner: Sequence[Document]) -> Rows:
    """Return the rows of all blocks, laid one after the other, in the order in which they are read."""
    pieces: list[npt.NDArray[np.int64]] = []
    last, start = 0, len(document.blocks)
    for one, held in zip(carried, inner, strict=True):
        pieces += [np.arange(last, one.row + 1), np.arange(start, start + len(held.blocks))]
        last, start = one.row + 1, start + len(held.blocks)
    return np.concatenate([*pieces, np.arange(last, len(document.blocks))])


def _page_order(document: Document, carried: Sequence[Carried], inner: Sequence[Document]) -> Rows:
    """Return the pages of all, laid one after the other (from 0), in their order, without those of the headings."""
    pieces: list[npt.NDArray[np.int64]] = []
    last, start = 0, len(document.pages)
    for one, held in zip(carried, inner, strict=True):
        at = int(document.blocks.page[one.row]) - 1
        pieces += [np.arange(last, at), np.arange(start, start + len(held.pages))]
        last, start = at + 1, start + len(held.pages)
    return np.concatenate([*pieces, np.arange(last, len(document.pages))])


def _under(one: Carried, document: Document) -> Document:
    """Return a document as it stands under its heading: its title a heading, its pages named after it."""
    held, level = one.document, int(document.blocks.level[one.row])
    kind, own = held.blocks.kind.copy(), held.blocks.level.astype(np.int64)
    titles, headings = kind == Kind.TITLE, kind == Kind.HEADING
    own[headings] = np.minimum(own[headings] + level + int(titles.any()), _DEEPEST_LEVEL)
    own[titles] = min(level + 1, _DEEPEST_LEVEL)
    kind[titles] = Kind.HEADING
    within = [
        f"{one.number}/{place}" if place else f"{one.number}:{page}" for page, place in enumerate(held.pages.within, 1)
    ]
    labels = [
        label if place else f"{_page_of(label, page)} of {one.name}"
        for page, (label, place) in enumerate(zip(held.pages.label, held.pages.within, strict=True), 1)
    ]
    pages = dataclasses.replace(held.pages, label=TextColumn.of(labels), within=TextColumn.of(within))
    return dataclasses.replace(
        held, pages=pages, blocks=dataclasses.replace(held.blocks, kind=kind, level=own.astype(np.uint8))
    )


def _page_of(label: str, page: int) -> str:
    return label if is_no_page(label) else f"page {page}"
