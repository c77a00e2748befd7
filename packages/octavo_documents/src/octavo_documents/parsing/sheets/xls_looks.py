"""How the cells of an XLS file look (BIFF5 and BIFF8; MS-XLS 2.4): calamine gives their values alone.

A damaged file has no looks, or those up to the damage.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterator, Sequence
from typing import Any

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

_FORMULA, _EOF, _FONT, _CONTINUE, _COLUMNS = 0x06, 0x0A, 0x31, 0x3C, 0x7D
_FORMAT, _SHEET, _PALETTE, _FILTERED, _MANY, _MANY_BLANK, _XF = 0x41E, 0x85, 0x92, 0x9B, 0xBD, 0xBE, 0xE0
_STRINGS, _SHARED, _ROW, _BOF = 0xFC, 0xFD, 0x208, 0x809
_CELLS = frozenset((_FORMULA, _SHARED, 0xD6, 0x203, 0x204, 0x205, 0x27E))
"""Records that begin with row, column and the number of a look."""
_COLOURED = frozenset((0x1B0, 0x87A, 0x872))
"""Conditions, and tables with a look of their own."""
_BIFF5, _BIFF8 = 0x500, 0x600
_LEFT_OUT_FONT = 4
"""The number that no font has."""
_WHITE_INK, _WHITE, _PALETTE_STARTS, _WINDOW = 1, 9, 8, 65
_HIDDEN_ROW, _OUTLINE = 0x20, 7
_LAST_COLUMN = 256
_MOST_STRINGS = 3_000_000

Record = tuple[int, int, int]
"""Its type, and where its body begins and ends."""


def looks_of(stream: bytes) -> list[SheetLooks]:
    """Return how the cells of each sheet look, in the order of the sheets; none where that cannot be told."""
    return _Book(stream).sheets() if stream else []


def workbook_in(data: bytes) -> bytes:
    """Return the records of the workbook in a compound file, none where there is none."""
    olefile: Any = importlib.import_module("olefile")
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            name = next((one for one in ("Workbook", "Book") if file.exists(one)), "")
            return file.openstream(name).read() if name else b""
    except Exception:  # noqa: BLE001 - olefile raises errors of any kind for damaged files
        return b""


class _Book:
    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._is_new = u16(stream, 4) == _BIFF8
        self._fonts: list[CellFont] = []
        self._codes = dict(BUILT_IN)
        self._looks: list[CellLook] = []
        self._strings: dict[int, Rich] = {}
        self._white = {_WHITE_INK, _WHITE}
        self._places: list[int] = []
        if u16(stream, 0) == _BOF and u16(stream, 4) in (_BIFF5, _BIFF8):
            self._globals()

    def sheets(self) -> list[SheetLooks]:
        return [self._sheet(place) for place in self._places]

    def _records(self, at: int) -> Iterator[Record]:
        """Yield the records from one on, up to the end of what they describe."""
        stream, depth = self._stream, 0
        while at + 4 <= len(stream):
            kind, size = u16(stream, at), u16(stream, at + 2)
            yield kind, at + 4, min(at + 4 + size, len(stream))
            depth += (kind == _BOF) - (kind == _EOF)
            if depth <= 0:
                return
            at += 4 + size

    def _globals(self) -> None:
        stream, strings = self._stream, list[bytes]()
        fonts, looks = list[bytes](), list[bytes]()
        last = 0
        for kind, start, end in self._records(0):
            body = stream[start:end]
            if kind == _FONT:
                fonts.append(body)
            elif kind == _XF:
                looks.append(body)
            elif kind == _FORMAT:
                self._codes[u16(body, 0)] = self._code(body)
            elif kind == _PALETTE:
                self._white = {_WHITE_INK, *_whites(body)}
            elif kind == _SHEET:
                self._places.append(u32(body, 0))
            elif kind == _STRINGS or (kind == _CONTINUE and last == _STRINGS):
                strings.append(body)
                kind = _STRINGS
            last = kind
        self._fonts = [
            font_of(u16(one, 2), u16(one, 6), u16(one, 8), is_white=u16(one, 4) in self._white) for one in fonts
        ]
        self._looks = [*map(self._look, looks)]
        numbered = [*self._fonts[:_LEFT_OUT_FONT], CellFont(), *self._fonts[_LEFT_OUT_FONT:]]
        self._strings = dict(_rich_strings(strings, numbered)) if strings else {}

    def _look(self, body: bytes) -> CellLook:
        number = u16(body, 0)
        number -= number > _LEFT_OUT_FONT
        font = self._fonts[number] if number < len(self._fonts) else CellFont()
        return CellLook(font, self._is_filled(body), self._codes.get(u16(body, 2), ""))

    def _code(self, body: bytes) -> str:
        """Return the number format that a record describes."""
        if not self._is_new:
            return body[3 : 3 + body[2]].decode("cp1252", "replace") if len(body) > 2 else ""
        length, is_wide = u16(body, 2), body[4:5] == b"\x01"
        return body[5 : 5 + length * (1 + is_wide)].decode("utf-16-le" if is_wide else "latin-1", "replace")

    def _is_filled(self, body: bytes) -> bool:
        """Whether a cell has another ground than white."""
        if self._is_new:
            pattern, colour = u32(body, 14) >> 26, u16(body, 18) & 0x7F
        else:
            pattern, colour = u32(body, 8) >> 16 & 0x3F, u32(body, 8) & 0x7F
        return pattern != 0 and not (pattern == 1 and colour in {*self._white, _WINDOW})

    def _sheet(self, place: int) -> SheetLooks:
        looks, stream = SheetLooks(), self._stream
        for kind, start, end in self._records(place):
            if kind in _CELLS:
                self._cell(looks, kind, stream[start:end])
            elif kind in (_MANY, _MANY_BLANK):
                self._many(looks, kind, stream[start:end])
            elif kind == _ROW:
                flags = u16(stream, start + 12)
                if flags & _HIDDEN_ROW and not flags & _OUTLINE:
                    looks.hidden_rows.add(u16(stream, start))
            elif kind == _COLUMNS:
                body = stream[start:end]
                first, last, flags = u16(body, 0), u16(body, 2), u16(body, 8)
                looks.hidden_columns |= {*hidden_columns(first, last, flags, most=_LAST_COLUMN)}
            looks.is_filtered |= kind == _FILTERED
            looks.is_coloured |= kind in _COLOURED
        return looks

    def _cell(self, looks: SheetLooks, kind: int, body: bytes) -> None:
        row, column = u16(body, 0), u16(body, 2)
        looks.put(row, column, self._numbered(u16(body, 4)))
        rich = self._strings.get(u32(body, 6)) if kind == _SHARED else None
        if rich is not None:
            looks.rich[row, column] = rich

    def _many(self, looks: SheetLooks, kind: int, body: bytes) -> None:
        """Take a row of numbers: the look of each stands before it."""
        step = 6 if kind == _MANY else 2
        row, first = u16(body, 0), u16(body, 2)
        for at in range((len(body) - 6) // step):
            looks.put(row, first + at, self._numbered(u16(body, 4 + step * at)))

    def _numbered(self, number: int) -> CellLook:
        return self._looks[number] if number < len(self._looks) else PLAIN


def _whites(palette: bytes) -> Iterator[int]:
    """Yield the numbers of the colours of a palette that are white."""
    for at in range(min(u16(palette, 0), len(palette) // 4)):
        if palette[2 + 4 * at : 5 + 4 * at] == b"\xff\xff\xff":
            yield _PALETTE_STARTS + at


def _rich_strings(parts: Sequence[bytes], fonts: Sequence[CellFont]) -> Iterator[tuple[int, Rich]]:
    """Yield the shared strings of several runs, with their numbers."""
    reader = _Strings(parts)
    reader.take(4)
    for number in range(min(int.from_bytes(reader.take(4), "little"), _MOST_STRINGS)):
        if reader.is_at_end:
            return
        text, runs = reader.string()
        rich = rich_or_none(text, runs, fonts) if runs else None
        if rich is not None:
            yield number, rich


class _Strings:
    """Reads strings that go on from one record into the next."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        self._parts, self._part, self._at = parts, 0, 0

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing more."""
        return self._part >= len(self._parts) - 1 and self._left() <= 0

    def _left(self) -> int:
        return len(self._parts[self._part]) - self._at

    def take(self, size: int) -> bytes:
        """Return so many bytes, fewer at the end."""
        found = b""
        while True:
            here = self._parts[self._part][self._at : self._at + size - len(found)]
            self._at += len(here)
            found += here
            if len(found) == size or self._part == len(self._parts) - 1:
                return found
            self._part, self._at = self._part + 1, 0

    def string(self) -> tuple[bytes, list[tuple[int, int]]]:
        """Return the next string in UTF-16, and where each run starts with the number of its font."""
        head = self.take(3)
        length, flags = u16(head, 0), head[2] if len(head) > 2 else 0
        runs = u16(self.take(2), 0) if flags & 8 else 0
        more = u32(self.take(4), 0) if flags & 4 else 0
        text = self._letters(length, is_wide=bool(flags & 1))
        data = self.take(4 * runs)
        self.take(more)
        return text, [(u16(data, at), u16(data, at + 2)) for at in range(0, len(data), 4)]

    def _letters(self, length: int, *, is_wide: bool) -> bytes:
        found = list[bytes]()
        while True:
            width = 1 + is_wide
            count = min(length, self._left() // width)
            here = self._parts[self._part][self._at : self._at + count * width]
            self._at += len(here)
            found.append(here if is_wide else here.decode("latin-1").encode("utf-16-le"))
            length -= count
            if length <= 0 or self._part == len(self._parts) - 1:
                return b"".join(found)
            self._part, self._at = self._part + 1, 1
            is_wide = bool(self._parts[self._part][:1] == b"\x01")
