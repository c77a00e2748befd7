"""CSL-JSON, which Zotero, pandoc and every citation processor read: an item a document, quotes in its note."""

from __future__ import annotations

import json
from typing import Any

from octavo.server.exports.bundle import Bundle, Source, one_line, page_list
from octavo.server.exports.kinds import sort_of
from octavo.server.exports.names import Name, names_of


def csl_json(bundle: Bundle) -> bytes:
    """Return an array of items by the schema of CSL 1.0.2."""
    items = [_item(bundle, source) for source in bundle.sources]
    return (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode()


def _item(bundle: Bundle, source: Source) -> dict[str, Any]:
    quotations = bundle.of(source)
    notes = [
        f"{'p. ' + one.printed + ': ' if source.has_pages else ''}“{one_line(one.quote)}”"
        + (f" {bundle.link(one)}" if bundle.link(one) else "")
        for one in quotations
    ]
    fields: dict[str, Any] = {
        "id": source.digits[:16] or source.name,
        "type": sort_of(source).csl,
        "title": one_line(source.title),
        "author": [_name(name) for name in names_of(source.author)],
        "issued": {"date-parts": [list(source.date)]} if source.date else None,
        "page": ", ".join(page_list(quotations)) if source.has_pages else "",
        "source": one_line(source.name),
        "URL": bundle.document_link(source),
        "note": "\n".join(notes),
    }
    return {name: value for name, value in fields.items() if value}


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": one_line(name.literal)}
    return {"family": one_line(name.family), "given": one_line(name.given)}
