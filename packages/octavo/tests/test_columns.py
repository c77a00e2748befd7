"""Columns survive packing, and damaged bytes are told, never trusted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import CorpusError
from octavo_documents.document import LinkTable, TextColumn
from octavo_documents.document.columns import pack, unpack

TEXTS = st.lists(st.text(max_size=20), max_size=20)


@given(TEXTS)
def test_a_text_column_gives_back_its_texts(texts: list[str]) -> None:
    column = TextColumn.of(texts)
    assert list(column) == texts
    assert [column[row] for row in range(len(texts))] == texts
    assert column[:] == texts


@given(TEXTS, TEXTS)
def test_joined_text_columns_are_the_joined_texts(left: list[str], right: list[str]) -> None:
    assert list(TextColumn.join([TextColumn.of(left), TextColumn.of(right)])) == left + right


def test_negative_rows_count_from_the_end_and_rows_outside_raise() -> None:
    column = TextColumn.of(["a", "b"])
    assert column[-1] == "b"
    with pytest.raises(IndexError):
        column[2]


def test_lone_surrogates_do_not_stop_a_document() -> None:
    assert TextColumn.of(["a\ud800b"])[0] == "a?b"


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="target has 1 rows, not 2"):
        LinkTable(
            source=np.zeros(2), target=np.zeros(1), kind=np.zeros(2), weight=np.zeros(2), text=TextColumn.of(["", ""])
        )


def test_columns_cannot_be_written_to() -> None:
    table = LinkTable(source=[1], target=[2], kind=[0], weight=[1.0], text=TextColumn.of([""]))
    with pytest.raises(ValueError, match="read-only"):
        table.source[0] = 5


def test_joining_shifts_row_numbers_but_not_minus_one() -> None:
    table = LinkTable(source=[0, -1], target=[1, 1], kind=[0, 0], weight=[1, 1], text=TextColumn.of(["", ""]))
    joined = LinkTable.join([table, table], {"block": [0, 10]})
    assert joined.source.tolist() == [0, -1, 10, -1]
    assert joined.target.tolist() == [1, 1, 11, 11]


def test_rows_are_taken_in_the_order_they_are_asked_for() -> None:
    table = LinkTable(
        source=[0, 1, 2], target=[5, 6, 7], kind=[0, 1, 0], weight=[1, 2, 3], text=TextColumn.of(["a", "é", ""])
    )
    joined = LinkTable.join([table, table], {"block": [0, 10]})
    taken = joined.take(np.array([4, 0, 1]))
    assert (taken.source.tolist(), taken.weight.tolist(), [*taken.text]) == ([11, 0, 1], [2, 1, 2], ["é", "a", "é"])
    assert joined.take(np.flatnonzero(joined.weight > 5)) == LinkTable.empty()


def test_a_packed_table_comes_back_equal() -> None:
    table = LinkTable(source=[0], target=[1], kind=[0], weight=[0.5], text=TextColumn.of(["Table 3"]))
    assert LinkTable.from_bytes(table.to_bytes()) == table


def test_object_arrays_are_refused() -> None:
    data = pack({"a": np.zeros(1)}, {}).replace(b'"<f8"', b'"|O8"')
    with pytest.raises(CorpusError, match="not allowed"):
        unpack(data)


@given(st.data())
def test_any_flip_in_the_header_gives_an_error_or_a_table(data: st.DataObject) -> None:
    table = LinkTable(source=[0], target=[1], kind=[0], weight=[0.5], text=TextColumn.of(["Table 3"]))
    raw = bytearray(table.to_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255))
    try:
        assert len(LinkTable.from_bytes(bytes(raw))) >= 0
    except CorpusError as error:
        assert error.reason == "damaged"


@given(st.integers(0, 400))
def test_truncated_bytes_give_an_error(size: int) -> None:
    raw = LinkTable(source=[0], target=[1], kind=[0], weight=[0.5], text=TextColumn.of(["x"])).to_bytes()
    if size < len(raw) - 16:
        with pytest.raises(CorpusError):
            LinkTable.from_bytes(raw[:size])
