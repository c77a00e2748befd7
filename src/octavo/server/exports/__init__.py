"""Citations in the formats that scholars and auditors use: a table of formats, each a pure function of a `Bundle`.

Beside bibliographies these are W3C Web Annotations, Markdown, and the PDF itself with the citations marked.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from octavo.errors import UsageError, did_you_mean
from octavo.server.exports.bibliography import bibtex, csl_json, ris
from octavo.server.exports.bundle import Bundle, Quotation, Source, one_line

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


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&$@]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
"""What is markup somewhere, and what makes a link of an address that stands in the words."""
_LEADING = re.compile(r"^(\s*)([-+=]|\d+[.)](?=\s))")


def markdown(bundle: Bundle) -> bytes:
    """Return a document in CommonMark in which nothing of the sources is markup or a link."""
    sources = {source.id: source for source in bundle.sources}
    head = [f"**{escaped(bundle.question)}**"] if bundle.question else []
    if bundle.answer:
        head.append("\n\n".join(escaped(line) for line in bundle.answer.splitlines() if line.strip()))
    items = [_item(bundle, number, one, sources[one.document_id]) for number, one in enumerate(bundle.quotations, 1)]
    return ("\n\n".join([*head, "\n\n".join(items)]) + "\n").encode()


def escaped(text: str) -> str:
    """Return one line of text so that Markdown shows it as it is."""
    safe = _SPECIAL.sub(r"\\\1", one_line(text))
    return _LEADING.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", safe)


def _item(bundle: Bundle, number: int, one: Quotation, source: Source) -> str:
    where = [
        escaped(source.title) if source.title == source.name else f"{escaped(source.title)} ({escaped(source.name)})"
    ]
    if source.has_pages:
        printed = "" if one.printed == str(one.page) else f" (printed {escaped(one.printed)})"
        where.append(f"page {one.page}{printed}")
    if one.place:
        where.append(escaped(one.place))
    link = bundle.link(one)
    told = f"[link](<{link}>)" if link else f"`{one.id}`" if one.id else ""
    indent = " " * (len(str(number)) + 2)
    first = f"{number}. {', '.join(where)}" + (f" {told}" if told else "")
    return f"{first}\n\n{indent}> {escaped(one.quote)}"


def highlighted(bundle: Bundle) -> bytes:
    """Return the one document of a bundle as its bundle's highlighter gives it.

    Raises UsageError for citations of several documents, and for a document that is no PDF.
    """
    if len(bundle.sources) > 1:
        names = ", ".join(source.name for source in bundle.sources[:4])
        raise UsageError(
            f"a PDF is of one document, these citations are of {len(bundle.sources)} ({names}): export each"
        )
    source = next(iter(bundle.sources))
    if source.suffix != ".pdf" or bundle.highlighter is None:
        raise UsageError(f"{source.name} is no PDF to mark citations in: export it as markdown or web-annotation")
    return bundle.highlighter(source.id, [one.id for one in bundle.quotations])


__all__ = ["FORMATS", "Bundle", "Exported", "Format", "Quotation", "Source", "export"]


@dataclasses.dataclass(frozen=True, slots=True)
class Format:
    """A format: its media type, the ending of its files, and what writes it."""

    media_type: str
    suffix: str
    write: Callable[[Bundle], bytes]


@dataclasses.dataclass(frozen=True, slots=True)
class Exported:
    """A file: its bytes, its media type, and a name for it that is safe in a header and on a disk."""

    data: bytes
    media_type: str
    name: str


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "bibtex": Format("application/x-bibtex", ".bib", bibtex),
        "csl-json": Format("application/vnd.citationstyles.csl+json", ".json", csl_json),
        "ris": Format("application/x-research-info-systems", ".ris", ris),
        "web-annotation": Format(
            'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"', ".jsonld", web_annotation
        ),
        "markdown": Format("text/markdown; charset=utf-8", ".md", markdown),
        "pdf": Format("application/pdf", ".pdf", highlighted),
    }
)
"""Every format by the name it is asked for."""


def export(bundle: Bundle, name: str) -> Exported:
    """Return a bundle as a file of a format of `FORMATS`.

    Raises UsageError for another format, for a bundle without citations, and for one that the format cannot hold.
    """
    from difflib import get_close_matches

    chosen = FORMATS.get(name)
    if chosen is None:
        near = get_close_matches(name, FORMATS, 2)
        raise UsageError(
            f"there is no format {name!r}: {did_you_mean(near) if near else 'choose ' + ', '.join(FORMATS)}"
        )
    if not bundle.quotations:
        raise UsageError("there is nothing to export: the answer has no citations")
    return Exported(chosen.write(bundle), chosen.media_type, bundle.file_stem() + chosen.suffix)
