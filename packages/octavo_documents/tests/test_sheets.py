"""Spreadsheets as people see them: sheets as parts, tables told apart, numbers as shown, cells in citations."""

from __future__ import annotations

import datetime
import io
import zipfile
from pathlib import Path
from types import ModuleType

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import without_cells
from octavo_documents.parsing.flow import FlowBlock, NoText
from octavo_documents.parsing.package import Package
from octavo_documents.parsing.sheets import binary, delimited, ods, xlsx
from octavo_documents.parsing.sheets.binary import with_columns
from octavo_documents.parsing.sheets.numbers import shown
from octavo_documents.structuring.flow import flowing
from octavo_documents.structuring.parser_pool import ParserPool
from office_files import flat


def _saved(book: openpyxl.Workbook) -> bytes:
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _costs() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Costs"
    rows = [["Costs of the harbour"], [], ["Item", 2023, 2024, "Share", "Paid"]]
    rows += [["Dredging", 1200, 1350.5, 0.256, datetime.date(2024, 3, 5)], ["Lights", 80, 95, 0.1, None], []]
    rows += [["Total", 1280, 1445.5, None, None], [], [], ["Source: harbour office"]]
    for row, values in enumerate(rows, 3):
        for column, value in enumerate(values, 2):
            sheet.cell(row, column, value)
    for row in range(5, 10):
        sheet.cell(row, 3).number_format = "#,##0"
        sheet.cell(row, 4).number_format = '"€"#,##0.00'
        sheet.cell(row, 5).number_format = "0.0%"
    sheet["C5"].number_format = sheet["D5"].number_format = "0"
    sheet["H5"], sheet["H6"], sheet["I5"], sheet["I6"] = "Boat", "Gull", "Crew", 4
    sheet["B6"].comment = Comment("Twice a year.", "Ana")
    hidden = book.create_sheet("Notes")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "Not for the board."
    return _saved(book)


def _tables(blocks: tuple[FlowBlock, ...]) -> list[FlowBlock]:
    return [block for block in blocks if block.kind == Kind.TABLE]


def test_a_sheet_is_read_as_it_is_seen() -> None:
    content = xlsx.read(_costs())
    costs, boats = _tables(content.blocks)
    assert costs.text.split("\n") == [
        "Item | 2023 | 2024 | Share | Paid",
        "Dredging | 1,200 | €1,350.50 | 25.6% | 2024-03-05",
        "Lights | 80 | €95.00 | 10.0%",
        "",
        "Total | 1,280 | €1,445.50",
    ]
    assert costs.grid is not None
    assert boats.grid is not None
    assert (costs.grid.range, costs.grid.header_rows) == ("B5:F9", 1)
    assert (boats.grid.range, boats.grid.headers()) == ("H5:I6", ["Boat", "Crew"])
    kinds = [(block.kind, block.text) for block in content.blocks]
    assert kinds[:2] == [(Kind.HEADING, "Costs"), (Kind.CAPTION, "Costs of the harbour")]
    assert (Kind.PARAGRAPH, "Source: harbour office") in kinds
    assert (Kind.PARAGRAPH, "Comment on B6 by Ana: Twice a year.") in kinds
    assert [block.part for block in content.blocks if block.part] == ["sheet Costs"]
    assert 'sheet "Notes" is hidden' in content.warnings


def test_merged_cells_and_two_header_rows() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Port", "Summer", None, "Winter"], [None, "In", "Out", "In"], ["North", 4, 5, 6], [None, 7, 8, 9]):
        sheet.append(row)
    for merged in ("A1:A2", "B1:C1", "A3:A4"):
        sheet.merge_cells(merged)
    (table,) = _tables(xlsx.read(_saved(book)).blocks)
    assert table.grid is not None
    assert table.grid.headers() == ["Port", "Summer In", "Summer Out", "Winter In"]
    assert table.grid.filled()[3] == ["North", "7", "8", "9"]


