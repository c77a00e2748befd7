"""A file to a document: read by its format, given its structure, and with the files in it read likewise.

What is carried is hostile as all else: how much of it is opened is bounded for the whole of a file, and what cannot be
read costs itself alone.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from octavo_documents.document import Document, Kind
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import Raster
from octavo_documents.parsing import MEBIBYTE, Limits, formats, pdf
from octavo_documents.parsing.carried_files import held
from octavo_documents.parsing.content import Spot, TextLine
from octavo_documents.parsing.flow import (
    DEEPEST,
    CarriedFile,
    FlowBlock,
    FlowContent,
    NoText,
    attached,
    collapse_whitespace,
)
from octavo_documents.parsing.formats import is_picture
from octavo_documents.parsing.layout_regions import Detection
from octavo_documents.parsing.pdf_attachments import attachments_of
from octavo_documents.parsing.recognition import OcrMode, Progress, Recognize
from octavo_documents.structuring.carried import Carried, joined, with_carried
from octavo_documents.structuring.figures.figure_words import filled, words_in_figures
from octavo_documents.structuring.figures.stated import with_values
from octavo_documents.structuring.flow import flowing_with_files
from octavo_documents.structuring.layout import structured
from octavo_documents.structuring.picture_words import PictureReader
from octavo_documents.structuring.printed_pages import on_printed_pages


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read, and what the caller does for it."""

    password: str | None
    limits: Limits
    ocr: OcrMode = "auto"
    recognize: Recognize | None = None
    layout: Detection | None = None
    progress: Progress | None = None
    figures: Progress | None = None
    opens: Callable[[], None] = lambda: None
    """Is called before the first file in the file is opened."""
    may_open: bool = True
    """Whether files in the file are read; else they are named."""


_LEAST_READ = 8
"""Letters and digits of a picture with words: logos under letters have fewer, as figures without words do."""


@dataclass(slots=True)
class _Left:
    """How much of what a file carries may still be opened, and what was left out."""

    files: int = 500
    size: int = 256 * MEBIBYTE
    blocks: int = 200_000
    pages: int = 5000
    is_open: bool = False
    warnings: list[str] = field(default_factory=list[str])


def document_of(path: Path, reading: Reading, *, name: str, digest: str, printed: str = "") -> Document:
    """Return the document of a file; `printed` is a PDF printed of it. Raises SourceError."""
    reader = _Reader(reading)
    document = reader.document(path, name=name, digest=digest, printed=printed)
    said = (*document.metadata.warnings, *dict.fromkeys(reader.left.warnings))
    return replace(document, metadata=replace(document.metadata, warnings=said))


