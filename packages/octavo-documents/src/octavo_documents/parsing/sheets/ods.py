"""ODS (OpenDocument 1.3, part 3, 9): cells with the words that the program which saved them showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import address
from octavo_documents.parsing.flow import FlowBlock, FlowContent, span, tidy
from octavo_documents.parsing.marks import marked, struck
from octavo_documents.parsing.office.odf import OpenDocument, is_raised, is_struck
from octavo_documents.parsing.package import Element, attribute, children, name_of
from octavo_documents.parsing.sheets import Counted, Sheet, sheet_blocks
from octavo_documents.parsing.sheets.unseen import warnings_of

_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_MOST_REPEATS = 1000
"""Times that a cell or row with words is repeated."""
_GROUPS = ("table-row-group", "table-rows", "table-header-rows")
_APART = ("annotation", "shapes", "frame", "custom-shape", "g", "desc", "title", "tracked-changes")


def read(data: bytes) -> FlowContent:
    """Return the sheets of a spreadsheet. Raises NoText."""
    file = OpenDocument(data, "spreadsheet")
    hidden, looks = _styles(file.content)
    counted = Counted()
    sheets = [_Reader(one, looks, counted).sheet(hidden) for one in file.body if name_of(one) == "table"]
    said = file.properties()
    return FlowContent(tuple(sheet_blocks(sheets)), said.title, said.author, said.created, tuple(warnings_of(sheets)))


@dataclass(slots=True)
class _Looks:
    """The names of styles by what they set."""

    bold: set[str] = field(default_factory=set[str])
    struck: set[str] = field(default_factory=set[str])
    raised: set[str] = field(default_factory=set[str])
    white: set[str] = field(default_factory=set[str])

    def take(self, style: Element) -> None:
        name, ground = attribute(style, "name"), "transparent"
        for one in style:
            if name_of(one) == "table-cell-properties":
                ground = attribute(one, "background-color") or ground
        for one in (one for one in style if name_of(one) == "text-properties"):
            if attribute(one, "font-weight") == "bold":
                self.bold.add(name)
            if is_struck(attribute(one, "text-line-through-style"), attribute(one, "text-line-through-type")):
                self.struck.add(name)
            if is_raised(attribute(one, "text-position")):
                self.raised.add(name)
            is_plain = ground in ("transparent", "#ffffff") and attribute(style, "parent-style-name") in _PLAIN
            if attribute(one, "color").lower() == "#ffffff" and is_plain and all(name_of(it) != "map" for it in style):
                self.white.add(name)


_PLAIN = ("", "Default")


def _styles(root: Element) -> tuple[frozenset[str], _Looks]:
    """Return the names of the styles of tables that are hidden, and the looks of cells and of words."""
    hidden, looks = set[str](), _Looks()
    for style in children(root, "automatic-styles"):
        looks.take(style)
        for one in style:
            if name_of(one) == "table-properties" and attribute(one, "display") == "false":
                hidden.add(attribute(style, "name"))
    return frozenset(hidden), looks


class _Reader:
    def __init__(self, table: Element, looks: _Looks, counted: Counted) -> None:
        self._table, self._looks, self._counted = table, looks, counted
        self._sheet = Sheet(attribute(table, "name"))
        self._sheet.hidden_columns = _hidden_columns(table)
        self._is_hidden = False

    def sheet(self, hidden: frozenset[str]) -> Sheet:
        sheet, at = self._sheet, 0
        sheet.hidden = attribute(self._table, "style-name") in hidden
        for row, is_folded in _rows(self._table, 0):
            self._is_hidden = attribute(row, "visibility") == "collapse" and not is_folded
            times = span(attribute(row, "number-rows-repeated"), _LAST_ROW)
            if self._is_hidden:
                sheet.hidden_rows.update(range(at, at + min(times, _MOST_REPEATS)))
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
            text = "\n".join(_paragraphs(cell, self._looks)).strip() if len(cell) else ""
            look = attribute(cell, "style-name")
            if text and (self._is_hidden or column in self._sheet.hidden_columns or look in self._looks.white):
                self._sheet.unseen.append(text)
            elif text and column < _LAST_COLUMN:
                text = struck(text) if look in self._looks.struck else text
                texts.update(dict.fromkeys(range(column, column + min(times, _MOST_REPEATS)), text))
                if look in self._looks.bold:
                    self._sheet.bold.add((at, column))
                down = span(attribute(cell, "number-rows-spanned"), _LAST_ROW)
                across = span(attribute(cell, "number-columns-spanned"), _LAST_COLUMN)
                if down > 1 or across > 1:
                    spans[column] = down, across
            if len(cell):
                self._sheet.notes += _notes(cell, address(at, column))
            column += times
        return texts, spans


def _rows(table: Element, depth: int, *, is_folded: bool = False) -> Iterator[tuple[Element, bool]]:
    """Yield the rows of a table, each with whether it stands in a folded outline, which a click opens."""
    for one in table:
        kind = name_of(one)
        if kind == "table-row":
            yield one, is_folded
        elif kind in _GROUPS and depth < 50:
            yield from _rows(one, depth + 1, is_folded=is_folded or attribute(one, "display") == "false")


def _hidden_columns(table: Element) -> set[int]:
    """Return the columns that are hidden, those in a folded outline left out."""
    found: set[int] = set()
    at = 0
    for one in table.iter():
        if name_of(one) == "table-row":
            break
        if name_of(one) != "table-column":
            continue
        times = span(attribute(one, "number-columns-repeated"), _LAST_COLUMN)
        around = one.getparent()
        is_folded = around is not None and name_of(around) == "table-column-group"
        if attribute(one, "visibility") == "collapse" and not is_folded:
            found.update(range(at, min(at + times, _LAST_COLUMN)))
        at += times
    return found


def _paragraphs(cell: Element, looks: _Looks | None = None) -> Iterator[str]:
    for one in cell:
        if name_of(one) == "p":
            yield words(one, looks)


def words(element: Element, looks: _Looks | None = None) -> str:
    """Return the running words of a paragraph: without its notes and pictures."""
    return tidy("".join(_pieces(element, 0, looks or _Looks())))


def _pieces(element: Element, depth: int, looks: _Looks) -> Iterator[str]:
    yield element.text or ""
    for one in element:
        kind = name_of(one)
        if kind in ("s", "tab", "line-break"):
            yield " "
        elif kind == "span" and depth < 50:
            name, text = attribute(one, "style-name"), "".join(_pieces(one, depth + 1, looks))
            yield marked(text, is_raised=name in looks.raised, is_struck=name in looks.struck)
        elif kind not in _APART and depth < 50:
            yield from _pieces(one, depth + 1, looks)
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
