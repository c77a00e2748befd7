# pyright: reportUnknownMemberType=false
"""A table of answers as an Excel workbook, and the corrections that a person made in one.

The sheet `Answers` is the table; each of its cells leads to its row in `Sources`, which says where the answer stands.
What differs between the two was changed by hand.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.exports.bundle import one_line
from octavo.exports.table_cells import NOT_STATED, link_of, page_of, place_of, quote_of, shown_text
from octavo_documents.document.sheets import new_workbook, number_in, put
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.sheets.binary import CellValue, rows_of

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format

    from octavo.corpus.tables.answer_table import AnswerTable, TableRow
    from octavo.corpus.tables.cell import AnswerCellShape

_LONGEST_TIP, _LONGEST_LINK = 255, 2_079
"""Characters of the note of a link, and of an address, at most: more make Excel refuse the file."""
_MOST_LINKS = 65_530
"""Links of a sheet, at most."""
_HEAD, _NONE, _CHOICE, _HAND, _FIGURE = "head", "none", "choice", "hand", "figure"
_LOOKS: dict[str, dict[str, object]] = {
    _HEAD: {"bold": True},
    _NONE: {"font_color": "#8A8478"},
    _CHOICE: {"italic": True, "font_color": "#7A5C00"},
    _HAND: {"bg_color": "#E8F1EA"},
    _FIGURE: {"num_format": "#,##0.############"},
}
"""What sets cells apart, besides how all are aligned."""
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
_SOURCE_WIDTHS = (32, 40, 26, 24, 12, 30, 70, 30, 14)
_LINK_COLUMN = _SOURCE_HEADS.index("Link")
_ANSWERS, _SOURCES, _ID = "Answers", "Sources", "Document id"


def workbook(table: AnswerTable, base: str = "") -> bytes:
    """Return a workbook; `base` is the address of a server, for links."""
    file = io.BytesIO()
    with new_workbook(file) as book:
        styles = _styles(book)
        _write_answers(book, styles, table)
        _write_sources(book, styles, table, base)
    return file.getvalue()


def _styles(book: Workbook) -> Callable[..., Format]:
    """Return what gives the style of some looks, made where a cell first has it."""

    @functools.cache
    def style(*looks: str) -> Format:
        told: dict[str, object] = {"valign": "top", "text_wrap": True}
        for look in looks:
            told |= _LOOKS[look]
        return book.add_format(told)

    return style


def _write_answers(book: Workbook, styles: Callable[..., Format], table: AnswerTable) -> None:
    sheet, last = book.add_worksheet(_ANSWERS), len(table.questions) + 1
    sheet.freeze_panes(1, 1)
    for first, end, width in ((0, 0, 32), (1, last - 1, 26), (last, last, 14)):
        sheet.set_column(first, end, width)
    for column, text in enumerate(("Document", *table.questions, _ID)):
        put(sheet, 0, column, text, styles(_HEAD))
    source = 1
    for at, row in enumerate(table.rows, 1):
        put(sheet, at, 0, row.document, styles(_HEAD))
        for column, cell in enumerate(row.cells, 1):
            source += 1
            style = styles(*_looks_of(cell))
            if cell is not None and source <= _MOST_LINKS:
                sheet.write_url(at, column, f"internal:{_SOURCES}!A{source}", style, "", _tip(cell))
            put(sheet, at, column, _value(cell), style)
        put(sheet, at, last, row.document_id, styles(_NONE))


def _write_sources(book: Workbook, styles: Callable[..., Format], table: AnswerTable, base: str) -> None:
    sheet, plain = book.add_worksheet(_SOURCES), styles()
    sheet.freeze_panes(1, 0)
    for column, (head, width) in enumerate(zip(_SOURCE_HEADS, _SOURCE_WIDTHS, strict=True)):
        sheet.set_column(column, column, width)
        put(sheet, 0, column, head, styles(_HEAD))
    for at, (row, question, cell) in enumerate(_cells(table), 1):
        place, target = place_of(cell), link_of(cell, base)
        section = " > ".join(place["section"]) if place else ""
        told = (row.document, question, _value(cell), cell["label"] if cell else "", page_of(cell), section)
        if "://" in target and len(target) <= _LONGEST_LINK and at <= _MOST_LINKS:
            sheet.write_url(at, _LINK_COLUMN, target, plain, "")
        for column, value in enumerate((*told, quote_of(cell), target, row.document_id)):
            put(sheet, at, column, value, plain)


def _cells(table: AnswerTable) -> Iterator[tuple[TableRow, str, AnswerCellShape | None]]:
    for row in table.rows:
        for question, cell in zip(table.questions, row.cells, strict=True):
            yield row, question, cell


def _tip(cell: AnswerCellShape) -> str:
    tip = ": ".join(filter(None, (page_of(cell), quote_of(cell)))) or cell["lead"] or cell["label"] or NOT_STATED
    line = one_line(tip)
    kept = line.encode("utf-16-le")[: 2 * (_LONGEST_TIP - 1)].decode("utf-16-le", "ignore")  # Excel counts these
    return line if kept == line else f"{kept}…"


def _value(cell: AnswerCellShape | None) -> str | float:
    """Return what stands in a cell: a number where the answer is nothing but one, else a text."""
    text = shown_text(cell)
    if cell is None or cell["outcome"] != "answer" or (number := number_in(text)) is None:
        return text
    value = cell["value"]
    is_one = cell["by"] == "hand" or (isinstance(value, int | float) and value == number)
    return number if is_one else text


def _looks_of(cell: AnswerCellShape | None) -> list[str]:
    if cell is not None and cell["outcome"] == "passages":
        return [_CHOICE]
    looks = [_HAND] if cell is not None and cell["by"] == "hand" else []
    if cell is None or cell["outcome"] == "nothing":
        return looks or [_NONE]
    return looks if isinstance(_value(cell), str) else [*looks, _FIGURE]


# What a person changed


def corrections(data: bytes, name: str) -> list[tuple[str, str, str | None]]:
    """Return what was changed by hand in a workbook of this module: (document id, question, text).

    A cell that was emptied is None, what was found takes its place again; "not stated" is "". Raises UsageError for a
    workbook that is no table of answers.
    """
    answers, sources = _rows_of(data, name)
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
        answers, sources = (
            [[_text_of(value) for value in row] for row in rows_of(data, one)] for one in (_ANSWERS, _SOURCES)
        )
    except NoText:
        answers, sources = [], []
    if not answers or not sources or _ID not in answers[0] or tuple(sources[0][:3]) != _SOURCE_HEADS[:3]:
        raise UsageError(f"{name} is no table of answers that Octavo wrote: name another file with --out")
    return answers, sources


def _text_of(value: CellValue) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
