"""A table of answers as an Excel workbook, and the corrections that a person made in one.

The sheet `Answers` is the table; each of its cells leads to its row in `Sources`, which says where the answer stands.
What differs between the two was changed by hand.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from octavo.errors import UsageError
from octavo.exports.table_cells import NOT_STATED, link_of, page_of, place_of, quote_of, shown_text
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import xml_of

if TYPE_CHECKING:
    from octavo.corpus.tables.answer_table import AnswerTable, TableRow
    from octavo.corpus.tables.cell import AnswerCellShape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_LONGEST, _LONGEST_TIP = 32_767, 255
"""Characters of a cell, and of the note of a link, at most: more make Excel refuse the file."""
_BAD = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14})(?:\.\d{1,12})?")
_PLAIN, _HEAD, _NONE, _CHOICE, _HAND, _FIGURE, _HAND_FIGURE = range(7)
"""Styles of cells, by their number."""
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.############"/></numFmts>'
    '<fonts count="4"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font>'
    '<font><color rgb="FF8A8478"/><sz val="11"/><name val="Calibri"/></font>'
    '<font><i/><color rgb="FF7A5C00"/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8F1EA"/></patternFill></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="7">'
    + "".join(
        f'<xf numFmtId="{figure}" fontId="{font}" fillId="{fill}" xfId="0" applyNumberFormat="1" applyFont="1" '
        'applyFill="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>'
        for figure, font, fill in ((0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 0, 2), (164, 0, 0), (164, 0, 2))
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)
_SOURCE_HEADS = (
    "Document",
    "Question",
    "Answer",
    "How it came about",
    "Page",
    "Section",
    "Quote",
    "Link",
    "Document id",
)
_ANSWERS, _SOURCES, _ID = "Answers", "Sources", "Document id"


def workbook(table: AnswerTable, base: str = "") -> bytes:
    """Return a workbook; `base` is the address of a server, for links."""
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml", False)]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{_ANSWERS}" sheetId="1" r:id="rId1"/><sheet name="{_SOURCES}" sheetId="2" r:id="rId2"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [
                ("worksheet", "worksheets/sheet1.xml", False),
                ("worksheet", "worksheets/sheet2.xml", False),
                ("styles", "styles.xml", False),
            ]
        ),
        "xl/styles.xml": _STYLES,
        "xl/worksheets/sheet1.xml": _answers_sheet(table),
    }
    sources, links = _sources_sheet(table, base)
    parts["xl/worksheets/sheet2.xml"] = sources
    if links:
        parts["xl/worksheets/_rels/sheet2.xml.rels"] = _relations([("hyperlink", link, True) for link in links])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(zipfile.ZipInfo(name), (_DECLARATION + part).encode(), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _content_types() -> str:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    overrides = {
        "/xl/workbook.xml": "sheet.main",
        "/xl/worksheets/sheet1.xml": "worksheet",
        "/xl/worksheets/sheet2.xml": "worksheet",
        "/xl/styles.xml": "styles",
    }
    told = "".join(f'<Override PartName="{name}" ContentType="{kind}{what}+xml"/>' for name, what in overrides.items())
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{told}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str, bool]]) -> str:
    told = ""
    for at, (kind, target, is_outside) in enumerate(targets, 1):
        mode = ' TargetMode="External"' if is_outside else ""
        told += f'<Relationship Id="rId{at}" Type="{_OFFICE}/{kind}" Target={quoteattr(target)}{mode}/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{told}</Relationships>'


def _answers_sheet(table: AnswerTable) -> str:
    last = len(table.questions) + 2
    lines = [_line(1, [(text, _HEAD) for text in ("Document", *table.questions, _ID)])]
    links = list[str]()
    for at, row in enumerate(table.rows):
        cells = [(row.document, _HEAD), *((_value(cell), _style(cell)) for cell in row.cells), (row.document_id, _NONE)]
        lines.append(_line(at + 2, cells))
        for column, cell in enumerate(row.cells):
            if cell is not None:
                source = 2 + at * len(table.questions) + column
                links.append(_link(f"{_letters(column + 2)}{at + 2}", f"{_SOURCES}!A{source}", _tip(cell)))
    columns = (
        f'<cols><col min="1" max="1" width="32" customWidth="1"/>'
        f'<col min="2" max="{last - 1}" width="26" customWidth="1"/>'
        f'<col min="{last}" max="{last}" width="14" customWidth="1"/></cols>'
    )
    return _sheet(columns, lines, links, 'xSplit="1" ySplit="1" topLeftCell="B2"')


def _sources_sheet(table: AnswerTable, base: str) -> tuple[str, list[str]]:
    """Return the sheet, and the addresses that its links lead to."""
    lines, links, targets = [_line(1, [(head, _HEAD) for head in _SOURCE_HEADS])], list[str](), list[str]()
    for at, (row, question, cell) in enumerate(_cells(table), 2):
        place, target = place_of(cell), link_of(cell, base)
        section = " > ".join(place["section"]) if place else ""
        told = (row.document, question, _value(cell), cell["label"] if cell else "", page_of(cell), section)
        lines.append(_line(at, [(one, _PLAIN) for one in (*told, quote_of(cell), target, row.document_id)]))
        if target:
            targets.append(target)
            links.append(f'<hyperlink ref="H{at}" r:id="rId{len(targets)}"/>')
    columns = "".join(
        f'<col min="{at}" max="{at}" width="{width}" customWidth="1"/>'
        for at, width in enumerate((32, 40, 26, 24, 12, 30, 70, 30, 14), 1)
    )
    return _sheet(f"<cols>{columns}</cols>", lines, links, 'ySplit="1" topLeftCell="A2"'), targets


def _cells(table: AnswerTable) -> Iterator[tuple[TableRow, str, AnswerCellShape | None]]:
    for row in table.rows:
        for question, cell in zip(table.questions, row.cells, strict=True):
            yield row, question, cell


def _sheet(columns: str, lines: Sequence[str], links: Sequence[str], pane: str) -> str:
    told = f"<hyperlinks>{''.join(links)}</hyperlinks>" if links else ""
    return (
        f'<worksheet xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheetViews><sheetView workbookViewId="0">'
        f'<pane {pane} state="frozen"/></sheetView></sheetViews>{columns}<sheetData>{"".join(lines)}</sheetData>{told}'
        "</worksheet>"
    )


def _link(cell: str, location: str, tip: str) -> str:
    return f"<hyperlink ref={quoteattr(cell)} location={quoteattr(location)} tooltip={quoteattr(tip)}/>"


def _tip(cell: AnswerCellShape) -> str:
    tip = ": ".join(filter(None, (page_of(cell), quote_of(cell)))) or cell["lead"] or cell["label"] or NOT_STATED
    line = " ".join(_BAD.sub("", tip).split())
    return line if len(line) <= _LONGEST_TIP else f"{line[: _LONGEST_TIP - 1]}…"


def _line(number: int, cells: Sequence[tuple[str | float, int]]) -> str:
    told = "".join(_cell(f"{_letters(at)}{number}", value, style) for at, (value, style) in enumerate(cells, 1))
    return f'<row r="{number}">{told}</row>'


def _cell(reference: str, value: str | float, style: int) -> str:
    if not isinstance(value, str):
        return f'<c r="{reference}" s="{style}"><v>{value!r}</v></c>'
    if not value:
        return ""
    text = escape(_ESCAPED.sub("_x005F_", _BAD.sub("\ufffd", value)[:_LONGEST]))
    return f'<c r="{reference}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(column: int) -> str:
    """Return the letters of a column, from 1."""
    told = ""
    while column:
        column, rest = divmod(column - 1, 26)
        told = chr(65 + rest) + told
    return told


def _value(cell: AnswerCellShape | None) -> str | float:
    """Return what stands in a cell: a number where the answer is nothing but one, else a text."""
    text = shown_text(cell)
    if cell is None or cell["outcome"] != "answer" or not _NUMBER.fullmatch(text):
        return text
    number, value = float(text.replace(",", "")), cell["value"]
    is_one = cell["by"] == "hand" or (isinstance(value, int | float) and value == number)
    return (int(number) if number.is_integer() else number) if is_one else text


def _style(cell: AnswerCellShape | None) -> int:
    if cell is None or cell["outcome"] == "nothing":
        return _HAND if cell is not None and cell["by"] == "hand" else _NONE
    if cell["outcome"] == "passages":
        return _CHOICE
    is_figure = not isinstance(_value(cell), str)
    if cell["by"] == "hand":
        return _HAND_FIGURE if is_figure else _HAND
    return _FIGURE if is_figure else _PLAIN


# What a person changed


def corrections(data: bytes, name: str) -> list[tuple[str, str, str | None]]:
    """Return what was changed by hand in a workbook of this module: (document id, question, text).

    A cell that was emptied is None, what was found takes its place again; "not stated" is "". Raises UsageError for a
    workbook that is no table of answers.
    """
    answers, sources = _rows_of(data, name)
    if not answers or not sources or _ID not in answers[0] or tuple(sources[0][:3]) != _SOURCE_HEADS[:3]:
        raise UsageError(f"{name} is no table of answers that Octavo wrote: name another file with --out")
    heads = answers[0]
    before = {(row[8], row[1]): row[2] for row in map(_filled, sources[1:])}
    found = list[tuple[str, str, str | None]]()
    for row in answers[1:]:
        cells = dict(zip(heads, [*row, *[""] * len(heads)], strict=False))
        for question in heads[1:]:
            at = (cells[_ID], question)
            if at in before and cells[question] != before[at]:
                text = cells[question].strip()
                found.append((*at, None if not text else "" if text.casefold() == NOT_STATED else text))
    return found


def _filled(row: Sequence[str]) -> list[str]:
    return [*row, *[""] * len(_SOURCE_HEADS)][: len(_SOURCE_HEADS)]


def _rows_of(data: bytes, name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of both sheets as texts, wherever the program that saved them last has put them."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            book = xml_of(packed.read("xl/workbook.xml"))
            links = xml_of(packed.read("xl/_rels/workbook.xml.rels"))
            targets = {one.get("Id", ""): one.get("Target", "").removeprefix("/xl/") for one in links}
            shared = _shared(packed)
            sheets = {
                str(one.get("name")): targets[one.get(f"{{{_OFFICE}}}id", "")] for one in book.iter(f"{{{_MAIN}}}sheet")
            }
            return (
                _sheet_rows(packed.read(f"xl/{sheets[_ANSWERS]}"), shared),
                _sheet_rows(packed.read(f"xl/{sheets[_SOURCES]}"), shared),
            )
    except (KeyError, ValueError, IndexError, zipfile.BadZipFile, NoText) as error:
        raise UsageError(f"{name} is no table of answers that Octavo wrote: name another file with --out") from error


def _shared(packed: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in packed.namelist():
        return []
    return [_text_in(one) for one in xml_of(packed.read("xl/sharedStrings.xml"))]


def _text_in(node: Any) -> str:
    text = "".join(one.text or "" for one in node.iter(f"{{{_MAIN}}}t"))
    return text.replace("_x005F_", "_")


def _sheet_rows(data: bytes, shared: Sequence[str]) -> list[list[str]]:
    rows = list[list[str]]()
    for line in xml_of(data).iter(f"{{{_MAIN}}}row"):
        cells: Mapping[int, str] = {
            _column(one.get("r", "A")): _read(one, shared) for one in line.iter(f"{{{_MAIN}}}c")
        }
        rows.append([cells.get(at, "") for at in range(1, max(cells, default=0) + 1)])
    return rows


def _column(reference: str) -> int:
    column = 0
    for letter in reference.rstrip("0123456789"):
        column = column * 26 + ord(letter) - 64
    return column


def _read(cell: Any, shared: Sequence[str]) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{{{_MAIN}}}v") or ""
    if kind == "inlineStr":
        return _text_in(cell)
    if kind == "s":
        return shared[int(value)]
    if kind == "n" and value:
        number = float(value)
        return str(int(number) if number.is_integer() else number)
    return value
