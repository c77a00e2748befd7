"""What sort of work a document is in each bibliography format, by the ending of its file's name."""

from __future__ import annotations

import dataclasses

from octavo.server.exports.bundle import Source


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


def sort_of(source: Source) -> Sort:
    """Return what sort of work a document is."""
    return _SORTS.get(source.suffix, _DOCUMENT)
