"""Messages of articles: those of a container as they stand there, and what was read of each."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from octavo_documents.parsing.articles import READERS, Article, Skipped
from octavo_documents.parsing.messages import ProtocolError

_LENGTH = struct.Struct("<Q")
_LONGEST_MESSAGE = 1000


@dataclass(frozen=True, slots=True)
class RawBatch:
    """Articles in the order of their container, what was skipped among them, and how far the container is read."""

    articles: tuple[Article, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    position: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """Why an article of a batch could not be read: a reason of `SourceError` and a message for people."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class ToRead:
    """An article to be read: the module that reads it, its document's name, title and hex digest, and its bytes.

    `is_apart` says that it is a file by itself, which may be read alone as well.
    """

    format: str
    name: str
    title: str
    digest: str
    data: bytes = field(repr=False)
    is_apart: bool = False


def pack_raw(batch: RawBatch) -> tuple[bytes, ...]:
    """Return a raw batch as pieces of bytes."""
    rows = [[one.title, one.format, one.where, one.remark] for one in batch.articles]
    skipped = [[one.reason, one.where] for one in batch.skipped]
    header = {"rows": rows, "skipped": skipped, "position": batch.position}
    return _packed(header, [one.data for one in batch.articles])


def unpack_raw(data: bytes | bytearray) -> RawBatch:
    """Read `pack_raw` back. Raises ProtocolError."""
    try:
        header, pieces = _unpacked(data)
        articles = [
            Article(title, form, piece, where, remark)
            for (title, form, where, remark), piece in zip(map(_texts, header["rows"]), pieces, strict=True)
        ]
        if not {one.format for one in articles} <= READERS:
            raise ValueError("an article of an unknown format")
        skipped = [Skipped(reason, where) for reason, where in map(_texts, header["skipped"])]
        return RawBatch(tuple(articles), tuple(skipped), int(header["position"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ProtocolError("a batch of articles that is none") from error


def pack_to_read(batch: Sequence[ToRead]) -> tuple[bytes, ...]:
    """Return articles to be read as pieces of bytes."""
    rows = [[one.format, one.name, one.title, one.digest, one.is_apart] for one in batch]
    return _packed({"rows": rows}, [one.data for one in batch])


def unpack_to_read(data: bytes | bytearray) -> list[ToRead]:
    """Read `pack_to_read` back."""
    header, pieces = _unpacked(data)
    return [
        ToRead(form, name, title, digest, piece, is_apart=is_apart)
        for (form, name, title, digest, is_apart), piece in zip(header["rows"], pieces, strict=True)
    ]


CARRIES = "carries"
"""The reason for which a file is not read together with others: there are files in it."""


def pack_read(results: Iterable[bytes | Unread]) -> tuple[bytes, ...]:
    """Return packed documents, and why some are missing, as pieces of bytes."""
    rows: list[list[str] | None] = []
    pieces: list[bytes] = []
    for result in results:
        is_read = isinstance(result, bytes)
        rows.append(None if is_read else [result.reason, result.message[:_LONGEST_MESSAGE]])
        pieces.append(result if is_read else b"")
    return _packed({"rows": rows}, pieces)


def unpack_read(data: bytes | bytearray, count: int) -> list[bytes | Unread]:
    """Read `pack_read` back. Raises ProtocolError, also unless there are `count` results."""
    try:
        header, pieces = _unpacked(data)
        if len(pieces) != count:
            raise ProtocolError(f"{len(pieces):,} documents for {count:,} articles")
        return [
            piece if row is None else Unread(*_texts(row)) for row, piece in zip(header["rows"], pieces, strict=True)
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ProtocolError("documents that are none") from error


def _packed(header: dict[str, Any], pieces: Sequence[bytes]) -> tuple[bytes, ...]:
    head = json.dumps({**header, "lengths": [len(piece) for piece in pieces]}).encode()
    return (_LENGTH.pack(len(head)), head, *pieces)


def _unpacked(data: bytes | bytearray) -> tuple[dict[str, Any], list[bytes]]:
    (length,) = _LENGTH.unpack_from(data) if len(data) >= _LENGTH.size else (0,)
    at = _LENGTH.size + length
    header: dict[str, Any] = json.loads(bytes(data[_LENGTH.size : at]))
    pieces: list[bytes] = []
    for size in header["lengths"]:
        if not 0 <= size <= len(data) - at:
            raise ValueError("a piece beyond the end")
        pieces.append(bytes(data[at : at + size]))
        at += size
    return header, pieces


def _texts(row: Sequence[Any]) -> list[str]:
    return ["".join(mark if mark.isprintable() else " " for mark in str(value)) for value in row]
