"""PDF files cut off before their end: what is left of them as a whole file again, in memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

LARGEST = 256 << 20
"""Bytes up to which a file is tried."""
_MOST_OBJECTS, _MOST_INFLATED = 500_000, 64 << 20
_LONGEST_HEAD = 4096
_OBJECT = re.compile(rb"(?:^|(?<=[\s>]))(\d{1,8})\s+(\d{1,5})\s+obj\b")
_CATALOG, _ITS_TREE = re.compile(rb"/Type\s*/Catalog\b"), re.compile(rb"/Pages\s+(\d{1,8})\s+\d{1,5}\s+R")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_TREE = re.compile(rb"/Type\s*/Pages\b")
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_COUNT, _FIRST = re.compile(rb"/N\s+(\d{1,7})"), re.compile(rb"/First\s+(\d{1,9})")
_STREAM = re.compile(rb"stream\r?\n")
_DEFAULT_SIZE = b"/MediaBox [0 0 612 792]"
_PAGES_BELOW, _PAGES_AT_ONCE = re.compile(rb"/Count\s+(\d{1,5})\b"), re.compile(rb"/Linearized\b[^>]*?/N\s+(\d{1,5})\b")
_END, _AT_END = (b"startxref", b"%%EOF"), 4096


def has_end(path: Path) -> bool:
    """Whether a file ends as a whole PDF does, but for some bytes after it."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - _AT_END, 0))
        end = file.read()
    return any(mark in end for mark in _END)


def stated_pages(data: bytes) -> int:
    """Return how many pages a file says that it has, as far as what says so is left of it; 0 where nothing is."""
    if len(data) > LARGEST:
        return 0
    places = _places(data)
    heads = _heads(data, places)
    bodies = [*heads.values(), *(body for _, body in _unpacked(data, heads, places))]
    counts = [_PAGES_BELOW.search(body) for body in bodies if _TREE.search(body) and b"/Parent" not in body]
    return max((int(found[1]) for found in (*counts, _PAGES_AT_ONCE.search(data[:_LONGEST_HEAD])) if found), default=0)


def rebuild_xref(data: bytes, *, pages: int) -> bytes | None:
    """Return the file with a new end, None when there is nothing to show or it was encrypted.

    At most `pages` pages are taken. The work is linear in the size of the file; what packed objects inflate to is
    capped.
    """
    places = _places(data)
    if not places or len(data) > LARGEST or b"/Encrypt" in data:
        return None
    out = bytearray(data)
    out += b"\nendstream\nendobj\n"
    for number, body in _unpacked(data, _heads(data, places), places):
        if number not in places:
            places[number] = _append(out, number, body)
    heads = _heads(out, places)
    root = _catalog(heads) or _built(out, heads, places, pages)
    if not root:
        return None
    _finish(out, places, root)
    return bytes(out)


def _places(data: bytes) -> dict[int, int]:
    """Return where each object begins, the last of a number."""
    return {int(found[1]): found.start() for found in islice(_OBJECT.finditer(data), _MOST_OBJECTS)}


def _append(out: bytearray, number: int, body: bytes) -> int:
    place = len(out)
    out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    return place


def _heads(data: bytes | bytearray, places: dict[int, int]) -> dict[int, bytes]:
    """Return the first bytes of each object, up to the next, in the order of the file."""
    ordered = sorted((place, number) for number, place in places.items())
    stops = [*(place for place, _ in ordered[1:]), len(data)]
    return {
        number: bytes(data[place : min(stop, place + _LONGEST_HEAD)]).split(b"endobj", 1)[0]
        for (place, number), stop in zip(ordered, stops, strict=True)
    }


def _unpacked(data: bytes, heads: dict[int, bytes], places: dict[int, int]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers and bodies of objects packed in object streams, the last streams first: they are the newest."""
    room = _MOST_INFLATED
    for number in reversed([number for number, head in heads.items() if _PACKED.search(head)]):
        head = heads[number]
        start, count, first = _STREAM.search(head), _COUNT.search(head), _FIRST.search(head)
        if start and count and first and room > 0:
            body = _inflated(data, places[number] + start.end(), room)
            room = room - len(body) if body else room // 2
            yield from _split(body, int(count[1]), int(first[1]))


def _inflated(data: bytes, start: int, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(memoryview(data)[start:], most)
    except zlib.error:
        return b""


def _split(body: bytes, count: int, first: int) -> Iterator[tuple[int, bytes]]:
    numbers = body[:first].split()[: 2 * count]
    if not all(number.isdigit() and len(number) < 9 for number in numbers):
        return
    starts = [first + int(number) for number in numbers[1::2]]
    for number, start, stop in zip(numbers[::2], starts, [*starts[1:], len(body)], strict=False):
        if start < stop <= len(body):
            yield int(number), body[start:stop]


def _catalog(heads: dict[int, bytes]) -> int:
    """Return the number of the last catalogue whose page tree is still there, 0 when there is none."""
    for number in reversed(heads):
        found = _ITS_TREE.search(heads[number]) if _CATALOG.search(heads[number]) else None
        if found and _TREE.search(heads.get(int(found[1]), b"")):
            return number
    return 0


def _built(out: bytearray, heads: dict[int, bytes], places: dict[int, int], most: int) -> int:
    """Append a page tree of the pages found, in the order of the file, and a catalogue; return its number or 0."""
    found = sorted((places[number], number) for number, head in heads.items() if _PAGE.search(head))[:most]
    if not found:
        return 0
    tree = max(places) + 1
    kids = b" ".join(b"%d 0 R" % number for _, number in found)
    places[tree] = _append(out, tree, b"<< /Type /Pages /Count %d /Kids [%b] %b >>" % (len(found), kids, _DEFAULT_SIZE))
    places[tree + 1] = _append(out, tree + 1, b"<< /Type /Catalog /Pages %d 0 R >>" % tree)
    return tree + 1


def _finish(out: bytearray, places: dict[int, int], root: int) -> None:
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number in sorted(places):
        out += b"%d 1\n%010d 00000 n \n" % (number, places[number])
    out += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (max(places) + 1, root, start)
