"""Where words stand in indexed documents: the calls of a corpus about words on pages, pictures, citations found again.

Quotes are looked for in `verifying`, what is typed in `finding`, words of a text on their page in `marking`; `pages`
draws and reads pages.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from octavo.corpus import arguments
from octavo.errors import UsageError
from octavo.evidence.citation_ids import CitationId
from octavo_documents.document.page_words import PageWords

if TYPE_CHECKING:
    from PIL.Image import Image

    from octavo.corpus.places.pages import Pages
    from octavo.corpus.store import DocumentInfo
    from octavo.corpus.store.references import Names
    from octavo.evidence import View
    from octavo.evidence.places import Cited, Finds, Mark, Verification
    from octavo.models.ports import Raster
    from octavo_documents.document import Document
    from octavo_documents.document.page_words import Box, PageWords


_NARROWEST, _WIDEST = 16, 8000
"""Pixels of a picture's width."""
_MOST_IDS = 100
"""Citations that are highlighted at once."""
_NOTED = 500
"""Characters of a quote in the note of its highlight."""
_OPENED = 24
"""Documents that are looked through for a quote, at most."""
_MOST_TEXTS, _MOST_CHARACTERS = 64, 20_000
_BLOCK = re.compile(r"b(\d{1,9})", re.A)


@arguments.checked
class Places(ABC):
    """What a corpus tells of places in its documents.

    Words and pictures come from the file, in guarded processes that stay ready until the corpus is closed. The calls
    that need it raise SourceError when it has gone (`missing`), is no longer the file that was indexed (`damaged`), is
    `encrypted` or cannot be read.
    """

    @abstractmethod
    def _one(self, reference: str) -> tuple[DocumentInfo, View]:
        """Return one document and a view of it."""

    @abstractmethod
    def _pages(self) -> Pages:
        """Return what draws pages and reads words."""

    @abstractmethod
    def _view_matching(
        self, text: str, documents: Names | None, most: int, pages: int | None = None
    ) -> tuple[View, bool]:
        """Return a view of the documents in scope, of more than `most` those that fit a text, and if that is all.

        Where `pages` are given these have no more, and there are as many documents as that takes, fitting or not.
        """

    def words(self, reference: str, page: int) -> PageWords:
        """Return the words of page `page` (1-based) with their boxes, in reading order; none for flowing text.

        Pages that OCR read when they were indexed are read by OCR once more, and their words are kept in the corpus.
        """
        info, view = self._one(reference)
        document = view.documents[0]
        _check_page(document, page)
        return _words(self._pages(), info, document, page)

    def render(
        self, reference: str, page: int, *, box: Box | None = None, dpi: float = 150.0, password: str | None = None
    ) -> Raster:
        """Draw page `page` (1-based) of a document, or `box` on it (points), as (height, width, 3) uint8 RGB.

        `password` is that of an encrypted file, where it is another than the corpus was opened with.
        """
        info, view = self._one(reference)
        return self._pages().picture(info, page, box, dpi, password, _within(view.documents[0], page))

    def picture(self, reference: str, page: int, width: int = 900, box: Box | None = None) -> Raster:
        """Draw page `page` (1-based) of a document, or `box` on it (points), `width` pixels wide.

        Returns (height, width, 3) uint8 RGB, smaller where that would be more than 12 million pixels. Raises UsageError
        for a width out of range and a box outside the page.
        """
        info, view = self._one(reference)
        document = view.documents[0]
        _check_page(document, page)
        if not _NARROWEST <= width <= _WIDEST:
            raise UsageError(f"a picture is {_NARROWEST} to {_WIDEST} pixels wide, not {width}")
        across, down = float(document.pages.width[page - 1]), float(document.pages.height[page - 1])
        if not document.is_drawn(page):
            raise UsageError(_no_picture(document, page))
        x0, y0, x1, y1 = (0.0, 0.0, across, down) if box is None else box
        if not (max(x0, 0.0) < min(x1, across) and max(y0, 0.0) < min(y1, down)):
            raise UsageError(f"the box lies outside of page {page}, which has {across:g} x {down:g} points")
        inside = min(x1, across) - max(x0, 0.0)
        # A little less, since readers round the drawn width up or to the nearest.
        dpi = 72.0 * (width - 0.25) / inside
        return self._pages().picture(info, page, box, dpi, within=_within(document, page))

    def verify(self, quote: str, documents: Names | None = None, limit: int = 10) -> Verification:
        """Return whether documents hold a quote, and where, at most `limit` places.

        A quote stands there `exact`, letter for letter within a block; `normalised`, but for white space, case,
        accents, quotation marks, dashes and hyphens, also over blocks that follow each other; or `near`, in nearly the
        same words, one place a document, the most alike first. Only the best of these is told. Documents are named as
        for `ask`, None: all; of more than 24 those that fit the quote best (BM25) are looked through, and the
        verification is not complete. Raises UsageError for a quote without words or of more than 4,000 characters.
        """
        from octavo.corpus.places.verifying import checked_quote, verified

        wanted = checked_quote(quote)
        view, is_complete = self._view_matching(wanted, documents, _OPENED)
        return verified(wanted, view, limit=limit, is_complete=is_complete)

    def find(self, text: str, documents: Names | None = None, limit: int = 20, start: int = 0) -> Finds:
        """Return where documents have a text as it is typed, in title, name or words: of each `limit` places.

        A part of a word will do; a text of one or two letters begins a word. Case, accents, typography and line breaks
        do not count. `start` passes over as many places of each document. Documents are named as for `ask`, None: all;
        of more than 1,000, or 20,000 pages, those that fit the text best are looked through, and the finds are not
        complete. Raises UsageError for an empty text and one of more than 200 characters.
        """
        from octavo.corpus.places.finding import MOST_PAGES, MOST_READ, checked_text, found_in

        wanted = checked_text(text)
        view, is_complete = self._view_matching(wanted, documents, MOST_READ, MOST_PAGES)
        return found_in(view, wanted, limit=limit, start=start, is_complete=is_complete)

    def marks(self, reference: str, block: str, texts: Sequence[str]) -> tuple[Mark, ...]:
        """Return where texts of a block ("b12") stand on its page, in their order: a box for each line of print.

        A mark without boxes is of a text that is not found there, or of flowing text. Raises UsageError for a block
        that is not there and for more than 64 texts or 20,000 characters.
        """
        from octavo.corpus.places.marking import marked

        if len(texts) > _MOST_TEXTS or sum(map(len, texts)) > _MOST_CHARACTERS:
            raise UsageError(
                f"at most {_MOST_TEXTS} texts of {_MOST_CHARACTERS:,} characters in all are marked at once"
            )
        info, view = self._one(reference)
        document = view.documents[0]
        row = _row_of(document, block)
        return marked(_words(self._pages(), info, document, int(document.blocks.page[row])), document, row, texts)

    def cited(self, citation_id: str) -> Cited:
        """Return the words that the id of a citation or passage names, and where they stand now.

        Raises UsageError for what is no id, UnknownDocumentError when the document is not in the corpus, and
        CorpusError (`unknown`) when the words are no longer in it. The box is that of the whole block where the words
        are not found on the page, or the file cannot be read.
        """
        from octavo.corpus.places.marking import cited, document_of

        parsed = CitationId.parse(citation_id)
        info, view = self._one(document_of(parsed))
        return cited(parsed, view, lambda page: _words(self._pages(), info, view.documents[0], page))

    def picture_of(self, citation_id: str, width: int = 900) -> Image:
        """Return the page that a citation or passage stands on as a picture, `width` pixels wide, its words marked.

        Raises as `cited` and `picture` do; UsageError for flowing text, which has no pages.
        """
        from octavo.corpus.places.marking import marked_picture

        cited = self.cited(citation_id)
        document = self._one(cited.citation.document_id)[1].documents[0]
        at = cited.citation.page
        boxes = [spot.box for spot in cited.boxes if spot.page == at]
        drawn = self.picture(document.id, at, width)
        return marked_picture(drawn, boxes, float(document.pages.width[at - 1]))

    def highlighted(self, reference: str, ids: Sequence[str]) -> bytes:
        """Return the PDF of a document with highlight annotations on the words of citations, by their ids.

        A note in each says the words. What the file had is untouched. Raises UsageError for ids of another document,
        more than 100 of them, and a document without pages, SourceError (`format`) for one that is no PDF, and as
        `cited` does.
        """
        if len(ids) > _MOST_IDS:
            raise UsageError(f"at most {_MOST_IDS} citations can be highlighted at once, not {len(ids)}")
        info, view = self._one(reference)
        if not view.documents[0].has_pages:
            raise UsageError(f"{info.name} has no pages to highlight words on: it is flowing text")
        found = [self.cited(identity) for identity in dict.fromkeys(ids)]
        for one in found:
            if one.citation.document_id != info.id:
                raise UsageError(f"the citation {one.citation.id} is of {one.citation.document}, not of {info.name}")
            if _within(view.documents[0], one.citation.page):
                raise UsageError(f"the citation {one.citation.id} is of a file in {info.name}, not of its own pages")
        return self._pages().highlighted(
            info,
            [(one.citation.page, [spot.box for spot in one.boxes], one.citation.quote[:_NOTED]) for one in found],
        )


