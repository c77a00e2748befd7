"""Files that are called as Word or PowerPoint of 97 to 2003 and hold something else, which the programs open too."""

from __future__ import annotations

import re

from octavo_documents.parsing import html
from octavo_documents.parsing.flow import FlowContent, NoText
from octavo_documents.parsing.markup import rtf
from octavo_documents.parsing.office import docx, pptx
from octavo_documents.parsing.package import OLE_MARK, ZIP_MARK

_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml|!--|head|meta)", re.IGNORECASE)


def read(data: bytes) -> FlowContent:
    """Return the blocks of such a file: RTF, a web page, or a file of today's Office. Raises NoText."""
    if data.startswith(b"{\\rtf"):
        return rtf.read(data)
    if _PAGE.match(data):
        return html.read(data)
    if data.startswith(ZIP_MARK):
        return docx.read(data) if b"word/" in data else pptx.read(data)
    if data.startswith(OLE_MARK):  # inside another file: by itself it would have been converted
        raise NoText("it is a file of Word or PowerPoint of before 2007: save it by itself, or as .docx or .pptx")
    raise NoText("it is no file of Word or PowerPoint")
