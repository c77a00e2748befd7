"""Which formats there are, by the endings of file names and by how a file begins.

A flowing format is a module with `read`, from bytes to `FlowContent`, and its row in `_OURS`, or in another package an
entry point of the group `octavo.formats`: its name the ending without the dot, its value the module; it does not take
the place of one that is there. One with pages is a module that offers what `PagedReader` lists, and its row in `PAGED`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from octavo_documents import plugins
from octavo_documents.errors import SourceError
from octavo_documents.parsing import decryption
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import ZIP_MARK

if TYPE_CHECKING:
    from octavo_documents.document.page_words import PageWords
    from octavo_documents.models.ports import Raster
    from octavo_documents.parsing import Limits
    from octavo_documents.parsing.content import Box, SourceContent, Spot, TextLine
    from octavo_documents.parsing.flow import FlowContent
    from octavo_documents.parsing.layout_regions import Detection
    from octavo_documents.parsing.recognition import OcrMode, Progress, Recognize

_OURS = {
    ".docling.json": "docling",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "office.docx",
    ".dotx": "office.docx",
    ".docm": "office.docx",
    ".doc": "office.older",
    ".dot": "office.older",
    ".ppt": "office.older",
    ".pps": "office.older",
    ".pot": "office.older",
    ".pptx": "office.pptx",
    ".pptm": "office.pptx",
    ".ppsx": "office.pptx",
    ".ppsm": "office.pptx",
    ".potx": "office.pptx",
    ".odp": "office.odp",
    ".otp": "office.odp",
    ".fodp": "office.odp",
    ".epub": "office.epub",
    ".odt": "office.odt",
    ".ott": "office.odt",
    ".fodt": "office.odt",
    ".txt": "plain",
    ".text": "plain",
    ".wiki": "wikitext",
    ".mediawiki": "wikitext",
    ".wikitext": "wikitext",
    ".xlsx": "sheets.xlsx",
    ".xlsm": "sheets.xlsx",
    ".xltx": "sheets.xlsx",
    ".xltm": "sheets.xlsx",
    ".xlsb": "sheets.binary",
    ".xls": "sheets.binary",
    ".xlt": "sheets.binary",
    ".ods": "sheets.ods",
    ".ots": "sheets.ods",
    ".fods": "sheets.ods",
    ".csv": "sheets.delimited",
    ".tsv": "sheets.delimited",
    ".tab": "sheets.delimited",
    ".eml": "mail.eml",
    ".mbox": "mail.mbox",
    ".msg": "mail.msg",
    ".rtf": "markup.rtf",
    ".tex": "markup.latex",
    ".latex": "markup.latex",
    ".adoc": "markup.asciidoc",
    ".asciidoc": "markup.asciidoc",
    ".org": "markup.org",
    ".rst": "markup.rst",
    ".rest": "markup.rst",
    ".ipynb": "markup.notebook",
    ".xml": "markup.xml",
    ".nxml": "markup.jats",
    ".jats": "markup.jats",
}
"""The module of each flowing format that is ours, beside this one, by the ending of the file's name in lower case."""


@dataclass(frozen=True, slots=True)
class PagedFormat:
    """A format with pages: the module beside this one that reads it, and the endings of its files in lower case.

    `mark` is what such a file begins with whatever its name, after at most a kilobyte of other bytes; empty where the
    name alone tells it.
    """

    module: str
    suffixes: tuple[str, ...]
    mark: bytes = b""


PICTURES = PagedFormat("images", (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif", ".heic", ".heif"))
PDF = PagedFormat("pdf", (".pdf",), b"%PDF-")
PAGED = (PDF, PICTURES)
"""The formats with pages. The first is asked to read, and to refuse, what no format knows."""
_BROUGHT = {f".{ending}": plugins.value("octavo.formats", ending) for ending in plugins.names("octavo.formats")}
"""The module of each flowing format that another package brings."""
_TAKEN = (*_OURS, *(suffix for row in PAGED for suffix in row.suffixes))
PASSED_OVER: Mapping[str, str] = MappingProxyType(
    {ending: module for ending, module in _BROUGHT.items() if ending in _TAKEN}
)
"""Those of them that are not used, as their endings are those of formats of ours."""
FLOWING: Mapping[str, str] = MappingProxyType(
    {**{ending: module for ending, module in _BROUGHT.items() if ending not in PASSED_OVER}, **_OURS}
)
"""The module that reads a flowing format, by the ending of the file's name in lower case; other packages' too."""
_READERS = ("", *dict.fromkeys(FLOWING.values()))
"""These modules by number; 0 is none."""
_LIBRARIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "html": ("selectolax.lexbor",),
        "office.epub": ("selectolax.lexbor", "lxml.etree"),
        **dict.fromkeys(
            ("office.docx", "office.pptx", "office.older", "office.odp", "office.odt", "sheets.xlsx", "sheets.ods"),
            ("lxml.etree",),
        ),
    }
)
"""What those of ours import when they read."""


SUFFIXES = (*(suffix for row in PAGED for suffix in row.suffixes), *FLOWING)
"""Endings of the files that are read, in lower case."""
_LONG_ENDINGS = tuple(ending for ending in FLOWING if ending.count(".") > 1)
_WITHIN = 1024
_REASONS = ("empty", "format", "damaged", "encrypted", "password", "too_large")
"""Reasons of `NoText` that are those of a `SourceError`."""


