"""What people call a document: its id, the start of its hash, its file name or its path.

Owns the rules of matching. Knows nothing about stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from octavo.corpus.sources import absolute, path_key
from octavo.corpus.store import DocumentInfo, Source
from octavo.errors import CorpusError, UsageError

_SHORTEST_PREFIX = 4
_PREFIX = "sha256:"


def find(reference: str, documents: Sequence[DocumentInfo], sources: Mapping[str, Source]) -> DocumentInfo:
    """Return the one document a reference means.

    Raises CorpusError (`unknown`) when there is none and UsageError when there are several.
    """
    by_id = {document.id: document for document in documents}
    if reference in by_id:
        return by_id[reference]
    source = sources.get(path_key(absolute(reference)))
    if source and source.document_id in by_id:
        return by_id[source.document_id]
    found = [document for document in documents if _fits(reference, document)]
    if not found:
        raise CorpusError("unknown", f"There is no document {reference!r} in the corpus: 'octavo list' shows all")
    if len(found) > 1:
        names = ", ".join(f"{document.path} ({document.id[7:15]})" for document in found[:8])
        raise UsageError(f"{reference!r} means {len(found)} documents: {names}; give more of the hash or the path")
    return found[0]


def _fits(reference: str, document: DocumentInfo) -> bool:
    digits = reference.lower().removeprefix(_PREFIX)
    is_prefix = len(digits) >= _SHORTEST_PREFIX and document.id.removeprefix(_PREFIX).startswith(digits)
    return is_prefix or document.name == reference
