"""RIS, which EndNote, Mendeley and Zotero read: a reference a document, a note for each quote."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.server.exports.bundle import Bundle, Source, one_line, page_list
from octavo.server.exports.kinds import sort_of
from octavo.server.exports.names import names_of


def ris(bundle: Bundle) -> bytes:
    """Return references in UTF-8, lines ended as the format wants them; no value can start a line of its own."""
    lines = [f"{tag}  - {one_line(value)}" for source in bundle.sources for tag, value in _tags(bundle, source)]
    return "".join(f"{line.strip()}\r\n" if not line.startswith("ER") else "ER  - \r\n" for line in lines).encode()


def _tags(bundle: Bundle, source: Source) -> Iterator[tuple[str, str]]:
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
    if link := bundle.document_link(source):
        yield "UR", link
    yield "ID", source.digits[:16]
    yield "N1", f"{source.name}, SHA-256 {source.digits}"
    for one in quotations:
        page = f"p. {one.printed}: " if source.has_pages else ""
        yield "N1", f"{page}“{one.quote}” {bundle.link(one)}"
    yield "ER", ""
