"""The tables of a document as CSV and as a workbook (XLSX), a sheet for each table."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from octavo_documents.document.grid import address

if TYPE_CHECKING:
    from octavo_documents.document.document import Document

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NUMBER = re.compile(r"-?(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
"""What is a number wherever it is read: digits, thousands by commas, a point; no leading zero that a code may have."""
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_CELL = 32_767


def tables_csv(document: Document) -> str:
    """Return the tables of a document one after another, an empty line between two.

    What a spreadsheet would take for a formula has an apostrophe before it, unless it is a number.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for at, table in enumerate(document.tables):
        if at:
            out.write("\n")
        writer.writerows([_harmless(text) for text in row] for row in table.grid.rows())
    return out.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def tables_xlsx(document: Document) -> bytes:
    """Return a workbook with a sheet for each table, named after its page; numbers are numbers in it."""
    names = [f"{at} page {table.page}" for at, table in enumerate(document.tables, 1)] or ["no table"]
    sheets = [table.grid.rows() for table in document.tables] or [[]]
    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": _content_types(numbers),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(names),
        "xl/_rels/workbook.xml.rels": _relations([("worksheet", f"worksheets/sheet{at}.xml") for at in numbers]),
        **{f"xl/worksheets/sheet{at}.xml": _sheet(rows) for at, rows in zip(numbers, sheets, strict=True)},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>\n{text}')
    return out.getvalue()


def _content_types(numbers: Sequence[int]) -> str:
    sheets = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{_TYPE}.worksheet+xml"/>' for at in numbers
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>{sheets}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def _workbook(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(names, 1)
    )
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _sheet(rows: Sequence[Sequence[str]]) -> str:
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(_rows(rows))}</sheetData></worksheet>'


def _rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for at, texts in enumerate(rows):
        cells = "".join(_cell(address(at, column), text) for column, text in enumerate(texts) if text)
        yield f'<row r="{at + 1}">{cells}</row>'


def _cell(place: str, text: str) -> str:
    if _NUMBER.fullmatch(text) and not re.match(r"-?0\d", text):
        return f'<c r="{place}"><v>{text.replace(",", "")}</v></c>'
    shown = escape(_NO_XML.sub(" ", text)[:_LONGEST_CELL])
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{shown}</t></is></c>'
