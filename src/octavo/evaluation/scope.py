"""The documents that questions name, in the corpus they are asked of.

Owns the way from names in a benchmark to documents, and what stands for "all of them". Knows no question's gold.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence

from octavo.evaluation.indexing import Indexed


@dataclasses.dataclass(frozen=True)
class MadeOf:
    """Digests of what documents were made from, by id, and one digest of those of all in scope."""

    documents: Mapping[str, str]
    whole: str


class Scope:
    """Documents by name, in a corpus that holds `total` documents, these and perhaps others."""

    def __init__(self, indexed: Indexed, total: int) -> None:
        self._indexed = indexed
        self._all = tuple(dict.fromkeys(info.id for info in indexed.documents.values()))
        self._is_whole = len(self._all) == total

    def missing(self, names: Iterable[str]) -> str | None:
        """Return the first name that no document has, None when all are there."""
        return next((name for name in names if not self._indexed.called(name)), None)

    def ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the documents of these names, each once; without names all."""
        if not names:
            return self._all
        return tuple(dict.fromkeys(info.id for name in names for info in self._indexed.called(name)))

    def asked(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """Return what to name when a question is asked: None where the whole corpus is in scope."""
        return None if not names and self._is_whole else self.ids(names)

    def made_of(self, documents: Mapping[str, str]) -> MadeOf:
        """Return digests by document with the digest of all."""
        told = "\n".join(f"{name} {documents[name]}" for name in self._all)
        return MadeOf(documents, hashlib.sha256(told.encode()).hexdigest())

    def fingerprints(self, names: Sequence[str], made_of: MadeOf) -> list[str]:
        """Return what documents were made from, as a journal's key holds it; one digest stands for all."""
        return [f"{name} {made_of.documents[name]}" for name in self.ids(names)] if names else [made_of.whole]
