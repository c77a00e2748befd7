"""ODS (OpenDocument 1.3, part 3, 9): cells with the words that the program which saved them showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from octavo.document import Kind
from octavo.document.grid import address
from octavo.parsing.flow import FlowBlock, FlowContent, span, tidy
from octavo.parsing.office.odf import OpenDocument
from octavo.parsing.package import Element, attribute, children, name_of
from octavo.parsing.sheets import Counted, Sheet, sheet_blocks, warnings_of

_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_MOST_REPEATS = 1000
"""Times that a cell or row with words is repeated."""
_GROUPS = ("table-row-group", "table-rows", "table-header-rows")
_APART = ("annotation", "shapes", "frame", "custom-shape", "g", "desc", "title", "tracked-changes")


def read(data: bytes) -> FlowContent:
    """Return the sheets of a spreadsheet. Raises NoText."""
    file = OpenDocument(data, "spreadsheet")
    hidden, bold = _styles(file.content)
    counted = Counted()
    sheets = [_Reader(one, bold, counted).sheet(hidden) for one in file.body if name_of(one) == "table"]
    said = file.properties()
    return FlowContent(tuple(sheet_blocks(sheets)), said.title, said.author, said.created, tuple(warnings_of(sheets)))


def _styles(root: Element) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the styles of tables that are hidden, and of cells that are bold."""
    hidden, bold = set[str](), set[str]()
    for style in children(root, "automatic-styles"):
        for one in style:
            kind, name = name_of(one), attribute(style, "name")
            if kind == "table-properties" and attribute(one, "display") == "false":
                hidden.add(name)
            elif kind == "text-properties" and attribute(one, "font-weight") == "bold":
                bold.add(name)
    return frozenset(hidden), frozenset(bold)


class _Reader:
    def __init__(self, table: Element, bold: frozenset[str], counted: Counted) -> None:
        self._table, self._bold, self._counted = table, bold, counted
        self._sheet = Sheet(attribute(table, "name"))

    def sheet(self, hidden: frozenset[str]) -> Sheet:
        sheet, at = self._sheet, 0
        sheet.hidden = attribute(self._table, "style-name") in hidden
        for row in _rows(self._table, 0):
            times = span(attribute(row, "number-rows-repeated"), _LAST_ROW)
            texts, spans = self._row(row, at)
            for one in range(at, at + min(times, _MOST_REPEATS) if texts else at):
                if not self._counted.take(len(texts)):
                    sheet.warnings.append(
                        f'of sheet "{sheet.name}" the rows after {one} were left out: there are too many'
                    )
                    return sheet
                sheet.rows[one] = dict(texts)
            sheet.spans.update({(at, column): span for column, span in spans.items()})
            at += times
            if at >= _LAST_ROW:
                break
        for one in self._table:
            if name_of(one) == "shapes":
                sheet.notes += _shapes(one)
        return sheet

    def _row(self, row: Element, at: int) -> tuple[dict[int, str], Mapping[int, tuple[int, int]]]:
        """Return the texts of a row, and how far its merged cells reach, by column."""
        texts, spans, column = dict[int, str](), dict[int, tuple[int, int]](), 0
        for cell in row:
            if name_of(cell) not in ("table-cell", "covered-table-cell"):
                continue
            times = span(attribute(cell, "number-columns-repeated"), _LAST_COLUMN)
            text = "\n".join(_paragraphs(cell)).strip() if len(cell) else ""
            if text and column < _LAST_COLUMN:
                texts.update(dict.fromkeys(range(column, column + min(times, _MOST_REPEATS)), text))
                if attribute(cell, "style-name") in self._bold:
                    self._sheet.bold.add((at, column))
                down = span(attribute(cell, "number-rows-spanned"), _LAST_ROW)
                across = span(attribute(cell, "number-columns-spanned"), _LAST_COLUMN)
                if down > 1 or across > 1:
                    spans[column] = down, across
            if len(cell):
                self._sheet.notes += _notes(cell, address(at, column))
            column += times
        return texts, spans


def _rows(table: Element, depth: int) -> Iterator[Element]:
    for one in table:
        kind = name_of(one)
        if kind == "table-row":
            yield one
        elif kind in _GROUPS and depth < 50:
            yield from _rows(one, depth + 1)


def _paragraphs(cell: Element) -> Iterator[str]:
    for one in cell:
        if name_of(one) == "p":
            yield words(one)


def words(element: Element) -> str:
    """Return the running words of a paragraph: without its notes and pictures."""
    return tidy("".join(_pieces(element, 0)))


def _pieces(element: Element, depth: int) -> Iterator[str]:
    yield element.text or ""
    for one in element:
        kind = name_of(one)
        if kind in ("s", "tab", "line-break"):
            yield " "
        elif kind not in _APART and depth < 50:
            yield from _pieces(one, depth + 1)
        yield one.tail or ""


def _notes(cell: Element, place: str) -> Iterator[FlowBlock]:
    """Yield the comment of a cell and what is drawn in it."""
    for one in cell:
        kind = name_of(one)
        if kind == "annotation":
            author = next((tidy(inner.text or "") for inner in one if name_of(inner) == "creator"), "")
            text = tidy(" ".join(_paragraphs(one)))
            if text:
                yield FlowBlock(Kind.PARAGRAPH, f"Comment on {place}{f' by {author}' if author else ''}: {text}")
        elif kind in ("frame", "custom-shape", "g"):
            yield from _shapes(one)


def _shapes(drawn: Element) -> Iterator[FlowBlock]:
    """Yield what drawings say: text boxes as paragraphs, pictures and charts by their titles and descriptions."""
    for one in drawn.iter():
        kind = name_of(one)
        if kind == "p" and (text := words(one)):
            yield FlowBlock(Kind.PARAGRAPH, text)
        elif kind in ("desc", "title") and (text := tidy(one.text or "")):
            yield FlowBlock(Kind.FIGURE, text)
