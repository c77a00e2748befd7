"""Figures: where they are on a page, and what sort they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import figures as benchmark
from figure_pages import Book
from octavo.errors import CorpusError
from octavo_documents.document import BlockTable, Document, FigureKind, Kind, LinkKind
from octavo_documents.document.columns import pack, unpack
from octavo_documents.document.document import outline_json
from octavo_documents.parsing.content import Graphic, PageContent, TextLine
from octavo_documents.parsing.pdf import extract, render
from octavo_documents.structuring import structure
from printed import line, page, prose, rows, structured, text
from synthetic import document

PICTURE = Graphic("image", (150, 200, 400, 380), is_photographic=True)
# Sorts
YEARS = [line(str(2020 + at), 122 + 60 * at, 404, size=7) for at in range(4)]
TICKS = [line(str(20 * at), 100, 400 - 40 * at, size=7) for at in range(5)]
NAMES = [line(name, 110 + 120 * at, 270, size=8) for at, name in enumerate(("Read", "Sort", "Keep", "Show"))]
# Charts in pictures
SLIDE = Graphic("image", (0, 0, 720, 405))
TITLE = line("Revenue has grown", 40, 24, size=30)
REPORT = document([(Kind.PARAGRAPH, "Before", 1, 0), (Kind.FIGURE, "", 1, 0), (Kind.CHART, "2015 3.1", 1, 0)])


def tied(document: Document) -> list[tuple[str, str]]:
    """Return (start of the caption, kind of what it is tied to)."""
    blocks, links = document.blocks, document.links
    return [
        (blocks.text[int(links.source[at])][:8], blocks.kind_of(int(links.target[at])).label)
        for at in np.flatnonzero(links.kind == LinkKind.CAPTION_OF).tolist()
    ]


def sorts(document: Document) -> list[str]:
    """Return the sorts of all charts and figures."""
    blocks = document.blocks
    return [
        "chart" if kind == Kind.CHART else FigureKind(sort).label
        for kind, sort in zip(blocks.kind.tolist(), blocks.figure.tolist(), strict=True)
        if kind in (Kind.FIGURE, Kind.CHART)
    ]


def around(lines: Iterable[TextLine], graphics: Iterable[Graphic]) -> Document:
    """Structure a page with running text over and under what is given."""
    over, under = text(prose(60), 72, 60, 468), text(prose(60, seed="on"), 72, 560, 468)
    return structured(page([*over, *lines, *under], graphics=tuple(graphics)))


def fill(x0: float, y0: float, x1: float, y1: float, color: int = 0x3366AA) -> Graphic:
    return Graphic("fill", (x0, y0, x1, y1), color)


def stroke(x0: float, y0: float, x1: float, y1: float) -> Graphic:
    return Graphic("stroke", (x0, y0, x1, y1))


def rule(x0: float, y0: float, x1: float, y1: float) -> Graphic:
    return Graphic("line", (x0, y0, x1, y1))


# Captions
@pytest.mark.parametrize("place", [(410.0, 260.0), (150.0, 388.0), (150.0, 184.0)])
def test_a_caption_beside_under_or_over_a_figure_is_tied(place: tuple[float, float]) -> None:
    assert tied(around([line("Figure 1. Pier at dawn", *place, size=9)], [PICTURE])) == [("Figure 1", "figure")]


def test_captions_stand_on_one_side_where_the_nearest_would_leave_one_out() -> None:
    tops = (150, 250, 350)
    pictures = [Graphic("image", (150, top, 350, top + 70)) for top in tops]
    captions = [line(f"Figure {at}. View", 150, top + 84, size=9) for at, top in enumerate(tops, 1)]
    document = around(captions, pictures)
    assert len(tied(document)) == 3
    links, box = document.links, document.blocks.box
    assert all(box[int(links.target[at]), 1] < box[int(links.source[at]), 1] for at in range(len(links)))


def test_parts_of_a_figure_under_one_caption_are_one_figure_with_their_letters() -> None:
    parts = [Graphic("image", (x, 200, x + 120, 300)) for x in (100, 260, 420)]
    letters = [line(f"({letter})", x + 55, 306, size=8) for letter, x in zip("abc", (100, 260, 420), strict=True)]
    document = around([*letters, line("Figure 2. The pier from three sides", 200, 326, size=9)], parts)
    assert tied(document) == [("Figure 2", "figure")]
    assert rows(document, Kind.FIGURE) == ["(a) (b) (c)"]


def test_pictures_with_a_caption_each_stay_apart() -> None:
    parts = [Graphic("image", (x, 200, x + 180, 300)) for x in (80, 340)]
    captions = [line(f"Figure {at}. A view of it", x, 308, size=9) for at, x in ((1, 80), (2, 340))]
    assert tied(around(captions, parts)) == [("Figure 1", "figure"), ("Figure 2", "figure")]


def test_running_text_between_rules_at_a_table_caption_is_what_it_names() -> None:
    rules = [rule(72, 200, 540, 201), rule(72, 330, 540, 331)]
    words = text(prose(90, seed="prompt"), 74, 206, 464)
    document = around([*words, line("Table 3: What was asked of the model", 72, 338, size=9)], rules)
    assert tied(document) == [("Table 3:", "table")]


def test_the_name_of_an_exhibit_alone_on_a_page_is_no_caption() -> None:
    document = structured(page([line("Exhibit 31.1", 500, 60), *text(prose(90), 72, 100, 468)]))
    assert not rows(document, Kind.CAPTION)


def test_what_stands_over_a_caption_on_a_scan_is_its_figure() -> None:
    scan = Graphic("image", (0, 0, 612, 792))
    labels = [line("XTAL1", 200, 230), line("XTAL2", 300, 260)]
    lines = [*labels, line("Figure 3. Connections of the oscillator", 180, 400)]
    document = around(lines, [scan])
    assert tied(document) == [("Figure 3", "figure")]
    assert rows(document, Kind.FIGURE) == ["XTAL1\nXTAL2"]


BARS = [fill(120 + 60 * at, 380 - 40 * at, 145 + 60 * at, 400) for at in range(4)]

SLICES = [
    fill(200, 200, 260, 260, 0xAA0000),
    fill(258, 200, 320, 262, 0x00AA00),
    fill(200, 258, 262, 320, 0x0000AA),
    fill(258, 258, 320, 320, 0xAAAA00),
]

AXES = [rule(118, 220, 119, 405), rule(118, 404, 400, 405)]

POINTS = [fill(130 + 20 * at, 230 + (37 * at) % 160, 134 + 20 * at, 234 + (37 * at) % 160) for at in range(12)]

BOXES = [stroke(100 + 120 * at, 250, 190 + 120 * at, 300) for at in range(4)]

ARROWS = [rule(190 + 120 * at, 274, 220 + 120 * at, 275) for at in range(3)]

LANDS = [fill(x, y, x + 31 + (x * y) % 29, y + 22 + (x + 3 * y) % 31, 0x80A080) for x, y in
         [(100 + 37 * (at % 5) + 5 * (at // 5), 220 + 31 * (at // 5) + 3 * (at % 5)) for at in range(20)]]  # fmt: skip


@pytest.mark.parametrize(
    ("sort", "graphics", "lines"),
    [
        ("chart", BARS, YEARS),
        ("chart", SLICES, [line("Fuel 40%", 330, 230, size=7)]),
        ("chart", [*AXES, *POINTS], TICKS),
        ("chart", [*AXES, stroke(120, 230, 390, 400)], TICKS),
        ("diagram", [*BOXES, *ARROWS], NAMES),
        ("map", LANDS, [line("Northland", 160, 260, size=7)]),
        ("photo", [PICTURE], []),
        ("logo", [Graphic("image", (450, 250, 530, 310))], []),
        ("", [dataclasses.replace(PICTURE, is_photographic=False)], []),
    ],
    ids=["bars", "pie", "scatter", "line", "diagram", "map", "photo", "logo", "picture"],
)
def test_shapes_tell_the_sort(sort: str, graphics: list[Graphic], lines: list[TextLine]) -> None:
    assert sorts(around(lines, graphics)) == [sort]


@pytest.mark.parametrize(
    ("words", "sort"),
    [("Map of the harbour", "map"), ("Overview of the graph", "diagram"), ("Plot of tides", "chart"), ("Tides", "")],
)
def test_the_caption_names_the_sort_of_a_picture_that_is_no_photograph(words: str, sort: str) -> None:
    picture = dataclasses.replace(PICTURE, is_photographic=False)
    assert sorts(around([line(f"Figure 1. {words}", 150, 388, size=9)], [picture])) == [sort]


def test_letters_drawn_as_shapes_are_no_chart() -> None:
    letters = [fill(100 + 9 * at, 300 - (7, 10, 12)[at % 3], 107 + 9 * at, 300) for at in range(24)]
    assert "chart" not in sorts(around([], letters))


def slide(*lines: TextLine) -> PageContent:
    read = [dataclasses.replace(item, confidence=0.97) for item in lines]
    made = page([TITLE, *read], width=720, height=405, graphics=(SLIDE,))
    return dataclasses.replace(made, is_scanned=True)


def test_a_chart_in_a_picture_is_told_by_its_axis_and_leaves_the_title_alone() -> None:
    axis = [line(str(40 - 10 * at), 60, 100 + 50 * at, size=14) for at in range(5)]
    names = [line(f"Age {at}0+", 120 + 90 * at, 320, size=14) for at in range(5)]
    document = structured(slide(*axis, *names))
    assert len(rows(document, Kind.CHART)) == 1
    assert "Age 30+" in rows(document, Kind.CHART)[0]
    assert rows(document, Kind.TITLE, Kind.HEADING) == ["Revenue has grown"]


def test_a_chart_in_a_picture_is_told_by_numbers_that_rise_with_its_bars() -> None:
    values = [
        line(f"{value}", 125 + 90 * at, 300 - 4 * value, size=14) for at, value in enumerate((12, 25, 31, 44, 52))
    ]
    names = [line(str(2011 + at), 120 + 90 * at, 330, size=14) for at in range(5)]
    assert len(rows(structured(slide(*values, *names)), Kind.CHART)) == 1


def test_a_table_and_the_words_of_a_slide_are_no_chart() -> None:
    cells = [line(str(10 * row + at), 120 + 90 * at, 120 + 40 * row, size=14) for row in range(4) for at in range(4)]
    words = [line(words, 60, 120 + 30 * at, size=18) for at, words in enumerate(("Buy early", "Sell late", "Rest"))]
    assert not rows(structured(slide(*cells)), Kind.CHART, Kind.FIGURE)
    assert not rows(structured(slide(*words)), Kind.CHART, Kind.FIGURE)


# Logos
def test_an_image_that_comes_back_at_the_top_belongs_to_the_page() -> None:
    logo = Graphic("image", (60, 20, 120, 50))
    pages = [page(text(prose(60, seed=str(at)), 72, 100, 468), at, graphics=[logo]) for at in (1, 2, 3)]
    document = structured(*pages)
    is_logo = document.blocks.figure == FigureKind.LOGO
    assert document.blocks.kind[is_logo].tolist() == [Kind.PAGE_HEADER] * 3
    assert not sorts(document)


def test_an_image_on_one_page_does_not() -> None:
    logo = Graphic("image", (60, 20, 160, 80))
    pages = [page(text(prose(60, seed=str(at)), 72, 100, 468), at, graphics=[logo] * (at == 1)) for at in (1, 2, 3)]
    assert sorts(structured(*pages)) == ["logo"]


# Drawn pages
def test_figures_of_drawn_pages_are_told_and_tied(tmp_path: Path) -> None:
    path = tmp_path / "figures.pdf"
    figures = Book(path, 7).write(4)
    document = structure(extract(path), name="figures.pdf", digest="0" * 64)
    document.check()
    told = [benchmark.told(document, figure) for figure in figures]
    assert [sort for _, sort in told] == [figure.kind for figure in figures]
    captioned = [(figure, row) for figure, (row, _) in zip(figures, told, strict=True) if figure.caption]
    assert captioned
    assert all(benchmark.is_tied(document, figure, row) for figure, row in captioned)


def test_a_figure_is_cut_out_at_the_resolution_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "figures.pdf"
    figure = next(item for item in Book(path, 7).write(1) if item.caption)
    x0, y0, x1, y1 = figure.box
    for dpi in (72.0, 144.0):
        height, width, _ = render(path, figure.page, box=figure.box, dpi=dpi).shape
        assert width == pytest.approx((x1 - x0) * dpi / 72, abs=2)
        assert height == pytest.approx((y1 - y0) * dpi / 72, abs=2)


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
