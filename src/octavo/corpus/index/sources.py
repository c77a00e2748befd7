"""Files on disk: finding them, telling whether they changed, and hashing them."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from octavo.corpus.store import Source
from octavo.corpus.store.paths import shown
from octavo.errors import KINDS, SourceError
from octavo.parsing.articles import is_found_in_folders
from octavo.parsing.formats import SUFFIXES

_SETTLED_NS = 2_000_000_000
"""Two writes within one tick of a file system's clock leave one time stamp: FAT's is 2 s, the longest in use."""


def walk(path: str) -> Iterator[str]:
    """Yield a file, or the documents in a folder and below it, in order of their names.

    Hidden files and folders are skipped and links to folders are not followed. Raises SourceError (`missing`).
    """
    if not Path(path).is_dir():
        if not Path(path).exists():
            raise SourceError("missing", f"{shown(path)} does not exist: check the path")
        yield path
        return
    found = 0
    for file in _documents(path):
        found += 1
        yield file
    if not found:
        raise SourceError("missing", f"{shown(path)} holds no document ({KINDS}): name a file or another folder")


def _documents(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        raise SourceError("missing", f"{shown(folder)} cannot be read: {error.strerror}") from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _documents(entry.path)
        elif is_document(entry.name):
            yield entry.path


def is_document(name: str) -> bool:
    """Whether a file of this name is taken from a folder: a document, or a file that holds many."""
    return name.lower().endswith(SUFFIXES) or is_found_in_folders(name)


def look(path: str) -> Source:
    """Return how a file looks now. Raises SourceError (`missing`)."""
    try:
        status = Path(path).stat()
    except OSError as error:
        raise SourceError("missing", f"{shown(path)} cannot be read: {error.strerror}") from error
    return Source(path, status.st_size, status.st_mtime_ns)


def confirm(source: Source) -> None:
    """Raise SourceError (`missing`, `damaged`) unless the file still looks as it did."""
    now = look(source.path)
    if (now.size, now.mtime_ns) != (source.size, source.mtime_ns):
        raise SourceError("damaged", f"{shown(source.path)} is not the file it was a moment ago: add it again")


def settled(source: Source) -> Source:
    """Return what to remember of a file that was just read: one changed moments ago is read again next time."""
    if time.time_ns() - source.mtime_ns >= _SETTLED_NS:
        return source
    return Source(source.path, source.size, -1, source.document_id)


def document_id(path: str) -> str:
    """Return "sha256:" and the digest of a file's bytes. Raises SourceError (`missing`)."""
    try:
        with Path(path).open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError("missing", f"{shown(path)} cannot be read: {error.strerror}") from error
