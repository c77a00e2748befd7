"""Compound files (MS-CFB) of a few streams, written so that what stood as a folder in another one is a file again."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from octavo_documents.parsing.package import OLE_MARK

_SECTOR, _LEAST = 512, 4096
_END, _FREE, _TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_IN_HEAD = 109
"""Sectors of the table of sectors that the head names."""
_A_SECTOR = _SECTOR // 4
_MOST = _IN_HEAD * _A_SECTOR * _SECTOR // 2
"""Bytes that fit with a table that the head names."""


def compound_file(streams: Mapping[str, bytes]) -> bytes | None:
    """Return a compound file of these streams, short ones filled up with zeros; None where they are too large."""
    if sum(map(len, streams.values())) > _MOST:
        return None
    chain: list[int] = []
    folder = [_entry("Root Entry", 5, _END, 0, child=1 if streams else _FREE, after=_FREE)]
    body = b""
    for number, (name, data) in enumerate(streams.items(), 1):
        size = max(len(data), _LEAST)
        after = number + 1 if number < len(streams) else _FREE
        folder.append(_entry(name, 2, len(chain), size, child=_FREE, after=after))
        held = data.ljust(-(-size // _SECTOR) * _SECTOR, b"\0")
        chain += _run(len(chain), len(held) // _SECTOR)
        body += held
    start, entries = len(chain), b"".join(folder)
    entries = entries.ljust(-(-len(entries) // _SECTOR) * _SECTOR, b"\0")
    chain += _run(start, len(entries) // _SECTOR)
    tables = 1
    while tables * _A_SECTOR < len(chain) + tables:
        tables += 1
    first = len(chain)
    chain += [_TABLE] * tables
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(tables * _SECTOR, b"\xff")
    head = OLE_MARK + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, tables, start, 0, _LEAST, _END, 0, _END, 0)
    head += struct.pack(f"<{tables}I", *range(first, first + tables))
    return head.ljust(_SECTOR, b"\xff") + body + entries + table


def _run(start: int, count: int) -> list[int]:
    return [*range(start + 1, start + count), _END]


def _entry(name: str, kind: int, start: int, size: int, *, child: int, after: int) -> bytes:
    named = name[:31].encode("utf-16-le") + b"\0\0"
    head = named.ljust(64, b"\0") + struct.pack("<HBB", len(named), kind, 1)
    return head + struct.pack("<III", _FREE, after, child) + bytes(36) + struct.pack("<IQ", start, size)
