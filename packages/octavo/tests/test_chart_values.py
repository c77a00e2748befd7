"""Values that charts state: what is told of drawn charts, where it stands, and what is left as plain words."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

import chart_pages
import charts
import octavo
import pdfs
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import images
from octavo_documents.parsing.content import Box, Spot
from octavo_documents.parsing.pdf import draw_spots, extract
from octavo_documents.structuring import structure
from octavo_documents.structuring.figures.chart_labels import UNREAD
from octavo_documents.structuring.figures.chart_values import stated_values
from octavo_documents.structuring.figures.stated import with_values


def read(path: Path) -> Document:
    content = extract(path, ocr="never")
    document = structure(content, name=path.name, digest="0" * 64)
    return with_values(document, content.pages, {}, partial(draw_spots, path))


def test_next_to_all_that_is_told_of_charts_is_right_and_most_is_told(tmp_path: Path) -> None:
    made = [chart_pages.chart(5000 + at) for at in range(16)]
    chart_pages.write(tmp_path / "charts.pdf", "flat", made)
    document = read(tmp_path / "charts.pdf")
    told = right = truly = 0
    for page, one in enumerate(made, start=1):
        truth = {tuple(map(charts.plain, item)) for item in one.printed}
        found = charts.stated(document, page)
        told, truly = told + len(found), truly + len(truth)
        right += sum(tuple(map(charts.plain, item)) in truth for item in found)
    assert right >= 0.95 * told
    assert told >= 0.6 * truly


def bars(
    canvas: Any, names: tuple[str, ...], values: tuple[str, ...], *, left: float = 110, again: bool = False
) -> None:
    """Draw a chart of standing bars with names under them and values over them, `again` with a second value each."""
    canvas.setFont("Helvetica", 8)
    for at, (name, value) in enumerate(zip(names, values, strict=True)):
        x, high = left + 60 * at, 20 + 2 * float(value.strip("%$"))
        canvas.setFillColorRGB(0.2, 0.4, 0.7)
        canvas.rect(x - 15, 400, 30, high, stroke=0, fill=1)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawCentredString(x, 388, name)
        canvas.drawCentredString(x, 404 + high, value)
        if again:
            canvas.drawCentredString(x, 424 + high, f"{at * at + 3}%")


NAMES, VALUES = ("Herring", "Mackerel", "Cod", "Plaice", "Sole"), ("41%", "23%", "17%", "12%", "7%")


def page(canvas: Any) -> None:
    canvas.setFont("Times-Roman", 11)
    canvas.drawString(72, 700, "The boats of the harbour land five sorts of fish, and most of it is sold before noon.")
    canvas.setFont("Helvetica-Bold", 9)
    canvas.drawString(95, 530, "Share of the catch by kind of fish")
    bars(canvas, NAMES, VALUES)
    canvas.setFont("Times-Roman", 11)
    canvas.drawString(72, 340, "What is not sold by then is smoked in the old shed behind the market and sent inland.")


def test_a_chart_becomes_rows_whose_cells_stand_on_its_labels(tmp_path: Path) -> None:
    document = read(pdfs.write(tmp_path / "catch.pdf", page))
    (row,) = np.flatnonzero(document.blocks.kind == Kind.CHART).tolist()
    grid = Grid.from_json(document.blocks.grid[row])
    assert grid.rows() == [["", "Share of the catch by kind of fish"], *map(list, zip(NAMES, VALUES, strict=True))]
    assert document.blocks.text[row].endswith(grid.text())
    boxes = {cell.text: cell.box for cell in grid.cells}
    cod, value = boxes["Cod"], boxes["17%"]
    assert cod and value
    assert abs((cod[0] + cod[2]) / 2 - 230) < 1
    assert abs((value[0] + value[2]) / 2 - 230) < 1
    assert value[3] < cod[1]


def test_a_question_finds_a_value_and_its_citation_stands_on_the_labels(tmp_path: Path) -> None:
    pdfs.write(tmp_path / "catch.pdf", page)
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(tmp_path / "catch.pdf", ocr="never")
        answer = corpus.ask("What was the share of mackerel in the catch?", system="hybrid")
        shown = answer.passages[0]
        assert "Mackerel | 23%" in shown.text
        assert "Read from the chart:" in shown.text
        (info,) = corpus.list()
        marks = corpus.marks(info.id, shown.block, ["Mackerel | 23%"])
    (name, value) = marks[0].boxes
    assert 160 < (name[0] + name[2]) / 2 < 180
    assert 160 < (value[0] + value[2]) / 2 < 180


def test_values_that_no_legend_tells_apart_stay_words(tmp_path: Path) -> None:
    def two(canvas: Any) -> None:
        bars(canvas, NAMES, VALUES, again=True)

    document = read(pdfs.write(tmp_path / "two.pdf", two))
    assert not any(document.blocks.grid[row] for row in range(len(document.blocks)))
    assert "Mackerel" in " ".join(document.blocks.text)


WHITE, BLUE, RED = (255, 255, 255), (60, 110, 190), (210, 60, 50)


def drawn(*blocks: tuple[Box, tuple[int, int, int]]) -> Any:
    picture = Image.new("RGB", (300, 200), WHITE)
    for box, color in blocks:
        ImageDraw.Draw(picture).rectangle(box, fill=color)
    return np.asarray(picture)


def label(text: str, x: float, y: float) -> tuple[str, Box]:
    return text, (x - 14, y - 5, x + 14, y + 5)


COLUMNS = (60.0, 120.0, 180.0)
TWO_SERIES = [
    *(((x - 16, 180 - 40 - 6 * at, x - 1, 180), BLUE) for at, x in enumerate(COLUMNS)),
    *(((x + 1, 180 - 70 + 6 * at, x + 16, 180), RED) for at, x in enumerate(COLUMNS)),
]


def two_series(first: Box, second: Box) -> list[tuple[str, Box]]:
    """Return the labels of a chart of two series whose legend has these boxes."""
    found = [label(name, x, 190) for name, x in zip(("North", "South", "East"), COLUMNS, strict=True)]
    for at, x in enumerate(COLUMNS):
        found.append((f"{40 + at}%", (x - 15, 168 - 40 - 6 * at, x - 2, 178 - 40 - 6 * at)))
        found.append((f"{70 - at}%", (x + 2, 98 + 6 * at, x + 15, 108 + 6 * at)))
    return [*found, ("Women", first), ("Men", second)]


@pytest.mark.parametrize("from_swatch", [False, True], ids=["beside the swatch", "around the swatch, as OCR boxes it"])
def test_series_are_told_by_the_colours_of_the_legend(*, from_swatch: bool) -> None:
    raster = drawn(*TWO_SERIES, ((220, 20, 227, 27), BLUE), ((220, 40, 227, 47), RED))
    left = 218 if from_swatch else 230
    values = stated_values(two_series((left, 18, 270, 29), (left, 38, 260, 49)), raster_with_words(raster), 1.0)
    assert values is not None
    assert values.grid.text() == " | Women | Men\nNorth | 40% | 70%\nSouth | 41% | 69%\nEast | 42% | 68%"


def raster_with_words(raster: Any) -> Any:
    """Return a picture with ink where the words of its legend are."""
    found = raster.copy()
    found[21:27, 232:255:3] = 0
    found[41:47, 232:255:3] = 0
    return found


def test_a_value_too_hard_to_read_keeps_the_others_from_being_told() -> None:
    names = [label(name, x, 190) for name, x in zip(("North", "South", "East"), COLUMNS, strict=True)]
    values = [label(f"{7 * at * at + 11}%", x, 100.0 + at) for at, x in enumerate(COLUMNS)]
    assert stated_values([*names, *values], drawn(), 1.0)
    assert stated_values([*names, *values, label(UNREAD, 60, 60), label(UNREAD, 120, 60)], drawn(), 1.0) is None


def test_charts_beside_each_other_are_told_apart_by_their_heads() -> None:
    lines = [label(head, x, 20) for head, x in (("Women", 60), ("Men", 210))]
    for left, first in ((40.0, 11), (190.0, 43)):
        for at, name in enumerate(("North", "South", "East")):
            lines += [label(name, left, 50 + 30 * at), label(f"{first + 5 * at * at}%", left + 50, 50 + 30 * at)]
    values = stated_values(lines, drawn(), 1.0)
    assert values is not None
    assert sorted(values.grid.rows()[1:]) == [["East", "31%", "63%"], ["North", "11%", "43%"], ["South", "16%", "48%"]]
    assert stated_values(lines[2:], drawn(), 1.0) is None


def test_numbers_of_an_axis_are_no_values() -> None:
    names = [label(name, x, 190) for name, x in zip(("North", "South", "East"), COLUMNS, strict=True)]
    ticks = [label(str(20 * at), 20, 180 - 30 * at) for at in range(5)]
    assert stated_values([*names, *ticks], drawn(*TWO_SERIES), 1.0) is None


def test_names_with_their_shares_are_told_without_geometry() -> None:
    lines = [label(text, 150, 20 + 30 * at) for at, text in enumerate(("Coal 41%", "23% Wind", "Solar (36%)"))]
    values = stated_values(lines, drawn(), 1.0)
    assert values is not None
    assert values.grid.rows()[1:] == [["Coal", "41%"], ["Wind", "23%"], ["Solar", "36%"]]


def test_boxes_of_a_picture_are_drawn(tmp_path: Path) -> None:
    Image.new("RGB", (300, 150), BLUE).save(tmp_path / "blue.png", dpi=(150, 150))
    ((raster, scale),) = images.draw_spots(tmp_path / "blue.png", [Spot(1, (0, 0, 72, 36))], dpi=72)
    assert raster is not None
    assert (raster.shape, scale) == ((36, 72, 3), 1.0)
