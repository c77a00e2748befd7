"""A small neural network as the bytes of an ONNX file, written field by field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_FLOAT = 1
_OPSET = 13


def _number(value: int) -> bytes:
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


def _value(name: str, *sides: int) -> bytes:
    shape = b"".join(_field(1, _field(1, side)) for side in sides)
    return _field(1, name) + _field(2, _field(1, _field(1, _FLOAT) + _field(2, shape)))


def _node(kind: str, inputs: Sequence[str], output: str, attributes: bytes = b"") -> bytes:
    return b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(4, kind) + attributes


def detector(rows: Sequence[Sequence[float]], *, height: int, width: int) -> bytes:
    """A detector that finds `rows` in a white picture of height x width: they are multiplied by its mean."""
    found = np.array([rows], np.float32)
    keepdims = _field(5, _field(1, "keepdims") + _field(3, 0) + _field(20, 2))
    tensor = (
        b"".join(_field(1, side) for side in found.shape)
        + _field(2, _FLOAT)
        + _field(8, "rows")
        + _field(9, found.tobytes())
    )
    graph = (
        _field(1, _node("ReduceMean", ["images"], "mean", keepdims))
        + _field(1, _node("Mul", ["rows", "mean"], "found"))
        + _field(2, "detector")
        + _field(5, tensor)
        + _field(11, _value("images", 1, 3, height, width))
        + _field(12, _value("found", *found.shape))
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, _OPSET))
