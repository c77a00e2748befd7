"""From the id of a citation back to the words and the place they stand at."""

from __future__ import annotations

from collections.abc import Callable

from octavo.document import Citation, View
from octavo.document.citation_ids import CitationId
from octavo.document.places import Cited, Spot
from octavo.errors import CorpusError


def document_of(citation_id: CitationId) -> str:
    """Return what names the document of a citation."""
    return f"sha256:{citation_id.digits}"


def cited(citation_id: CitationId, view: View, mark: Callable[[int, str], tuple[Spot, ...]]) -> Cited:
    """Return what a citation of the one document of a view means now: see `Corpus.cited`.

    `mark` gives the boxes of words in the block of a row, none where they are not found on its page.
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
    boxes = mark(row, citation.quote) if citation.quote else ()
    if not boxes and document.has_pages:
        boxes = (Spot(citation.page, citation.box),)
    return Cited(citation, start, stop, boxes, "same" if citation.id == str(citation_id) else "moved")
