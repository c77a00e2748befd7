"""Which formats there are, by the endings of file names and by how a file begins.

Owns the table. A format is a module with `read`, from bytes to flowing content, and its row here; PDF, which has pages
and geometry, is read by a module of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from octavo.errors import SourceError
from octavo.parsing.flow import NoText

if TYPE_CHECKING:
    from octavo.parsing.flow import FlowContent
    from octavo.parsing.limits import Limits

FLOWING: Mapping[str, str] = MappingProxyType(
    {
        ".md": "markdown",
        ".markdown": "markdown",
        ".html": "html",
        ".htm": "html",
        ".xhtml": "html",
        ".txt": "plain",
        ".text": "plain",
        ".wiki": "wikitext",
        ".mediawiki": "wikitext",
        ".wikitext": "wikitext",
    }
)
"""The module that reads a format, by the ending of the file's name in lower case."""
SUFFIXES = (".pdf", *FLOWING)
"""Endings of the files that are read, in lower case."""
_PDF = b"%PDF-"
_WITHIN = 1024
"""A PDF's mark may come after other bytes."""


def format_of(name: str, data: bytes) -> str | None:
    """Return the module that reads a file of this name and these bytes as flowing text, None for any other file."""
    return None if _PDF in data[:_WITHIN] else FLOWING.get(Path(name).suffix.lower())


def is_flowing(path: Path) -> bool:
    """Whether a file is read as flowing text: by its name, unless it begins as a PDF does. Raises OSError."""
    if path.suffix.lower() not in FLOWING:
        return False
    with path.open("rb") as file:
        return _PDF not in file.read(_WITHIN)


def read_flow(path: Path, limits: Limits) -> FlowContent:
    """Return the content of a file in a flowing format.

    Raises SourceError (`missing`, `empty`, `too_large`, `format`, `damaged`); KeyError for another format.
    """
    module = importlib.import_module(f"octavo.parsing.{FLOWING[path.suffix.lower()]}")
    try:
        size = path.stat().st_size
        if size > limits.text_bytes:
            raise SourceError("too_large", f"{path} has {size:,} bytes; of text at most {limits.text_bytes:,} are read")
        content = module.read(path.read_bytes())
    except NoText as error:
        raise SourceError("format", f"{path} is no text: {error}") from None
    except OSError as error:
        raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
    except RecursionError:
        raise SourceError("damaged", f"{path} nests too deeply to be read") from None
    if not content.blocks:
        raise SourceError("empty", f"{path} has no text")
    return content
