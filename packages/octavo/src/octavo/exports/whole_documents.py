"""Whole documents in the formats of other programs: Markdown, HTML, JSON with boxes, Docling, tables as sheets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from octavo.errors import UsageError
from octavo.exports import FORMATS, Exported

if TYPE_CHECKING:
    from octavo_documents.document import Document


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


_FORMATS: Mapping[str, tuple[str, str, Callable[[Document], bytes]]] = MappingProxyType(
    {
        "markdown": (".md", "text/markdown", lambda document: document.to_markdown(pages=True).encode()),
        "html": (".html", "text/html", lambda document: document.to_html().encode()),
        "json": (".json", "application/json", lambda document: _json(document.to_json())),
        "docling": (".docling.json", "application/json", lambda document: _json(document.to_docling())),
        "csv": (".csv", "text/csv", lambda document: document.to_csv().encode("utf-8-sig")),
        "xlsx": (
            ".xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            lambda document: document.to_xlsx(),
        ),
    }
)
"""By name of the format: the ending of its files, its media type, and what writes it."""
DOCUMENT_FORMATS = tuple(_FORMATS)


def export_document(document: Document, form: str) -> Exported:
    """Return a document in a format. Raises UsageError for a format of another name."""
    if form not in _FORMATS:
        of_citations = "; of citations it is: name their ids, or the JSON of an answer" if form in FORMATS else ""
        raise UsageError(f"documents are written as {', '.join(_FORMATS)}: {form!r} is none of these{of_citations}")
    ending, media_type, write = _FORMATS[form]
    return Exported(write(document), media_type, f"{PurePath(document.name).stem or document.name}{ending}")
