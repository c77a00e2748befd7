"""Tables of answers as files: an Excel workbook, CSV, JSON and HTML, each a pure function of the table."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.exports import Exported
from octavo.exports.table_cells import NOT_STATED, nearest_words, page_of, page_of_place, quote_of, shown_text
from octavo_documents.document.sheets import csv_of

if TYPE_CHECKING:
    from octavo.corpus.tables.answer_table import AnswerTable, TableRow
    from octavo.corpus.tables.cell import AnswerCellShape
    from octavo.evidence.answer_shapes import PlaceShape


def as_json(table: AnswerTable, base: str) -> bytes:
    """Return the table as `octavo table --json` prints it."""
    del base
    return (json.dumps(table.to_json(), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def as_csv(table: AnswerTable, base: str) -> bytes:
    """Return a line for each document, with answer, page and quote of each question side by side."""
    del base
    heads = [(question, f"page: {question}", f"quote: {question}") for question in table.questions]
    lines = [["document", *(head for three in heads for head in three), "document_id"]]
    for row in table.rows:
        cells = [(shown_text(cell), page_of(cell), quote_of(cell)) for cell in row.cells]
        lines.append([row.document, *(one for three in cells for one in three), row.document_id])
    told = csv_of(lines, "\r\n")
    return b"\xef\xbb\xbf" + told.encode("utf-8", "replace")  # the mark has Excel read it as UTF-8


_STYLE = """
:root { color-scheme: light dark; --line: #d8d2c4; --soft: #6b6558; --mark: #fff3b0; --hand: #e8f1ea; }
@media (prefers-color-scheme: dark) { :root { --line: #45413a; --soft: #a8a196; --mark: #55481a; --hand: #22352a; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .5rem .65rem; text-align: left; vertical-align: top; min-width: 9rem;
 max-width: 24rem; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: Canvas; }
strong { display: block; }
small, .none, summary { color: var(--soft); }
q { font-family: Georgia, serif; background: var(--mark); }
.hand { background: var(--hand); }
@media print { div { overflow: visible; } details > * { display: block; } }
"""


def as_html(table: AnswerTable, base: str) -> bytes:
    """Return a page of its own, without scripts."""
    heads = "".join(f'<th scope="col">{_escaped(question)}</th>' for question in table.questions)
    rows = "".join(_html_row(row, base) for row in table.rows)
    notes = "".join(f"<p>{_escaped(note)}</p>" for note in table.notes)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Table of answers</title><style>{_STYLE}</style></head><body><h1>Table of answers</h1>"
        f'<p>{_escaped(table.summary())}</p>{notes}<div tabindex="0" role="region" aria-label="Table of answers">'
        f'<table><thead><tr><th scope="col">Document</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        "</body></html>\n"
    ).encode("utf-8", "replace")


def _html_row(row: TableRow, base: str) -> str:
    title = f"<br/><small>{_escaped(row.document_title)}</small>" if row.document_title else ""
    cells = "".join(_html_cell(cell, base) for cell in row.cells)
    return f'<tr><th scope="row">{_escaped(row.document)}{title}</th>{cells}</tr>'


def _html_cell(cell: AnswerCellShape | None, base: str) -> str:
    if cell is None:
        return '<td class="none">not filled yet</td>'
    if cell["outcome"] == "nothing":
        return f'<td class="none{_hand(cell)}">{NOT_STATED}</td>'
    if cell["outcome"] == "passages":
        passages = "".join(f"<p><q>{_escaped(one['text'])}</q> {_where(one, base)}</p>" for one in cell["passages"])
        count, nearest = len(cell["passages"]), _escaped(nearest_words(cell))
        told = f"<details><summary>{count} to choose from</summary>{passages}</details>"
        return f"<td>{nearest}{told}</td>"
    quotes = "".join(f"<p><q>{_escaped(one['quote'])}</q> {_where(one, base)}</p>" for one in cell["citations"])
    label = f"<small>{_escaped(cell['label'])}</small>"
    return f'<td class="answer{_hand(cell)}"><strong>{_escaped(cell["text"])}</strong>{label}{quotes}</td>'


def _hand(cell: AnswerCellShape) -> str:
    return " hand" if cell["by"] == "hand" else ""


def _where(place: PlaceShape, base: str) -> str:
    page, identity = _escaped(page_of_place(place)), str(place.get("id", ""))
    if not (base and identity):
        return f"<small>{page}</small>"
    return f'<small><a href="{_escaped(base.rstrip("/"))}/c/{_escaped(identity)}">{page}</a></small>'


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)


def as_xlsx(table: AnswerTable, base: str) -> bytes:
    """Return an Excel workbook."""
    from octavo.exports.workbook import workbook  # late: what reads one stands on the parsers

    return workbook(table, base)


_FORMATS: Mapping[str, tuple[str, Callable[[AnswerTable, str], bytes]]] = MappingProxyType(
    {
        "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx),
        "csv": ("text/csv; charset=utf-8", as_csv),
        "json": ("application/json", as_json),
        "html": ("text/html; charset=utf-8", as_html),
    }
)
TABLE_FORMATS = tuple(_FORMATS)
"""The formats of tables, which are the endings of their files too."""
TABLE_MEDIA = tuple(media for media, _ in _FORMATS.values())


def check_format(name: str) -> str:
    """Return the format of a name. Raises UsageError for another."""
    if name.lower() not in _FORMATS:
        raise UsageError(f"a table is written as .{', .'.join(_FORMATS)}, not as {name[:40]!r}")
    return name.lower()


def export_table(table: AnswerTable, name: str, base: str = "") -> Exported:
    """Return a table as a file of a format; `base` is the address of a server, for links. Raises UsageError."""
    media, write = _FORMATS[check_format(name)]
    return Exported(write(table, base), media, f"answers.{name.lower()}")
