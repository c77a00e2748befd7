"""Files that hold many articles, such as JSON lines and exports of a wiki, read one article after the other.

A container yields each article with its text as it stands there, or why there is none.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import importlib
import lzma
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Protocol

from octavo_documents.errors import SourceError
from octavo_documents.parsing.markup import xml
from octavo_documents.text.lines import on_one_line

_CHUNK = 1 << 18
_BOMB_BYTES = 256 << 20
"""Unpacked bytes that any file may have."""
_BOMB_RATIO = 200
"""Unpacked bytes for each packed one beyond that: text has 3 to 10."""


class _Reader(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _zstandard(file: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdFile(file)


def _gzip(file: BinaryIO) -> Any:
    return gzip.GzipFile(fileobj=file, mode="rb")


def _plain(file: BinaryIO) -> Any:
    return file


COMPRESSIONS: Mapping[str, Callable[[BinaryIO], _Reader]] = MappingProxyType(
    {".gz": _gzip, ".bz2": bz2.BZ2File, ".xz": lzma.LZMAFile, ".zst": _zstandard}
)
"""What unpacks a file, by the ending of its name."""


class Stream:
    """A file being read."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises SourceError (`missing`)."""
        self.path = path
        try:
            self.size = path.stat().st_size
            self._file = path.open("rb")
        except OSError as error:
            raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
        self._unpacked = 0

    @property
    def position(self) -> int:
        """Bytes of the file, as it lies on the disk, read so far."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes. Raises SourceError (`damaged`, `too_large`), after what could be unpacked."""
        unpack = COMPRESSIONS.get(self.path.suffix.lower(), _plain)
        try:
            reader = unpack(self._file)
            while chunk := reader.read1(_CHUNK):
                self._unpacked += len(chunk)
                self._check_ratio()
                yield chunk
        except EOFError as error:
            raise SourceError("damaged", f"{self.path} is cut off: what stands before the cut was read") from error
        except (OSError, zlib.error, lzma.LZMAError, ValueError) as error:
            raise self._damage(error) from error
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            raise self._damage(error) from error

    def _damage(self, error: Exception) -> SourceError:
        return SourceError("damaged", f"{self.path} cannot be unpacked ({error}): what stands before that was read")

    def _check_ratio(self) -> None:
        if self._unpacked > max(_BOMB_BYTES, _BOMB_RATIO * self.position):
            raise SourceError(
                "too_large",
                f"{self.path} unpacks to more than {_BOMB_RATIO} times its size: no text does; unpack it yourself",
            )


ARTICLE_BYTES = 16 << 20
"""The most bytes of an article that are read."""
_LONGEST_TITLE = 200

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "redirect": "only sends on to another article",
        "namespace": "is no article but a page about them",
        "model": "is no wikitext",
        "empty": "has no text",
        "too_large": f"has more than {ARTICLE_BYTES >> 20} MiB",
        "no_object": "is no JSON object",
        "no_text": "has no field with a text",
        "duplicate": "stands in the file twice",
    }
)
"""Why something in a container is not indexed, in words that follow "it"."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article: its title (may be empty), the module of `octavo_documents.parsing` that reads it, and its bytes.

    `remark` says what had to be guessed, "" for nothing; `where` is its place in the container, for messages.
    """

    title: str
    format: str
    data: bytes
    where: str = ""
    remark: str = ""

    @property
    def digest(self) -> str:
        """The hex SHA-256 of its kind, title and text."""
        digest = hashlib.sha256()
        for part in (self.format.encode(), self.title.encode("utf-8", "replace"), self.data):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a container that is not indexed: a word of `REASONS`, and its title or place."""

    reason: str
    where: str


def tidy_title(title: str) -> str:
    """Return a title on one line, composed, without characters that cannot be shown, of at most 200 characters."""
    shown = title.encode("utf-8", "replace").decode("utf-8")
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    return unicodedata.normalize("NFC", on_one_line(shown))[:_LONGEST_TITLE].strip()


__all__ = [
    "COMPRESSED",
    "CONTAINERS",
    "READERS",
    "Article",
    "Container",
    "Skipped",
    "is_container",
    "is_found_in_folders",
]

CONTAINERS: Mapping[str, str] = MappingProxyType({".jsonl": "json_lines", ".ndjson": "json_lines", ".xml": "mediawiki"})
"""The module that reads a container, by the ending of the file's name in lower case, that of a compression left out."""
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
"""Endings of compressed files."""
READERS = frozenset(("plain", "markdown", "html", "wikitext", "articles.sections"))
"""The modules of `octavo_documents.parsing` that an article may name as its reader."""
_WIKI = "wiki"


def _kind(name: str) -> str:
    """Return the ending that names a container, "" for other files."""
    path = Path(name.lower())
    if path.suffix in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix if path.suffix in CONTAINERS else ""


def is_container(name: str) -> bool:
    """Whether a file is read as a container, by its name; of XML that is there and not packed, by how it begins."""
    kind = _kind(name)
    return bool(kind) and not (kind == ".xml" and _is_one_document(Path(name)))


def is_found_in_folders(name: str) -> bool:
    """Whether a container is taken from a folder too: of XML files those that say in their name they are of a wiki."""
    kind = _kind(name)
    return bool(kind) and (kind != ".xml" or _WIKI in name.lower())


def _is_one_document(path: Path) -> bool:
    """Whether an XML file is a document of its own, such as a paper."""
    if path.suffix.lower() != ".xml":
        return False
    try:
        with path.open("rb") as file:
            start = file.read(xml.LOOKED_AT)
    except OSError:  # whoever reads it says so
        return False
    return bool(xml.module_of(start))


class Container:
    """A container file being read. A context manager."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises SourceError (`missing`)."""
        self._stream = Stream(path)
        self._module = CONTAINERS[_kind(path.name)]

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    @property
    def position(self) -> int:
        """Bytes of the file read so far."""
        return self._stream.position

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._stream.size

    def articles(self) -> Iterator[Article | Skipped]:
        """Yield each article, or why there is none, in the order of the file.

        Raises SourceError (`format`, `damaged`, `too_large`) where nothing more can be read, also after articles.
        """
        module = importlib.import_module(f"octavo_documents.parsing.articles.{self._module}")
        yield from module.articles(self._stream)
