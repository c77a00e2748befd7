"""XLSX and XLSM (Office Open XML, ECMA-376 part 1, 18): cells as their number formats show them, without macros."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from octavo_documents.parsing.embedded_objects import embedded_in
from octavo_documents.parsing.flow import FlowContent, NoText, attached, collapse_whitespace
from octavo_documents.parsing.inline_marks import marked, settled, struck
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.open_xml import attribute, child, children, relations
from octavo_documents.parsing.package import Element, Package, name_of
from octavo_documents.parsing.pictures_inside import PicturesInside
from octavo_documents.parsing.sheets import numbers
from octavo_documents.parsing.sheets.blocks import sheet_blocks
from octavo_documents.parsing.sheets.hidden_cells import warnings_of
from octavo_documents.parsing.sheets.sheet import CellBudget, Sheet
from octavo_documents.parsing.sheets.xlsx_notes import RUNNING, notes_of

_ADDRESS = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_MOST_SPANS = 100_000
_CORE = "docProps/core.xml"


def read(data: bytes) -> FlowContent:
    """Return the sheets of a workbook. Raises NoText."""
    package = Package(data)
    book = relations(package, "").get("officeDocument", ["xl/workbook.xml"])[0]
    root = package.xml(book)
    reader = _Book(package, book, root)
    sheets = list(reader.sheets())
    title, author, created = _properties(package)
    carried = (attached(one, 1) for one in embedded_in(package, reader.parts))
    return FlowContent((*sheet_blocks(sheets), *carried), title, author, created, tuple(warnings_of(sheets)))


def _properties(package: Package) -> tuple[str, str, str]:
    """Return title, author and date as the file tells them of itself."""
    if _CORE not in package:
        return "", "", ""
    found = {name_of(one): collapse_whitespace(one.text or "") for one in package.xml(_CORE)}
    return found.get("title", ""), found.get("creator", ""), found.get("created", "")


@dataclass(frozen=True, slots=True)
class _Style:
    code: str = ""
    bold: bool = False
    struck: bool = False
    white: bool = False
    filled: bool = False
    """Whether its ground has another colour than white."""


_PLAIN = _Style()


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a string with the marks of its runs: in a plain cell, and in one that is struck out."""

    plain: str = ""
    struck: str = ""
    on_white: _Words | None = None
    """The same without white runs; None where there are none."""
    unseen: tuple[str, ...] = ()
    """The words of white runs."""


_NO_WORDS = _Words()


