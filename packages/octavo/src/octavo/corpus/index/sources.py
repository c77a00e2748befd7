"""Files on disk: finding them, telling whether they changed, and hashing them."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from octavo.corpus.index.sidecars import described_by, is_sidecar
from octavo.corpus.store import Source
from octavo.corpus.store.paths import is_address, shown
from octavo.errors import KINDS, SourceError
from octavo_documents.parsing.articles import is_container, is_found_in_folders
from octavo_documents.parsing.formats import SUFFIXES

_HIDDEN = (".", "~$")
"""What the names of hidden files begin with, and those that office programs put beside an open file."""
_SETTLED_NS = 2_000_000_000
"""Two writes within one tick of a file system's clock leave one time stamp: FAT's is 2 s, the longest in use."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file or folder that was come upon: a document, or why it is none in `left_out`, a word of `LeftOut`."""

    path: str
    left_out: str = ""
    is_named: bool = False
    """Whether it is what was asked for, and not found in a folder."""


def walk(path: str) -> Iterator[FoundFile]:
    """Yield a file, or what is in a folder and below it in order of the names, with what is no document.

    Hidden files and folders are left out and links to folders are not followed. Files that say what others are about
    (`sidecars`) are passed over; a named one stands for what it is of. Raises SourceError (`missing`).
    """
    if not os.path.isdir(path):  # noqa: PTH112  (Path raises for a link to itself)
        _check_there(path)
        yield from _named(path)
        return
    documents = 0
    for found in _below(path):
        documents += not found.left_out
        yield found
    if not documents:
        raise SourceError("missing", f"{shown(path)} holds no document ({KINDS}): name a file or another folder")


def _named(path: str) -> Iterator[FoundFile]:
    """Yield a file that was named; one that says what others beside it are about stands for these."""
    if not is_sidecar(path):
        yield FoundFile(path, is_named=True)
        return
    beside = described_by(path)
    if not beside:
        raise SourceError("missing", f"{shown(path)} says what a file beside it is about, and there is none: add one")
    yield from (FoundFile(one, is_named=True) for one in beside)


def _check_there(path: str) -> None:
    """Raise SourceError (`missing`) unless there is something at a path that can be reached."""
    try:
        Path(path).stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SourceError("missing", f"{shown(path)} is a link that leads back to itself: name a file") from error
        if Path(path).is_symlink():
            raise SourceError("missing", f"{shown(path)} is a link to what does not exist: mend the link") from error
        if error.errno in {errno.EACCES, errno.EPERM}:
            raise SourceError("missing", f"{shown(path)} cannot be read: {error.strerror}") from error
        raise SourceError("missing", f"{shown(path)} does not exist: check the path") from error
    except ValueError as error:  # a sign that no path has
        raise SourceError("missing", f"{shown(path)} does not exist: check the path") from error


def _below(folder: str) -> Iterator[FoundFile]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        yield FoundFile(folder, "closed")
        return
    for entry in entries:
        if is_sidecar(entry.name):
            continue
        try:
            left_out, is_folder = _why_left_out(entry), entry.is_dir()
        except OSError as error:  # links in a ring, a path that is too long
            left_out, is_folder = "loop" if error.errno == errno.ELOOP else "closed", False
        if left_out or not is_folder:
            yield FoundFile(entry.path, left_out)
        else:
            yield from _below(entry.path)


def _why_left_out(entry: os.DirEntry[str]) -> str:
    """Return why what is in a folder is passed over, "" for a document and for a folder."""
    if entry.name.startswith(_HIDDEN):
        return "hidden"
    if entry.is_dir():
        return "link" if entry.is_symlink() else ""
    return "" if is_document(entry.path) and not _is_special(entry) else "format"


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Whether it is there and no file: a pipe or a device, which nobody can read to its end."""
    return not entry.is_file() and Path(entry.path).exists()


def is_document(path: str) -> bool:
    """Whether a file is taken from a folder, by its name: a document, or a file that holds many; XML by its start."""
    if path.lower().endswith(".xml"):
        return is_found_in_folders(Path(path).name) or not is_container(path)
    return path.lower().endswith(SUFFIXES) or is_found_in_folders(Path(path).name)


def look(path: str) -> Source:
    """Return how a file looks now. Raises SourceError (`missing`), for what was fetched too: it is not kept."""
    if is_address(path):
        raise SourceError("missing", f"{path} was fetched and is not kept here: its pages cannot be drawn")
    try:
        status = Path(path).stat()
    except OSError as error:
        raise SourceError("missing", f"{shown(path)} cannot be read: {error.strerror}") from error
    return Source(path, status.st_size, status.st_mtime_ns)


def confirm(source: Source) -> None:
    """Raise SourceError (`missing`, `damaged`) unless the file still looks as it did."""
    if source.file:  # nobody else writes there
        return
    now = look(source.path)
    if (now.size, now.mtime_ns) != (source.size, source.mtime_ns):
        raise SourceError("damaged", f"{shown(source.path)} is not the file it was a moment ago: add it again")


def settled(source: Source) -> Source:
    """Return what to remember of a file that was just read: one changed moments ago is read again next time."""
    if time.time_ns() - source.mtime_ns >= _SETTLED_NS:
        return source
    return replace(source, mtime_ns=-1)


def document_id(path: str) -> str:
    """Return "sha256:" and the digest of a file's bytes. Raises SourceError (`missing`)."""
    try:
        with Path(path).open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError("missing", f"{shown(path)} cannot be read: {error.strerror}") from error