class _Reader:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._pictures = PictureReader(reading.recognize if reading.ocr != "never" else None, reading.limits)
        self.left = _Left(pages=reading.limits.pages)

    def document(self, path: Path, *, name: str, digest: str, printed: str = "", depth: int = 0) -> Document:
        if path.exists() and formats.is_flowing(path):
            content = formats.read_flow(path, self._reading.limits, self._reading.password)
            return self._flowing(content, path, name=name, digest=digest, printed=printed, depth=depth)
        document = self._paged(path, name=name, digest=digest)
        return self._with_attachments(document, path, depth) if formats.is_pdf(path) else document

    # Flowing text

    def _flowing(
        self, content: FlowContent, path: Path, *, name: str, digest: str, printed: str = "", depth: int = 0
    ) -> Document:
        content, told = self._pictures.with_words(content)
        carried: list[tuple[int, CarriedFile, Document]] = []
        blocks = tuple(self._opened(content.blocks, carried, depth))
        content = replace(content, blocks=blocks, warnings=(*content.warnings, *told))
        if not blocks:
            raise SourceError("empty", f"{path} has no text")
        if printed:
            return self._printed(content, carried, Path(printed), name=name, digest=digest)
        document, rows = flowing_with_files(content, name=name, digest=digest)
        return _set(document, rows, carried)

    def _printed(
        self,
        content: FlowContent,
        carried: Sequence[tuple[int, CarriedFile, Document]],
        printed: Path,
        *,
        name: str,
        digest: str,
    ) -> Document:
        """Return a document on the pages that were printed of it, the files in it after all of these."""
        own = tuple(block for block in content.blocks if block.file is None or block.kind != Kind.HEADING)
        document, _ = flowing_with_files(replace(content, blocks=own), name=name, digest=digest)
        limits, progress = self._reading.limits, self._reading.progress
        pages = pdf.extract(printed, limits=limits, ocr="never", progress=progress).pages
        return _appended(on_printed_pages(document, pages) or document, carried)

    def _opened(
        self, blocks: Sequence[FlowBlock], carried: list[tuple[int, CarriedFile, Document]], depth: int
    ) -> Iterator[FlowBlock]:
        """Yield blocks without the headings of files that cannot be read, whose names come before those beside them."""
        number = 0
        for is_file, run in itertools.groupby(blocks, lambda one: one.file is not None and one.kind == Kind.HEADING):
            if not is_file:
                yield from (replace(block, file=None) for block in run)
                continue
            read, unread = list[FlowBlock](), list[CarriedFile]()
            for block in run:
                file = block.file or CarriedFile("")
                document = self._carried(file, depth)
                if document is None:
                    unread.append(file)
                else:
                    carried.append((number, file, document))
                    read.append(block)
                number += 1
            if unread:
                yield FlowBlock(Kind.PARAGRAPH, f"Attached: {', '.join(map(_described, unread))}")
            yield from read

    # Pages

    def _paged(self, path: Path, *, name: str, digest: str) -> Document:
        how, reader = self._reading, formats.paged_reader(path)
        limits = replace(how.limits, pages=self.left.pages)
        content = reader.extract(
            path,
            password=how.password,
            limits=limits,
            ocr=how.ocr,
            recognize=how.recognize,
            layout=how.layout,
            progress=how.progress,
        )
        document = structured(content, name=name, digest=digest)
        words: dict[int, list[TextLine]] = {}
        if how.recognize is not None and how.ocr != "never":
            read = partial(
                reader.read_spots, path, recognize=how.recognize, password=how.password, limits=limits,
                progress=how.figures,
            )  # fmt: skip
            words = words_in_figures(document, read)

        def draw(spots: Sequence[Spot], *, dpi: float) -> Iterator[tuple[Raster | None, float]]:
            return reader.draw_spots(path, spots, dpi=dpi, password=how.password, limits=limits)

        return with_values(filled(document, words), content.pages, words, draw)

    def _with_attachments(self, document: Document, path: Path, depth: int) -> Document:
        """Return the document of a PDF with the files in it after its pages."""
        files = attachments_of(path, password=self._reading.password, limits=self._reading.limits)
        found = [(at, one, self._carried(one, depth)) for at, one in enumerate(files)]
        return _appended(document, [(at, one, held) for at, one, held in found if held is not None])

    # Files in files

    def _carried(self, file: CarriedFile, depth: int) -> Document | None:
        """Return the document of a file in a file; None for one that is not read, which is told."""
        left, called = self.left, collapse_whitespace(file.name) or "a file without a name"
        is_known = file.content is not None or _is_known(held(file))
        if not self._reading.may_open or not is_known or not (file.data or file.content):
            left.warnings.append(f"not read: attached file {_described(file)}")
            return None
        if depth >= DEEPEST or not self._takes(file):
            why = "it stands too deep in others" if depth >= DEEPEST else "there are too many, or they are too large"
            left.warnings.append(f"not read: attached file {_described(file)}: {why}")
            return None
        try:
            return self._read(file, depth)
        except (NoText, SourceError) as error:
            why = str(error).removeprefix(f"{held(file)} ")
        except RecursionError:
            why = "nests too deeply to be read"
        except MemoryError:
            why = "needs too much memory to be read"
        except Exception as error:  # noqa: BLE001  (whatever it is, it is this one file's)
            why = f"cannot be read for an error inside Octavo ({type(error).__name__}: {error}); please report it"
        left.warnings.append(f'attachment "{called}" {why}')
        return None

    def _read(self, file: CarriedFile, depth: int) -> Document | None:
        left = self.left
        if not left.is_open:
            self._reading.opens()
            left.is_open = True
        path, digest = held(file), hashlib.sha256(file.data).hexdigest()
        if file.content is not None:
            document = self._flowing(file.content, path, name=file.name, digest=digest, depth=depth + 1)
        else:
            document = self.document(path, name=file.name, digest=digest, depth=depth + 1)
        if is_picture(path.name) and sum(map(str.isalnum, "".join(document.blocks.text))) < _LEAST_READ:
            left.warnings.append(f"no words were read in: attached file {_described(file)}")
            return None
        left.blocks -= len(document.blocks)
        left.pages -= len(document.pages) if document.has_pages else 0
        said = (*document.metadata.warnings, *((document.metadata.damage,) if document.metadata.damage else ()))
        left.warnings += [f'attachment "{collapse_whitespace(file.name)}": {one}' for one in said]
        return document

    def _takes(self, file: CarriedFile) -> bool:
        """Whether a file may still be opened; it is then counted."""
        left, size = self.left, len(file.data)
        if left.files <= 0 or size > left.size or left.blocks <= 0 or left.pages <= 0:
            return False
        left.files -= 1
        left.size -= size
        return True


def _is_known(path: Path) -> bool:
    """Whether a file is in a format that is read, by its name or its first bytes."""
    return formats.is_pdf(path) or path.suffix.lower() in formats.SUFFIXES


def _described(file: CarriedFile) -> str:
    name = collapse_whitespace(file.name) or "a file without a name"
    return f"{name} ({file.kind}, {len(file.data):,} bytes)" if file.data and file.kind else name


def _set(document: Document, rows: Sequence[int], carried: Sequence[tuple[int, CarriedFile, Document]]) -> Document:
    """Return a document with those of its files, whose headings stand in rows of it."""
    return with_carried(
        document,
        [
            Carried(row, collapse_whitespace(file.name), number, inner)
            for row, (number, file, inner) in zip(rows, carried, strict=True)
        ],
    )


def _appended(document: Document, carried: Sequence[tuple[int, CarriedFile, Document]]) -> Document:
    """Return a document with those of its files after all of it, each under a heading of its own."""
    if not carried:
        return document
    headings = tuple(attached(file, 1) for _, file, _ in carried)
    end, rows = flowing_with_files(FlowContent(headings), name="", digest="")
    return _set(joined(document, end), [len(document.blocks) + row for row in rows], carried)