class _Book:
    def __init__(self, package: Package, part: str, root: Element) -> None:
        self._package, self._root = package, root
        self._parts = relations(package, part)
        properties = child(root, "workbookPr")
        self._since_1904 = properties is not None and properties.get("date1904", "0") in ("1", "true")
        self._strings = self._shared("sharedStrings")
        self._styles = self._all_styles()
        self._counted = CellBudget()
        self._pictures = PicturesInside(package)
        self.parts: list[str] = []
        """Names of the parts of sheets."""
        self._shown: dict[tuple[str, str], str] = {}
        self._is_hidden_row = False
        self._is_plain = True

    def sheets(self) -> Iterator[Sheet]:
        for one in children(self._root, "sheets"):
            part = self._parts.get(attribute(one, "id"), [""])[0]
            self.parts.append(part)
            sheet = Sheet(one.get("name", ""), hidden=one.get("state", "visible") != "visible")
            try:
                self._fill(sheet, part)
            except NoText as error:
                if error.reason != "damaged":
                    raise
                sheet.warnings.append(f'sheet "{sheet.name}" could not be read to its end: {error}')
            yield sheet

    def _fill(self, sheet: Sheet, part: str) -> None:
        if part not in self._package:
            raise NoText(f"its part {part} is missing", "damaged")
        try:
            self._cells(sheet, self._package.read(part))
        finally:
            sheet.rows = dict(sorted(sheet.rows.items()))
        notes_of(sheet, self._package, relations(self._package, part), self._pictures)

    def _shared(self, kind: str) -> list[_Words]:
        """Return the strings that cells name by number."""
        found: list[_Words] = []
        for part in self._parts.get(kind, ()):
            if part in self._package:
                found += [_string(one) for one in _elements(self._package.read(part), "si")]
        return found

    def _all_styles(self) -> dict[str, _Style]:
        """Return the styles of cells by the number they are named by."""
        part = self._parts.get("styles", [""])[0]
        if part not in self._package:
            return {}
        root = self._package.xml(part)
        codes = {one.get("numFmtId", ""): one.get("formatCode", "") for one in children(root, "numFmts")}
        fonts = [
            (_is_on(child(font, "b")), _is_on(child(font, "strike")), _is_white(child(font, "color")))
            for font in children(root, "fonts")
        ]
        fills = [_is_filled(fill) for fill in children(root, "fills")]
        found: list[_Style] = []
        for one in children(root, "cellXfs"):
            number = one.get("numFmtId", "0")
            code = codes.get(number) or numbers.BUILT_IN.get(whole_number(number) or 0, "")
            bold, struck, white = _at(fonts, one.get("fontId", "0"), default=(False, False, False))
            found.append(_Style(code, bold, struck, white, _at(fills, one.get("fillId", "0"), default=False)))
        return {str(number): style for number, style in enumerate(found)}

    def _cells(self, sheet: Sheet, data: bytes) -> None:
        """Read the cells, merged ranges and running heads of a sheet."""
        at, unknown = -1, 0
        # What conditions and the looks of tables colour is not followed: nothing there is taken for unseen.
        self._is_plain = not any(sign in data for sign in (b"conditionalFormatting", b"tablePart "))
        is_filtered = b"filterColumn" in data
        for element in _elements(data, "col", "row", "mergeCell", *RUNNING):
            kind = name_of(element)
            if kind == "col":
                sheet.hidden_columns |= _hidden(element)
            elif kind == "row":
                is_hidden = element.get("hidden") in _YES and not is_filtered and not _is_folded(element)
                self._is_hidden_row = is_hidden
                number = whole_number(element.get("r", ""), digits=7)
                at = at + 1 if number is None else number - 1
                if is_hidden:
                    sheet.hidden_rows.add(at)
                if 0 <= at < _LAST_ROW and self._row(sheet, at, element):
                    unknown += 1
                if self._counted.left < 0:
                    sheet.warnings.append(
                        f'of sheet "{sheet.name}" the rows after {at} were left out: there are too many cells'
                    )
                    return
            elif kind == "mergeCell":
                _merge(sheet, element.get("ref", ""))
            else:
                sheet.heads.append((kind, element.text or ""))
        if unknown:
            sheet.warnings.append(
                f'sheet "{sheet.name}" has formulas without results: open and save it with a spreadsheet program'
            )

    def _row(self, sheet: Sheet, at: int, row: Element) -> bool:
        """Read the cells of a row; return whether a formula has no result."""
        texts: dict[int, str] = {}
        column, unknown = -1, False
        value = row.tag.removesuffix("row") + "v"
        for cell in row:
            address = cell.get("r")
            column = column_of(address) if address else column + 1
            style = self._styles.get(cell.get("s", "0"), _PLAIN)
            text = self._text(sheet, cell, value, style)
            if text and self._is_unseen(sheet, column, style):
                sheet.unseen.append(text)
            elif text and 0 <= column < _LAST_COLUMN:
                texts[column] = text
                if style.bold:
                    sheet.bold.add((at, column))
            elif not text and len(cell) and child(cell, "f") is not None:
                unknown = True
        if texts and self._counted.take(len(texts)):
            sheet.rows.setdefault(at, {}).update(texts)
        return unknown

    def _is_unseen(self, sheet: Sheet, column: int, style: _Style) -> bool:
        """Whether a cell is not shown."""
        is_hidden = self._is_hidden_row or column in sheet.hidden_columns
        return is_hidden or (style.white and self._is_on_white(style))

    def _is_on_white(self, style: _Style) -> bool:
        return self._is_plain and not style.filled

    def _text(self, sheet: Sheet, cell: Element, name: str, style: _Style) -> str:
        """Return what a cell shows; `name` is that of the element with its value."""
        found, kind = cell.find(name), cell.get("t", "n")
        if found is not None and style.code and kind != "n" and numbers.shows_no_words(style.code):
            return ""
        if found is None or kind == "s":
            words = self._words_of(cell, found)
            if words.on_white is not None and self._is_on_white(style) and not style.white:
                sheet.unseen += words.unseen
                words = words.on_white
            return (words.struck if style.struck else words.plain).strip()
        text = self._value(found.text or "", kind, style.code)
        return struck(text) if style.struck else text

    def _words_of(self, cell: Element, value: Element | None) -> _Words:
        """Return the words of a cell."""
        if value is None:
            inline = child(cell, "is")
            return _NO_WORDS if inline is None else _string(inline)
        number = whole_number(value.text or "")
        return self._strings[number] if number is not None and number < len(self._strings) else _NO_WORDS

    def _value(self, value: str, kind: str, code: str) -> str:
        if kind == "n":
            return self._number(value, code)
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        return _unescaped(value).strip()

    def _number(self, value: str, code: str) -> str:
        if not value:
            return ""
        key = (value, code)
        found = self._shown.get(key)
        if found is None:
            try:
                found = numbers.shown(float(value), code, since_1904=self._since_1904)
            except ValueError:
                found = value.strip()
            if len(self._shown) < 100_000:
                self._shown[key] = found
        return found