def test_long_tables_are_cut_and_carry_their_headers() -> None:
    lines = ["Name;Weight", *(f"Heron {at};{at}" for at in range(450))]
    content = delimited.read("\n".join(lines).encode())
    grids = [table.grid for table in _tables(content.blocks) if table.grid]
    assert [grid.range for grid in grids] == ["A1:B200", "A201:B400", "A401:B451"]
    assert grids[2].linearised()[0] == "Name: Heron 399; Weight: 399"


def test_the_parts_of_a_long_table_are_one_and_tell_how_many_rows_they_have_without_their_cells() -> None:
    lines = ["Name;Weight", *(f"Heron {at};{at}" for at in range(450)), "", "Crane;7"]
    found = flowing(delimited.read("\n".join(lines).encode()), name="birds.csv", digest="0")
    (table,) = found.tables
    assert [part.first for part in table.parts] == [0, 200, 400]
    assert (table.grid.range, table.grid.rows()[-1]) == ("A1:B453", ["Crane", "7"])
    parts = [without_cells(stored) for stored in found.blocks.grid]
    assert [(part.height, part.header_rows, part.carried) for part in parts] == [
        (200, 1, ()),
        (200, 0, ("Name", "Weight")),
        (53, 0, ("Name", "Weight")),
    ]
    assert not any(part.cells for part in parts)


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (["Year,Town,Ship", "1998,Oslo,Tern", "2001,Lund,Gull", "2004,Oslo,Heron"], 1),
        (["Rank,Name,Town,Time", ",Ana,Oslo,1:55.4", ",Ben,Oslo,1:55.9", "3,Cy,Lund,1:57.1", "4,Di,Oslo,2:01.0"], 1),
        (["Year,Show,Role", "1998,Anna,Anna", "2001,Tide,Bea", "2004,Reef,Di"], 1),
        (["Port,Plan,Actual", ",2023,2024", "Oslo,90,12", "Lund,120,10", "Turku,80,71"], 2),
        (["Ship,Points", "Tern,DNF", "Gull,9", "Heron,8", "Crane,7", "Swan,6"], 1),
        (["Ship,Length,Weight", "(name),(m),(kg)", "Tern,9,12", "Gull,12,10", "Heron,8,7"], 2),
        (["Port,Plan,Actual", "Year,2023,2023", "Oslo,90,12", "Lund,120,10", "Turku,80,71"], 2),
        (["Port,Plan,", ",2023,2024", "Oslo,90,12", "Lund,120,10", "Turku,80,71"], 2),
    ],
)
def test_rows_of_words_and_years_under_heads_of_all_columns_are_data(rows: list[str], heads: int) -> None:
    (table,) = _tables(delimited.read("\n".join(rows).encode()).blocks)
    assert table.grid is not None
    assert table.grid.header_rows == heads


def test_side_by_side_and_stacked_tables_are_told_apart() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    bold = Font(bold=True)
    for name, left in (("Cats", 1), ("Dogs", 5)):
        for row, values in enumerate([[name, "Age"], ["Tom", "old"], ["Kit", "young"]], 1):
            for column, value in enumerate(values, left):
                sheet.cell(row, column, value).font = bold if row == 1 else Font()
    for row, values in enumerate([["Year", "Rain"], [2023, 4], [2024, 6]], 5):
        for column, value in enumerate(values, 1):
            sheet.cell(row, column, value)
    ranges = [table.grid.range for table in _tables(xlsx.read(_saved(book)).blocks) if table.grid]
    assert ranges == ["A1:B3", "E1:F3", "A5:B7"]


