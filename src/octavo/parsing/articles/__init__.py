"""Files that hold many articles, such as JSON lines and exports of a wiki, read one article after the other."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from octavo.parsing.articles.article import Article, Skipped
from octavo.parsing.markup import xml

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
"""The modules of `octavo.parsing` that an article may name as its reader."""
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
        from octavo.parsing.articles.streams import Stream

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
        module = importlib.import_module(f"octavo.parsing.articles.{self._module}")
        yield from module.articles(self._stream)
