"""Columns that are read downwards, from the right one to the left: each is a line, and pages of them are read so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo_documents.parsing import pdf
from octavo_documents.structuring import structure
from pdfs import LETTER_SIZE as SIZE
from pdfs import Place, lettered

COLUMNS = (
    "海図館は一九五四年に二人の船乗りによって創立さ",
    "れ古い港のそばに建っている収蔵品は約三千二百点",
    "である図書室は二階にあり火曜日に開いている",
)


def _columns(*texts: str, right: float = 500.0, step: float = 1.0) -> Iterator[Place]:
    for at, text in enumerate(texts):
        yield from ((right - 1.7 * SIZE * at, 700.0 - step * SIZE * down, one) for down, one in enumerate(text))


@pytest.mark.parametrize("step", [1.0, 1.15])
def test_each_column_is_a_line_that_is_written_downwards(tmp_path: Path, step: float) -> None:
    page = pdf.extract(lettered(tmp_path / "a.pdf", [*_columns(*COLUMNS, step=step)]), ocr="never").pages[0]
    assert [(line.text, line.angle) for line in page.lines] == [(column, 270) for column in COLUMNS]
    first, second = page.lines[0].box, page.lines[1].box
    assert first[0] == pytest.approx(500, abs=1) and first[2] == pytest.approx(500 + SIZE, abs=1)
    assert second[2] < first[0] and first[3] - first[1] == pytest.approx(step * SIZE * len(COLUMNS[0]), abs=3)


def test_columns_in_any_order_are_read_from_the_right(tmp_path: Path) -> None:
    columns = [[*_columns(text, right=500.0 - 1.7 * SIZE * at)] for at, text in enumerate(COLUMNS)]
    path = lettered(tmp_path / "a.pdf", [place for column in reversed(columns) for place in column])
    document = structure(pdf.extract(path, ocr="never"), name="a.pdf", digest="0" * 64)
    assert [document.blocks.text[row] for row in range(len(document.blocks))] == ["".join(COLUMNS)]


def test_two_digits_beside_each_other_stand_in_one_place_of_a_column(tmp_path: Path) -> None:
    places = [*_columns(COLUMNS[0])]
    x, y, _ = places[5]
    places[5:6] = [(x, y, "4"), (x + 0.5 * SIZE, y, "5")]
    line = pdf.extract(lettered(tmp_path / "a.pdf", places), ocr="never").pages[0].lines[0]
    assert line.text == f"{COLUMNS[0][:5]}45{COLUMNS[0][6:]}"


def test_lines_beside_each_other_are_no_columns(tmp_path: Path) -> None:
    places = [(72.0, 700.0 - 1.2 * SIZE * at, text) for at, text in enumerate(COLUMNS)]
    page = pdf.extract(lettered(tmp_path / "a.pdf", places), ocr="never").pages[0]
    assert [(line.text, line.angle) for line in page.lines] == [(text, 0) for text in COLUMNS]
