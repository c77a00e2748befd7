"""Bytes to pages of lines, one module per format, in a guarded child process; and what reading one file may cost."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The caps on reading one file. All are hard: beyond them the file is refused with a `SourceError`.

    `memory` is address space of the child process in bytes, `seconds` wall-clock time for the file without the time
    spent in OCR, `progress_seconds` the longest silence between two pages. `pixels` caps one rendered page, which is
    rendered more coarsely instead of being refused. At most `pictures` figures of a file are read as images.
    """

    memory: int = 2048 * MEBIBYTE
    seconds: float = 900.0
    progress_seconds: float = 60.0
    pages: int = 5000
    pixels: int = 12_000_000
    pictures: int = 2000
    file_bytes: int = 1024 * MEBIBYTE
    text_bytes: int = 64 * MEBIBYTE
    output_bytes: int = 512 * MEBIBYTE
    glyphs_per_page: int = 200_000
    graphics_per_page: int = 3000
    links_per_page: int = 2000
    outline_entries: int = 10_000
    outline_depth: int = 16


DEFAULT_LIMITS = Limits()


EXTRACT_VERSION = 14
"""Part of the fingerprint of a parsed document: raised when the same file gives other content."""
