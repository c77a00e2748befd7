"""Files that are sent to the server: streamed to disk, hashed, and kept under their hash in the corpus folder.

What is under way lies in a file that its server holds a lock on: a file without one was left by a server that died.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from octavo.corpus import location, private
from octavo_documents.parsing.formats import PAGED, SUFFIXES
from octavo_server.problems import Problem

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None

_INCOMING = ".incoming"
_PIECE = 1 << 20
"""Bytes that are written at once, in a thread."""
_SILENT_SECONDS = 60.0
"""How long a sender may send nothing."""
_MOST_SECONDS = 3 * 3600.0
"""How long a file may be on its way."""
_AT_ONCE = 32
"""Files on their way at once; more are refused."""
_SHARES = 4
"""All that is on its way may be as large as so many files of the most bytes."""
_OLD_SECONDS = 24 * 3600.0
"""Age from which a file counts as left where no locks tell."""
_NAME_BYTES = 180
_MARK_WITHIN = 1024
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was sent: where it is kept, and the SHA-256 of its bytes in hex; or an address and that of it."""

    path: Path | str
    name: str
    digest: str


class Uploads:
    """The folder of files that were sent to a corpus."""

    def __init__(self, corpus: Path, most_bytes: int) -> None:
        self._folder, self._most = location.uploads(corpus), most_bytes
        self._sizes: dict[str, int] = {}

    def sweep(self) -> int:
        """Remove what servers that died have left on its way; return how many files."""
        found = [path for path in self._folder.glob(f"{_INCOMING}/*") if _is_left(path)]
        for path in found:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(found)

    async def receive(self, name: str, parts: AsyncIterator[bytes], length: int | None) -> Upload:
        """Keep a file that comes in parts. Raises Problem: 413, 415, 422, 408 for a silent sender, 507."""
        cleaned = clean_name(name)
        if length is not None and length > self._most:
            raise self._too_large()
        try:
            with self._incoming(length or 0) as (incoming, file):
                digest, start = await self._written(incoming.name, file, parts)
                _check_format(cleaned, start)
                return await asyncio.to_thread(self._kept, incoming, cleaned, digest)
        except OSError as error:
            raise _disk(error) from error

    @contextlib.contextmanager
    def _incoming(self, size: int) -> Generator[tuple[Path, BinaryIO]]:
        """Give a new file for what is on its way, of so many bytes at least; what is left of it at the end is removed.

        Raises Problem 503 where too much is on its way, 507 where the disk has not that much room.
        """
        if len(self._sizes) >= _AT_ONCE:
            raise _too_many()
        incoming = self._folder / _INCOMING / secrets.token_hex(16)
        self._take(incoming.name, size)
        try:
            private.make_folder(incoming.parent)
            private.make_file(incoming)
            if shutil.disk_usage(incoming.parent).free < size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            with incoming.open("wb") as file:
                _lock(file)
                yield incoming, file
        finally:
            self._sizes.pop(incoming.name, None)
            with contextlib.suppress(OSError):
                incoming.unlink()

    def _take(self, name: str, size: int) -> None:
        """Count the bytes of a file on its way."""
        before = self._sizes.get(name, 0)
        if size > before and sum(self._sizes.values()) - before + size > _SHARES * self._most:
            raise _too_many()
        self._sizes[name] = max(before, size)

    async def _written(self, name: str, file: BinaryIO, parts: AsyncIterator[bytes]) -> tuple[str, bytes]:
        """Write the parts; return the hash of all in hex, and the first bytes."""
        hashed, size, start, waiting = hashlib.sha256(), 0, b"", bytearray()

        def write() -> None:
            hashed.update(waiting)
            file.write(waiting)

        async for part in _heard(parts):
            size += len(part)
            if size > self._most:
                raise self._too_large()
            self._take(name, size)
            start = start if len(start) >= _MARK_WITHIN else (start + part)[:_MARK_WITHIN]
            waiting += part
            if len(waiting) >= _PIECE:
                await asyncio.to_thread(write)
                waiting.clear()
        await asyncio.to_thread(write)
        file.flush()
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
        try:
            data = path.read_bytes()
        except OSError as error:
            raise _disk(error) from error
        return self.saved(path.name, data)

    def saved(self, name: str, data: bytes) -> Upload:
        """Keep bytes as a file of a name. Raises Problem where the disk is full or cannot be written."""
        try:
            with self._incoming(len(data)) as (incoming, file):
                file.write(data)
                file.flush()
                return self._kept(incoming, name, hashlib.sha256(data).hexdigest())
        except OSError as error:
            raise _disk(error) from error

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


def _too_many() -> Problem:
    told = "As many files are on their way as the server takes at once; send this one again in a moment."
    return Problem(503, "busy", told, headers={"Retry-After": "5"})


def _lock(file: BinaryIO) -> None:
    """Lock a file that is on its way, as long as it is open."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_left(path: Path) -> bool:
    """Whether nobody writes a file that was on its way."""
    try:
        if fcntl is None:
            return time.time() - path.stat().st_mtime > _OLD_SECONDS
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except OSError:
        return False


async def _heard(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts; raise Problem 408 when none comes for long, or they do not end."""
    iterator = aiter(parts)
    until = time.monotonic() + _MOST_SECONDS
    while True:
        try:
            if time.monotonic() > until:
                raise TimeoutError
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
