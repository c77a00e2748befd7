"""What in XLS and XLSB files would have calamine take memory without end, which it cannot be stopped in.

It takes memory for each place between the first and the last cell, and follows chains of sectors that bite their tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import Package
from octavo_documents.parsing.sheets.numbers_in_records import u16, u32
from octavo_documents.parsing.sheets.xlsb_looks import LAST_CELL, ROW, records

_MOST_PLACES = 30_000_000
"""Places between the first and the last cell of a sheet."""
_SHEET, _DIMENSIONS, _WIDE_DIMENSIONS = 0x85, 0x200, 14
_SHEET_SIZE = 148
"""The record of XLSB that says how far a sheet reaches."""
_FREE = 0xFFFFFFFA
"""Numbers of sectors from which on there are none."""
_IN_HEAD = 109
"""Sectors of the table of sectors that the head of a compound file names itself."""


def check_places_of_xls(stream: bytes) -> None:
    """Refuse a workbook whose sheets say that they reach too far. Raises NoText (`too_large`)."""
    starts, seen = [0], set[int]()
    while starts:
        at = starts.pop()
        while at + 4 <= len(stream) and at not in seen:
            seen.add(at)
            kind, size = u16(stream, at), u16(stream, at + 2)
            if kind == _SHEET:
                starts.append(u32(stream, at + 4))
            elif kind == _DIMENSIONS and size >= _WIDE_DIMENSIONS:
                _check_said([u32(stream, at + 4), u32(stream, at + 8), u16(stream, at + 12), u16(stream, at + 14)])
            at += 4 + size


def _check_said(edges: Sequence[int]) -> None:
    """Refuse a sheet whose first and last row and column, the last ones not counted, are too far apart."""
    first_row, end_row, first_column, end_column = edges
    if end_row and end_column and (end_row < first_row or end_column < first_column):
        raise NoText("it is cut off or damaged (a sheet of it ends before it begins)", "damaged")
    _check(end_row - first_row, end_column - first_column)


def check_places_of_xlsb(package: Package, names: Sequence[str]) -> None:
    """Refuse a workbook whose sheets reach too far, or say so. Raises NoText (`too_large`)."""
    for name in names:
        data = package.read(name)
        row = column = 0
        rows, columns = [1 << 32, 0], [1 << 32, 0]
        for kind, start, end in records(data):
            if kind == ROW:
                row = u32(data, start)
            elif 0 < kind <= LAST_CELL and end - start >= 4:
                column = u32(data, start)
                rows = [min(rows[0], row), max(rows[1], row)]
                columns = [min(columns[0], column), max(columns[1], column)]
            elif kind == _SHEET_SIZE and end - start >= 16:
                edges = [u32(data, start + 4 * one) for one in range(4)]
                _check(edges[1] - edges[0] + 1, edges[3] - edges[2] + 1)
        _check(rows[1] - rows[0] + 1, columns[1] - columns[0] + 1)


def _check(rows: int, columns: int) -> None:
    if rows > 0 and columns > 0 and rows * columns > _MOST_PLACES:
        raise NoText("a sheet of it has cells too far apart: remove the last ones", "too_large")


def check_chains(data: bytes) -> None:
    """Refuse a compound file (MS-CFB 2.3) one of whose chains of sectors has no end. Raises NoText (`damaged`)."""
    sector = 1 << min(u16(data, 30), 16)
    if sector < 512:
        return
    table = _joined(data, sector, _sectors_of_table(data, sector))
    seen = np.zeros(len(table), np.int32)
    folder = _joined(data, sector, _chain(table, u32(data, 48), seen, 1)).tobytes()
    small = _joined(data, sector, _chain(table, u32(data, 60), seen, 2))
    seen_small = np.zeros(len(small), np.int32)
    for number, at in enumerate(range(0, len(folder) - 127, 128), 3):
        start, size = u32(folder, at + 116), u32(folder, at + 120)
        is_small = size < u32(data, 56) and folder[at + 66] != 5
        for _ in _chain(small, start, seen_small, number) if is_small else _chain(table, start, seen, number):
            pass


def _sectors_of_table(data: bytes, sector: int) -> Iterator[int]:
    """Yield the sectors that hold the table of sectors."""
    for at in range(_IN_HEAD):
        yield u32(data, 76 + 4 * at)
    following, count = u32(data, 68), 0
    while following < _FREE:
        count += 1
        if count > len(data) // sector:
            raise _endless()
        place = (following + 1) * sector
        for at in range(sector // 4 - 1):
            yield u32(data, place + 4 * at)
        following = u32(data, place + sector - 4) if place + sector <= len(data) else _FREE


def _joined(data: bytes, sector: int, numbers: Iterator[int]) -> np.ndarray:
    held = [data[(one + 1) * sector : (one + 2) * sector] for one in numbers if one < len(data) // sector]
    joined = b"".join(held)
    return np.frombuffer(joined[: len(joined) // 4 * 4], "<u4")


def _chain(table: np.ndarray, start: int, seen: np.ndarray, number: int) -> Iterator[int]:
    """Yield the sectors of a chain up to one that was looked at before; each chain has a number of its own."""
    while start < len(table):
        if seen[start]:
            if seen[start] == number:
                raise _endless()
            return
        seen[start] = number
        yield start
        start = int(table[start])


def _endless() -> NoText:
    return NoText("it is cut off or damaged (a chain of sectors has no end)", "damaged")
