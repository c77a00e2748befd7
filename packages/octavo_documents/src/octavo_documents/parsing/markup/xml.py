"""XML files by their root element: papers in JATS, OpenDocument that is not packed, XHTML."""

from __future__ import annotations

import importlib
import re

from octavo_documents.parsing.flow import FlowContent, NoText

LOOKED_AT = 8192
"""Bytes at the start of a file in which its root element begins."""
_ROOT = re.compile(
    rb"(?>\s+|<\?.*?\?>|<!--.*?-->|<![A-Z][^\[>]*(?:\[.*?\]\s*)?>)*+<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)([^>]*)", re.S
)
_OFFICE = {
    b"opendocument.text": "office.odt",
    b"opendocument.spreadsheet": "sheets.ods",
    b"opendocument.presentation": "office.odp",
}


def module_of(start: bytes) -> str:
    """Return the module of `octavo_documents.parsing` that reads an XML file which begins so, "" for none."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.decode("utf-16", "replace").encode()
    root = _ROOT.match(start.removeprefix(b"\xef\xbb\xbf"))
    name = root[1].lower() if root else b""
    if name in (b"article", b"pmc-articleset") and b"docbook" not in start.lower():
        return "markup.jats"
    if root and name == b"document" and b"opendocument" in start:
        return next((module for kind, module in _OFFICE.items() if kind in start), "")
    return "html" if root and name == b"html" else ""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file whose root element is known. Raises NoText."""
    module = module_of(data[:LOOKED_AT])
    if not module:
        raise NoText("it is XML of a kind that is no document: papers in JATS, OpenDocument and XHTML are read")
    return importlib.import_module(f"octavo_documents.parsing.{module}").read(data)
