"""XLSB whose cells leave out their column where it is the next one (BrtShort* of MS-XLSB 2.4), as SheetJS writes them.

calamine passes over such cells: they are written out with their columns before it reads the file.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from octavo.parsing.package import Package

_ROW = 0
_LAST_CELL = 11
"""Records of the types from 1 to this one are cells that begin with their column."""
_SHORT = range(12, 19)
"""Records of cells without a column: of the types of seven with one, 11 more."""
_FEW = 2000
"""Records in which a writer that leaves out columns has done so."""


def with_columns(data: bytes, package: Package) -> bytes:
    """Return a file with the columns of all cells written out; the file itself where none lacks. Raises NoText."""
    sheets = {name: package.read(name) for name in package.names() if _is_sheet(name)}
    if not any(map(_has_short, sheets.values())):
        return data
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name in package.names():
            part = sheets.get(name)
            archive.writestr(name, package.read(name) if part is None else b"".join(_written(part)))
    return kept.getvalue()


def _is_sheet(name: str) -> bool:
    return name.lower().startswith("xl/worksheets/") and name.lower().endswith(".bin")


def _has_short(sheet: bytes) -> bool:
    return any(kind in _SHORT for (kind, _, _), _ in zip(_records(sheet), range(_FEW), strict=False))


def _written(sheet: bytes) -> Iterator[bytes]:
    """Yield the records of a sheet, those of cells with their columns."""
    column = whole = 0
    for kind, start, end in _records(sheet):
        body = sheet[start:end]
        if kind == _ROW:
            column = -1
        elif 0 < kind <= _LAST_CELL and len(body) >= 4:
            column = int.from_bytes(body[:4], "little")
        elif kind in _SHORT:
            column += 1
            yield bytes((kind - _LAST_CELL,)) + _size(len(body) + 4) + column.to_bytes(4, "little") + body
            whole = end
            continue
        yield sheet[whole:end]
        whole = end


def _records(sheet: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each record, and where its body begins and ends."""
    at = 0
    while at < len(sheet):
        kind, at = _number(sheet, at, 2)
        size, at = _number(sheet, at, 4)
        yield kind, at, min(at + size, len(sheet))
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


def _size(size: int) -> bytes:
    """Return a size of seven bits a byte, the lowest first."""
    parts = [size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21 & 0x7F]
    while len(parts) > 1 and not parts[-1] & 0x7F:
        parts.pop()
    parts[-1] &= 0x7F
    return bytes(parts)