@pytest.mark.parametrize(
    ("data", "cells"),
    [
        (b'a,b\n1,"x, y"\n', [["a", "b"], ["1", "x, y"]]),
        (b"a;b\n1,5;2\n3,5;4\n", [["a", "b"], ["1,5", "2"], ["3,5", "4"]]),
        (b"a\tb\n1\t2\n", [["a", "b"], ["1", "2"]]),
        (b"a|b\n1|2\n", [["a", "b"], ["1", "2"]]),
        (b"sep=;\na;b,c\n1;2\n", [["a", "b,c"], ["1", "2"]]),
        ("é,b\n1,2\n".encode("cp1252"), [["é", "b"], ["1", "2"]]),
        ("名前,年齢\n佐藤太郎,30\n".encode("cp932"), [["名前", "年齢"], ["佐藤太郎", "30"]]),
        ("a,b\n1,2\n".encode("utf-16"), [["a", "b"], ["1", "2"]]),
        ("a,b\n1,2\n".encode("utf-16-le"), [["a", "b"], ["1", "2"]]),
        ("שם,גיל\nדן,3\n".encode(), [["שם", "גיל"], ["דן", "3"]]),
    ],
)
def test_values_of_any_delimiter_and_encoding(data: bytes, cells: list[list[str]]) -> None:
    (table,) = delimited.read(data).blocks
    assert table.grid is not None
    assert table.grid.rows() == cells
    assert table.grid.header_rows == 1


_ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
 <office:body><office:spreadsheet><table:table table:name="Tides">
 <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="1024"/>
 </table:table-row>
 <table:table-row><table:table-cell/><table:table-cell table:number-columns-spanned="2"><text:p>Height</text:p>
 <office:annotation><dc:creator>Ana</dc:creator><text:p>In metres</text:p></office:annotation></table:table-cell>
 <table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>May</text:p></table:table-cell>
 <table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p></table:table-cell>
 <table:table-cell office:value="1.5"><text:p>1,50</text:p></table:table-cell></table:table-row>
 <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="1024"/>
 </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""


def test_open_document_sheets_keep_the_words_shown() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("content.xml", _ODS)
    content = ods.read(data.getvalue())
    (table,) = _tables(content.blocks)
    assert table.grid is not None
    assert table.grid.filled() == [["", "Height", "Height"], ["May", "50 %", "1,50"]]
    assert table.grid.range == "A3:C4"
    assert content.blocks[-1].text == "Comment on B3 by Ana: In metres"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (1234567, '#,##0.0,,"M"', "1.2M"),
        (12.5, "[$€-407] #,##0.00", "€ 12.50"),
        (0, '0.0;-0.0;"–"', "–"),
        (7, "000", "007"),
        (45356.604166, "d/m/yyyy h:mm AM/PM", "5/3/2024 2:30 PM (2024-03-05 14:30)"),
        (45356, "mmm-yy", "Mar-24 (2024-03)"),
        (45356, "dd-mmm-yy", "05-Mar-24"),
        (45356, "[$-F800]dddd, mmmm dd, yyyy", "Tuesday, March 05, 2024"),
        (45356, "[$-407]d. MMMM yyyy", "5. März 2024 (2024-03-05)"),
        (45356, "m/d/yy", "3/5/24 (2024-03-05)"),
        (45356, "yyyy", "2024"),
        (45356.604166, "h:mm a/p", "2:30 P"),
        (45356.604166, "hh:mm", "14:30"),
        (45356, '"Q1" yyyy', "Q1 2024"),
        (45356, '"Delivered" d mmmm yyyy', "Delivered 5 March 2024"),
        (612345678, "000-000-0000", "061-234-5678"),
        (4155551234, "(###) ###-####", "(415) 555-1234"),
        (12, '"No. "000', "No. 012"),
        (12345, r"00\ 000", "12 345"),
        (2.5, "# ?/?", "2 1/2 (2.5)"),
        (-0.3333, "# ??/??", "-1/3 (-0.3333)"),
        (2.999, "# ?/?", "3"),
        (2.25, "#/4", "9/4 (2.25)"),
        (0, "# ?/?", "0"),
        (1.25, "[h]:mm", "30:00"),
        (0.1 + 0.2, "General", "0.3"),
        (2024, "", "2024"),
        (3, "@", "3"),
    ],
)
def test_numbers_as_their_format_shows_them(value: float, code: str, text: str) -> None:
    assert shown(value, code) == text


