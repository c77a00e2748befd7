"""Which files a file carries, and the one of them on whose page something stands."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from pathlib import Path

from octavo_documents.document import Kind
from octavo_documents.errors import SourceError
from octavo_documents.parsing import Limits, formats
from octavo_documents.parsing.flow import DEEPEST, CarriedFile, FlowContent
from octavo_documents.parsing.held_file import HeldFile
from octavo_documents.parsing.pdf_attachments import attachments_of


def carried_by(content: FlowContent) -> list[CarriedFile]:
    """Return the files that flowing text carries, in their order; pictures whose words are its own left out."""
    return [block.file for block in content.blocks if block.file is not None and block.kind == Kind.HEADING]


def held(file: CarriedFile) -> HeldFile:
    """Return a file in a file as one that can be read; its media type tells the ending where its name has none."""
    name = file.name
    if Path(name).suffix.lower() not in formats.SUFFIXES and file.kind:
        name += _ENDINGS.get(file.kind.lower()) or mimetypes.guess_extension(file.kind.lower(), strict=False) or ""
    return HeldFile(name, file.data)


_ENDINGS = {"message/rfc822": ".eml", "text/html": ".html", "text/plain": ".txt"}


def page_within(path: Path, within: str, *, password: str | None, limits: Limits) -> tuple[Path, int]:
    """Return the file and its page (1-based) that a place in a file ("2/0:5") names.

    Raises SourceError where there is none, and for what cannot be read.
    """
    numbers, _, page = within.partition(":")
    file: Path = path
    content: FlowContent | None = None
    for number in map(int, numbers.split("/")[:DEEPEST]):
        carried = _carried(file, content, password=password, limits=limits)
        if number >= len(carried):
            raise SourceError("damaged", f"{path} has changed since it was indexed: add it again")
        content, file = carried[number].content, held(carried[number])
    return file, int(page)


def _carried(path: Path, content: FlowContent | None, *, password: str | None, limits: Limits) -> Sequence[CarriedFile]:
    if content is not None:
        return carried_by(content)
    if formats.is_flowing(path):
        return carried_by(formats.read_flow(path, limits, password))
    return attachments_of(path, password=password, limits=limits)
