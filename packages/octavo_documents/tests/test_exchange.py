"""Documents in formats of other programs: HTML, CSV, workbooks, and DoclingDocuments out and in."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import octavo_documents
from octavo_documents.document import FURNITURE, PICTURED, Document, Kind
from octavo_documents.document.sheets import csv_of, new_workbook, number_in, put
from octavo_documents.errors import SourceError
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.sheets.binary import rows_of

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
PAGE = (
    "<h1>Ferries &amp; fares</h1><h2>Crossing</h2><p>The <b>Alba</b> crosses.</p><ul><li>Mon</li><li>Tue</li></ul>"
    '<table><tr><th>Berth</th><th>Fee</th></tr><tr><td>A</td><td>1,200</td></tr><tr><td colspan="2">=1+1</td></tr>'
    "<tr><td>007</td><td>-5</td></tr></table>"
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("exchange") / "ferries.html"
    path.write_text(PAGE)
    return octavo_documents.read(path)


@pytest.fixture(scope="module")
def handbook() -> Document:
    return octavo_documents.read(HANDBOOK)


def test_html_has_the_structure_and_no_markup_of_the_text(small: Document) -> None:
    page = small.to_html()
    assert "Ferries &amp; fares</h1>" in page
    assert page.count("<ul>") == page.count("</ul>") == 1
    assert '<td colspan="2">=1+1</td>' in page
    assert "data-box" not in page


def test_html_of_pages_says_where_each_block_stands(handbook: Document) -> None:
    row = next(table.row for table in handbook.tables if table.page == 28)
    assert f'<table id="b{row}" data-page="28" data-box="59.6 87.6 408.4 222.0">' in handbook.to_html()


def test_csv_runs_no_formula(small: Document) -> None:
    assert small.to_csv().splitlines() == ["Berth,Fee", 'A,"1,200"', "'=1+1,", "007,-5"]


def test_a_workbook_has_numbers_and_codes_as_they_are(small: Document) -> None:
    book = openpyxl.load_workbook(io.BytesIO(small.to_xlsx()))
    (sheet,) = book.worksheets
    assert [[cell.value for cell in row] for row in sheet.iter_rows()][1:] == [["A", 1200], ["=1+1", None], ["007", -5]]
    assert sheet["A3"].data_type == "s"
    assert small.to_xlsx() == small.to_xlsx()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-1,250.50", -1250.5),
        ("0.1234567890123", 0.1234567890123),
        ("123456789012345", 123456789012345),
        *((text, None) for text in ("007", "-007", "0,123", "1,25", "+5", "1e5", "5%", "", "١٢", "1234567890123456")),
    ],
)
def test_a_number_is_what_a_spreadsheet_keeps_as_one(text: str, number: float | None) -> None:
    assert number_in(text) == number


def test_any_text_comes_back_from_a_workbook() -> None:
    texts = ["=1+1", "http://a.b", "12", "<r>a & b</r>", "_x0041_", "\t a\nb ", "a\r\nb\x00\ud800", "é" * 40_000, "'"]
    file = io.BytesIO()
    with new_workbook(file) as book:
        sheet = book.add_worksheet("all")
        for at, text in enumerate(texts):
            put(sheet, at, 0, text)
    data = file.getvalue()
    assert [row[0] for row in rows_of(data, "all")] == [*texts[:6], "a\nb\ufffd\ufffd", "é" * 32_767, "'"]
    with pytest.raises(NoText):
        rows_of(data, "other")


def test_csv_keeps_what_it_must_and_defuses_what_would_run() -> None:
    assert csv_of([["-5", "-x", "@a", "a,b", "\r"]], "\r\n") == '-5,\'-x,\'@a,"a,b","\'\r"\r\n'


def test_a_document_without_tables_is_a_workbook_with_an_empty_sheet(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing here is a table.")
    document = octavo_documents.read(tmp_path / "a.txt")
    assert openpyxl.load_workbook(io.BytesIO(document.to_xlsx())).sheetnames == ["no table"]
    assert document.to_csv() == ""


def test_a_docling_document_comes_back_as_it_went(handbook: Document, tmp_path: Path) -> None:
    (tmp_path / "h.docling.json").write_text(json.dumps(handbook.to_docling()))
    back = octavo_documents.read(tmp_path / "h.docling.json")
    assert [one.title for one in back.outline] == [one.title for one in handbook.outline]
    rows = [[" ".join(text.split()) for text in row] for table in handbook.tables for row in table.grid.rows()]
    assert [row for table in back.tables for row in table.grid.rows()] == rows
    assert back.pages.label[27] == "page 28"
    at = [row for row, text in enumerate(back.blocks.text) if "lasts 94 days" in text]
    assert [int(back.blocks.page[row]) for row in at] == [12]
    assert boxes(back) == boxes(handbook)
    assert [one.box for one in back.tables] == [one.box for one in handbook.tables]
    boxed = [one.box if one.page == table.page else None for table in handbook.tables for one in table.places()]
    assert None in boxed
    assert [cell.box for table in back.tables for cell in table.grid.cells] == boxed
    again = back.to_docling()
    places = [text["prov"] for text in handbook.to_docling()["texts"] if text["content_layer"] == "body"]
    assert [text["prov"] for text in again["texts"]] == places
    assert 'data-box="' in back.to_html()


def boxes(document: Document) -> set[tuple[str, str, tuple[float, ...]]]:
    """Return where each text of a document stands, but for tables, figures, and what belongs to the page."""
    blocks, kept = document.blocks, set[tuple[str, str, tuple[float, ...]]]()
    for row, text in enumerate(blocks.text):
        kind, page = blocks.kind_of(row), document.pages.label[int(blocks.page[row]) - 1]
        number = page.removeprefix("page ") if page.startswith("page ") else str(int(blocks.page[row]))
        if kind not in (*FURNITURE, *PICTURED, Kind.TABLE) and text:
            kept.add((number, "".join(text.split()), tuple(round(float(value), 1) for value in blocks.box[row])))
    return kept


def test_docling_reads_what_is_written(handbook: Document, small: Document) -> None:
    types: Any = pytest.importorskip("docling_core.types.doc")
    for document in (handbook, small):
        read = types.DoclingDocument.model_validate(document.to_docling())
        assert len(read.tables) == len(document.tables)
        items = [item for item, _ in read.iterate_items() if getattr(item, "text", "")]
        assert items
    read = types.DoclingDocument.model_validate(handbook.to_docling())
    table = next(one for one in read.tables if one.prov[0].page_no == 28)
    assert [cell.text for cell in table.data.grid[1]] == ["Swell height, m", "0.8", "1.2", "none"]
    assert round(table.prov[0].bbox.l, 1) == 59.6


def test_what_docling_wrote_is_read(handbook: Document, tmp_path: Path) -> None:
    types: Any = pytest.importorskip("docling_core.types.doc")
    written = types.DoclingDocument(name="Fares")
    written.add_title("Fares of the ferry")
    written.add_heading("Berths", level=1)
    group = written.add_list_group()
    written.add_list_item("Berth A", parent=group)
    written.add_text(types.DocItemLabel.PARAGRAPH, "A berth costs 12 crowns.")
    written.save_as_json(tmp_path / "fares.docling.json")
    read = octavo_documents.read(tmp_path / "fares.docling.json")
    assert [Kind(int(kind)) for kind in read.blocks.kind] == [
        Kind.TITLE,
        Kind.HEADING,
        Kind.LIST_ITEM,
        Kind.PARAGRAPH,
    ]


def test_boxes_count_from_the_corner_that_docling_names(tmp_path: Path) -> None:
    types: Any = pytest.importorskip("docling_core.types.doc")
    written = types.DoclingDocument(name="Fares")
    written.add_page(3, types.Size(width=600, height=800))
    origin = types.CoordOrigin

    def place(page: int, *sides: float, at: Any = origin.BOTTOMLEFT) -> Any:
        left, top, right, bottom = sides
        box = types.BoundingBox(l=left, t=top, r=right, b=bottom, coord_origin=at)
        return types.ProvenanceItem(page_no=page, bbox=box, charspan=(0, 1))

    written.add_text(types.DocItemLabel.TEXT, "From the bottom.", prov=place(3, 50, 700, 300, 680))
    written.add_text(types.DocItemLabel.TEXT, "From the top.", prov=place(3, 50, 130, 300, 150, at=origin.TOPLEFT))
    several = written.add_text(types.DocItemLabel.TEXT, "In two columns.", prov=place(3, 50, 600, 290, 500))
    several.prov += [place(3, 310, 700, 550, 650), place(4, 50, 750, 290, 700)]
    written.add_text(types.DocItemLabel.TEXT, "On a page of no known height.", prov=place(5, 50, 600, 290, 500))
    head = types.TableCell(
        text="Berth",
        start_row_offset_idx=0,
        end_row_offset_idx=1,
        start_col_offset_idx=0,
        end_col_offset_idx=1,
        column_header=True,
        bbox=types.BoundingBox(l=60, t=420, r=120, b=405, coord_origin=origin.BOTTOMLEFT),
    )
    data = types.TableData(num_rows=1, num_cols=1, table_cells=[head])
    written.add_table(data, prov=place(3, 50, 430, 300, 400))
    written.save_as_json(tmp_path / "fares.docling.json")
    read = octavo_documents.read(tmp_path / "fares.docling.json")
    told = {text: tuple(map(float, box)) for text, box in zip(read.blocks.text, read.blocks.box, strict=True)}
    assert told == {
        "From the bottom.": (50, 100, 300, 120),
        "From the top.": (50, 130, 300, 150),
        "In two columns.": (50, 100, 550, 300),
        "On a page of no known height.": (0, 0, 0, 0),
        "Berth": (50, 370, 300, 400),
    }
    assert [read.pages.label[int(page) - 1] for page in read.blocks.page] == ["page 3"] * 3 + ["page 5", "page 3"]
    assert read.tables[0].grid.cells[0].box == (60, 380, 120, 395)
    assert not read.has_pages
    back = types.DoclingDocument.model_validate(read.to_docling())
    assert [(one.prov[0].page_no, one.prov[0].bbox.as_tuple()) for one in back.texts[:3]] == [
        (3, (50, 100, 300, 120)),
        (3, (50, 130, 300, 150)),
        (3, (50, 100, 550, 300)),
    ]


@pytest.mark.parametrize(
    "wrong", [{"l": "x"}, {"l": 1, "t": 1, "r": float("nan"), "b": 2}, {"l": 5, "t": 5, "r": 5, "b": 5}]
)
def test_a_box_that_is_none_costs_itself_or_a_line(wrong: dict[str, Any], tmp_path: Path) -> None:
    text = {"label": "text", "text": "A berth.", "prov": [{"page_no": 1, "bbox": wrong}]}
    body = {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]}
    value = {"schema_name": "DoclingDocument", "version": "1.99.0", "body": body, "texts": [text]}
    (tmp_path / "a.docling.json").write_text(json.dumps(value))
    if "t" not in wrong:
        with pytest.raises(SourceError, match="not whole"):
            octavo_documents.read(tmp_path / "a.docling.json")
        return
    read = octavo_documents.read(tmp_path / "a.docling.json")
    assert read.blocks.box.tolist() == [[0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"schema_name": "DoclingDocument", "version": "2.0.0", "body": {}}', "version 2.0.0"),
        (
            '{"schema_name": "DoclingDocument", "version": "1.0", "body": {"children": [{"$ref": "#/texts/7"}]}}',
            "whole",
        ),
        ('{"a": 1}', "no DoclingDocument"),
        ("[1", "no JSON"),
    ],
)
def test_what_is_no_docling_document_is_said_in_a_line(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "a.docling.json").write_text(text)
    with pytest.raises(SourceError, match=says) as told:
        octavo_documents.read(tmp_path / "a.docling.json")
    assert "\n" not in str(told.value)


def test_groups_in_a_ring_end(tmp_path: Path) -> None:
    ring = {"self_ref": "#/groups/0", "children": [{"$ref": "#/groups/0"}], "label": "list"}
    value = {"schema_name": "DoclingDocument", "version": "1.0", "body": ring, "groups": [ring]}
    (tmp_path / "a.docling.json").write_text(json.dumps(value))
    with pytest.raises(SourceError):
        octavo_documents.read(tmp_path / "a.docling.json")