def test_cells_far_apart_and_formulas_without_results_do_no_harm() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["XFD1048576"], sheet["A2"] = "first", "last", "=SUM(B1:B9)"
    content = xlsx.read(_saved(book))
    assert [block.text for block in content.blocks[1:]] == ["first", "last"]
    assert "formulas without results" in content.warnings[0]


def _zipped(**parts: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), held)
    return data.getvalue()


_ENTITIES = b'<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'


@pytest.mark.parametrize(
    ("reader", "data", "reason"),
    [
        (xlsx, b"", "empty"),
        (xlsx, _costs()[:3000], "damaged"),
        (xlsx, b"Not a sheet at all", "format"),
        (xlsx, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (xlsx, _zipped(xl__workbook_xml=_ENTITIES), "damaged"),
        (xlsx, _zipped(xl__workbook_xml=bytes(20 << 20)), "too_large"),
        (ods, _zipped(content_xml=b"<a/>"), "format"),
        (ods, _zipped(content_xml=b"<a>"), "damaged"),
        (binary, b"plain words", "format"),
        (binary, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000), "damaged"),
        (delimited, bytes(range(32)) * 90, "format"),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_reason(reader: ModuleType, data: bytes, reason: str) -> None:
    with pytest.raises(NoText) as refused:
        reader.read(data)
    assert refused.value.reason == reason


def test_sheets_are_read_in_the_guarded_child(tmp_path: Path) -> None:
    path = tmp_path / "harbour.xlsm"
    path.write_bytes(_costs())
    with ParserPool(1) as pool:
        document = Document.from_bytes(pool.parse(path, name=path.name, digest="0"))
    assert document.pages.label[0] == "sheet Costs"
    assert document.unit == "sheet"


def _record(kind: int, body: bytes) -> bytes:
    return bytes((kind, len(body))) + body


def test_cells_of_xlsb_without_columns_get_them() -> None:
    def sheet(*cells: bytes) -> bytes:
        return b"\x91\x01\x00" + _record(0, bytes(17)) + b"".join(cells) + b"\x92\x01\x00"

    number, style = b"\0\0\0\0\0\0\xf0?", bytes(4)
    short = sheet(_record(7, b"\x02\0\0\0" + style + bytes(4)), _record(16, style + number), _record(13, style + style))
    whole = sheet(
        _record(7, b"\x02\0\0\0" + style + bytes(4)),
        _record(5, b"\x03\0\0\0" + style + number),
        _record(2, b"\x04\0\0\0" + style + style),
    )
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("xl/workbook.bin", b"book")
        archive.writestr("xl/worksheets/sheet1.bin", short)
    found = Package(with_columns(kept.getvalue(), Package(kept.getvalue())))
    assert found.read("xl/worksheets/sheet1.bin") == whole
    assert found.read("xl/workbook.bin") == b"book"


@pytest.mark.parametrize(
    ("value", "shown_there", "text"),
    [
        ("2007-05-17", "17-May-07", "17-May-07"),
        ("2007-05-17", "17.05.07", "17.05.07 (2007-05-17)"),
        ("2007-05-01", "Mai 07", "Mai 07 (2007-05-01)"),
        ("2007-05-01", "May 2007", "May 2007"),
        ("2007-05-17T14:30:00", "5/17/07 2:30 PM", "5/17/07 2:30 PM (2007-05-17 14:30)"),
        ("2007-05-17", "2007", "2007"),
        ("nonsense", "17.05.07", "17.05.07"),
    ],
)
def test_dates_of_open_document_sheets_have_their_values(value: str, shown_there: str, text: str) -> None:
    cell = (
        f'<table:table-cell office:value-type="date" office:date-value="{value}"><text:p>{shown_there}</text:p>'
        "</table:table-cell>"
    )
    blocks = ods.read(
        flat("spreadsheet", f"<table:table><table:table-row>{cell}</table:table-row></table:table>")
    ).blocks
    assert blocks[-1].text == text
