"""From ids of citations, or an answer, to the bundle that is exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from octavo.server.exports.bundle import Bundle

if TYPE_CHECKING:
    from octavo.server.library import Library


def bundle_of(
    library: Library, citations: Sequence[str], *, answer: Mapping[str, Any] | None = None, base: str = ""
) -> Bundle:
    """Return the bundle of citations by their ids, and of the answer they belong to, if any.

    Raises CorpusError (`unknown`) for a citation whose words or document have gone, UsageError for what is no id.
    """
    found = [library.citation(identity) for identity in dict.fromkeys(citations)]
    documents = [library.document(identity) for identity in dict.fromkeys(one["document_id"] for one in found)]
    return Bundle.of_json(
        found, documents, answer=answer, base=base, highlighter=getattr(library.corpus, "highlighted", None)
    )
