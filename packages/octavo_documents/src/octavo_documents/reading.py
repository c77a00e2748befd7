"""Reading one file into a `Document`, for programs that want nothing else."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from octavo_documents import models
from octavo_documents.document import Document
from octavo_documents.errors import SourceError
from octavo_documents.parsing.formats import is_picture
from octavo_documents.parsing.recognition import OcrMode
from octavo_documents.structuring.parser_pool import ParserPool

if TYPE_CHECKING:
    from octavo_documents.models.ports import LayoutModel, TextRecognizer

NO_OCR = "has pages without text, and OCR is not installed: pip install 'octavo-documents[ocr]'"


def read(
    path: str | Path,
    *,
    password: str | None = None,
    ocr: OcrMode = "auto",
    recognizer: TextRecognizer | None = None,
    layout: LayoutModel | None = None,
) -> Document:
    """Return the document in a file: its outline, blocks in reading order with page and box, tables, links.

    The file is read in a guarded process of its own, which is started with the first call and kept.

    Args:
        path: A file in one of the formats that `octavo-documents --formats` lists.
        password: Opens a PDF, or an office file, that asks for one.
        ocr: Which pages are read by OCR: those without text ("auto"), all ("always"), or none ("never").
        recognizer: What reads pages that are pictures; None: the one that comes with the extra `ocr`, where it is
            installed. Without any such pages stay empty, and a warning says so (`document.metadata.warnings`).
        layout: A model that tells the regions of pages; None: geometry and fonts do.

    Raises:
        SourceError: the file cannot be read; `reason` is a stable word, the message says what to do.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
    if recognizer is None and ocr != "never":
        recognizer = _recognizer()
    data = _parser().parse(
        path, name=path.name, digest=digest, password=password, ocr=ocr, recognizer=recognizer, layout=layout
    )
    document = Document.from_bytes(data)
    if recognizer is None and ocr != "never" and (document.pages.is_scanned.any() or is_picture(path.name)):
        warnings = (*document.metadata.warnings, f"{path.name} {NO_OCR}")
        return dataclasses.replace(document, metadata=dataclasses.replace(document.metadata, warnings=warnings))
    return document


@functools.cache
def _parser() -> ParserPool:
    pool = ParserPool(1)
    atexit.register(pool.close)
    return pool


def _recognizer() -> TextRecognizer | None:
    """Return what reads text in pictures, None where the extra is not installed."""
    return models.recognizer() if find_spec("rapidocr") else None
