"""What is exported: citations, the documents they stand in, and the answer they belong to, if any."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo_documents.document import is_no_page
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.about.document_about import DocumentAbout
    from octavo.about.fields import FieldValue
    from octavo.corpus import Corpus
    from octavo.evidence.places import Cited
    from octavo_documents.document import Document

_CONTEXT = 32
"""Characters before and after a quote that tell it from the same words elsewhere; as many as Hypothesis keeps."""
_SET = ("zotero", "sidecar", "hand")
"""Who sets what a document is about: what they say goes before what its file says."""
_OPENING_PAGES = 3
"""Pages on which a document says when it was published."""
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?:\D?([01]\d)(?:\D?([0-3]\d))?)?")
_BEFORE_DOI = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclasses.dataclass(frozen=True, slots=True)
class CitedSource:
    """A document as bibliographies know it. `title` is the file's name where the file has no title of its own."""

    id: str
    """"sha256:" and the digest of the file."""
    name: str
    title: str
    author: str = ""
    created: str = ""
    doi: str = ""
    has_pages: bool = True

    @classmethod
    def of(cls, document: Document, about: DocumentAbout | None = None) -> CitedSource:
        """Return the source that a document is: what was set of it, by hand or beside it, before what its file says.

        A file says when it was made, which may be years before or after what stands in it was published: its date
        counts only where the first pages name the year.
        """
        source = cls._by_file(document)
        if about is None:
            return source
        told = {field: value for field, value in about.fields().items() if about.by.get(field) in _SET}
        return dataclasses.replace(
            source,
            title=str(told.get("title", source.title)),
            author=_author_set(told, about.by) or source.author,
            created=str(told.get("date", source.created)),
            doi=_BEFORE_DOI.sub("", str(told.get("doi", ""))).strip(),
        )

    @classmethod
    def _by_file(cls, document: Document) -> CitedSource:
        metadata, blocks = document.metadata, document.blocks
        source = cls(
            id=document.id,
            name=document.name,
            title=document.title or _title_of(document.name),
            author=on_one_line(metadata.author),
            created=metadata.created,
            has_pages=document.has_pages,
        )
        opening = blocks.text[: int(np.searchsorted(blocks.page, _OPENING_PAGES, side="right"))]
        is_stated = bool(source.date) and any(str(source.date[0]) in text for text in opening)
        return source if is_stated else dataclasses.replace(source, created="")

    @property
    def digits(self) -> str:
        """The hex digits of the document's hash."""
        return self.id.removeprefix("sha256:")

    @property
    def suffix(self) -> str:
        """The ending of the file's name in lower case: ".pdf"; of an article of a file of many, the file's."""
        return PurePosixPath(self.name.split("#")[0]).suffix.lower()

    @property
    def date(self) -> tuple[int, ...]:
        """When the document was made as (year, month, day), as far as that is known; () where it is not."""
        found = _YEAR.search(self.created)
        if not found:
            return ()
        parts = [int(part) for part in found.groups() if part]
        if len(parts) > 1 and not 1 <= parts[1] <= 12:
            return (parts[0],)
        return tuple(parts[:2] if len(parts) > 2 and not 1 <= parts[2] <= 31 else parts)


@dataclasses.dataclass(frozen=True, slots=True)
class Quotation:
    """A citation: where it stands, its words, and a few characters before and after them."""

    id: str
    document_id: str
    page: int
    page_label: str
    box: tuple[float, float, float, float]
    section: tuple[str, ...]
    quote: str
    kind: str
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, cited: Cited, text: str) -> Quotation:
        """Return what is cited in the text of its block; all of it where the citation has no words."""
        citation, start, stop = cited.citation, cited.start, cited.stop
        return cls(
            id=citation.id,
            document_id=citation.document_id,
            page=citation.page,
            page_label=citation.page_label,
            box=citation.box,
            section=citation.section,
            quote=citation.quote or text,
            kind=citation.kind,
            before=text[max(0, start - _CONTEXT) : start] if stop > start else "",
            after=text[stop : stop + _CONTEXT] if stop > start else "",
        )

    @property
    def printed(self) -> str:
        """The page as a reader cites it: its printed label, else its number in the file."""
        is_plain = not self.page_label or is_no_page(self.page_label)
        return str(self.page) if is_plain else self.page_label

    @property
    def place(self) -> str:
        """The section and what it is in: "5 Boats > 5.2 Landing"."""
        return " > ".join(on_one_line(title) for title in self.section)