def _words(pages: Pages, info: DocumentInfo, document: Document, page: int) -> PageWords:
    """Return the words of a page in reading order."""
    from octavo.corpus.places.marking import in_reading_order

    if not document.is_drawn(page):
        return PageWords.of([])
    is_scanned = bool(document.pages.is_scanned[page - 1])
    found = pages.words(info, page, is_scanned=is_scanned, within=_within(document, page))
    return in_reading_order(found, document, page)


def _within(document: Document, page: int) -> str:
    """Return where a page stands in a file in the document's own; "" for its own pages and for none."""
    return document.pages.within[page - 1] if 0 < page <= len(document.pages) else ""


def _no_picture(document: Document, page: int) -> str:
    """Say why a page cannot be drawn."""
    if document.pages.width.any():
        return f"{document.name} has no picture of page {page}: it is flowing text there"
    return f"{document.name} has no pages to draw: it is flowing text"


def _row_of(document: Document, block: str) -> int:
    """Return the row of the block of an id."""
    found = _BLOCK.fullmatch(block)
    if found is None or int(found[1]) >= len(document.blocks):
        raise UsageError(
            f"{document.name} has no block {block[:20]!r}: its blocks are b0 to b{len(document.blocks) - 1}"
        )
    return int(found[1])


def _check_page(document: Document, page: int) -> None:
    count = len(document.pages)
    if not 1 <= page <= count:
        raise UsageError(f"{document.name} has no page {page}; its pages are 1 to {count}")
