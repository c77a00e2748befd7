"""A file, plain or compressed, as a stream of bytes of which little is in memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Protocol

from octavo.errors import SourceError

_CHUNK = 1 << 18
_BOMB_BYTES = 256 << 20
"""Unpacked bytes that any file may have."""
_BOMB_RATIO = 200
"""Unpacked bytes for each packed one beyond that: text has 3 to 10."""


class _Reader(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _zstandard(file: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdFile(file)


def _gzip(file: BinaryIO) -> Any:
    return gzip.GzipFile(fileobj=file, mode="rb")


def _plain(file: BinaryIO) -> Any:
    return file


COMPRESSIONS: Mapping[str, Callable[[BinaryIO], _Reader]] = MappingProxyType(
    {".gz": _gzip, ".bz2": bz2.BZ2File, ".xz": lzma.LZMAFile, ".zst": _zstandard}
)
"""What unpacks a file, by the ending of its name."""


class Stream:
    """A file being read."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises SourceError (`missing`)."""
        self.path = path
        try:
            self.size = path.stat().st_size
            self._file = path.open("rb")
        except OSError as error:
            raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
        self._unpacked = 0

    @property
    def position(self) -> int:
        """Bytes of the file, as it lies on the disk, read so far."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes. Raises SourceError (`damaged`, `too_large`), after what could be unpacked."""
        unpack = COMPRESSIONS.get(self.path.suffix.lower(), _plain)
        try:
            reader = unpack(self._file)
            while chunk := reader.read1(_CHUNK):
                self._unpacked += len(chunk)
                self._check_ratio()
                yield chunk
        except EOFError as error:
            raise SourceError("damaged", f"{self.path} is cut off: what stands before the cut was read") from error
        except (OSError, zlib.error, lzma.LZMAError, ValueError) as error:
            raise self._damage(error) from error
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            raise self._damage(error) from error

    def _damage(self, error: Exception) -> SourceError:
        return SourceError("damaged", f"{self.path} cannot be unpacked ({error}): what stands before that was read")

    def _check_ratio(self) -> None:
        if self._unpacked > max(_BOMB_BYTES, _BOMB_RATIO * self.position):
            raise SourceError(
                "too_large",
                f"{self.path} unpacks to more than {_BOMB_RATIO} times its size: no text does; unpack it yourself",
            )
