"""What the index holds of each document, as a fingerprint.

Owns one question to the store: an outcome is kept for as long as the parts that it was read from stay the same.
"""

from __future__ import annotations

from contextlib import closing

from octavo.corpus import Corpus, fingerprints, location
from octavo.corpus.sqlite import SqliteStore


def of_documents(corpus: Corpus) -> dict[str, str]:
    """Return, by document id, a fingerprint of the document and all of its layers as they are indexed now."""
    parts: dict[str, list[str]] = {}
    with closing(SqliteStore(location.database(corpus.path))) as store:
        for key in store.published():
            parts.setdefault(key.document_id, []).append(f"{key.name} {key.fingerprint}")
    return {name: fingerprints.of(*sorted(found)) for name, found in parts.items()}
