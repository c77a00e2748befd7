"""How the cells of an XLSB file look (MS-XLSB 2.4), and its records: calamine gives the values of cells alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from octavo_documents.parsing.open_xml import relations
from octavo_documents.parsing.package import Package
from octavo_documents.parsing.sheets.cell_looks import (
    PLAIN,
    CellFont,
    CellLook,
    Rich,
    SheetLooks,
    font_of,
    hidden_columns,
    rich_or_none,
)
from octavo_documents.parsing.sheets.numbers import BUILT_IN
from octavo_documents.parsing.sheets.numbers_in_records import u16, u32

ROW, LAST_CELL = 0, 11
"""Records of the types from 1 to this one are cells that begin with their column."""
_SHARED, _STRING, _FONT, _FORMAT, _FILL, _XF, _COLUMNS, _RICH = 7, 19, 43, 44, 45, 47, 60, 62
_SHEET, _FILTERED, _CONDITION, _XFS, _XFS_END, _TABLES = 156, 163, 461, 617, 618, 660
_HIDDEN_ROW, _OUTLINE = 0x10, 7
_LAST_COLUMN = 16_384
_WHITE_NUMBERS = (1, 9)
_BY_NUMBER, _BY_VALUE, _BY_THEME = 1, 2, 3


def records(part: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each record, and where its body begins and ends."""
    at = 0
    while at < len(part):
        kind, at = _number(part, at, 2)
        size, at = _number(part, at, 4)
        yield kind, at, min(at + size, len(part))
        at += size


def _number(data: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, the lowest first, and where it ends."""
    value = 0
    for place in range(most):
        if at >= len(data):
            break
        byte = data[at]
        value |= (byte & 0x7F) << (7 * place)
        at += 1
        if byte < 0x80:
            break
    return value, at


def looks_of(package: Package) -> list[SheetLooks]:
    """Return how the cells of each sheet look, in the order of the sheets. Raises NoText."""
    book = relations(package, "").get("officeDocument", ["xl/workbook.bin"])[0]
    if book not in package:
        return []
    tied = relations(package, book)
    styles = _Styles()
    for part in tied.get("styles", ()):
        if part in package:
            styles.take(package.read(part))
    strings: dict[int, Rich] = {}
    for part in tied.get("sharedStrings", ()):
        if part in package:
            strings.update(_rich_strings(package.read(part), styles.fonts))
    parts = (tied.get(id_, [""])[0] for id_ in _sheet_ids(package.read(book)))
    return [_sheet(package.read(part), styles, strings) if part in package else SheetLooks() for part in parts]


def _sheet_ids(book: bytes) -> Iterator[str]:
    """Yield the ids of the relations to the sheets of a workbook."""
    for kind, start, end in records(book):
        if kind == _SHEET:
            size = u32(book, start + 8)
            yield (
                "" if size > 255 else book[start + 12 : min(start + 12 + 2 * size, end)].decode("utf-16-le", "replace")
            )


@dataclass(slots=True)
class _Styles:
    """The fonts of a workbook, and the looks of cells by the number they are named by."""

    fonts: list[CellFont] = field(default_factory=list[CellFont])
    looks: list[CellLook] = field(default_factory=list[CellLook])

    def take(self, part: bytes) -> None:
        filled, codes, is_for_cells = list[bool](), dict(BUILT_IN), False
        for kind, start, end in records(part):
            body = part[start:end]
            if kind == _FONT:
                self.fonts.append(font_of(u16(body, 2), u16(body, 4), u16(body, 6), is_white=_is_white(body[12:20])))
            elif kind == _FORMAT:
                codes[u16(body, 0)] = body[6 : 6 + 2 * u32(body, 2)].decode("utf-16-le", "replace")
            elif kind == _FILL:
                filled.append(u32(body, 0) != 0 and not (u32(body, 0) == 1 and _is_white(body[4:12])))
            elif kind in (_XFS, _XFS_END):
                is_for_cells = kind == _XFS
            elif kind == _XF and is_for_cells:
                number, fill = u16(body, 4), u16(body, 6)
                font = self.fonts[number] if number < len(self.fonts) else CellFont()
                is_filled = fill >= len(filled) or filled[fill]
                self.looks.append(CellLook(font, is_filled, codes.get(u16(body, 2), "")))

    def of(self, number: int) -> CellLook:
        return self.looks[number] if number < len(self.looks) else PLAIN


def _is_white(colour: bytes) -> bool:
    """Whether a colour is white and neither lighter nor darker than it says."""
    kind, number = colour[0] >> 1 if colour else 0, colour[1] if len(colour) > 1 else 0
    if u16(colour, 2):
        return False
    if kind == _BY_NUMBER:
        return number in _WHITE_NUMBERS
    return number == 0 if kind == _BY_THEME else kind == _BY_VALUE and colour[4:7] == b"\xff\xff\xff"


def _rich_strings(part: bytes, fonts: Sequence[CellFont]) -> Iterator[tuple[int, Rich]]:
    number = 0
    for kind, start, end in records(part):
        if kind == _STRING:
            rich = _rich(part[start:end], fonts)
            if rich is not None:
                yield number, rich
            number += 1


def _rich(body: bytes, fonts: Sequence[CellFont]) -> Rich | None:
    """Return a string that has runs; None where it has none that look other than plain."""
    if not body[:1] or not body[0] & 1:
        return None
    stop = 5 + 2 * u32(body, 1)
    count = min(u32(body, stop), (len(body) - stop) // 4)
    runs = [(u16(body, at), u16(body, at + 2)) for at in range(stop + 4, stop + 4 + 4 * count, 4)]
    return rich_or_none(body[5:stop], runs, fonts)


def _sheet(part: bytes, styles: _Styles, strings: dict[int, Rich]) -> SheetLooks:
    looks = SheetLooks()
    row = column = 0
    for kind, start, end in records(part):
        if kind == ROW:
            row, column = u32(part, start), -1
            flags = part[start + 11] if start + 11 < end else 0
            if flags & _HIDDEN_ROW and not flags & _OUTLINE:
                looks.hidden_rows.add(row)
        elif 0 < kind <= LAST_CELL or kind == _RICH:
            column = u32(part, start)
            looks.put(row, column, styles.of(u32(part, start + 4) & 0xFFFFFF))
            rich = strings.get(u32(part, start + 8)) if kind == _SHARED else None
            rich = _rich(part[start + 8 : end], styles.fonts) if kind == _RICH else rich
            if rich is not None:
                looks.rich[row, column] = rich
        elif kind == _COLUMNS:
            body = part[start:end]
            first, last, flags = u32(body, 0), u32(body, 4), u16(body, 16)
            looks.hidden_columns |= {*hidden_columns(first, last, flags, most=_LAST_COLUMN)}
        looks.is_filtered |= kind == _FILTERED
        looks.is_coloured |= kind in (_CONDITION, _TABLES)
    return looks
