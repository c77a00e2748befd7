"""Parts of a Word document that are documents of other formats (`altChunk`): HTML, MHT, RTF, Word, text."""

from __future__ import annotations

import email
import email.errors
from collections.abc import Sequence
from pathlib import PurePosixPath

from octavo_documents.parsing import plain
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, NoText
from octavo_documents.parsing.package import Package

_READERS = {".htm": "html", ".html": "html", ".xhtml": "html", ".rtf": "rtf", ".docx": "docx", ".txt": "plain"}
_WEB_ARCHIVE = (".mht", ".mhtml", ".eml")
_ODD = (ValueError, LookupError, TypeError, AssertionError, email.errors.MessageError)


def chunk_blocks(package: Package, name: str) -> Sequence[FlowBlock] | None:
    """Return the blocks of a part that is a document of another format; None where it cannot be read."""
    ending = PurePosixPath(name).suffix.lower()
    try:
        data = package.read(name)
        if ending in _WEB_ARCHIVE:
            return _of_web_archive(data)
        return _read(_READERS.get(ending, ""), data)
    except NoText:
        return None


def _read(reader: str, data: bytes) -> Sequence[FlowBlock] | None:
    if reader == "html":
        from octavo_documents.parsing import html

        return html.read(data).blocks
    if reader == "rtf":
        from octavo_documents.parsing.markup import rtf

        return rtf.read(data).blocks
    if reader == "plain":
        return plain.read(data).blocks
    return None


def _of_web_archive(data: bytes) -> Sequence[FlowBlock] | None:
    """Return the blocks of the page in a web archive (RFC 2557): the first part that is HTML, else the first text."""
    from octavo_documents.parsing import html

    try:
        parts = [one for one in email.message_from_bytes(data).walk() if one.get_content_maintype() == "text"]
        chosen = next((one for one in parts if one.get_content_subtype() == "html"), parts[0] if parts else None)
        payload = None if chosen is None else chosen.get_payload(decode=True)
        charset = None if chosen is None else chosen.get_content_charset()
    except _ODD:
        return None
    if not isinstance(payload, bytes):
        return None
    try:
        text = payload.decode(charset or "")
    except (LookupError, ValueError):
        text = text_of(payload, says_encoding=True)[0]
    return tuple(html.blocks_of(text))
