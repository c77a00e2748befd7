"""Tables read from pages: cells, spans, headers, parts over pages; and what is no table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tables as benchmark
from octavo.layers.passages import passages_of, search_texts
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.content import Graphic, TextLine
from printed import line, page, prose, structured, text
from table_layouts import drawn, layouts
from table_lookalikes import LOOKALIKES


def grids(document: Document) -> list[Grid]:
    chosen = np.flatnonzero(document.blocks.kind == Kind.TABLE).tolist()
    return [Grid.from_json(document.blocks.grid[row]) for row in chosen]


def only(*lines: TextLine, graphics: tuple[Graphic, ...] = ()) -> Grid:
    """The one table of a page that has prose above it too."""
    (grid,) = grids(structured(page([*text(prose(60), 72, 80, 468), *lines], graphics=graphics)))
    return grid


def cells(rows: list[list[str]], top: float, *, bold_rows: int = 0, step: float = 18) -> list[TextLine]:
    return [
        line(cell, 80 + 150 * column, top + step * at, bold=at < bold_rows)
        for at, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell
    ]


ROWS = [["Site", "Built", "Area"], ["Main house", "1998", "412"], ["Workshop", "1961", "138"], ["Mast", "2010", "12"]]


def rule(y: float, x0: float = 72, x1: float = 500) -> Graphic:
    return Graphic("line", (x0, y, x1, y + 1))


def upright(x: float, y0: float, y1: float) -> Graphic:
    return Graphic("line", (x, y0, x + 1, y1))


def test_drawn_tables_are_read_cell_by_cell(tmp_path: Path) -> None:
    outcomes = benchmark.run(tmp_path, 48, 7)
    for ruled, least in ((True, 0.98), (False, 0.86)):
        chosen = [item for item in outcomes if (item.layout.rules in benchmark.RULED) == ruled]
        assert sum(item.right for item in chosen) >= least * sum(item.total for item in chosen)


@pytest.mark.parametrize("number", [71, 75])
def test_numbers_in_a_striped_or_boxed_table_are_no_plot(number: int, tmp_path: Path) -> None:
    layout = list(layouts(80, 41))[number]
    path = tmp_path / "table.pdf"
    table = drawn(layout, path)
    found = benchmark.outcome(layout, table, benchmark.read(path))
    assert found.right == found.total


@pytest.mark.parametrize("name", LOOKALIKES)
def test_pages_without_tables_have_none(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.pdf"
    LOOKALIKES[name](path)
    assert not grids(benchmark.read(path))


def test_the_header_and_the_labels_are_told() -> None:
    grid = only(*cells(ROWS, 250))
    assert (grid.header_rows, grid.header_columns) == (1, 1)
    assert grid.linearised()[1] == "Site: Main house; Built: 1998; Area: 412"


def test_cells_have_the_boxes_of_their_text() -> None:
    grid = only(*cells(ROWS, 250))
    first = next(cell for cell in grid.cells if cell.text == "1961")
    assert first.box == (230.0, 286.0, 250.0, 296.0)


def test_a_header_over_two_columns_spans_them() -> None:
    rows = [["Item", "2023", "2024"], ["Staff", "7.5", "8.5"], ["Fuel", "12.0", "9.1"], ["Rent", "3.3", "4.0"]]
    grid = only(line("Unit", 80, 232), line("Budget", 300, 232), *cells(rows, 250))
    top = next(cell for cell in grid.cells if cell.text == "Budget")
    assert (top.row, top.column, top.columns, grid.header_rows) == (0, 1, 2, 2)
    assert grid.headers() == ["Unit Item", "Budget 2023", "Budget 2024"]


def test_a_label_over_several_ruled_rows_spans_them() -> None:
    rows = [["Part", "Use", "Held"], ["", "lifts water", "4"], ["", "drains the hold", "2"], ["Winch", "hauls", "1"]]
    graphics = (
        *(rule(y) for y in (248, 266, 302, 320)), rule(284, 220),
        *(upright(x, 248, 320) for x in (72, 220, 370, 500)),
    )  # fmt: skip
    grid = only(*cells(rows, 252), line("Pump", 80, 279), graphics=graphics)
    assert grid.rows() == [*rows[:1], ["Pump", *rows[1][1:]], *rows[2:]]
    assert next(cell.rows for cell in grid.cells if cell.text == "Pump") == 2


def test_currency_signs_set_apart_go_with_their_numbers() -> None:
    rows = [
        ("Sales", "$", "1,577.5", "$", "1,421"),
        ("Costs", "$", "900.1", "$", "12"),
        ("Rest", "$", "(7.2)", "$", "9"),
    ]
    lines = [line(name, 80, 250 + 18 * at) for at, (name, *_) in enumerate(rows)]
    for at, (_, sign, first, other, second) in enumerate(rows):
        y = 250 + 18 * at
        lines += [line(sign, 250, y), line(first, 320 - 5 * len(first), y)]
        lines += [line(other, 380, y), line(second, 450 - 5 * len(second), y)]
    assert only(*lines).rows()[0] == ["Sales", "$ 1,577.5", "$ 1,421"]


def test_a_label_that_goes_on_in_the_next_line_is_one_cell() -> None:
    rows = [
        ["", "2023", "2024"],
        ["Staff", "7.5", "8.5"],
        ["Fuel and", "", ""],
        ["lamp oil", "12.0", "9.1"],
        ["Rent", "1", "2"],
    ]
    assert only(*cells(rows, 250, step=14)).rows()[2] == ["Fuel and lamp oil", "12.0", "9.1"]


def test_a_word_broken_inside_a_cell_is_whole() -> None:
    rows = [
        ["", "2023", "2024"],
        ["Staff", "7.5", "8.5"],
        ["Mainte-", "", ""],
        ["nance of a pier", "12.0", "9.1"],
        ["Rent", "1", "2"],
    ]
    found = only(*cells(rows, 250, step=14)).rows()
    assert [row[0] for row in found] == ["", "Staff", "Maintenance of a pier", "Rent"]


def test_a_note_under_a_table_is_no_row() -> None:
    note = line("Source: the station's own books, as of the end of the year.", 80, 330, size=8)
    grid = only(*cells(ROWS, 250), note)
    assert grid.rows() == ROWS


def test_a_header_printed_again_on_the_next_page_is_marked() -> None:
    first = page([*text(prose(60), 72, 80, 468), *cells(ROWS, 640, bold_rows=1)])
    second = page([*cells([ROWS[0], *ROWS[2:]], 80, bold_rows=1), *text(prose(60, seed="on"), 72, 300, 468)], 2)
    one, other = grids(structured(first, second))
    assert (one.repeated, other.repeated, other.header_rows) == (0, 1, 1)


def test_a_later_part_without_a_header_is_searched_under_that_of_the_first() -> None:
    first = page([*text(prose(60), 72, 80, 468), *cells(ROWS, 640, bold_rows=1)])
    more = [["Boat shed", "1974", "96"], ["Lamp room", "1880", "20"], ["Jetty", "1999", "310"]]
    document = structured(first, page([*cells(more, 80), *text(prose(60, seed="on"), 72, 300, 468)], 2))
    other = grids(document)[1]
    assert (other.header_rows, other.carried) == (0, ("Site", "Built", "Area"))
    assert any(
        "Site: Lamp room; Built: 1880; Area: 20" in said for said in search_texts(document, passages_of(document))
    )


def test_a_line_close_over_columns_and_one_over_a_first_label_head_them() -> None:
    rows = [["", "2023", "2024"], ["Sales:", "", ""], ["Boats", "17.5", "18.5"], ["Ropes", "12.0", "19.1"]]
    rows.append(["Rent", "13.3", "14.0"])
    grid = only(*cells(rows, 250), line("Year ended June", 250, 233))
    assert (grid.header_rows, grid.rows()[:2]) == (2, [["", "Year ended June", ""], ["", "2023", "2024"]])


@pytest.mark.parametrize(
    "between",
    [
        ["ASSETS", "Current assets:"],
        ["Gains and losses on what is held in foreign money:"],
        ["(in thousands of crowns)"],
    ],
    ids=["two titles", "a long title", "the unit"],
)
def test_years_over_the_titles_of_a_first_part_head_the_columns(between: list[str]) -> None:
    body = [["Boats", "17.5", "18.5"], ["Ropes", "12.0", "19.1"], ["Rent", "13.3", "14.0"]]
    titles = [line(title, 80, 270 + 18 * at) for at, title in enumerate(between)]
    years = [line("2023 (1)", 330, 252), line("2024", 430, 252)]
    rows = enumerate(body, len(between))
    numbers = [line(cell, (80, 340, 440)[at], 270 + 18 * row) for row, cells in rows for at, cell in enumerate(cells)]
    grid = only(*years, *titles, *numbers)
    assert grid.rows()[0] == ["", "2023 (1)", "2024"]
    assert [row[0] for row in grid.rows()[1:]] == [*between, "Boats", "Ropes", "Rent"]


def test_one_row_of_numbers_under_headers_is_a_table() -> None:
    rows = [["", "2023", "2024", "2025"], ["Write-offs expected", "3,279", "2,936", "2,686"]]
    lines = [
        line(cell, 80 if not column else 240 + 80 * column, 250 + 14 * at)
        for at, row in enumerate(rows)
        for column, cell in enumerate(row)
        if cell
    ]
    assert only(*lines).rows() == rows


def test_a_sentence_between_two_tables_parts_them() -> None:
    said = line("The costs of the two sheds, which were not split up before the year 2021, are as follows:", 80, 320)
    document = structured(page([*text(prose(60), 72, 80, 468), *cells(ROWS, 240), said, *cells(ROWS, 340)]))
    assert [grid.rows() for grid in grids(document)] == [ROWS, ROWS]


def test_labels_left_of_rows_of_numbers_belong_to_them() -> None:
    rows = [["", "2023", "2024"], ["Boats", "7.5", "8.5"], ["Ropes", "12.0", "9.1"], ["Rent", "3.3", "4.0"]]
    frame = tuple(rule(y, 220, 500) for y in (246, 264, 318))
    assert only(*cells(rows, 250), graphics=frame).rows() == rows


def test_leaders_end_a_label_and_the_sign_after_them_goes_with_the_number() -> None:
    rows = [("Net income ............ $", "629"), ("Wages ................", "339"), ("Fuel .................", "315")]
    lines = [
        line(text_, x, 250 + 18 * at)
        for at, (label, number) in enumerate(rows)
        for text_, x in ((label, 80), (number, 230), (number, 330))
    ]
    assert only(*lines).rows()[:2] == [["Net income", "$ 629", "629"], ["Wages", "339", "339"]]


def test_painted_rows_of_words_are_a_table(tmp_path: Path) -> None:
    layout = benchmark.Layout(3, "striped", "words", rows=8, columns=4, several_lines=True)
    table = benchmark.drawn(layout, tmp_path / "words.pdf")
    found = benchmark.outcome(layout, table, benchmark.read(tmp_path / "words.pdf"))
    assert found.right == found.total
