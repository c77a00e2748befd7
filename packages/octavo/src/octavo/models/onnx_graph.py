"""Writing a network as an ONNX file, which both engines read: nodes, arrays, inputs and an output, field by field.

The format is that of protocol buffers; of ONNX's many fields only those are here that common operations need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

_KINDS: dict[np.dtype[Any], int] = {np.dtype(np.float32): 1, np.dtype(np.int8): 3, np.dtype(np.int64): 7}
"""ONNX's number of each type of element."""
_OPSET = 20
"""The first that has Gelu."""
_IR_VERSION = 9
_INT, _INTS, _FLOAT = 2, 7, 1
"""ONNX's numbers of the types of attributes."""


def _number(value: int) -> bytes:
    value &= (1 << 64) - 1
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _field(at: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _number(at << 3) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(at << 3 | 2) + _number(len(data)) + data


@dataclass
class OnnxGraph:
    """A network in the making; names of values are made up where they are not given."""

    _nodes: list[bytes] = field(default_factory=list[bytes])
    _arrays: list[bytes] = field(default_factory=list[bytes])
    _inputs: list[bytes] = field(default_factory=list[bytes])

    def put(self, name: str, kind: type[np.generic], shape: Sequence[int | str]) -> str:
        """Add an input; a side that is a name may be of any length. Return its name."""
        self._inputs.append(_value(name, kind, shape))
        return name

    def array(self, values: npt.NDArray[Any]) -> str:
        """Add an array and return its name."""
        name = f"array{len(self._arrays)}"
        sides = b"".join(_field(1, side) for side in values.shape)
        kind = _field(2, _KINDS[values.dtype])
        self._arrays.append(sides + kind + _field(8, name) + _field(9, np.ascontiguousarray(values).tobytes()))
        return name

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: int | float | Sequence[int]) -> str:
        """Add an operation and return the name of its output."""
        output = name or f"value{len(self._nodes)}"
        told = b"".join(_field(5, _attribute(key, value)) for key, value in attributes.items())
        self._nodes.append(b"".join(_field(1, one) for one in inputs) + _field(2, output) + _field(4, kind) + told)
        return output

    def to_bytes(self, output: str, shape: Sequence[int | str]) -> bytes:
        """Return the file of the network, whose output is the value of this name."""
        graph = b"".join(_field(1, node) for node in self._nodes) + _field(2, "network")
        graph += b"".join(_field(5, array) for array in self._arrays)
        graph += b"".join(_field(11, one) for one in self._inputs)
        graph += _field(12, _value(output, np.float32, shape))
        return _field(1, _IR_VERSION) + _field(7, graph) + _field(8, _field(1, "") + _field(2, _OPSET))


def _value(name: str, kind: type[np.generic], shape: Sequence[int | str]) -> bytes:
    sides = b"".join(_field(1, _field(2 if isinstance(side, str) else 1, side)) for side in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, _KINDS[np.dtype(kind)]) + _field(2, sides)))


def _attribute(name: str, value: float | Sequence[int]) -> bytes:
    if isinstance(value, float):
        return _field(1, name) + _number(2 << 3 | 5) + np.float32(value).tobytes() + _field(20, _FLOAT)
    if isinstance(value, int):
        return _field(1, name) + _field(3, value) + _field(20, _INT)
    return _field(1, name) + b"".join(_field(8, one) for one in value) + _field(20, _INTS)
