"""What tells stored bytes from damaged ones, and a part from every other one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.corpus.store.protocol import PartKey
from octavo.errors import CorpusError

Numbers = npt.NDArray[np.int64]

CHECKSUM_BYTES = 16
"""Of the SHA-256 of a part: 128 bits tell damage apart."""


def checksum(data: bytes) -> bytes:
    """Return what tells damaged bytes from sound ones."""
    return hashlib.sha256(data).digest()[:CHECKSUM_BYTES]


def damaged_part(key: PartKey) -> CorpusError:
    """Return the error for a part whose bytes are not what was written."""
    return CorpusError(
        "damaged", f"The stored {key.name} of {key.document_id[:19]} is damaged: run 'octavo check --repair'"
    )


def sound(key: PartKey, stored: bytes, data: bytes | None) -> bytes:
    """Return a part's bytes if they have the checksum that was stored, else raise CorpusError (`damaged`)."""
    if data is None or checksum(data) != stored:
        raise damaged_part(key)
    return data


def mark_of(number: int, stored: bytes) -> int:
    """Return the mark of a part: its number and its checksum in one int64."""
    return int(marks_of(np.array([number], np.int64), [stored])[0])


def marks_of(numbers: Numbers, checksums: Sequence[bytes]) -> Numbers:
    """Return the marks of parts by their numbers and checksums."""
    if {*map(len, checksums)} <= {CHECKSUM_BYTES}:
        sums = np.frombuffer(b"".join(checksums), "<i8")[:: CHECKSUM_BYTES // 8]
    else:  # some are damaged
        sums = np.frombuffer(b"".join(item[:8].ljust(8, b"\0") for item in checksums), "<i8")
    return numbers * _SPREAD ^ sums.astype(np.int64)


_SPREAD = np.int64(0x1E3779B97F4A7C15)
"""Spreads consecutive numbers over 64 bits, as 2**64 over the golden ratio does (Knuth, TAOCP 6.4); odd, in int64."""
