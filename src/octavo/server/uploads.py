"""Files that are sent to the server: streamed to disk, hashed, and kept under their hash in the corpus folder."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from octavo.corpus import private
from octavo.parsing.formats import PAGED, SUFFIXES
from octavo.server.problems import Problem

_FOLDER = "uploads"
_INCOMING = ".incoming"
_PIECE = 1 << 20
"""Bytes that are written at once, in a thread."""
_SILENT_SECONDS = 60.0
"""How long a sender may send nothing."""
_NAME_BYTES = 180
_MARK_WITHIN = 1024
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was sent: where it is kept, and the SHA-256 of its bytes in hex."""

    path: Path
    name: str
    digest: str


class Uploads:
    """The folder of files that were sent to a corpus."""

    def __init__(self, corpus: Path, most_bytes: int) -> None:
        self._folder, self._most = corpus / _FOLDER, most_bytes

    async def receive(self, name: str, parts: AsyncIterator[bytes], length: int | None) -> Upload:
        """Keep a file that comes in parts. Raises Problem: 413, 415, 422, 408 for a silent sender, 507."""
        cleaned = clean_name(name)
        if length is not None and length > self._most:
            raise self._too_large()
        incoming = self._folder / _INCOMING / secrets.token_hex(16)
        try:
            private.make_folder(incoming.parent)
            private.make_file(incoming)
            with incoming.open("wb") as file:
                digest, start = await self._written(file, parts)
            _check_format(cleaned, start)
            return await asyncio.to_thread(self._kept, incoming, cleaned, digest)
        except OSError as error:
            raise _disk(error) from error
        finally:
            with contextlib.suppress(OSError):
                incoming.unlink()

    async def _written(self, file: BinaryIO, parts: AsyncIterator[bytes]) -> tuple[str, bytes]:
        """Write the parts; return the hash of all in hex, and the first bytes."""
        hashed, size, start, waiting = hashlib.sha256(), 0, b"", bytearray()

        def write() -> None:
            hashed.update(waiting)
            file.write(waiting)

        async for part in _heard(parts):
            size += len(part)
            if size > self._most:
                raise self._too_large()
            start = start if len(start) >= _MARK_WITHIN else (start + part)[:_MARK_WITHIN]
            waiting += part
            if len(waiting) >= _PIECE:
                await asyncio.to_thread(write)
                waiting.clear()
        await asyncio.to_thread(write)
        if not size:
            raise Problem(422, "empty", "The file is empty; send its bytes as the body.")
        return hashed.hexdigest(), start

    def _too_large(self) -> Problem:
        return Problem(
            413, "too_large", f"The file is larger than {self._most >> 20:,} MB, the most that is taken (--max-upload)."
        )

    def _kept(self, incoming: Path, name: str, digest: str) -> Upload:
        folder = self._folder / digest
        private.make_folder(folder)
        known = next((path for path in sorted(folder.iterdir()) if path.is_file()), None)
        if known is None:
            known = folder / name
            incoming.replace(known)
        return Upload(known, known.name, digest)

    def copied(self, path: Path) -> Upload:
        """Keep a copy of a file of this machine. Raises Problem where the disk is full or cannot be written."""
        incoming = self._folder / _INCOMING / secrets.token_hex(16)
        try:
            private.make_folder(incoming.parent)
            private.make_file(incoming)
            shutil.copyfile(path, incoming)
            return self._kept(incoming, path.name, hashlib.sha256(incoming.read_bytes()).hexdigest())
        except OSError as error:
            raise _disk(error) from error
        finally:
            with contextlib.suppress(OSError):
                incoming.unlink()

    def forget(self, digest: str) -> None:
        """Remove a file that was sent, where there is one."""
        if re.fullmatch(r"[0-9a-f]{64}", digest):
            shutil.rmtree(self._folder / digest, ignore_errors=True)


def clean_name(name: str) -> str:
    """Return the name of a file as one component of a path. Raises Problem 422 where nothing is left."""
    last = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1])
    last = _NOT_IN_NAMES.sub("", last.encode("utf-8", "ignore").decode()).strip(" .")
    stem, suffix = os.path.splitext(last)  # noqa: PTH122  (a name, no path)
    suffix = suffix[:20]
    room = _NAME_BYTES - len(suffix.encode())
    cleaned = stem.encode()[:room].decode("utf-8", "ignore").rstrip() + suffix
    if not stem:
        raise Problem(422, "name", "Give the file's name, such as ?name=report.pdf.")
    return cleaned


def _check_format(name: str, start: bytes) -> None:
    is_marked = any(row.mark and row.mark in start for row in PAGED)
    if not (is_marked or name.lower().endswith(SUFFIXES)):
        known = ", ".join(SUFFIXES)
        raise Problem(415, "format", f"{name}: files of this kind are not read; those that are end with {known}.")


async def _heard(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts; raise Problem 408 when none comes for long."""
    iterator = aiter(parts)
    while True:
        try:
            yield await asyncio.wait_for(anext(iterator), _SILENT_SECONDS)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Problem(408, "timeout", "Nothing came for a minute; send the file again.") from None


def _disk(error: OSError) -> Problem:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Problem(507, "full", "There is no room on the disk of the server; make some and send the file again.")
    return Problem(
        503, "locked", "The file could not be kept in the folder of the corpus.", headers={"Retry-After": "5"}
    )
