"""A view is its documents' tables one after the other, with rows shifted and nothing else changed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import CorpusError
from octavo.evidence import PassageTable, View
from octavo_documents.document import Document, Kind, TextColumn
from octavo_documents.document.columns import pack
from synthetic import document, documents


@given(st.lists(documents(max_rows=10), min_size=1, max_size=4))
def test_rows_of_a_view_are_the_rows_of_its_documents(made: list[Document]) -> None:
    view = View(made)
    for index, each in enumerate(made):
        span, shift = view.rows_of(index), int(view.row_starts[index])
        assert view.blocks.text[span.start : span.stop] == list(each.blocks.text)
        assert view.blocks.page[span].tolist() == each.blocks.page.tolist()
        assert (view.blocks.end[span] - shift).tolist() == each.blocks.end.tolist()
        parents = view.blocks.parent[span]
        assert np.where(parents < 0, -1, parents - shift).tolist() == each.blocks.parent.tolist()
        assert [view.block_id(row) for row in range(span.start, span.stop)] == [
            f"b{row}" for row in range(len(each.blocks))
        ]


@given(st.lists(documents(max_rows=10), min_size=1, max_size=3))
def test_page_indices_lead_back_to_document_and_page(made: list[Document]) -> None:
    view = View(made)
    for row in range(len(view)):
        assert view.locate_page(int(view.page_index[row])) == (int(view.document[row]), int(view.blocks.page[row]))
    assert (np.diff(view.page_index) >= 0).all()


@given(documents(), st.lists(st.integers(-1, 40)))
def test_a_page_mask_is_true_exactly_on_those_pages(made: Document, pages: list[int]) -> None:
    mask = View([made]).on_pages(pages)
    assert mask.tolist() == [int(page) in pages for page in made.blocks.page]


def test_masks_select_kinds_and_sections_in_the_right_document() -> None:
    each = document([(Kind.HEADING, "h", 1, 1), (Kind.TABLE, "t", 1, 0), (Kind.PAGE_FOOTER, "f", 1, 0)])
    view = View([each, each])
    assert view.of_kind(Kind.TABLE).tolist() == [False, True, False] * 2
    assert view.is_content.tolist() == [True, True, False] * 2
    assert view.within([3]).tolist() == [False] * 3 + [True] * 3
    assert view.on_pages([1], document=1).tolist() == [False] * 3 + [True] * 3
    assert view.page_rows(1) == slice(3, 6)


class Layers:
    """A layer source that counts its loads."""

    def __init__(self, stored: dict[str, bytes]) -> None:
        self.stored = stored
        self.loads = 0

    def load(self, document_id: str, layer: str) -> bytes | None:
        self.loads += 1
        return self.stored.get(layer)


def test_layers_are_joined_with_shifted_rows_and_loaded_once() -> None:
    each = document([(Kind.PARAGRAPH, "p", 1, 0)])
    passages = PassageTable(
        text=TextColumn.of(["p"]),
        heading=TextColumn.of([""]),
        start=[0],
        stop=[1],
        page=[1],
        char_start=[0],
        char_stop=[1],
    )
    layers = Layers({"passages": passages.to_bytes()})
    view = View([each, each], layers)
    assert view.passages.start.tolist() == [0, 1]
    assert view.passages is view.passages
    assert layers.loads == 2


def test_vectors_stay_with_each_document_where_a_question_is_compared_with_those_of_several() -> None:
    """Joined they would be megabytes that every open answer holds."""
    each, number = document([(Kind.PARAGRAPH, "p", 1, 0)]), np.eye(3, dtype=np.float32)[:1]
    many = {"multilingual.passage": np.array([0], np.int32), "multilingual": np.ones((1, 2), np.float16)}
    layers = Layers({"vectors": pack({"vectors": number, **many}, {})})
    view = View.of([View([each], layers), View([each], layers)])
    places, vectors = view.multilingual
    assert places.tolist() == [0, 1]
    assert vectors.shape == (2, 2)
    assert view.cosines("vectors", number[0]).tolist() == [1.0, 1.0]
    assert "vectors" not in vars(view)["_loaded"]


def _listed(view: View, number: int) -> list[int]:
    return [len(view), number]


def _rows(view: View) -> int:
    return len(view)


def test_what_is_worked_out_of_a_view_is_made_once() -> None:
    view = View([document([])])
    assert view.derived(_listed, 1) is view.derived(_listed, 1)
    assert view.derived(_listed, 2) == [0, 2]
    assert view.each(_rows) == [0]
    with pytest.raises(ValueError, match="no function of a module"):
        view.derived(lambda one: len(one))


def test_a_missing_layer_is_named() -> None:
    with pytest.raises(CorpusError, match="has no layer 'passages'"):
        _ = View([document([])]).passages


def test_an_empty_view_has_no_rows() -> None:
    view = View([])
    assert len(view) == 0
    assert view.of_kind(Kind.TABLE).tolist() == []
