"""What a parser process and its parent say to each other: framed, length-capped messages of plain data.

Nothing here is ever unpickled: a message is numbers, JSON or raw bytes, and the side that reads it states the longest
it accepts. Articles go in batches: raw ones to be read, read ones, and errors; what comes from a child is checked.
"""

from __future__ import annotations

import json
import math
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from octavo_documents.document import Kind as BlockKind
from octavo_documents.models.ports import LayoutRegion, Raster, RecognizedLine

KIBIBYTE = 1 << 10


class MessageKind(IntEnum):
    """The messages. A request opens the conversation, `RESULT` or `ERROR` ends it."""

    REQUEST = 1
    PROGRESS = 2
    RASTER = 3
    LINES = 4
    RESULT = 5
    ERROR = 6
    PAGE = 7
    REGIONS = 8
    ARTICLES = 9
    FIGURES = 10
    OPENS = 11


LONGEST: Mapping[MessageKind, int] = {
    MessageKind.REQUEST: 1024 * KIBIBYTE,
    MessageKind.PROGRESS: 8,
    MessageKind.FIGURES: 8,
    MessageKind.OPENS: 0,
    MessageKind.LINES: 16 * KIBIBYTE * KIBIBYTE,
    MessageKind.ERROR: 64 * KIBIBYTE,
    MessageKind.REGIONS: 16 * KIBIBYTE * KIBIBYTE,
    MessageKind.ARTICLES: 64 * KIBIBYTE * KIBIBYTE,
}
"""Bytes per message of the kinds whose length depends on no `Limits`."""
_HEADER = struct.Struct("<BQ")
_PAIR = struct.Struct("<II")
_DPI = struct.Struct("<d")
_REGION = struct.Struct("<H5d")
_PIECE = 1 << 20
_LONGEST_REASON = 2000
_MOST_REGIONS = 100_000


@dataclass(frozen=True, slots=True)
class Request:
    """One job: what to do (a key of the worker's table) and with what. `options` holds JSON values only."""

    job: str
    options: Mapping[str, Any]


class WireError(Exception):
    """A conversation broke off."""


class ChildExited(WireError):
    """The other side ended it."""


class ChildTimeout(WireError):
    """The other side said nothing in time."""


class ProtocolError(WireError):
    """The other side sent what makes no sense."""


