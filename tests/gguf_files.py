"""GGUF files written by tests: a whole tiny model with weights of zero, and any header one may wish."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

F32, F16 = 0, 1
_KINDS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 8: (32, 34), 12: (256, 144), 14: (256, 210)}
"""Weights of a block and bytes of it, by the number of the kind."""
Value = str | int | float | bool | Sequence[str] | Sequence[int]

WORDS = tuple(chr(code) for code in (*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)))
"""The 256 letters that stand for bytes."""


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value_of(value: Value) -> bytes:
    """Return type and content of a value."""
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(text(str(one)) for one in value)
    return struct.pack("<IIQ", 9, 5, len(value)) + b"".join(struct.pack("<i", int(one)) for one in value)


def write(
    path: Path,
    values: Mapping[str, Value],
    tensors: Mapping[str, tuple[int, ...]] | None = None,
    *,
    kind: int = F32,
    kinds: Mapping[str, int] | None = None,
) -> Path:
    """Write a file whose tensors, by name and shape, hold zeros of a kind."""
    shapes, of = tensors or {}, kinds or {}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(values))
    head += b"".join(text(key) + value_of(value) for key, value in values.items())
    at = 0
    for name, shape in shapes.items():
        mine = of.get(name, kind)
        head += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        head += struct.pack("<IQ", mine, at)
        block, size = _KINDS.get(mine, (1, 4))
        at += _aligned(math.prod(shape) // block * size)
    path.write_bytes(head + bytes(_aligned(len(head)) - len(head)) + bytes(at))
    return path


def _aligned(size: int) -> int:
    return -(-size // 32) * 32


def tiny(path: Path, *, family: str = "qwen2", kind: int = F16, wide: int = 256, **values: Value) -> Path:
    """Write a model of one layer, whose words are the bytes, that can be run."""
    words = [*WORDS, "<end>", "<start>", "ab"]
    said: dict[str, Value] = {
        "general.architecture": family,
        "general.file_type": {0: 0, 1: 1, 2: 2, 3: 3, 8: 7, 12: 15, 14: 18}.get(kind, 0),
        f"{family}.block_count": 1,
        f"{family}.context_length": 512,
        f"{family}.embedding_length": wide,
        f"{family}.feed_forward_length": wide,
        f"{family}.attention.head_count": 4,
        f"{family}.attention.head_count_kv": 4,
        f"{family}.attention.layer_norm_rms_epsilon": 1e-6,
        f"{family}.rope.freq_base": 10000.0,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen2",
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.token_type": [1] * len(WORDS) + [3, 3, 1],
        "tokenizer.ggml.merges": ["a b"],
        "tokenizer.ggml.eos_token_id": len(WORDS),
        "tokenizer.ggml.padding_token_id": len(WORDS),
        "tokenizer.ggml.bos_token_id": len(WORDS) + 1,
        "tokenizer.chat_template": "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}",
        **values,
    }
    flat = {"token_embd.weight": (wide, len(words)), "output_norm.weight": (wide,)}
    for name in ("attn_norm", "ffn_norm"):
        flat[f"blk.0.{name}.weight"] = (wide,)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        flat[f"blk.0.{name}.weight"] = (wide, wide)
    norms = {name: F32 for name in flat if "norm" in name}
    return write(path, said, flat, kind=kind, kinds=norms)
