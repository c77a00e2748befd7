"""Files on disk: finding them, telling whether they changed, hashing them, and spelling their paths.

Owns everything that depends on the file system's ways. Knows nothing about what is in a file.
"""

from __future__ import annotations

import hashlib
import os
import time
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from octavo.corpus.store import Source
from octavo.errors import SourceError
from octavo.parsing.articles import is_found_in_folders
from octavo.parsing.formats import SUFFIXES

# Two writes within one tick of a file system's clock leave one time stamp (FAT: 2 s).
_SETTLED_NS = 2_000_000_000


def absolute(path: str | Path) -> str:
    """Return the path as it is stored: absolute, without "..", symbolic links kept."""
    return os.path.abspath(Path(path).expanduser())  # noqa: PTH100  (resolve() would follow links)


def all_absolute(paths: str | Path | Iterable[str | Path]) -> list[str]:
    """Return one path or several as `absolute` does."""
    return [absolute(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]


def path_key(path: str) -> str:
    """Return what is equal for two spellings of one path: case on Windows, composed letters on macOS."""
    return unicodedata.normalize("NFC", os.path.normcase(path))


INSIDE = "//"
"""Between a container and an article in the key of a source; no absolute path has it."""


def article_path(container: str, name: str) -> str:
    """Return the path of an article in a file that holds many."""
    return f"{container}#{name}"


def article_key(container: str, name: str) -> str:
    """Return the key of an article in a file that holds many."""
    return f"{path_key(container)}{INSIDE}{name}"


def source_key(source: Source) -> str:
    """Return what a source is stored under: no other file or article has it."""
    if not source.container:
        return path_key(source.path)
    return article_key(source.container, named(source))


def named(source: Source) -> str:
    """Return the name of a source: an article's title, or that of a file."""
    return source.path[len(source.container) + 1 :] if source.container else Path(source.path).name


def container_of(path: str | bytes, key: str | bytes) -> str:
    """Return the container of a stored source's path and key, "" for a file of its own."""
    name = _article_of(key)
    return loaded_text(path)[: -len(name) - 1] if name else ""


def place_of(key: str | bytes) -> str:
    """Return what the keys of all articles of a container, or of all files of a folder, begin with."""
    text = key if isinstance(key, str) else loaded_text(key)
    at = text.find(INSIDE, 1)
    return text[:at] if at > 0 else text.rpartition(os.sep)[0]


def source_name(path: str | bytes, key: str | bytes) -> str:
    """Return the name of a stored source: an article's title, or that of a file."""
    return _article_of(key) or Path(loaded_text(path)).name


def _article_of(key: str | bytes) -> str:
    text = loaded_text(key)
    at = text.find(INSIDE, 1)  # a path may begin with two
    return text[at + len(INSIDE) :] if at > 0 else ""


def shown(path: str) -> str:
    """Return the path so that it can be printed: bytes that are no UTF-8 become question marks."""
    return path.encode("utf-8", "replace").decode("utf-8")


def stored_text(path: str) -> str | bytes:
    """Return the path as SQLite can hold it: text, or bytes when it is no UTF-8."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def loaded_text(value: str | bytes) -> str:
    """Return the path that `stored_text` wrote."""
    return os.fsdecode(value)


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
        raise SourceError(
            "missing", f"{shown(path)} holds no document (PDF, HTML, Markdown, text): name a file or another folder"
        )


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
