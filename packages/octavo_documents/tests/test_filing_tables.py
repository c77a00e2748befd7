"""Tables as filings and sheets lay them out: periods over columns, spacer columns, signs apart, rows in spans."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import docx
import openpyxl
import pytest
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

import tables as benchmark
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing import html
from octavo_documents.parsing.flow import FlowContent
from octavo_documents.parsing.office import docx as word
from octavo_documents.parsing.sheets import xlsx
from octavo_documents.structuring.flow import flowing
from octavo_documents.text import column_heads, sign_columns

ROWS = [["Zone West", "2,443", "713", "632", "(348)"], ["Zone Isles", "2,135", "452", "401", "(159)"]]
HEADS = ["", "Sales", "Margin", "Profit", "Depreciation"]


def grids(document: Document) -> list[Grid]:
    rows = [at for at, kind in enumerate(document.blocks.kind.tolist()) if kind == Kind.TABLE]
    return [Grid.from_json(document.blocks.grid[row]) for row in rows]


def texts(document: Document, *kinds: Kind) -> list[str]:
    return [
        text for text, kind in zip(document.blocks.text, document.blocks.kind.tolist(), strict=True) if kind in kinds
    ]


def flowed(content: FlowContent) -> Document:
    return flowing(content, name="file", digest="0" * 64)


def sheet(rows: Sequence[Sequence[object]], *merged: str) -> Document:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    for at, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value not in (None, ""):
                page.cell(at, column, value)
    for cells in merged:
        page.merge_cells(cells)
    data = io.BytesIO()
    book.save(data)
    return flowed(xlsx.read(data.getvalue()))


def web(*rows: str, head: str = "") -> Document:
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return flowed(html.read(f"<h1>Note</h1><table>{head}{body}</table>".encode()))


def cells(*found: str) -> str:
    return "".join(f"<td>{text}</td>" for text in found)


Drawn = Callable[[Canvas], None]


def canvas(path: Path, draw: Drawn) -> Document:
    page = Canvas(str(path), pagesize=LETTER, invariant=True)
    page.setFont("Helvetica", 9)
    draw(page)
    page.save()
    return benchmark.read(path)


def platypus(path: Path, *parts: Flowable) -> Document:
    SimpleDocTemplate(str(path), pagesize=LETTER, invariant=True).build(list(parts))
    return benchmark.read(path)


def segment(page: Canvas, top: float, period: str, at: str) -> None:
    """Draw a table without rules, its period over the last column, the first one, or in the middle of all."""
    ends = [260, 330, 400, 480]
    place = {"last": lambda: page.drawRightString(480, top, period), "first": lambda: page.drawString(232, top, period)}
    place["middle"] = lambda: page.drawCentredString(355, top, period)
    page.drawString(72, top, "In millions of crowns")
    place[at]()
    for row, texts_ in enumerate([HEADS, *ROWS], 1):
        page.drawString(72, top - 14 * row, texts_[0])
        for end, text in zip(ends, texts_[1:], strict=True):
            page.drawRightString(end, top - 14 * row, text)


@pytest.mark.parametrize("at", ["last", "first", "middle"])
@pytest.mark.parametrize("period", ["January–June 2022", "Three months ended June 30, 2022", "1. Halbjahr 2022"])
def test_a_period_alone_over_a_printed_table_heads_all_of_its_columns(at: str, period: str, tmp_path: Path) -> None:
    document = canvas(tmp_path / "one.pdf", lambda page: segment(page, 700, period, at))
    (grid,) = grids(document)
    assert grid.headers()[1:] == [f"{period} {head}" for head in HEADS[1:]]


def test_parts_of_a_printed_table_keep_each_their_own_period(tmp_path: Path) -> None:
    def draw(page: Canvas) -> None:
        segment(page, 700, "January–June 2023", "last")
        segment(page, 640, "January–June 2022", "last")

    document = canvas(tmp_path / "two.pdf", draw)
    said = [line for grid in grids(document) for line in grid.linearised() if "Zone Isles" in line]
    assert ["2023 Sales: 2,135" in line for line in said] == [True, False]
    assert ["2022 Sales: 2,135" in line for line in said] == [False, True]


WIDE = ["", "Sales", "Margin", None, "Other income", "Write-downs", None, "Depreciation"]
BODY = [["Zone West", 2443, 713, None, -67, -5, None, -348], ["Zone Isles", 2135, 452, None, -51, -4, None, -159]]


def test_spacer_columns_do_not_end_a_table_of_a_sheet() -> None:
    over = ["In millions of crowns", *[None] * 6, "January–June 2022"]
    (grid,) = grids(sheet([["3. Segments"], [], over, WIDE, [], *BODY]))
    isles = next(line for line in grid.linearised() if "Zone Isles" in line)
    for said in ("January–June 2022 Sales: 2135", "2022 Other income: -51", "2022 Depreciation: -159"):
        assert said in isles


def test_two_tables_side_by_side_with_labels_of_their_own_remain_two() -> None:
    rows = [
        ["Boat", 2022, 2023, None, "Crew", 2022, 2023],
        ["Gull", 4, 5, None, "Ana", 10, 11],
        ["Tern", 6, 7, None, "Bo", 12, 13],
        ["Heron", 8, 9, None, "Cy", 14, 15],
    ]
    assert len(grids(sheet(rows))) == 2


@pytest.mark.parametrize(
    ("over", "heads"),
    [
        (["", "2023", "", "2022", ""], ["2023 Plan", "2023 Actual", "2022 Plan", "2022 Actual"]),
        (["", "", "2023", "", "2022"], ["2023 Plan", "2023 Actual", "2022 Plan", "2022 Actual"]),
        (["", "", "", "", "€ million"], ["€ million Plan", "€ million Actual"] * 2),
        (["", "Change", "", "", ""], ["Change Plan", "Actual", "Plan", "Actual"]),
    ],
)
def test_heads_over_groups_of_columns_head_their_groups(over: list[str], heads: list[str]) -> None:
    rows = [over, ["", "Plan", "Actual", "Plan", "Actual"], ["West", "1.5", "2.5", "3.5", "4.5"]]
    rows.append(["East", "5.5", "6.5", "7.5", "8.5"])
    assert column_heads.headed(Grid.of_rows(rows, header_rows=2, header_columns=1)).headers()[1:] == heads


def test_a_year_among_years_heads_its_own_column_alone() -> None:
    rows = [["", "", "", "Budget"], ["", "2021", "2022", "2023"], ["West", "15.5", "25.5", "35.5"]]
    headed = column_heads.headed(Grid.of_rows(rows, header_rows=2, header_columns=1))
    assert headed.headers() == ["", "2021", "2022", "Budget 2023"]


@pytest.mark.parametrize(
    "text", ["2023", "Q3 2022", "Nine months ended September 30, 2021", "exercice clos le 31 mars 2020"]
)
def test_a_period_is_told(text: str) -> None:
    assert column_heads.is_period(text)


@pytest.mark.parametrize(
    "text", ["Change vs 2022", "Margin", "Year", "% of 2022 sales", "May", "Highway 2001", "1,234"]
)
def test_what_says_more_than_a_time_is_no_period(text: str) -> None:
    assert not column_heads.is_period(text)


def test_signs_in_columns_of_their_own_are_joined_to_their_numbers_in_a_page() -> None:
    document = web(
        "<td></td><td></td><td colspan=3>2023</td><td></td><td colspan=3>2022</td>",
        cells("Net sales", "", "$", "1,234", "", "", "$", "1,100", ""),
        "<td>Loss</td><td></td><td colspan=2>(56</td><td>)</td><td></td><td colspan=2>(12</td><td>)</td>",
        cells("Growth", "", "", "12.2", "%", "", "", "3.1", "%"),
    )
    (grid,) = grids(document)
    assert grid.rows() == [
        ["", "2023", "2022"],
        ["Net sales", "$1,234", "$1,100"],
        ["Loss", "(56)", "(12)"],
        ["Growth", "12.2%", "3.1%"],
    ]
    assert grid.header_rows == 1


def test_signs_in_columns_of_their_own_are_joined_in_a_sheet_whose_cells_keep_their_addresses() -> None:
    (grid,) = grids(
        sheet([["Item", None, 2023, None, 2022], ["Sales", "$", 1234, "$", 1100], ["Costs", "$", 1000, "$", 900]])
    )
    assert grid.rows()[1] == ["Sales", "", "$1234", "", "$1100"]
    assert grid.range == "A1:E3"


def test_signs_apart_in_a_printed_table_are_joined(tmp_path: Path) -> None:
    def draw(page: Canvas) -> None:
        for row, found in enumerate([("Net sales", "1,234", "1,100"), ("Costs", "987", "912"), ("Rent", "45", "44")]):
            page.drawString(72, 680 - 14 * row, found[0])
            for x, text in zip((300, 420), found[1:], strict=True):
                page.drawString(x - 60, 680 - 14 * row, "$")
                page.drawRightString(x, 680 - 14 * row, text)
        for x, year in ((300, "2023"), (420, "2022")):
            page.drawRightString(x, 696, year)

    (grid,) = grids(canvas(tmp_path / "signs.pdf", draw))
    assert grid.rows()[1] == ["Net sales", "$ 1,234", "$ 1,100"]
    assert grid.headers()[1:] == ["2023", "2022"]


def test_a_sign_at_the_end_of_a_cell_goes_with_the_number_after_it() -> None:
    rows = [["Balance", "9,494 $", "476"], ["Income", "12", "31"]]
    assert sign_columns.joined(Grid.of_rows(rows), between=" ").rows()[0] == ["Balance", "9,494", "$ 476"]


def test_years_over_columns_are_heads_of_a_table_of_the_web() -> None:
    document = web(cells("", "2019", "2018"), cells("Pension costs", "166", "178"), cells("Rent", "57", "44"))
    assert grids(document)[0].header_rows == 1


def test_a_column_of_dashes_is_no_column_of_signs() -> None:
    grid = Grid.of_rows([["West", "–", "12"], ["East", "–", "14"]])
    assert sign_columns.joined(grid) == grid


SPANS = [
    ["Road", "Lanes", "Traffic", "Light", "Heavy"],
    ["Motorway", "8", "80,000 to 100,000", "0.92", "1.26"],
    ["", "", "60,000 to 79,999", "0.87", "1.10"],
    ["", "6", "60,000 to 79,999", "0.97", "1.25"],
    ["", "", "45,000 to 59,999", "0.82", "1.16"],
    ["Main road", "4", "30,000 to 55,000", "0.80", "1.11"],
    ["", "2", "15,000 to 29,999", "0.79", "1.15"],
]


def spanned(grid: Grid) -> list[tuple[int, int, int, str]]:
    return [(cell.row, cell.column, cell.rows, cell.text) for cell in grid.cells if cell.rows > 1]


EXPECTED = [(1, 0, 4, "Motorway"), (1, 1, 2, "8"), (3, 1, 2, "6"), (5, 0, 2, "Main road")]


def test_cells_over_several_ruled_rows_belong_to_all_of_them(tmp_path: Path) -> None:
    style = [("GRID", (0, 0), (-1, -1), 0.5, "black"), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    style += [("SPAN", (0, 1), (0, 4)), ("SPAN", (1, 1), (1, 2)), ("SPAN", (1, 3), (1, 4)), ("SPAN", (0, 5), (0, 6))]
    document = platypus(tmp_path / "spans.pdf", Table(SPANS, style=TableStyle(style)))
    (grid,) = grids(document)
    assert spanned(grid) == EXPECTED
    assert "Lanes: 8; Traffic: 60,000 to 79,999" in grid.linearised()[2]
    assert grid.rows_apart()[4] == ["Motorway", "6", "45,000 to 59,999", "0.82", "1.16"]


def test_labels_in_the_middle_of_rows_without_rules_belong_to_all_of_them(tmp_path: Path) -> None:
    def draw(page: Canvas) -> None:
        lines = [("Area", "Town", "Beds", "Staff"), ("", "Aby", "12", "3"), ("", "Bro", "25", "7")]
        lines += [("", "Dal", "31", "9"), ("", "Ek", "44", "8")]
        for row, found in enumerate(lines):
            for x, text in zip((72, 150, 240, 300), found, strict=True):
                page.drawString(x, 700 - 20 * row, text)
        page.drawString(72, 700 - 30, "North")
        page.drawString(72, 700 - 70, "South")

    (grid,) = grids(canvas(tmp_path / "middle.pdf", draw))
    assert spanned(grid) == [(1, 0, 2, "North"), (3, 0, 2, "South")]


def test_merged_cells_of_rows_belong_to_all_of_them_in_word_and_on_the_web() -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, found in enumerate([("Road", "Lanes", "Cars"), ("Motorway", "8", "0.92"), ("", "6", "0.87")]):
        for column, text in enumerate(found):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    data = io.BytesIO()
    document.save(data)
    row = "<td rowspan=2>Motorway</td>" + cells("8", "0.92")
    pages = [flowed(word.read(data.getvalue())), web(cells("Road", "Lanes", "Cars"), row, cells("6", "0.87"))]
    for page in pages:
        (grid,) = grids(page)
        assert grid.filled()[2] == ["Motorway", "6", "0.87"]


def test_cells_of_several_centred_lines_make_one_row_each(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    agency = "North Sea Rating House of Bergen, United Credit Review of Oslo and the Baltic Assessors of Riga"
    rows = [
        ["Year", "Grade", "Agency", "Outlook"],
        ["2023", "AA+", Paragraph(agency, style), "stable"],
        ["2022", "AA", Paragraph("North Sea Rating House and the Assessors of Riga", style), "negative"],
        ["2021", "A+", Paragraph("United Credit Review", style), "stable"],
    ]
    table = Table(rows, colWidths=[50, 50, 90, 70], style=TableStyle([("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
    document = platypus(tmp_path / "centred.pdf", Paragraph("Credit", style), Spacer(1, 12), table)
    (grid,) = grids(document)
    assert grid.rows()[1] == ["2023", "AA+", agency, "stable"]
    assert [row[0] for row in grid.rows()] == ["Year", "2023", "2022", "2021"]


NOTES = [
    "(1) Includes the ferries that were let to other harbours for some months of the year.",
    "* Provisional, as the accounts of the museum were not closed when this was printed.",
    "Source: annual accounts of the harbour office, and the count of the pilots.",
]


@pytest.mark.parametrize("note", NOTES)
def test_notes_under_a_table_are_no_rows_of_it(note: str, tmp_path: Path) -> None:
    def draw(page: Canvas) -> None:
        segment(page, 700, "2022", "middle")
        page.drawString(72, 700 - 14 * 4, note)

    document = canvas(tmp_path / "notes.pdf", draw)
    (grid,) = grids(document)
    assert grid.rows()[-1][0] == "Zone Isles"
    assert note in texts(document, Kind.PARAGRAPH, Kind.FOOTNOTE, Kind.LIST_ITEM)


def test_a_part_of_a_table_keeps_its_spans_and_its_place() -> None:
    grid = Grid(3, 2, (Cell(0, 0, "a", 2), Cell(1, 1, "b"), Cell(2, 0, "c")), origin=(4, 1))
    part = column_heads.rows_of(grid, 0, 1, 0)
    assert (part.range, part.cells) == ("B5:C5", (Cell(0, 0, "a"),))
