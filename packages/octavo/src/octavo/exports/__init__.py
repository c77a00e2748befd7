"""Citations in the formats that scholars and auditors use: a table of formats, each a pure function of a `Bundle`.

Beside bibliographies these are W3C Web Annotations, Markdown, and the PDF itself with the citations marked.

Who wrote a document is told from the one line that was set or that its file has for it, what sort of work it is from
its file's ending.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from octavo.errors import UsageError, did_you_mean
from octavo.exports.bundle import Bundle, CitedSource, Quotation, one_line, page_list

_BETWEEN = re.compile(r"\s*(?:;|\n|\s+and\s+|\s*&\s*(?=\w+[\s,])|\|)\s*", re.IGNORECASE)
_BODY = re.compile(
    r"\b(inc|ltd|llc|corp|co|gmbh|ag|plc|company|university|institute|department|division|office|ministry|group|"
    r"committee|association|society|authors|team|center|centre|council|agency|bank|foundation|laboratory|station|research|survey|press|museum|school|library|service|services|authority|"
    r"commission|trust|board|court|government|parliament|college|union|federation|limited|holdings|"
    r"systems|technologies|online|online help)\b\.?"
    r"|\b(of|the|for)\b|[\d@/]",
    re.IGNORECASE,
)
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "di", "da", "del", "della", "la", "le", "du", "ter", "ten", "al"}
)
_MOST_WORDS = 4
"""Words of a person's name, at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Name:
    """A person by family and given name, or a body by its `literal` name."""

    family: str = ""
    given: str = ""
    literal: str = ""

    @property
    def inverted(self) -> str:
        """The name as bibliographies sort it: "Family, Given", or the literal name."""
        return self.literal or (f"{self.family}, {self.given}" if self.given else self.family)


def names_of(author: str) -> tuple[Name, ...]:
    """Return the authors in a line such as "Ann Lee; Bo Ek", "Lee, Ann and Ek, Bo" or "Harbour Office"."""
    if _BODY.search(author) and not re.search(r";|\|", author):
        return (Name(literal=author),)
    return tuple(name for part in _BETWEEN.split(author) if part for name in _of_part(part.strip(" ,")))


def _of_part(part: str) -> list[Name]:
    if _BODY.search(part):
        return [Name(literal=part)]
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    if len(pieces) == 2 and len(pieces[0].split()) <= 2 and not all(" " in piece for piece in pieces):
        return [Name(family=pieces[0], given=pieces[1])]
    return [_of_person(piece) for piece in pieces]


def _of_person(text: str) -> Name:
    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS:
        return Name(literal=text)
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return Name(family=" ".join(words[first:]), given=" ".join(words[:first]))


@dataclasses.dataclass(frozen=True, slots=True)
class Sort:
    """The names of one sort of work: BibTeX's entry type, CSL's item type, RIS's reference type."""

    bibtex: str
    csl: str
    ris: str


_DOCUMENT = Sort("misc", "document", "GEN")
_PAGE = Sort("misc", "webpage", "ELEC")
_ENTRY = Sort("misc", "entry-encyclopedia", "ENCYC")
_SORTS = {
    ".html": _PAGE,
    ".htm": _PAGE,
    ".xhtml": _PAGE,
    ".mhtml": _PAGE,
    ".wiki": _ENTRY,
    ".mediawiki": _ENTRY,
    ".wikitext": _ENTRY,
    ".epub": Sort("book", "book", "BOOK"),
    ".pptx": Sort("misc", "speech", "SLIDE"),
    ".odp": Sort("misc", "speech", "SLIDE"),
    ".xlsx": Sort("misc", "dataset", "DATA"),
    ".ods": Sort("misc", "dataset", "DATA"),
    ".csv": Sort("misc", "dataset", "DATA"),
    ".eml": Sort("misc", "personal_communication", "PCOMM"),
}


def sort_of(source: CitedSource) -> Sort:
    """Return what sort of work a document is."""
    return _SORTS.get(source.suffix, _DOCUMENT)


_ESCAPES = str.maketrans(
    {
        "\\": r"{\textbackslash}",
        "{": r"{\textbraceleft}",
        "}": r"{\textbraceright}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "~": r"{\textasciitilde}",
        "^": r"{\textasciicircum}",
    }
)
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20"})


def _bibtex(bundle: Bundle) -> bytes:
    """Return a .bib file in UTF-8."""
    keys: set[str] = set()
    return "\n".join(_entry(bundle, source, _key(source, keys)) for source in bundle.sources).encode()