_YES = ("1", "true")
_T = TypeVar("_T")


def _hidden(columns: Element) -> set[int]:
    """Return the columns (0-based) that an entry of the widths hides."""
    if columns.get("hidden") not in _YES or _is_folded(columns):
        return set()
    first, last = (whole_number(columns.get(name, ""), digits=7) or 0 for name in ("min", "max"))
    return set(range(max(first, 1) - 1, min(last, _LAST_COLUMN)))


def _is_folded(element: Element) -> bool:
    """Whether a row or columns are hidden in an outline: a click opens it."""
    return element.get("outlineLevel", "0") != "0"


def _at(values: Sequence[_T], number: str, *, default: _T) -> _T:
    at = whole_number(number)
    return values[at] if at is not None and at < len(values) else default


def _is_white(colour: Element | None) -> bool:
    if colour is None or colour.get("tint", "0") not in ("0", "0.0"):
        return False
    return (
        colour.get("rgb", "").upper()[-6:] == "FFFFFF" or colour.get("theme") == "0" or colour.get("indexed") in _WHITE
    )


_WHITE = ("1", "9")
"""The numbers of white in the palette."""


def _is_filled(fill: Element) -> bool:
    """Whether a fill has another colour than white."""
    pattern = child(fill, "patternFill")
    if pattern is None:
        return True
    kind = pattern.get("patternType", "none")
    return kind != "none" and not (kind == "solid" and _is_white(child(pattern, "fgColor")))


def _is_on(element: Element | None) -> bool:
    return element is not None and element.get("val", "1") not in ("0", "false")


def column_of(address: str) -> int:
    """Return the column (0-based) of an address: 1 for "B4"; -1 for what is none."""
    column = 0
    for letter in address:
        if not "A" <= letter <= "Z":
            break
        column = column * 26 + ord(letter) - 64
    return column - 1


def _merge(sheet: Sheet, ref: str) -> None:
    ends = [(int(match[2]) - 1, column_of(match[1])) for match in _ADDRESS.finditer(ref)]
    if len(ends) == 2 and len(sheet.spans) < _MOST_SPANS:
        (top, left), (bottom, right) = ends
        if 0 <= top <= bottom < _LAST_ROW and 0 <= left <= right < _LAST_COLUMN:
            sheet.spans[top, left] = (bottom - top + 1, right - left + 1)


def _string(element: Element) -> _Words:
    """Return the words of a shared or inline string, without how they are pronounced."""
    if all(name_of(one) != "r" for one in element):
        text = settled("".join(_unescaped(one.text or "") for one in element if name_of(one) == "t"))
        return _Words(text, struck(text))
    runs = [_run(one) for one in element]
    words = _Words(settled("".join(plain for plain, _, _ in runs)), settled("".join(out for _, out, _ in runs)))
    unseen = tuple(plain.strip() for plain, _, is_white in runs if is_white and plain.strip())
    if not unseen:
        return words
    seen = [(plain, out) for plain, out, is_white in runs if not is_white]
    on_white = _Words(settled("".join(plain for plain, _ in seen)), settled("".join(out for _, out in seen)))
    return _Words(words.plain, words.struck, on_white, unseen)


def _run(one: Element) -> tuple[str, str, bool]:
    """Return the words of a run in a plain cell and in one that is struck out, and whether they are white.

    The look of the cell holds for runs without any.
    """
    kind = name_of(one)
    inside = (one,) if kind == "t" else one if kind == "r" else ()
    text = _unescaped("".join(inner.text or "" for inner in inside if name_of(inner) == "t"))
    look = child(one, "rPr")
    if look is None:
        return text, struck(text), False
    align = child(look, "vertAlign")
    is_raised = align is not None and align.get("val") == "superscript"
    text = marked(text, is_raised=is_raised, is_struck=_is_on(child(look, "strike")))
    return text, text, _is_white(child(look, "color"))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_letter, text) if "_x" in text else text


def _letter(match: re.Match[str]) -> str:
    letter = chr(int(match[1], 16))
    return letter if letter >= " " or letter in "\t\n\r" else ""


def _elements(data: bytes, *names: str) -> Iterator[Element]:
    """Yield elements of these names in a long part, each whole; what was yielded before is dropped."""
    etree: Any = importlib.import_module("lxml.etree")
    if b"<!DOCTYPE" in data[:4096]:
        raise NoText("a part of it declares a document type of its own, which is not read", "damaged")
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    events: Any = etree.iterparse(
        io.BytesIO(data), tag=[f"{{*}}{name}" for name in names], remove_comments=True, remove_pis=True, **options
    )
    try:
        for _, element in events:
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except (SyntaxError, ValueError, LookupError) as error:
        raise NoText(f"a part of it is no well-formed XML ({str(error)[:200]})", "damaged") from None
