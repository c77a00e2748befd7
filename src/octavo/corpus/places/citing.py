"""From the id of a citation back to the words and the place they stand at."""

from __future__ import annotations

from collections.abc import Callable

from octavo.corpus.places.marking import MarkedWords, in_chart
from octavo.document import Citation, Document, View
from octavo.document.citation_ids import CitationId
from octavo.document.page_words import PageWords
from octavo.document.places import Box, Cited, Spot
from octavo.errors import CorpusError, SourceError
from octavo.text.quotes import letters


def document_of(citation_id: CitationId) -> str:
    """Return what names the document of a citation."""
    return f"sha256:{citation_id.digits}"


def cited(citation_id: CitationId, view: View, words: Callable[[int], PageWords]) -> Cited:
    """Return what a citation of the one document of a view means now: see `Corpus.cited`.

    `words` gives the words of a page in reading order.
    """
    document = view.documents[0]
    found = citation_id.found_in(document)
    if found is None:
        raise CorpusError(
            "unknown",
            f"The words of this citation are not in {document.name} (any longer): it was read anew since",
        )
    row, start, stop = found
    citation = Citation.between(view, row, start, stop)
    boxes = _boxes(citation, start, document, row, words) if citation.quote and document.has_pages else ()
    if not boxes and document.has_pages and citation.box[2] > citation.box[0]:
        boxes = (citation.box,)
    spots = tuple(Spot(citation.page, box) for box in boxes)
    return Cited(citation, start, stop, spots, "same" if citation.id == str(citation_id) else "moved")


def _boxes(
    citation: Citation, start: int, document: Document, row: int, words: Callable[[int], PageWords]
) -> tuple[Box, ...]:
    """Return the boxes of the words that begin at a character of a block; none where they are not found on the page."""
    if at_labels := in_chart(document, row, start, citation.quote):
        return at_labels
    x0, y0, x1, y1 = document.blocks.box[row].tolist()
    text = document.blocks.text[row]
    try:
        inside = MarkedWords(words(citation.page), (x0, y0, x1, y1))
    except SourceError:
        return ()
    return inside.find(citation.quote, len(letters(text[:start])) / max(len(letters(text)), 1))
