"""Small XLS and XLSB files written record by record, for tests: fonts, looks of cells, strings of several runs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from office_files import archive, relations


@dataclass(frozen=True)
class Font:
    """A font of a file."""

    is_struck: bool = False
    is_raised: bool = False
    is_white: bool = False
    is_bold: bool = False


PLAIN, OUT, UP, WHITE, BOLD = (
    Font(),
    Font(is_struck=True),
    Font(is_raised=True),
    Font(is_white=True),
    Font(is_bold=True),
)
FONTS = (PLAIN, OUT, UP, WHITE, BOLD)
Runs = Sequence[tuple[str, Font]]
CODES = ("", "dd-mmm-yy", "# ?/?", "0.0%")
"""Number formats of a file."""
_FIRST_CODE = 164
LOOKS = [(code, font, filled) for code in range(len(CODES)) for font in range(len(FONTS)) for filled in (False, True)]


@dataclass(frozen=True)
class Cell:
    """A cell: a number or runs of words, its font, whether its ground is black, and its number format."""

    value: float | Runs
    font: Font = PLAIN
    is_filled: bool = False
    code: str = ""

    @property
    def look(self) -> int:
        """The number of its look in a file."""
        return (CODES.index(self.code) * len(FONTS) + FONTS.index(self.font)) * 2 + self.is_filled


Rows = Sequence[Sequence[Cell | None]]


def xls(rows: Rows, *, hidden_row: int | None = None, hidden_column: int | None = None) -> bytes:
    """Return an XLS file (BIFF8) of one sheet; its strings are cut in the middle, as those of long files are."""
    strings = [cell.value for row in rows for cell in row if cell and not isinstance(cell.value, float)]
    table = b"".join(_string8(runs) for runs in strings)
    cut = len(_string8(strings[0])) + 7  # within the second string, after four of its letters
    head, tail = struct.pack("<II", len(strings), len(strings)) + table[:cut], b"\x00" + table[cut:]
    begin = b"".join(_record8(0x31, _font8(font)) for font in FONTS)
    begin += b"".join(
        _record8(0x41E, struct.pack("<HHB", number, len(code), 0) + code.encode("latin-1"))
        for number, code in enumerate(CODES[1:], _FIRST_CODE)
    )
    begin += b"".join(_record8(0xE0, _look8(*look)) for look in LOOKS)
    end = _record8(0xFC, head) + _record8(0x3C, tail) + _record8(0x0A, b"")
    start = _record8(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    place = len(start) + len(begin) + 4 + 6 + 2 + 5 + len(end)
    sheet = _record8(0x85, struct.pack("<IBBBB", place, 0, 0, 5, 0) + b"Sheet")
    stream = start + begin + sheet + end + _sheet8(rows, hidden_row, hidden_column)
    return compound(stream)


def _record8(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _font8(font: Font) -> bytes:
    flags, ink, weight = 8 * font.is_struck, 9 if font.is_white else 0x7FFF, 700 if font.is_bold else 400
    return struct.pack("<HHHHHBBBBBB", 200, flags, ink, weight, int(font.is_raised), 0, 0, 0, 0, 5, 0) + b"Arial"


def _number8(font: int) -> int:
    """Return the number of a font: no font has the number 4."""
    return font + (font >= 4)


def _number_of_code(code: int) -> int:
    return code + _FIRST_CODE - 1 if code else 0


def _look8(code: int, font: int, is_filled: bool) -> bytes:
    fill = 1 << 26 if is_filled else 0
    return struct.pack("<HHHBBBBIIH", _number8(font), _number_of_code(code), 1, 0, 0, 0, 0, 0, fill, 8)


def _string8(runs: Runs) -> bytes:
    text = "".join(text for text, _ in runs)
    told, at = b"", 0
    for words, font in runs:
        told += struct.pack("<HH", at, _number8(FONTS.index(font))) if at else b""
        at += len(words)
    return struct.pack("<HBH", len(text), 8, len(runs) - 1) + text.encode("latin-1") + told


def _sheet8(rows: Rows, hidden_row: int | None, hidden_column: int | None) -> bytes:
    found = _record8(0x809, struct.pack("<HHHHII", 0x600, 16, 0, 0, 0, 0))
    width = max(map(len, rows))
    if hidden_column is not None:
        found += _record8(0x7D, struct.pack("<HHHHHH", hidden_column, hidden_column, 2000, 0, 1, 0))
    found += _record8(0x200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    string = 0
    for at, row in enumerate(rows):
        flags = 0x20 if at == hidden_row else 0
        found += _record8(0x208, struct.pack("<HHHHHHHH", at, 0, width, 255, 0, 0, flags, 0))
        for column, cell in enumerate(row):
            if cell is None:
                continue
            head = struct.pack("<HHH", at, column, cell.look)
            if isinstance(cell.value, float):
                found += _record8(0x203, head + struct.pack("<d", cell.value))
            else:
                found += _record8(0xFD, head + struct.pack("<I", string))
                string += 1
    return found + _record8(0x0A, b"")


def compound(stream: bytes, *, name: str = "Workbook") -> bytes:
    """Return a compound file that holds one stream."""
    size = max(len(stream), 4096)
    body = stream.ljust(-(-size // 512) * 512, b"\0")
    count = len(body) // 512
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *(at + 3 for at in range(count - 1)), 0xFFFFFFFE]
    table = b"".join(struct.pack("<I", one) for one in chain).ljust(512, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0) + struct.pack("<I", 0)
    folder = _entry("Root Entry", 5, 0xFFFFFFFE, 0, child=1) + _entry(name, 2, 2, size)
    return head.ljust(512, b"\xff") + table + folder.ljust(512, b"\0") + body


def _entry(name: str, kind: int, start: int, size: int, *, child: int = 0xFFFFFFFF) -> bytes:
    named = name.encode("utf-16-le") + b"\0\0"
    head = named.ljust(64, b"\0") + struct.pack("<HBB", len(named), kind, 1)
    return head + struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child) + bytes(36) + struct.pack("<IQ", start, size)


def xlsb(rows: Rows, *, hidden_row: int | None = None, hidden_column: int | None = None) -> bytes:
    """Return an XLSB file of one sheet."""
    fonts = b"".join(_record12(43, _font12(font)) for font in FONTS)
    black = b"\x05\xff\0\0\0\0\0\xff"
    fills = _record12(45, struct.pack("<I", 0) + bytes(64)) + _record12(45, struct.pack("<I", 1) + black + bytes(56))
    looks = (struct.pack("<HHHH", 0, _number_of_code(code), font, fill) + bytes(8) for code, font, fill in LOOKS)
    codes = (struct.pack("<H", number) + _wide(code) for number, code in enumerate(CODES[1:], _FIRST_CODE))
    styles = (
        b"".join(_record12(44, code) for code in codes)
        + fonts
        + fills
        + _record12(617, struct.pack("<I", len(LOOKS)))
        + b"".join(_record12(47, look) for look in looks)
        + _record12(618, b"")
    )
    strings = [cell.value for row in rows for cell in row if cell and not isinstance(cell.value, float)]
    shared = _record12(159, struct.pack("<II", len(strings), len(strings))) + b"".join(
        _record12(19, _string12(runs)) for runs in strings
    )
    book = _record12(143, b"") + _record12(156, struct.pack("<II", 0, 1) + _wide("rId1") + _wide("Sheet"))
    sheets = {"worksheets/sheet1.bin": "worksheet", "styles.bin": "styles", "sharedStrings.bin": "sharedStrings"}
    return archive(
        {
            "_rels/.rels": relations({"xl/workbook.bin": "officeDocument"}),
            "xl/workbook.bin": book + _record12(144, b"") + _record12(132, b""),
            "xl/_rels/workbook.bin.rels": relations(sheets),
            "xl/styles.bin": styles,
            "xl/sharedStrings.bin": shared + _record12(160, b""),
            "xl/worksheets/sheet1.bin": _sheet12(rows, hidden_row, hidden_column),
        }
    )


def _record12(kind: int, body: bytes) -> bytes:
    head = bytes((kind,)) if kind < 128 else bytes((kind & 127 | 128, kind >> 7))
    size = len(body)
    return head + (bytes((size,)) if size < 128 else bytes((size & 127 | 128, size >> 7))) + body


def _font12(font: Font) -> bytes:
    weight = 700 if font.is_bold else 400
    ink = b"\x05\xff\0\0\xff\xff\xff\xff" if font.is_white else b"\x07\x01" + bytes(6)
    return (
        struct.pack("<HHHH", 220, 8 * font.is_struck, weight, int(font.is_raised)) + bytes(4) + ink + b"\0" + _wide("A")
    )


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _string12(runs: Runs) -> bytes:
    told, at = b"", 0
    for words, font in runs:
        told += struct.pack("<HH", at, FONTS.index(font)) if at else b""
        at += len(words)
    is_rich = len(runs) > 1
    text = bytes((is_rich,)) + _wide("".join(text for text, _ in runs))
    return text + (struct.pack("<I", len(runs) - 1) + told if is_rich else b"")


def _sheet12(rows: Rows, hidden_row: int | None, hidden_column: int | None) -> bytes:
    width = max(map(len, rows))
    found = _record12(129, b"") + _record12(148, struct.pack("<IIII", 0, len(rows) - 1, 0, width - 1))
    if hidden_column is not None:
        found += _record12(60, struct.pack("<IIIIH", hidden_column, hidden_column, 2000, 0, 1))
    found += _record12(145, b"")
    string = 0
    for at, row in enumerate(rows):
        flags = 0x10 if at == hidden_row else 0
        found += _record12(0, struct.pack("<IIHBBB", at, 0, 300, 0, flags, 0) + bytes(4))
        for column, cell in enumerate(row):
            if cell is None:
                continue
            head = struct.pack("<II", column, cell.look)
            if isinstance(cell.value, float):
                found += _record12(5, head + struct.pack("<d", cell.value))
            else:
                found += _record12(7, head + struct.pack("<I", string))
                string += 1
    return found + _record12(146, b"") + _record12(130, b"")
