"""What a GGUF file says of its model before the weights.

Owns reading the key-value part of the header, as far as the length of the context. Knows nothing about tensors.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from octavo.errors import ModelError

_MAGIC = b"GGUF"
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; the other types are text (8) and arrays (9)."""
_WHOLE_NUMBERS = {4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TEXT, _ARRAY = 8, 9
_MOST_KEYS, _LONGEST = 10_000, 1 << 26


def context_length(path: Path) -> int:
    """Return how many tokens the model takes, 0 when the header does not say. Raises ModelError for another file."""
    try:
        with path.open("rb") as file:
            return _context_length(file)
    except (OSError, struct.error, ValueError) as error:
        raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def _context_length(file: BinaryIO) -> int:
    if file.read(4) != _MAGIC:
        raise ValueError("another format")
    _version, _tensors, keys = struct.unpack("<IQQ", file.read(20))
    for _ in range(min(keys, _MOST_KEYS)):
        key = file.read(_length(file)).decode("utf-8", "replace")
        (kind,) = struct.unpack("<I", file.read(4))
        if key.endswith(".context_length") and kind in _WHOLE_NUMBERS:
            return int(struct.unpack(_WHOLE_NUMBERS[kind], file.read(_SIZES[kind]))[0])
        _skip(file, kind)
    return 0


def _length(file: BinaryIO) -> int:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > _LONGEST:
        raise ValueError("a length no header has")
    return length


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _TEXT:
        file.seek(_length(file), 1)
    elif kind == _ARRAY:
        inner, count = struct.unpack("<IQ", file.read(12))
        _skip_all(file, inner, count)
    elif kind in _SIZES:
        file.seek(_SIZES[kind], 1)
    else:
        raise ValueError("a type no header has")


def _skip_all(file: BinaryIO, kind: int, count: int) -> None:
    if count > _LONGEST or kind == _ARRAY:
        raise ValueError("an array no header has")
    if kind in _SIZES:
        file.seek(_SIZES[kind] * count, 1)
    else:
        for _ in range(count):
            _skip(file, kind)
