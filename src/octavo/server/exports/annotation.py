"""W3C Web Annotations in JSON-LD: a highlight for each citation, found again by its words or by its page and box."""

from __future__ import annotations

import base64
import json
from typing import Any

from octavo.server.exports.bundle import Bundle, Quotation, Source

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_PDF = "http://tools.ietf.org/rfc/rfc3778"
"""What the Web Annotation Data Model (4.2.1) names for fragments of PDF."""
_MEDIA_TYPES = {".pdf": "application/pdf", ".html": "text/html", ".htm": "text/html", ".md": "text/markdown"}


def web_annotation(bundle: Bundle) -> bytes:
    """Return one annotation, or a collection of several as a page."""
    sources = {source.id: source for source in bundle.sources}
    items = [_annotation(bundle, one, sources[one.document_id]) for one in bundle.quotations]
    if len(items) == 1:
        whole: dict[str, Any] = {"@context": _CONTEXT, **items[0]}
    else:
        first = {"type": "AnnotationPage", "startIndex": 0, "items": items}
        whole = {"@context": _CONTEXT, "type": "AnnotationCollection", "total": len(items), "first": first}
        if bundle.question:
            whole["label"] = bundle.question
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


def _annotation(bundle: Bundle, one: Quotation, source: Source) -> dict[str, Any]:
    link = bundle.link(one)
    body = {"type": "TextualBody", "value": bundle.answer, "purpose": "commenting"} if bundle.answer else None
    return {
        **({"id": link} if link else {}),
        "type": "Annotation",
        "motivation": "highlighting",
        **({"body": body} if body else {}),
        "target": {"type": "SpecificResource", "source": _source(bundle, source), "selector": _selectors(one, source)},
    }


def _source(bundle: Bundle, source: Source) -> dict[str, str]:
    media = _MEDIA_TYPES.get(source.suffix)
    return {
        "id": bundle.document_link(source) or _by_hash(source),
        "type": "Text",
        **({"format": media} if media else {}),
        "dc:title": source.title,
        "dc:identifier": _by_hash(source),
    }


def _by_hash(source: Source) -> str:
    """Return the name of a file by its hash (RFC 6920), which says the same on every machine."""
    try:
        digest = bytes.fromhex(source.digits)
    except ValueError:
        digest = b""
    return "ni:///sha-256;" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _selectors(one: Quotation, source: Source) -> list[dict[str, str]]:
    quote = {"type": "TextQuoteSelector", "exact": _printed(one, one.quote)}
    if one.before:
        quote["prefix"] = _printed(one, one.before)
    if one.after:
        quote["suffix"] = _printed(one, one.after)
    if source.suffix != ".pdf" or len(one.box) != 4:
        return [quote]
    x0, y0, x1, y1 = one.box
    view = ",".join(f"{value:.1f}" for value in (x0, y0, x1 - x0, y1 - y0))
    return [
        quote,
        {"type": "FragmentSelector", "conformsTo": _PDF, "value": f"page={one.page}&viewrect={view}"},
    ]


def _printed(one: Quotation, words: str) -> str:
    """Return words as the file has them: what parts the cells of a table is ours."""
    return words.replace(" | ", " ") if one.kind == "table" else words
