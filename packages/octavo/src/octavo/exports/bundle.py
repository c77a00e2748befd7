"""What is exported: citations, the documents they stand in, and the answer they belong to, if any."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from octavo_documents.document import is_no_page

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo_documents.document import Document

_CONTEXT = 32
"""Characters before and after a quote that tell it from the same words elsewhere; as many as Hypothesis keeps."""
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?:\D?([01]\d)(?:\D?([0-3]\d))?)?")
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
    has_pages: bool = True

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> CitedSource:
        """Return the source that a document's JSON object describes."""
        name = _text(document, "name")
        return cls(
            id=_text(document, "id"),
            name=name,
            title=_text(document, "title") or _title_of(name),
            author=" ".join(_text(document, "author").split()),
            created=_text(document, "created"),
            has_pages=bool(document.get("has_pages", True)),
        )

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
    document: str
    page: int
    page_label: str
    box: tuple[float, ...]
    section: tuple[str, ...]
    quote: str
    before: str = ""
    after: str = ""
    kind: str = ""

    @classmethod
    def of_json(cls, citation: Mapping[str, Any]) -> Quotation:
        """Return the quotation that a citation's JSON object describes; `text`, `start` and `stop` give its context."""
        text, start, stop = _text(citation, "text"), _whole(citation, "start"), _whole(citation, "stop")
        return cls(
            id=_text(citation, "id"),
            document_id=_text(citation, "document_id"),
            document=_text(citation, "document"),
            page=_whole(citation, "page"),
            page_label=_text(citation, "page_label"),
            box=tuple(float(value) for value in _items(citation, "box")),
            section=tuple(str(title) for title in _items(citation, "section")),
            quote=_text(citation, "quote") or text,
            before=text[max(0, start - _CONTEXT) : start] if stop > start else "",
            after=text[stop : stop + _CONTEXT] if stop > start else "",
            kind=_text(citation, "kind"),
        )

    @property
    def printed(self) -> str:
        """The page as a reader cites it: its printed label, else its number in the file."""
        is_plain = not self.page_label or is_no_page(self.page_label)
        return str(self.page) if is_plain else self.page_label

    @property
    def place(self) -> str:
        """The section and what it is in: "5 Boats > 5.2 Landing"."""
        return " > ".join(" ".join(title.split()) for title in self.section)


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

    @classmethod
    def of_json(
        cls,
        citations: Iterable[Mapping[str, Any]],
        documents: Iterable[Mapping[str, Any]],
        *,
        answer: Mapping[str, Any] | None = None,
        base: str = "",
        highlighter: Callable[[str, list[str]], bytes] | None = None,
    ) -> Bundle:
        """Return the bundle of citations' JSON objects, those of their documents and that of the answer, if any."""
        quotations = tuple(dict.fromkeys(Quotation.of_json(citation) for citation in citations))
        known = {source.id: source for source in map(CitedSource.of_json, documents)}
        sources = {one.document_id: known.get(one.document_id) or _unknown(one) for one in quotations}
        told = answer or {}
        return cls(
            quotations=quotations,
            sources=tuple(sources.values()),
            question=_text(told, "question"),
            answer=_text(told, "answer") if told.get("outcome", "answer") == "answer" else "",
            base=base.rstrip("/"),
            highlighter=highlighter,
        )

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
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def _unknown(quotation: Quotation) -> CitedSource:
    return CitedSource(quotation.document_id, quotation.document, _title_of(quotation.document))


def _title_of(name: str) -> str:
    """Return a title made of a file's name: an article's own, else the name without its ending."""
    return name.split("#", 1)[1] if "#" in name else PurePosixPath(name).stem or name


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _whole(values: Mapping[str, Any], key: str) -> int:
    value = values.get(key)
    return value if isinstance(value, int) else 0


def _items(values: Mapping[str, Any], key: str) -> list[Any]:
    value = values.get(key)
    return list(cast("Sequence[Any]", value)) if isinstance(value, list | tuple) else []


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


_OPENING_PAGES = 3
"""Pages on which a document says when it was published."""


def bundle_of(
    corpus: Corpus, citations: Sequence[str], *, answer: Mapping[str, Any] | None = None, base: str = ""
) -> Bundle:
    """Return the bundle of citations by their ids, and of the answer they belong to, if any.

    Raises CorpusError (`unknown`) for a citation whose words or document have gone, UsageError for what is no id.
    """
    found = [_citation(corpus, identity) for identity in dict.fromkeys(citations)]
    documents = [corpus.document(identity) for identity in dict.fromkeys(one["document_id"] for one in found)]
    told = [with_stated_date(_document(one), one) for one in documents]
    return Bundle.of_json(found, told, answer=answer, base=base, highlighter=getattr(corpus, "highlighted", None))


def _citation(corpus: Corpus, identity: str) -> dict[str, Any]:
    """Return the JSON of a citation by its id, with the text of its block and where in it the quote stands."""
    cited = corpus.cited(identity)
    blocks = corpus.document(cited.citation.document_id).blocks
    text = blocks.text[int(cited.citation.block.removeprefix("b"))]
    return {**cited.citation.to_json(), "text": text, "start": cited.start, "stop": cited.stop}


def _document(document: Document) -> dict[str, Any]:
    """Return what bibliographies know of a document, as JSON."""
    metadata = document.metadata
    return {
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "author": metadata.author,
        "created": metadata.created,
        "has_pages": document.has_pages,
    }


def with_stated_date(told: dict[str, Any], document: Document) -> dict[str, Any]:
    """Return a document's JSON, without its date where its first pages do not name the year.

    A file says when it was made, which may be years before or after what stands in it was published.
    """
    date, blocks = CitedSource.of_json(told).date, document.blocks
    opening = blocks.text[: int(np.searchsorted(blocks.page, _OPENING_PAGES, side="right"))]
    is_stated = bool(date) and any(str(date[0]) in text for text in opening)
    return told if is_stated else {**told, "created": ""}
