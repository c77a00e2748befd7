"""How the paths of files, and of articles in a file that holds many, are spelled, stored and told apart."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from octavo.corpus.store.protocol import Source

_ADDRESS = re.compile(r"(https?|s3|gs|az)://", re.IGNORECASE)
_DIGEST, _DIGITS = re.compile(r"[0-9a-f]{64}"), 8


def absolute(path: str | Path) -> str:
    """Return the path as it is stored: absolute, without "..", symbolic links kept; an address as it is."""
    if is_address(text := str(path)):
        return text
    # resolve() would follow links, and Path.expanduser() raises for "~" with the name of nobody
    return os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111


def all_absolute(paths: str | Path | Iterable[str | Path]) -> list[str]:
    """Return one path or several as `absolute` does."""
    return [absolute(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]


def is_address(path: str) -> bool:
    """Whether a document is fetched from there: a page of the web, or object storage."""
    return bool(_ADDRESS.match(path))


def name_of_address(path: str) -> str:
    """Return what the document at an address is called: the last part of its path, else the host."""
    if not path.startswith(("https://", "http://")):  # the key of an object may have any sign
        return path.rstrip("/").rpartition("/")[2]
    parts = urlsplit(path)
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc


def folder_of(path: str) -> str:
    """Return the folder a file is in, or the address a document is under."""
    return path.rpartition("/")[0] if is_address(path) else str(Path(path).parent)


def path_key(path: str) -> str:
    """Return what is equal for two spellings of one path: case on Windows, composed letters on macOS.

    That of an address has no `INSIDE`.
    """
    if is_address(path):
        return path.replace("://", ":/", 1).replace("//", "/%2F")
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
    return article_key(source.container, name_of(source))


def name_of(source: Source) -> str:
    """Return the name of a source: an article's title, or that of a file."""
    return source.path[len(source.container) + 1 :] if source.container else _file_name(source.path)


def _file_name(path: str) -> str:
    return name_of_address(path) if is_address(path) else Path(path).name


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
    return _article_of(key) or _file_name(loaded_text(path))


def _article_of(key: str | bytes) -> str:
    text = loaded_text(key)
    at = text.find(INSIDE, 1)  # a path may begin with two
    return text[at + len(INSIDE) :] if at > 0 else ""


def shown(path: str) -> str:
    """Return the path so that it can be printed: bytes that are no UTF-8 become question marks."""
    return path.encode("utf-8", "replace").decode("utf-8")


def ends_apart(paths: Sequence[str]) -> list[str]:
    """Return as much of the end of each path as tells it from the others, with "/" between its parts.

    Of a folder that is called by a digest, as those of files that were sent are, the first digits are told.
    """
    parts = [
        tuple(part[:_DIGITS] if _DIGEST.fullmatch(part) else part for part in PurePath(path.replace("\\", "/")).parts)
        for path in paths
    ]
    most = max((len(path) for path in parts), default=1)
    long = next((size for size in range(1, most) if len({path[-size:] for path in parts}) == len(parts)), most)
    return ["/".join(part.strip("/") for part in path[-long:] if part.strip("/")) for path in parts]


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
