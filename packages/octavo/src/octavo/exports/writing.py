"""Writing a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from octavo.errors import OctavoError


def write_file(path: Path, data: bytes) -> None:
    """Write a file in the place of what was there; that stays whole where there is no room. Raises OctavoError."""
    if path.exists() and not path.is_file():  # a pipe, /dev/stdout
        _write_into(path, data)
        return
    target = path.resolve() if path.is_symlink() else path
    spare = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    try:
        spare.write_bytes(data)
        spare.replace(target)
    except OSError as error:
        spare.unlink(missing_ok=True)
        raise _unwritten(path, error) from error


def _write_into(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> OctavoError:
    return OctavoError(f"{path} cannot be written: {error.strerror}; name another with --out")
