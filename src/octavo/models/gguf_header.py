"""What a GGUF file says of its model before the weights: keys with values, and which tensors there are."""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from octavo.errors import ModelError

_MAGIC = b"GGUF"
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; the other types are text (8) and arrays (9)."""
_WHOLE_NUMBERS = {2: "<H", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TEXT, _ARRAY = 8, 9
_MOST_KEYS, _LONGEST = 10_000, 1 << 26
"""Keys of a header, and bytes or entries of one value, at most: what says more is no header."""
_MOST_DIMENSIONS = 8
"""Of a tensor; ggml has 4."""
_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 32
"""Bytes that weights are aligned to where the file does not say (GGUF specification)."""

_KINDS = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
"""Name of a kind of weights, weights of a block, bytes of a block. Of other kinds only the number is known."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What is known of a model in a GGUF file; "" and 0 where the file does not say."""

    family: str = ""
    """The architecture, such as "llama"."""
    context_tokens: int = 0
    tokenizer: str = ""
    """The kind of its tokenizer, such as "gpt2"."""
    parts: int = 1
    """How many files the model was split into."""
    weights: frozenset[str] = frozenset()
    """The kinds of weights in its matrices, such as "Q4_K"."""
    size: int = 0
    """Bytes that the whole file has at least."""


def read_header(path: Path) -> GgufHeader:
    """Return what a GGUF file says. Raises ModelError for another file, and for one whose header is cut off."""
    with _opened(path) as data:
        try:
            return _header(data)
        except (struct.error, ValueError, OverflowError) as error:
            raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def family_of(path: Path) -> str:
    """Return the architecture a GGUF file names, "" for none, without reading past it. Raises as `read_header`."""
    with _opened(path) as data:
        try:
            return next((str(value) for key, value in _Reader(data).values() if key == "general.architecture"), "")
        except (struct.error, ValueError, OverflowError) as error:
            raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def _opened(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def _header(data: mmap.mmap) -> GgufHeader:
    reader = _Reader(data)
    said = {key: value for key, value in reader.values() if value is not None}
    family = str(said.get("general.architecture", ""))
    weights, end = reader.tensors()
    aligned = int(said.get("general.alignment", _ALIGNMENT)) or _ALIGNMENT
    return GgufHeader(
        family=family,
        context_tokens=int(said.get(f"{family}.context_length", 0)),
        tokenizer=str(said.get("tokenizer.ggml.model", "")),
        parts=int(said.get("split.count", 0)) or 1,
        weights=weights,
        size=-(-reader.at // aligned) * aligned + end if end else reader.at,
    )


class _Reader:
    """Goes through a header. What it is given came from anywhere: every length is checked."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = 4
        if data[:4] != _MAGIC:
            raise ValueError("another format")
        _version, self._tensors, self._keys = self._unpack("<IQQ")

    def values(self) -> Iterator[tuple[str, str | int | None]]:
        """Yield every key with its text or whole number, None for other values."""
        for _ in range(min(self._keys, _MOST_KEYS)):
            key = self._text()
            (kind,) = self._unpack("<I")
            yield key, self._value(kind)

    def tensors(self) -> tuple[frozenset[str], int]:
        """Return the kinds of weights of the matrices, and how many bytes all weights take; read after the values."""
        kinds: set[str] = set()
        end = 0
        for _ in range(min(self._tensors, _LONGEST)):
            self._skip(self._length())
            (dimensions,) = self._unpack("<I")
            if dimensions > _MOST_DIMENSIONS:
                raise ValueError("a shape no tensor has")
            *shape, number, offset = self._unpack(f"<{dimensions}QIQ")
            name, weights, size = _KINDS.get(number, (str(number), 1, 0))
            kinds |= {name} if dimensions > 1 else set()
            end = max(end, offset + math.prod(shape) // weights * size)
        return frozenset(kinds), end

    def _value(self, kind: int) -> str | int | None:
        if kind == _TEXT:
            return self._text()
        if kind in _WHOLE_NUMBERS:
            return int(self._unpack(_WHOLE_NUMBERS[kind])[0])
        if kind == _ARRAY:
            self._skip_array(*self._unpack("<IQ"))
        elif kind in _SIZES:
            self._skip(_SIZES[kind])
        else:
            raise ValueError("a type no header has")
        return None

    def _skip_array(self, kind: int, count: int) -> None:
        if count > _LONGEST or kind not in (*_SIZES, _TEXT):
            raise ValueError("an array no header has")
        if kind in _SIZES:
            self._skip(_SIZES[kind] * count)
            return
        # A vocabulary has 150,000 texts: this loop is most of the time a header takes.
        data, at, length_at = self._data, self.at, _LENGTH.unpack_from
        for _ in range(count):
            at += 8 + length_at(data, at)[0]
        self._skip(at - self.at)

    def _text(self) -> str:
        start = self.at + 8
        self._skip(self._length())
        return self._data[start : self.at].decode("utf-8", "replace")

    def _length(self) -> int:
        return self._unpack("<Q")[0]

    def _skip(self, count: int) -> None:
        self.at += count
        if count > _LONGEST or self.at > len(self._data):
            raise ValueError("a length no header has")

    def _unpack(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self.at)
        self.at += struct.calcsize(form)
        return found
