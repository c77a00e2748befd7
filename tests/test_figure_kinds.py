"""The sort of a figure: kept in the block table, read from older tables as untold, and shown."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from octavo.cli.outline import outline_json
from octavo.document import BlockTable, Document, FigureKind, Kind
from octavo.document.columns import pack, unpack
from octavo.errors import CorpusError
from synthetic import document

REPORT = document([(Kind.PARAGRAPH, "Before", 1, 0), (Kind.FIGURE, "", 1, 0), (Kind.CHART, "2015 3.1", 1, 0)])


def with_figures(*figures: int) -> Document:
    return dataclasses.replace(REPORT, blocks=dataclasses.replace(REPORT.blocks, figure=np.array(figures)))


def test_a_document_keeps_the_sorts_of_its_figures() -> None:
    made = with_figures(0, FigureKind.PHOTO, 0)
    assert Document.from_bytes(made.to_bytes()).blocks.figure.tolist() == [0, FigureKind.PHOTO, 0]


def test_a_document_packed_before_figures_had_sorts_is_read_with_none_told() -> None:
    arrays, header = unpack(with_figures(0, FigureKind.MAP, 0).to_bytes())
    older = pack({name: values for name, values in arrays.items() if name != "blocks.figure"}, header)
    assert Document.from_bytes(older).blocks == REPORT.blocks


def test_any_other_missing_column_is_damage() -> None:
    arrays, header = unpack(REPORT.to_bytes())
    with pytest.raises(CorpusError, match=r"blocks\.level"):
        Document.from_bytes(pack({name: values for name, values in arrays.items() if name != "blocks.level"}, header))


@pytest.mark.parametrize(
    ("figures", "claim"), [((0, 99, 0), "figure kind is unknown"), ((FigureKind.PHOTO, 0, 0), "no figure")]
)
def test_impossible_sorts_are_refused(figures: tuple[int, ...], claim: str) -> None:
    with pytest.raises(CorpusError, match=claim):
        Document.from_bytes(with_figures(*figures).to_bytes())


def test_joined_tables_keep_the_sorts() -> None:
    joined = BlockTable.join([REPORT.blocks, with_figures(0, FigureKind.LOGO, 0).blocks])
    assert joined.figure.tolist() == [0, 0, 0, 0, FigureKind.LOGO, 0]


def test_json_names_the_sort_where_it_is_told() -> None:
    blocks = outline_json(with_figures(0, FigureKind.DIAGRAM, 0), blocks=True)["blocks"]
    assert [block["figure"] for block in blocks] == [None, "diagram", None]