class PagedReader(Protocol):
    """What the module of a format with pages offers. The module `pdf` says what each returns and raises."""

    def start(self) -> None:
        """Load what every child is to have when it is forked."""
        ...

    def extract(
        self,
        path: Path,
        *,
        password: str | None,
        limits: Limits,
        ocr: OcrMode,
        recognize: Recognize | None,
        layout: Detection | None,
        progress: Progress | None,
    ) -> SourceContent:
        """Return the pages of a file."""
        ...

    def render(
        self, path: Path, page: int, *, box: Box | None, dpi: float, password: str | None, limits: Limits
    ) -> Raster:
        """Return a page (1-based), or a box on it in points, as a picture."""
        ...

    def words(
        self, path: Path, page: int, *, recognize: Recognize | None, password: str | None, limits: Limits
    ) -> PageWords:
        """Return the words of a page (1-based); with `recognize` those that OCR reads on it too."""
        ...

    def read_spots(
        self,
        path: Path,
        spots: Sequence[Spot],
        recognize: Recognize,
        *,
        password: str | None,
        limits: Limits,
        progress: Progress | None,
    ) -> Sequence[Sequence[TextLine]]:
        """Return the lines that OCR reads in each box."""
        ...

    def draw_spots(
        self, path: Path, spots: Sequence[Spot], *, dpi: float, password: str | None, limits: Limits
    ) -> Iterator[tuple[Raster | None, float]]:
        """Yield each box as a picture, and its pixels a point; None where there is none."""
        ...


def ending_of(name: str) -> str:
    """Return the ending by which a flowing format is told, in lower case: of several that fit the longest."""
    lowered = Path(name).name.lower()
    return next((ending for ending in _LONG_ENDINGS if lowered.endswith(ending)), Path(lowered).suffix)


def start_readers() -> None:
    """Load the readers of all formats with pages."""
    for row in PAGED:
        _reader(row).start()


def number_of_reader(path: Path) -> int:
    """Return the number of what reads flowing text with this ending of its name, 0 for any other file."""
    return number_of_module(FLOWING.get(ending_of(path.name), ""))


def number_of_module(name: str) -> int:
    """Return the number of a reader of flowing text by its module, 0 for any other."""
    return _READERS.index(name) if name in _READERS else 0


def load_reader(number: int) -> None:
    """Load a reader of flowing text, so that the children that are forked from now on have it."""
    name = _READERS[number]
    if name:
        flowing_reader(name)
    for module in _LIBRARIES.get(name, ()):
        importlib.import_module(module)


def paged_reader(path: Path) -> PagedReader:
    """Return what reads a file with pages: by how the file begins, else by the ending of its name."""
    try:
        start = _start(path)
    except OSError:  # whoever reads it says so
        start = b""
    marked = _marked(start)
    named = (row for row in PAGED if path.suffix.lower() in row.suffixes)
    return _reader(marked or next(named, PAGED[0]))


def _reader(row: PagedFormat) -> PagedReader:
    return cast("PagedReader", importlib.import_module(f"octavo_documents.parsing.{row.module}"))


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_WITHIN)


def _marked(start: bytes) -> PagedFormat | None:
    return next((row for row in PAGED if row.mark and row.mark in start), None)


def format_of(name: str, data: bytes) -> str | None:
    """Return the module that reads a file of this name and these bytes as flowing text, None for any other file."""
    return None if _marked(data[:_WITHIN]) else FLOWING.get(ending_of(name))


def is_flowing(path: Path) -> bool:
    """Whether a file is read as flowing text: by its name, unless it begins as one with pages does. Raises OSError."""
    return ending_of(path.name) in FLOWING and _marked(_start(path)) is None


def is_pdf(path: Path) -> bool:
    """Whether a file is a PDF, by how it begins. Raises OSError."""
    return _marked(_start(path)) is PDF


def is_picture(name: str) -> bool:
    """Whether a file is a picture, by its name."""
    return name.lower().endswith(PICTURES.suffixes)


def flowing_reader(name: str) -> Any:
    """Return the module of a flowing format, by its name in `FLOWING` or that of an article's format."""
    return importlib.import_module(name if name in _BROUGHT.values() else f"{__package__}.{name}")


def read_flow(path: Path, limits: Limits, password: str | None = None) -> FlowContent:
    """Return the content of a file in a flowing format; `password` opens an encrypted office file.

    Raises SourceError (`missing`, `empty`, `too_large`, `format`, `damaged`, `encrypted`, `password`); KeyError for
    another format.
    """
    module = flowing_reader(FLOWING[ending_of(path.name)])
    try:
        _check_size(path, limits)
        content = module.read(decryption.opened(path.read_bytes(), password))
    except NoText as error:
        reason = error.reason if error.reason in _REASONS else "format"
        raise SourceError(reason, f"{path} cannot be read: {error}") from None
    except OSError as error:
        raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
    except RecursionError:
        raise SourceError("damaged", f"{path} nests too deeply to be read") from None
    if not content.blocks:
        raise SourceError("empty", f"{path} has no text")
    return content


def _check_size(path: Path, limits: Limits) -> None:
    """Raise SourceError (`too_large`); what is packed, with its pictures, may be larger than plain text."""
    size, is_packed = path.stat().st_size, _start(path).startswith(ZIP_MARK)
    most = limits.file_bytes if is_packed else limits.text_bytes
    if size > most:
        of_what = "such a file" if is_packed else "text"
        raise SourceError("too_large", f"{path} has {size:,} bytes; of {of_what} at most {most:,} are read")
