# pyright: reportUnknownMemberType=false
"""Spreadsheets: what their cells may hold, CSV and workbooks (XLSX) of them, and the tables of a document as both.

No cell is a formula, whatever stands in a document: in a workbook texts are texts, in CSV one that a spreadsheet would
compute begins with an apostrophe.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from octavo_documents.lazy import lazy_regex

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from octavo_documents.document.document import Document

_NUMBER = lazy_regex(r"-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?", re.ASCII)
_MOST_DIGITS = 15
"""Digits of a number that a spreadsheet keeps."""
_NO_XML = lazy_regex(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_CELL = 32_767


def number_in(text: str) -> int | float | None:
    """Return the number that a text is, wherever it is read; None for a text that is more, or that is a code.

    Thousands are set apart by commas, decimals by a point. A zero in front makes a code ("007"), and so do more digits
    than a spreadsheet keeps.
    """
    if not _NUMBER.fullmatch(text) or sum(map(str.isdigit, text)) > _MOST_DIGITS:
        return None
    number = float(text.replace(",", ""))
    return int(number) if number.is_integer() else number


def csv_of(rows: Iterable[Iterable[str]], line_end: str = "\n") -> str:
    """Return rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    csv.writer(out, lineterminator=line_end).writerows(map(_harmless, row) for row in rows)
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) and number_in(text) is None else text


def printable(text: str) -> str:
    """Return a text that XML can hold: another mark stands for each character that it forbids."""
    return _NO_XML.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def new_workbook(file: io.BytesIO) -> Workbook:
    """Return an empty workbook, which is written to `file` when it is closed: the same cells give the same bytes."""
    from xlsxwriter import Workbook

    told = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
    book = Workbook(file, {"in_memory": True, **told})
    book.set_properties({"created": datetime.datetime(2000, 1, 1)})
    return book


def put(sheet: Worksheet, row: int, column: int, value: str | float, style: Format | None = None) -> None:
    """Write a number or a text into a cell, nothing for an empty text."""
    if not isinstance(value, str):
        sheet.write_number(row, column, value, style)
    elif text := printable(value)[:_LONGEST_CELL]:
        if text.startswith("<r>"):  # XlsxWriter would take a text in this mark for markup of its own
            sheet.write_rich_string(row, column, "<", "r", text[2:], *([style] if style else []))
        else:
            sheet.write_string(row, column, text, style)


def tables_csv(document: Document) -> str:
    """Return the tables of a document one after another, an empty line between two."""
    return "\n".join(csv_of(table.grid.rows()) for table in document.tables)


def tables_xlsx(document: Document) -> bytes:
    """Return a workbook with a sheet for each table, named after its page; numbers are numbers in it."""
    file = io.BytesIO()
    with new_workbook(file) as book:
        if not document.tables:
            book.add_worksheet("no table")
        for at, table in enumerate(document.tables, 1):
            sheet = book.add_worksheet(f"{at} page {table.page}")
            for row, texts in enumerate(table.grid.rows()):
                for column, text in enumerate(texts):
                    number = number_in(text)
                    put(sheet, row, column, text if number is None else number)
    return file.getvalue()
