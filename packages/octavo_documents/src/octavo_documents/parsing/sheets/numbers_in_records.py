"""Whole numbers in the records of binary workbooks: little-endian, without a sign; 0 beyond the end."""

from __future__ import annotations


def u16(data: bytes, at: int) -> int:
    """Return the number in two bytes."""
    return int.from_bytes(data[at : at + 2], "little")


def u32(data: bytes, at: int) -> int:
    """Return the number in four bytes."""
    return int.from_bytes(data[at : at + 4], "little")
