"""A section is a slice: nesting, subtrees and the checks that keep them so."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from octavo.errors import CorpusError
from octavo_documents.document import Document, FigureKind, Kind, Metadata
from synthetic import document, documents

BOOK = document(
    [
        (Kind.TITLE, "Book", 1, 0),
        (Kind.PARAGRAPH, "Before any heading", 1, 0),
        (Kind.HEADING, "1 One", 1, 1),
        (Kind.PARAGRAPH, "a", 1, 0),
        (Kind.HEADING, "1.1 Deep", 2, 3),
        (Kind.PARAGRAPH, "b", 2, 0),
        (Kind.HEADING, "1.2 Less deep", 2, 2),
        (Kind.PARAGRAPH, "c", 3, 0),
        (Kind.HEADING, "2 Two", 3, 1),
    ]
)


def test_sections_are_slices_of_their_subtree() -> None:
    blocks = BOOK.blocks
    assert blocks.subtree(2) == slice(2, 8)
    assert blocks.subtree(4) == slice(4, 6)
    assert blocks.subtree(6) == slice(6, 8)
    assert blocks.subtree(8) == slice(8, 9)
    assert blocks.subtree(3) == slice(3, 4)


def test_blocks_before_the_first_heading_belong_to_the_root() -> None:
    assert BOOK.blocks.parent[:2].tolist() == [-1, -1]
    assert BOOK.blocks.section_path(1) == ()


def test_a_skipped_level_still_nests() -> None:
    assert BOOK.blocks.parent[4] == 2
    assert BOOK.blocks.section_path(5) == ("1 One", "1.1 Deep")
    assert BOOK.blocks.section_path(6) == ("1 One", "1.2 Less deep")


def test_pages_are_slices_too() -> None:
    assert BOOK.on_page(2) == slice(4, 7)
    with pytest.raises(IndexError, match="page 4 of 3"):
        BOOK.on_page(4)


@given(documents())
def test_the_kind_of_a_row_is_what_the_column_stores(made: Document) -> None:
    blocks = made.blocks
    rows = range(len(blocks))
    assert [(blocks.kind_of(row), blocks.figure_kind_of(row)) for row in rows] == [
        (Kind(kind), FigureKind(figure))
        for kind, figure in zip(blocks.kind.tolist(), blocks.figure.tolist(), strict=True)
    ]
    assert all(isinstance(blocks.kind_of(np.int64(row)), Kind) for row in rows)


@given(documents())
def test_slices_nest_and_every_document_passes_its_own_check(made: Document) -> None:
    made.check()
    blocks = made.blocks
    for row in range(len(blocks)):
        span = blocks.subtree(row)
        inside = [other for other in range(len(blocks)) if row in blocks.ancestors(other)]
        assert inside == list(range(row + 1, span.stop))


@given(documents())
def test_a_document_survives_packing(made: Document) -> None:
    again = Document.from_bytes(made.to_bytes())
    assert (again.id, again.name, again.metadata) == (made.id, made.name, made.metadata)
    assert again.blocks == made.blocks
    assert again.pages == made.pages
    assert again.links == made.links


@pytest.mark.parametrize(
    ("column", "row", "value", "claim"),
    [
        ("kind", 0, 99, "kind is unknown"),
        ("page", 0, 0, "pages decrease"),
        ("page", 3, 9, "pages decrease"),
        ("box", 0, float("nan"), "not finite"),
        ("level", 2, 0, "no level"),
        ("parent", 3, 7, "earlier row"),
        ("parent", 3, 1, "not a heading"),
        ("end", 2, 99, "later row"),
        ("end", 3, 5, "has children"),
        ("level", 6, 4, "nesting"),
    ],
)
def test_ill_formed_tables_are_refused(column: str, row: int, value: float, claim: str) -> None:
    values = np.array(getattr(BOOK.blocks, column))
    values[row] = value
    broken = dataclasses.replace(BOOK.blocks, **{column: values})
    with pytest.raises(ValueError, match=claim):
        broken.check()
    with pytest.raises(CorpusError, match="damaged"):
        Document.from_bytes(dataclasses.replace(BOOK, blocks=broken).to_bytes())


def test_a_page_outside_the_document_is_refused() -> None:
    with pytest.raises(ValueError, match="does not exist"):
        document([(Kind.PARAGRAPH, "a", 5, 0)], pages=2).check()


@pytest.mark.parametrize(
    ("printed", "own", "title"),
    [
        ("Keeping Up with the Tide", "0000909832-21-000014", "Keeping Up with the Tide"),
        ("Keeping  Up\nwith the Tide", "Report of the Harbour Office", "Keeping Up with the Tide"),
        ("UNITED STATES", "Report of the Harbour Office", "Report of the Harbour Office"),
        ("UNITED STATES", "Microsoft Word - draft7.doc", ""),
        ("FORM 10-K", "0000909832-21-000014", ""),
        ("", "tide", ""),
        ("", "tide.pdf", ""),
        ("", "", ""),
    ],
)
def test_a_document_is_called_by_its_text_or_its_file_where_either_reads_as_a_title(
    printed: str, own: str, title: str
) -> None:
    rows = [(Kind.TITLE, printed, 1, 0)] if printed else []
    made = document([*rows, (Kind.PARAGRAPH, "The tide comes in.", 1, 0)], name="tide.pdf")
    assert dataclasses.replace(made, metadata=Metadata(title=own)).title == title
