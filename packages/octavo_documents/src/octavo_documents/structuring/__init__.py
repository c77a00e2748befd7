"""Pages of lines to a document: blocks, reading order, headings and their levels.

Imports nothing heavy: whoever only compares versions must not pay for the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo_documents.document import Document
    from octavo_documents.parsing.content import SourceContent

STRUCTURE_VERSION = 18
"""Part of a parsed document's fingerprint: raised whenever the blocks made from the same pages change."""
FLOW_VERSION = 10
"""Part of a parsed document's fingerprint: raised whenever blocks and links made from the same text change."""


def structure(content: SourceContent, *, name: str, digest: str) -> Document:
    """Return the document in `content`: blocks in reading order with kinds, heading levels and links.

    `name` is the file's name, `digest` the SHA-256 of its bytes in hex. Every line of text lands in one block; running
    headers and footers are blocks of their own kinds. The same content gives the same document.
    """
    from octavo_documents.structuring.layout import structured

    return structured(content, name=name, digest=digest)
