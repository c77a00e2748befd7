"""Room for deleting on a full disk: a file that is given up while something is removed, and made again after it.

SQLite writes what it changes before it changes it, so that even deleting takes room.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Generator
from pathlib import Path

from octavo.corpus import private

RESERVE_BYTES = 2 << 20
"""What it takes to delete documents of some hundred megabytes: the pages that list them, not those that hold them; and
by how much the file grows when what its log holds is put into it before."""
_ROOMY = 8
"""It is made where so many times its size are free, so that it never is what fills a disk."""
_FILE = "reserve"


class Reserve:
    """The file in the folder of a corpus. Where it cannot be made there is none, and nothing depends on it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE

    def make(self) -> None:
        """Set the room aside, where it is not yet and there is plenty."""
        with contextlib.suppress(OSError):
            if not self._file.exists() and shutil.disk_usage(self._file.parent).free >= _ROOMY * RESERVE_BYTES:
                self._fill()

    @contextlib.contextmanager
    def lent(self) -> Generator[None]:
        """Give the room up for as long as the block runs; what is set aside after it is what there was before."""
        had = self._file.exists()
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        try:
            yield
        finally:
            if had:
                with contextlib.suppress(OSError):
                    self._fill()

    def _fill(self) -> None:
        """Write the file; bytes at random, for some file systems keep no room for others."""
        try:
            private.make_file(self._file)
            self._file.write_bytes(os.urandom(RESERVE_BYTES))
        except OSError:
            self._file.unlink(missing_ok=True)
            raise