@dataclasses.dataclass(frozen=True)
class Bundle:
    """What is exported. `base` is the address of the server that shows permalinks, "" where there is none."""

    quotations: tuple[Quotation, ...]
    sources: tuple[CitedSource, ...]
    """The documents of the quotations, each once, in the order of their first quotation."""
    question: str = ""
    answer: str = ""
    base: str = ""
    highlighter: Callable[[str, list[str]], bytes] | None = None
    """Gives a PDF with citations marked, from the document's id and the citations' ids."""

    def of(self, source: CitedSource) -> tuple[Quotation, ...]:
        """Return the quotations of a document, in their order."""
        return tuple(one for one in self.quotations if one.document_id == source.id)

    def link(self, quotation: Quotation) -> str:
        """Return the permalink of a citation; "" without a server's address."""
        return f"{self.base}/c/{quotation.id}" if self.base and quotation.id else ""

    def document_link(self, source: CitedSource) -> str:
        """Return the permalink of a document; "" without a server's address."""
        return f"{self.base}/d/{source.digits}" if self.base else ""

    def file_stem(self) -> str:
        """Return a name for the file, without its ending: letters of ASCII, digits, dots and dashes alone."""
        stem = PurePosixPath(self.sources[0].name.split("#")[0]).stem if len(self.sources) == 1 else "citations"
        return _UNSAFE.sub("-", stem).strip("-.")[:80] or "citations"


def page_list(quotations: Sequence[Quotation]) -> list[str]:
    """Return the printed labels of the pages of quotations, each once, in the order of the pages."""
    return list(dict.fromkeys(one.printed for one in sorted(quotations, key=lambda one: one.page)))


def one_line(text: str) -> str:
    """Return text with every run of white space as one space, and without control characters."""
    return "".join(letter for letter in on_one_line(text) if letter.isprintable())


def _title_of(name: str) -> str:
    """Return a title made of a file's name: an article's own, else the name without its ending."""
    return name.split("#", 1)[1] if "#" in name else PurePosixPath(name).stem or name


def _author_set(told: Mapping[str, FieldValue], by: Mapping[str, str]) -> str:
    """Return who wrote a document by the fields set of it: `issuer`, or `authors`, which Zotero has each by itself."""
    issuer, authors = str(told.get("issuer", "")), told.get("authors", "")
    each = "; ".join(authors) if isinstance(authors, tuple) else str(authors)
    is_same = each.startswith(issuer.removesuffix("…"))  # of very many the issuer has the first
    is_later = by.get("authors") == "hand" != by.get("issuer")
    return each if each and (is_same or is_later) else issuer


def stands_on(answer: Mapping[str, Any]) -> list[str]:
    """Return the ids of what an answer's JSON cites; of the passages it shows where no short answer is sure.

    Raises KeyError or TypeError for what is no such object.
    """
    rows = answer.get("citations")
    if not rows and answer.get("outcome", "passages") != "answer":
        rows = answer.get("passages")
    if rows is None:
        raise KeyError("citations")
    return [str(row["id"]) for row in rows]


def bundle_of(
    corpus: Corpus, citations: Sequence[str], *, answer: Mapping[str, Any] | None = None, base: str = ""
) -> Bundle:
    """Return the bundle of citations by their ids, and of the answer they belong to (its JSON), if any.

    Raises CorpusError (`unknown`) for a citation whose words or document have gone, UsageError for what is no id.
    """
    quotations = tuple(_quotation(corpus, identity) for identity in dict.fromkeys(citations))
    sources = dict.fromkeys(one.document_id for one in quotations)
    told = answer or {}
    return Bundle(
        quotations=quotations,
        sources=tuple(CitedSource.of(corpus.document(identity), corpus.about(identity)) for identity in sources),
        question=str(told.get("question", "")),
        answer=str(told.get("answer", "")) if told.get("outcome", "answer") == "answer" else "",
        base=base.rstrip("/"),
        highlighter=corpus.highlighted,
    )


def _quotation(corpus: Corpus, identity: str) -> Quotation:
    cited = corpus.cited(identity)
    blocks = corpus.document(cited.citation.document_id).blocks
    return Quotation.of(cited, blocks.text[int(cited.citation.block.removeprefix("b"))])
