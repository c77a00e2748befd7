"""From ids of citations, or an answer, to the bundle that is exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo.server.exports.bundle import Bundle, Source

if TYPE_CHECKING:
    from octavo.document import Document
    from octavo.server.library import Library

_OPENING_PAGES = 3
"""Pages on which a document says when it was published."""


def bundle_of(
    library: Library, citations: Sequence[str], *, answer: Mapping[str, Any] | None = None, base: str = ""
) -> Bundle:
    """Return the bundle of citations by their ids, and of the answer they belong to, if any.

    Raises CorpusError (`unknown`) for a citation whose words or document have gone, UsageError for what is no id.
    """
    found = [library.citation(identity) for identity in dict.fromkeys(citations)]
    ids = dict.fromkeys(one["document_id"] for one in found)
    documents = [with_stated_date(library.document(identity), library.corpus.document(identity)) for identity in ids]
    return Bundle.of_json(
        found, documents, answer=answer, base=base, highlighter=getattr(library.corpus, "highlighted", None)
    )


def with_stated_date(told: dict[str, Any], document: Document) -> dict[str, Any]:
    """Return a document's JSON, without its date where its first pages do not name the year.

    A file says when it was made, which may be years before or after what stands in it was published.
    """
    date, blocks = Source.of_json(told).date, document.blocks
    opening = blocks.text[: int(np.searchsorted(blocks.page, _OPENING_PAGES, side="right"))]
    is_stated = bool(date) and any(str(date[0]) in text for text in opening)
    return told if is_stated else {**told, "created": ""}
