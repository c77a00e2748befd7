"""Struck-out, raised and unseen words in XLS and XLSB read as those in XLSX do."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font, PatternFill

from binary_sheets import BOLD, OUT, PLAIN, UP, WHITE, Cell, xls, xlsb
from octavo_documents.document import Document
from octavo_documents.errors import SourceError
from octavo_documents.parsing import Limits
from octavo_documents.parsing.formats import read_flow
from octavo_documents.structuring.flow import flowing

WRITERS: dict[str, Callable[..., bytes]] = {"a.xls": xls, "a.xlsb": xlsb}


def _words(text: str) -> list[tuple[str, object]]:
    return [(text, PLAIN)]


ROWS = [
    [Cell(_words(text), BOLD) for text in ("Item", "Price", "Old price")],
    [Cell(_words("A ticket")), Cell(5.0), Cell(4.0, OUT)],
    [Cell(_words("A pass")), Cell(30.0), Cell(_words("gone"), OUT)],
    [Cell([("Fees ", PLAIN), ("of 2022", OUT), (" of 2023", PLAIN)]), Cell(7.0, WHITE, is_filled=True), None],
    [Cell([("Grants", PLAIN), ("1", UP)]), Cell(9.0), None],
    [Cell([("Rent ", OUT), ("Lease", PLAIN)], OUT), Cell(11.0), None],
    [Cell(_words("Ghost words"), WHITE), Cell(12.0), Cell(13.0)],
    [Cell(_words("Away")), Cell(14.0), Cell(15.0)],
]


def _document(name: str, data: bytes, folder: Path) -> Document:
    path = folder / name
    path.write_bytes(data)
    return flowing(read_flow(path, Limits()), name=name, digest="0")


@pytest.mark.parametrize("name", WRITERS)
def test_cells_and_runs_are_marked_by_their_fonts(name: str, tmp_path: Path) -> None:
    document = _document(name, WRITERS[name](ROWS[:6]), tmp_path)
    assert document.blocks.text[-1].split("\n") == [
        "Item | Price | Old price",
        "A ticket | 5 | ~~4~~",
        "A pass | 30 | ~~gone~~",
        "Fees ~~of 2022~~ of 2023 | 7",
        "Grants¹ | 9",
        "~~Rent~~ Lease | 11",
    ]


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_not_shown_is_left_out_and_told(name: str, tmp_path: Path) -> None:
    document = _document(name, WRITERS[name](ROWS, hidden_row=7, hidden_column=2), tmp_path)
    text = "\n".join(document.blocks.text)
    assert not any(word in text for word in ("Ghost", "Away", "Old price", "15"))
    assert "Item | Price\n" in text
    assert any('not shown on sheet "Sheet"' in one and "10 words" in one for one in document.metadata.warnings)


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_cut_off_keeps_what_can_be_read(name: str, tmp_path: Path) -> None:
    whole = WRITERS[name](ROWS[:3])
    for size in range(0, len(whole), 97):
        try:
            _document(name, whole[:size], tmp_path)
        except Exception as error:  # noqa: BLE001
            assert type(error).__name__ in ("NoText", "SourceError"), size


def test_words_of_a_struck_cell_that_are_not_struck_themselves_stay_valid(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"] = CellRichText("4 euros", TextBlock(InlineFont(), " 5 euros"))
    sheet["A1"].font = Font(strike=True)
    sheet["A2"], sheet["A2"].font = "gone", Font(strike=True)  # pyright: ignore[reportAttributeAccessIssue]
    file = io.BytesIO()
    book.save(file)
    text = "\n".join(_document("a.xlsx", file.getvalue(), tmp_path).blocks.text)
    assert "~~4 euros~~ 5 euros" in text
    assert "~~gone~~" in text


FORMATTED = [
    [Cell(_words(text), BOLD) for text in ("Since", "Size", "Share")],
    [Cell(39219.0, code="dd-mmm-yy"), Cell(2.5, code="# ?/?"), Cell(0.25, code="0.0%")],
]


@pytest.mark.parametrize("name", WRITERS)
def test_numbers_and_dates_are_shown_as_their_formats_show_them(name: str, tmp_path: Path) -> None:
    document = _document(name, WRITERS[name](FORMATTED), tmp_path)
    assert document.blocks.text[-1] == "Since | Size | Share\n17-May-07 | 2 1/2 (2.5) | 25.0%"


WHITE_RUN = [("Seen ", PLAIN), ("ghost words", WHITE), (" again", PLAIN)]


def _xlsx(rows: list[list[Cell]]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for at, (cell,) in enumerate(rows, 1):
        assert not isinstance(cell.value, float)
        sheet.cell(at, 1).value = CellRichText(
            *(TextBlock(InlineFont(color="FFFFFFFF"), text) if font == WHITE else text for text, font in cell.value)
        )
        if cell.is_filled:
            sheet.cell(at, 1).fill = PatternFill("solid", fgColor="FF000000")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(("name", "write"), [*WRITERS.items(), ("a.xlsx", _xlsx)])
def test_white_runs_are_left_out_on_white_and_read_on_another_ground(
    name: str, write: Callable[..., bytes], tmp_path: Path
) -> None:
    document = _document(name, write([[Cell(WHITE_RUN)], [Cell(WHITE_RUN, is_filled=True)]]), tmp_path)
    text = "\n".join(document.blocks.text[1:])
    assert [" ".join(one.split()) for one in text.splitlines()] == ["Seen again", "Seen ghost words again"]
    assert any("2 words" in one for one in document.metadata.warnings)


PLAIN_ROWS = [[Cell(_words("Fee")), Cell(_words("Paid"))], [Cell(4.0), Cell(5.0)]]


def _patched(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + value.to_bytes(4, "little") + data[at + 4 :]


def _far_apart(data: bytes) -> bytes:
    """Return a workbook whose second row has a number that no sheet reaches."""
    kept, made = io.BytesIO(data), io.BytesIO()
    with zipfile.ZipFile(kept) as file, zipfile.ZipFile(made, "w") as changed:
        for name in file.namelist():
            part = file.read(name)
            row = b"\x00\x11\x01\x00\x00\x00"  # the record of a row, its size, its number
            at = part.find(row)
            changed.writestr(name, part if at < 0 or "sheet1" not in name else _patched(part, at + 2, 1 << 30))
    return made.getvalue()


def _says_too_much(*, first: int, last: int) -> bytes:
    data = xls(PLAIN_ROWS)
    at = data.find(b"\x00\x02\x0e\x00") + 4  # the record that says how far a sheet reaches
    return _patched(_patched(data, at, first), at + 4, last)


def _endless(start: int, value: int) -> bytes:
    """Return a workbook in whose table of sectors an entry is changed."""
    return _patched(xls(PLAIN_ROWS), 512 + 4 * start, value)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xlsb", _far_apart(xlsb(PLAIN_ROWS)), "too far apart"),
        ("a.xls", _says_too_much(first=0, last=1 << 30), "too far apart"),
        ("a.xls", _says_too_much(first=1 << 20, last=4), "before it begins"),
        ("a.xls", _endless(5, 3), "has no end"),
        ("a.xls", _endless(1, 1), "has no end"),
        ("a.xls", _patched(_patched(xls(PLAIN_ROWS), 68, 2), 3 * 512 + 508, 2), "has no end"),
    ],
)
def test_what_would_take_memory_without_end_is_refused(name: str, data: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=said):
        _document(name, data, tmp_path)
