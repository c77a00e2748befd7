"""A file that is held in memory, in place of one at a path."""

from __future__ import annotations

import contextlib
import io
import mmap
import sys
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

_Base = Path if TYPE_CHECKING else type(Path())


class HeldFile(_Base):
    """The name and bytes of a file that no disk has; reads as a path does, as far as readers ask.

    A process that reads a hostile file may write none, so that what is in it is read from memory.
    """

    data: bytes

    def __new__(cls, name: str, data: bytes) -> HeldFile:
        """Take a name and what the file holds; slashes in the name lead nowhere."""
        del data
        return super().__new__(cls, _plain(name))

    def __init__(self, name: str, data: bytes) -> None:
        if sys.version_info >= (3, 12):
            super().__init__(_plain(name))
        self.data = data

    def open(self, *_: Any, **__: Any) -> Any:
        """Return what reads its bytes."""
        return io.BytesIO(self.data)

    def read_bytes(self) -> bytes:
        """Return its bytes."""
        return self.data

    def stat(self, **_: Any) -> Any:
        """Return its size."""
        return SimpleNamespace(st_size=len(self.data))

    def exists(self, **_: Any) -> bool:
        """Whether it is there: always."""
        return True

    def is_file(self, **_: Any) -> bool:
        """Whether it is a file: always."""
        return True


@contextlib.contextmanager
def mapped(path: Path) -> Generator[mmap.mmap]:
    """Give the bytes of a file as they are in memory, with no more of them read than are looked at."""
    if isinstance(path, HeldFile):
        with mmap.mmap(-1, max(len(path.data), 1)) as data:
            data[: len(path.data)] = path.data
            yield data
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data


def _plain(name: str) -> str:
    return name.replace("/", "_").replace("\\", "_").replace("\0", "")[:200] or "file"
