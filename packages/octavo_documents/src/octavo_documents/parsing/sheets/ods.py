"""ODS (OpenDocument 1.3, part 3, 9): cells with the words that the program which saved them showed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from octavo_documents.document import Kind
from octavo_documents.document.grid import address
from octavo_documents.parsing.cell_places import span
from octavo_documents.parsing.css_values import WHITE
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.office.odf import OpenDocument
from octavo_documents.parsing.office.odf_styles import OdfStyle, OdfStyles
from octavo_documents.parsing.office.odt import furniture
from octavo_documents.parsing.office.paint import is_seen
from octavo_documents.parsing.open_xml import attribute, children
from octavo_documents.parsing.package import Element, name_of
from octavo_documents.parsing.sheets.blocks import sheet_blocks
from octavo_documents.parsing.sheets.date_formats import with_value
from octavo_documents.parsing.sheets.hidden_cells import warnings_of
from octavo_documents.parsing.sheets.sheet import CellBudget, Sheet

_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_MOST_REPEATS = 1000
"""Times that a cell or row with words is repeated."""
_GROUPS = ("table-row-group", "table-rows", "table-header-rows")
_DEFAULT = "default-cell-style-name"
_APART = ("annotation", "shapes", "frame", "custom-shape", "g", "desc", "title", "tracked-changes")


def read(data: bytes) -> FlowContent:
    """Return the sheets of a spreadsheet. Raises NoText."""
    file = OpenDocument(data, "spreadsheet")
    hidden, styles = _hidden_tables(file.content), OdfStyles(file.roots)
    counted = CellBudget()
    sheets = [_Reader(one, file, styles, counted).sheet(hidden) for one in file.body if name_of(one) == "table"]
    said = file.properties()
    headers, footers = furniture(file, styles)
    blocks = (*headers, *sheet_blocks(sheets), *footers, *file.carried())
    return FlowContent(blocks, said.title, said.author, said.created, tuple(warnings_of(sheets)))


def _hidden_tables(root: Element) -> frozenset[str]:
    """Return the names of the styles of tables that are hidden."""
    return frozenset(
        attribute(style, "name")
        for style in children(root, "automatic-styles")
        for one in style
        if name_of(one) == "table-properties" and attribute(one, "display") == "false"
    )


class _Reader:
    def __init__(self, table: Element, file: OpenDocument, styles: OdfStyles, counted: CellBudget) -> None:
        self._file = file
        self._table, self._styles, self._counted = table, styles, counted
        self._columns = _columns(table)
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
                sheet.notes += _shapes(one, self._file)
        return sheet

    def _row(self, row: Element, at: int) -> tuple[dict[int, str], Mapping[int, tuple[int, int]]]:
        """Return the texts of a row, and how far its merged cells reach, by column."""
        texts, spans, column = dict[int, str](), dict[int, tuple[int, int]](), 0
        for cell in row:
            if name_of(cell) not in ("table-cell", "covered-table-cell"):
                continue
            times = span(attribute(cell, "number-columns-repeated"), _LAST_COLUMN)
            text = self._text(cell, row, column) if len(cell) else ""
            if text and column < _LAST_COLUMN:
                texts.update(dict.fromkeys(range(column, column + min(times, _MOST_REPEATS)), text))
                if self._look(cell, row, column).bold:
                    self._sheet.bold.add((at, column))
                down = span(attribute(cell, "number-rows-spanned"), _LAST_ROW)
                across = span(attribute(cell, "number-columns-spanned"), _LAST_COLUMN)
                if down > 1 or across > 1:
                    spans[column] = down, across
            if len(cell):
                self._sheet.notes += _notes(cell, address(at, column), self._file)
            column += times
        return texts, spans

    def _look(self, cell: Element, row: Element, column: int) -> OdfStyle:
        """Return how a cell looks: by its own style, that of its row, or that of its column."""
        named = attribute(cell, "style-name") or attribute(row, _DEFAULT)
        return self._styles.of(named or self._columns.get(column, "") or "Default", "table-cell")

    def _text(self, cell: Element, row: Element, column: int) -> str:
        """Return what is shown of the words of a cell, and note what is not."""
        look, unseen = self._look(cell, row, column), list[str]()
        words = _Words(self._styles, look, unseen)
        text = _valued(cell, "\n".join(words.of(one) for one in cell if name_of(one) == "p").strip())
        if self._is_hidden or column in self._sheet.hidden_columns:
            unseen, text = [*unseen, text] if text else unseen, ""
        self._sheet.unseen += unseen
        return text


def _valued(cell: Element, text: str) -> str:
    """Return what a cell shows, with its value where that does not tell it."""
    kind = attribute(cell, "value-type")
    if text and kind == "date":
        return with_value(text, attribute(cell, "date-value"))
    if kind == "float" and _FRACTION.fullmatch(text):
        return f"{text} ({attribute(cell, 'value')})"
    return text


_FRACTION = re.compile(r"-?(?:\d{1,9} )?\d{1,5}/\d{1,5}")


def _rows(table: Element, depth: int, *, is_folded: bool = False) -> Iterator[tuple[Element, bool]]:
    """Yield the rows of a table, each with whether it stands in a folded outline, which a click opens."""
    for one in table:
        kind = name_of(one)
        if kind == "table-row":
            yield one, is_folded
        elif kind in _GROUPS and depth < 50:
            yield from _rows(one, depth + 1, is_folded=is_folded or attribute(one, "display") == "false")


def _columns(table: Element) -> dict[int, str]:
    """Return the styles that columns give their cells, those that say nothing left out."""
    found: dict[int, str] = {}
    at = 0
    for one in table.iter():
        kind = name_of(one)
        if kind == "table-row":
            break
        if kind == "table-column":
            times, named = span(attribute(one, "number-columns-repeated"), _LAST_COLUMN), attribute(one, _DEFAULT)
            if named not in ("", "Default"):
                found.update(dict.fromkeys(range(at, min(at + times, _LAST_COLUMN)), named))
            at += times
    return found


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


class _Words:
    """Reads the words of a cell of some look; `unseen` takes those that are not shown."""

    def __init__(self, styles: OdfStyles, look: OdfStyle, unseen: list[str]) -> None:
        self._styles, self._look, self._unseen = styles, look, unseen

    def of(self, paragraph: Element) -> str:
        return collapse_whitespace("".join(self._pieces(paragraph, self._look, 0)))

    def _pieces(self, element: Element, look: OdfStyle, depth: int) -> Iterator[str]:
        yield self._piece(element.text, look)
        for one in element:
            kind = name_of(one)
            if kind in ("s", "tab", "line-break"):
                yield " "
            elif kind == "span" and depth < 50:
                named = attribute(one, "style-name")
                yield from self._pieces(one, self._over(named, look) if named else look, depth + 1)
            elif kind not in _APART and depth < 50:
                yield from self._pieces(one, look, depth + 1)
            yield self._piece(one.tail, look)

    def _over(self, name: str, around: OdfStyle) -> OdfStyle:
        """Return the look of a run: what it does not say itself is as around it, and so is whether it is struck out."""
        own = self._styles.of(name, "text")
        return replace(
            around,
            hidden=own.hidden or around.hidden,
            raised=own.raised or around.raised,
            struck=around.struck if own.struck is None else own.struck,
            ink=around.ink if own.ink is None else own.ink,
            ground=around.ground if own.ground is None else own.ground,
        )

    def _piece(self, text: str | None, look: OdfStyle) -> str:
        if not text:
            return ""
        ground = WHITE if look.ground is None else look.ground.colour
        if text.strip() and (look.hidden or not (look.is_conditional or is_seen(look.ink, ground))):
            self._unseen.append(text)
            return ""
        return marked(text, is_raised=look.raised, is_struck=bool(look.struck))


def words(paragraph: Element) -> str:
    """Return the running words of a paragraph in no cell, without its notes and pictures."""
    return _Words(OdfStyles(()), OdfStyle(), []).of(paragraph)


def _notes(cell: Element, place: str, file: OpenDocument) -> Iterator[FlowBlock]:
    """Yield the comment of a cell and what is drawn in it."""
    for one in cell:
        kind = name_of(one)
        if kind == "annotation":
            author = next((collapse_whitespace(inner.text or "") for inner in one if name_of(inner) == "creator"), "")
            text = collapse_whitespace(" ".join(words(inner) for inner in one if name_of(inner) == "p"))
            if text:
                yield FlowBlock(Kind.PARAGRAPH, f"Comment on {place}{f' by {author}' if author else ''}: {text}")
        elif kind in ("frame", "custom-shape", "g"):
            yield from _shapes(one, file)


def _shapes(drawn: Element, file: OpenDocument) -> Iterator[FlowBlock]:
    """Yield what drawings say: text boxes as paragraphs, pictures and charts by their titles and descriptions.

    Pictures that OCR may read are figures too, those that stand for objects left out.
    """
    for one in drawn.iter():
        kind = name_of(one)
        if kind == "p" and (text := words(one)):
            yield FlowBlock(Kind.PARAGRAPH, text)
        elif kind in ("desc", "title") and (text := collapse_whitespace(one.text or "")):
            yield FlowBlock(Kind.FIGURE, text)
        elif kind == "control" and (text := file.fields.get(attribute(one, "control"), "")):
            yield FlowBlock(Kind.PARAGRAPH, text)
        elif kind == "object-ole":
            file.carries(attribute(one, "href"))
        elif kind == "image" and (picture := _picture(one, file)) is not None:
            yield picture


def _picture(image: Element, file: OpenDocument) -> FlowBlock | None:
    around = image.getparent()
    if around is not None and any(name_of(one) in ("object", "object-ole") for one in around):
        return None
    return file.picture(attribute(image, "href"), "")