class Wire:
    """One end of a stream socket that carries messages. Not thread-safe: one conversation, one thread."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, kind: MessageKind, *parts: bytes | memoryview, seconds: float | None = None) -> None:
        """Send one message; raises ChildExited, or ChildTimeout when it is not taken within `seconds`."""
        self._end.settimeout(seconds)
        try:
            self._end.sendall(_HEADER.pack(kind, sum(len(part) for part in parts)))
            for part in parts:
                self._end.sendall(part)
        except TimeoutError as error:
            raise ChildTimeout from error
        except OSError as error:
            raise ChildExited from error

    def receive(
        self, longest: Mapping[MessageKind, int], *, deadline: float | None = None
    ) -> tuple[MessageKind, bytearray]:
        """Return the next message, one of the kinds in `longest` (bytes), by `deadline` (on the monotonic clock).

        Raises ChildExited, ChildTimeout after the deadline, or ProtocolError for another kind or a longer one.
        """
        number, length = _HEADER.unpack(self._read(_HEADER.size, deadline))
        if number not in longest or length > longest[MessageKind(number)]:
            raise ProtocolError(f"message {number} of {length:,} bytes")
        return MessageKind(number), self._read(length, deadline)

    def close(self) -> None:
        """End the conversation."""
        self._end.close()

    def _read(self, length: int, deadline: float | None) -> bytearray:
        data = bytearray(length)
        view, done = memoryview(data), 0
        self._end.settimeout(None)
        while done < length:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0:  # also for a side that never falls silent
                    raise ChildTimeout
                self._end.settimeout(left)
            try:
                count = self._end.recv_into(view[done:], min(length - done, _PIECE))
            except TimeoutError as error:
                raise ChildTimeout from error
            except OSError as error:
                raise ChildExited from error
            if not count:
                raise ChildExited
            done += count
        return data


def pack_request(request: Request) -> bytes:
    """Return the bytes of a request."""
    return json.dumps({"job": request.job, "options": dict(request.options)}).encode()


def unpack_request(data: bytes | bytearray) -> Request:
    """Read `pack_request` back."""
    values = json.loads(data)
    return Request(str(values["job"]), dict(values["options"]))


def pack_progress(done: int, total: int) -> bytes:
    """Return the bytes of "`done` of `total`"."""
    return _PAIR.pack(done, total)


def unpack_progress(data: bytes | bytearray) -> tuple[int, int]:
    """Read `pack_progress` back; raises ProtocolError where the numbers make none."""
    if len(data) != _PAIR.size:
        raise ProtocolError("progress of the wrong length")
    done, total = _PAIR.unpack(data)
    if done > total:
        raise ProtocolError("progress beyond its end")
    return done, total


def pack_raster(raster: Raster) -> tuple[bytes, memoryview]:
    """Return a raster as header and pixels."""
    height, width, _ = raster.shape
    return _PAIR.pack(height, width), np.ascontiguousarray(raster).reshape(-1).data


def longest_raster(pixels: int) -> int:
    """Return the most bytes a packed raster of `pixels` may have."""
    return _PAIR.size + 3 * pixels


def unpack_raster(data: bytes | bytearray) -> Raster:
    """Read `pack_raster` back; raises ProtocolError where the size does not fit the pixels."""
    height, width = _PAIR.unpack_from(data) if len(data) > _PAIR.size else (0, 0)
    if not height or not width or height * width * 3 != len(data) - _PAIR.size:
        raise ProtocolError(f"a raster of {height} x {width} in {len(data):,} bytes")
    return np.frombuffer(data, np.uint8, offset=_PAIR.size).reshape(height, width, 3)


def pack_page(raster: Raster, dpi: float) -> tuple[bytes, bytes, memoryview]:
    """Return the picture of a page and its dots per inch."""
    return _DPI.pack(dpi), *pack_raster(raster)


def longest_page(pixels: int) -> int:
    """Return the most bytes a packed page of `pixels` may have."""
    return _DPI.size + longest_raster(pixels)


def unpack_page(data: bytes | bytearray) -> tuple[Raster, float]:
    """Read `pack_page` back; raises ProtocolError where the numbers make none."""
    (dpi,) = _DPI.unpack_from(data) if len(data) > _DPI.size else (0.0,)
    if not 0 < dpi < math.inf:
        raise ProtocolError(f"a page at {dpi} dots per inch")
    return unpack_raster(data[_DPI.size :]), dpi


def pack_regions(regions: Sequence[LayoutRegion]) -> bytes:
    """Return regions as bytes; what is of no known kind or has no four sides is left out."""
    known = frozenset(BlockKind)
    return b"".join(
        _REGION.pack(region.kind, *map(float, region.box), float(region.score))
        for region in regions[:_MOST_REGIONS]
        if region.kind in known and len(region.box) == 4
    )


def unpack_regions(data: bytes | bytearray) -> tuple[LayoutRegion, ...]:
    """Read `pack_regions` back."""
    return tuple(
        LayoutRegion(BlockKind(kind), (x0, y0, x1, y1), score)
        for kind, x0, y0, x1, y1, score in _REGION.iter_unpack(data)
    )


def pack_lines(lines: Sequence[RecognizedLine]) -> bytes:
    """Return recognised lines as bytes."""
    rows = [[line.text, [float(side) for side in line.box], float(line.confidence)] for line in lines]
    return json.dumps(rows).encode()


def unpack_lines(data: bytes | bytearray) -> tuple[RecognizedLine, ...]:
    """Read `pack_lines` back."""
    return tuple(RecognizedLine(text, (x0, y0, x1, y1), sure) for text, (x0, y0, x1, y1), sure in json.loads(data))


def pack_error(reason: str, message: str) -> bytes:
    """Return a reason and a message for people."""
    return json.dumps([reason, message[:_LONGEST_REASON]]).encode()


def unpack_error(data: bytes | bytearray) -> tuple[str, str]:
    """Read `pack_error` back, the message as one printable line; raises ProtocolError for anything else."""
    try:
        reason, message = json.loads(data)
        return str(reason), "".join(mark if mark.isprintable() else " " for mark in str(message))
    except (ValueError, TypeError) as error:
        raise ProtocolError("an error that is not two texts") from error