def _entry(bundle: Bundle, source: CitedSource, key: str) -> str:
    quotations = bundle.of(source)
    authors = [
        "{" + _tex(name.literal) + "}" if name.literal else _tex(name.inverted) for name in names_of(source.author)
    ]
    date = source.date
    link = bundle.document_link(source)
    notes = [
        f"{'p. ' + _tex(one.printed) + ': ' if source.has_pages else ''}``{_tex(one.quote)}''"
        + (f" [\\url{{{bundle.link(one).translate(_VERBATIM)}}}]" if bundle.link(one) else "")
        for one in quotations
    ]
    fields = {
        "author": " and ".join(authors),
        "title": "{" + _tex(source.title) + "}",
        "year": str(date[0]) if date else "",
        "month": str(date[1]) if len(date) > 1 else "",
        "pages": _tex(", ".join(page_list(quotations))) if source.has_pages else "",
        "doi": source.doi.translate(_VERBATIM),
        "howpublished": _tex(source.name),
        "url": link.translate(_VERBATIM),
        "note": f"SHA-256 {source.digits}",
        "annote": " ".join(notes),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{sort_of(source).bibtex}{{{key},\n{lines}}}\n"


def _tex(text: str) -> str:
    return one_line(text).translate(_ESCAPES)


def _key(source: CitedSource, taken: set[str]) -> str:
    """Return a key such as "lee2019handbook" that no entry before has, and note it."""
    names = names_of(source.author)
    who = _plain((names[0].family or names[0].literal).split()[0]) if names else ""
    words = [word for word in map(_plain, source.title.split()) if len(word) > 3]
    stem = f"{who}{source.date[0] if source.date else ''}{words[0] if words else ''}" or "document"
    key = stem if stem not in taken else f"{stem}-{source.digits[:8]}"
    taken.add(key)
    return key


def _plain(word: str) -> str:
    """Return the letters and digits of ASCII in a word, in lower case, accents taken off."""
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", word).lower())


def _csl_json(bundle: Bundle) -> bytes:
    """Return an array of items by the schema of CSL 1.0.2."""
    items = [_csl_item(bundle, source) for source in bundle.sources]
    return (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode()


def _csl_item(bundle: Bundle, source: CitedSource) -> dict[str, Any]:
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
        "DOI": source.doi,
        "URL": bundle.document_link(source),
        "note": "\n".join(notes),
    }
    return {name: value for name, value in fields.items() if value}


def _name(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": one_line(name.literal)}
    return {"family": one_line(name.family), "given": one_line(name.given)}


def _ris(bundle: Bundle) -> bytes:
    """Return references in UTF-8, lines ended as the format wants them; no value can start a line of its own."""
    lines = [f"{tag}  - {one_line(value)}" for source in bundle.sources for tag, value in _tags(bundle, source)]
    return "".join(f"{line.strip()}\r\n" if not line.startswith("ER") else "ER  - \r\n" for line in lines).encode()


def _tags(bundle: Bundle, source: CitedSource) -> Iterator[tuple[str, str]]:
    quotations, date = bundle.of(source), source.date
    yield "TY", sort_of(source).ris
    for name in names_of(source.author):
        yield "AU", name.inverted
    yield "TI", source.title
    if date:
        yield "PY", str(date[0])
        yield "DA", "/".join([str(date[0]), *(f"{part:02d}" for part in date[1:]), *("" for _ in range(4 - len(date)))])
    if source.has_pages:
        yield "SP", ", ".join(page_list(quotations))
    if source.doi:
        yield "DO", source.doi
    if link := bundle.document_link(source):
        yield "UR", link
    yield "ID", source.digits[:16]
    yield "N1", f"{source.name}, SHA-256 {source.digits}"
    for one in quotations:
        page = f"p. {one.printed}: " if source.has_pages else ""
        yield "N1", f"{page}“{one.quote}” {bundle.link(one)}"
    yield "ER", ""


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


def _annotation(bundle: Bundle, one: Quotation, source: CitedSource) -> dict[str, Any]:
    link = bundle.link(one)
    body = {"type": "TextualBody", "value": bundle.answer, "purpose": "commenting"} if bundle.answer else None
    return {
        **({"id": link} if link else {}),
        "type": "Annotation",
        "motivation": "highlighting",
        **({"body": body} if body else {}),
        "target": {"type": "SpecificResource", "source": _source(bundle, source), "selector": _selectors(one, source)},
    }


def _source(bundle: Bundle, source: CitedSource) -> dict[str, str]:
    media = _MEDIA_TYPES.get(source.suffix)
    return {
        "id": bundle.document_link(source) or _by_hash(source),
        "type": "Text",
        **({"format": media} if media else {}),
        "dc:title": source.title,
        "dc:identifier": _by_hash(source),
    }


def _by_hash(source: CitedSource) -> str:
    """Return the name of a file by its hash (RFC 6920), which says the same on every machine."""
    try:
        digest = bytes.fromhex(source.digits)
    except ValueError:
        digest = b""
    return "ni:///sha-256;" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _selectors(one: Quotation, source: CitedSource) -> list[dict[str, str]]:
    quote = {"type": "TextQuoteSelector", "exact": _printed(one, one.quote)}
    if one.before:
        quote["prefix"] = _printed(one, one.before)
    if one.after:
        quote["suffix"] = _printed(one, one.after)
    if source.suffix != ".pdf":
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


def _item(bundle: Bundle, number: int, one: Quotation, source: CitedSource) -> str:
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


__all__ = ["FORMATS", "Bundle", "CitedSource", "Exported", "Format", "Quotation", "export"]


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
        "bibtex": Format("application/x-bibtex", ".bib", _bibtex),
        "csl-json": Format("application/vnd.citationstyles.csl+json", ".json", _csl_json),
        "ris": Format("application/x-research-info-systems", ".ris", _ris),
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
        raise UsageError("there is nothing to export: the answer has neither citations nor passages")
    return Exported(chosen.write(bundle), chosen.media_type, bundle.file_stem() + chosen.suffix)
